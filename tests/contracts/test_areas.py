"""The areas in which a guard and its oracle could part, D1 to D20: both say the same."""

import threading

import pytest
from beartype import beartype
from guard_areas import RESULTS, ROWS, A, F_n, F_nn, Z, functions, verdict
from jaxtyping import Float, jaxtyped

from ropeguard import ContractError, guard


@pytest.mark.parametrize(("hints", "calls"), ROWS)
def test_verdict_is_the_oracles(hints, calls):
    for call in calls:
        ours, oracle = functions(hints)
        assert verdict(ours, call)[0] == verdict(oracle, call)[0], call


@pytest.mark.parametrize(("hints", "call", "results"), RESULTS)
def test_d11_results_are_judged_as_by_the_oracle(hints, call, results):
    for out in results:
        ours, oracle = functions(hints, out)
        assert verdict(ours, call)[0] == verdict(oracle, call)[0], out


def test_d11_an_argument_changed_in_place_is_found_at_the_return():
    def grow(x: Float[A, "1 n"], y: Float[A, "m n"]) -> Float[A, "m n"]:
        x += y
        return x

    x, y = Z((1, 3)), Z((4, 3))
    assert verdict(jaxtyped(grow, typechecker=beartype), (Z((1, 3)), y))[0] == "refused"
    with pytest.raises(ContractError, match="`x` was changed in place") as caught:
        guard(grow)(x, y)
    assert caught.value.violation.kind == "mutated"


def test_d9_a_call_that_does_not_fit_the_signature_is_pythons_to_refuse():
    ours, _ = functions({"x": F_n})
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: 'x'"):
        ours()
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        ours("wrong", "too many")


@pytest.mark.parametrize("failure", [TypeError, ValueError, KeyError, KeyboardInterrupt])
def test_d12_what_the_body_raises_passes_through_unchanged(failure):
    raised, runs = failure("own"), []

    @guard
    def run(x: F_n) -> F_n:
        runs.append(1)
        raise raised

    with pytest.raises(failure) as caught:
        run(Z(2))
    assert caught.value is raised
    assert caught.value.__context__ is None
    assert not getattr(raised, "__notes__", [])
    assert runs == [1]


def test_d13_every_guarded_call_has_names_of_its_own():
    @guard
    def inner(x: F_n) -> F_n:
        return x[:-1] if x.shape[0] > 3 else x

    @guard
    def outer(x: F_n, depth: int) -> F_n:
        inner(Z(2))
        return outer(Z(depth), depth - 1) if depth == 9 else x

    assert outer(Z(5), 1).shape == (5,)
    with pytest.raises(ContractError):
        outer(Z(5), 9)
    with pytest.raises(ContractError):
        inner(Z(4))


def test_d13_guards_and_jaxtyped_nest_in_either_order():
    @jaxtyped(typechecker=beartype)
    def theirs(x: F_n) -> F_n:
        return x

    @guard
    def ours(x: F_n) -> F_n:
        theirs(Z(7))
        assert not isinstance(Z((1, 2)), F_nn)
        return x

    @jaxtyped(typechecker=beartype)
    def around(x: F_n) -> F_n:
        ours(Z(8))
        return x

    assert around(Z(3)).shape == (3,)


def test_d7_a_failed_alternative_leaves_no_names_behind():
    # The oracle leaves what the items of a failed tuple have bound: `n` from the first one here.
    hint = tuple[F_n, Float[A, "3"]] | tuple[Float[A, "m"], Float[A, "4"]]
    ours, oracle = functions({"x": hint, "y": F_n})
    call = ((Z(2), Z(4)), Z(9))
    assert verdict(oracle, call)[0] == "refused"
    assert verdict(ours, call)[0] == "accepted"


def test_d14_threads_do_not_share_names():
    @guard
    def same(x: F_n, y: F_n) -> F_n:
        return y

    outcomes = []

    def work(size):
        for i in range(100):
            call = (Z(size), Z(size + i % 2))
            outcomes.append(verdict(same, call)[0] == ("accepted", "refused")[i % 2])

    threads = [threading.Thread(target=work, args=(size,)) for size in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 800
    assert all(outcomes)
