"""Where jaxtyping with beartype lets a call through unchecked, a guard refuses it.

Each test shows both: what the oracle does, and what a guard does instead. docs/guards.md lists
them. The annotations in strings are the subject here, so some functions are made by `exec`.
"""

import asyncio
import dataclasses
import gc
import subprocess
import sys
from collections.abc import Iterator

import mlx.core as mx
import pytest
from beartype import beartype
from jaxtyping import AnnotationError, Float, jaxtyped

from ropeguard import ContractError, RopeguardError, guard


oracle = jaxtyped(typechecker=beartype)
F_n = Float[mx.array, "n"]
Z = mx.zeros


def made(source, **names):
    namespace = {"mx": mx, "Float": Float, **names}
    exec(source, namespace)
    return namespace["f"]


def refused(call, code_slug):
    with pytest.raises(RopeguardError) as caught:
        call()
    assert caught.value.slug == code_slug
    return caught.value


def test_a_typo_in_a_string_annotation_is_refused_at_the_first_call():
    source = "def f(x: \"Flaot[mx.array, 'n']\"): return 'ran'"
    assert oracle(made(source))("anything") == "ran"
    failure = refused(lambda: guard(made(source))(Z(3)), "annotation-unresolvable")
    assert "Flaot" in str(failure)


def test_a_bad_shape_in_a_string_annotation_is_refused_at_decoration():
    source = "def f(x: \"Float[mx.array, '*a *b']\"): return 'ran'"
    assert oracle(made(source))("anything") == "ran"
    refused(lambda: guard(made(source)), "annotation-unresolvable")


def test_a_syntax_error_in_a_string_annotation_is_refused_at_decoration():
    source = "def f(x: 'Float[mx.array'): return 'ran'"
    assert oracle(made(source))("anything") == "ran"
    refused(lambda: guard(made(source)), "annotation-unresolvable")


def test_local_names_in_string_annotations_are_resolved():
    Local = Float[mx.array, "n n"]

    @guard
    def f(x: "Local") -> "Local":
        return x

    assert f(Z((2, 2))).shape == (2, 2)
    with pytest.raises(ContractError):
        f(Z((2, 3)))


def test_a_method_may_name_its_own_class():
    class Block:
        @guard
        def merge(self, other: "Block", x: "Float[mx.array, 'n']") -> "Block":
            return self

    block = Block()
    assert block.merge(block, Z(3)) is block
    with pytest.raises(ContractError) as caught:
        block.merge(3, Z(3))
    assert isinstance(caught.value, TypeError)


def test_optimised_python_checks_the_same():
    program = (
        "import sys, mlx.core as mx\nfrom jaxtyping import Float\nfrom ropeguard import guard\n"
        "@guard\n"
        "def f(x: Float[mx.array, 'n n'], k: int | str, *, flag: dict[str, int]): return 1\n"
        "assert False, 'optimised away'\n"
        "calls = [((mx.zeros((2, 3)), 1), {}), ((mx.zeros((2, 2)), 1.0), {}),"
        " ((mx.zeros((2, 2)), 1), {'a': 'b'})]\n"
        "for args, flag in calls:\n"
        "    try: f(*args, flag=flag)\n"
        "    except Exception as error: print(error.slug)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-O", "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == [
        "argument-size-conflict",
        "argument-no-alternative",
        "argument-type-mismatch",
    ]


def test_a_default_that_contradicts_its_hint_is_refused_at_decoration():
    def f(x: F_n = None, y: int = "three"):
        return "ran"

    assert oracle(f)() == "ran"
    failure = refused(lambda: guard(f), "default-contradiction")
    assert "`x`" in str(failure)


def test_a_default_that_is_not_passed_is_checked_against_the_other_arguments():
    def f(x: F_n, y: F_n = Z(3)):  # noqa: B008
        return "ran"

    assert oracle(f)(Z(4)) == "ran"
    guarded = guard(f)
    assert guarded(Z(3)) == "ran"
    with pytest.raises(ContractError):
        guarded(Z(4))


def test_every_item_of_a_container_is_checked():
    def f(x: list[F_n], y: dict[str, int]):
        return "ran"

    guarded = guard(f)
    assert guarded([Z(2)] * 50, {"a": 1}) == "ran"
    with pytest.raises(ContractError, match=r"`x\[37\]` axis 0 \(n\) is 3, expected 2"):
        guarded([Z(2)] * 37 + [Z(3)] + [Z(2)] * 12, {"a": 1})
    with pytest.raises(ContractError, match=r"`y\['k9'\]` is '9', expected int"):
        guarded([], {f"k{i}": i if i != 9 else "9" for i in range(20)})


def test_what_a_generator_yields_is_checked():
    def f(x: Float[mx.array, "n d"]) -> Iterator[Float[mx.array, "d"]]:
        yield x[0]
        yield x[:, 0]

    assert len(list(oracle(f)(Z((2, 3))))) == 2
    items = guard(f)(Z((2, 3)))
    assert next(items).shape == (3,)
    with pytest.raises(ContractError, match=r"its result `yield` axis 0 \(d\) is 2, expected 3"):
        next(items)


@pytest.mark.filterwarnings(
    "ignore::RuntimeWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_what_an_async_function_returns_is_checked_and_not_its_coroutine():
    async def f(x: F_n) -> F_n:
        return x if x.shape[0] < 4 else x[:1]

    with pytest.raises(Exception, match="checking the return value"):
        oracle(f)(Z(3))
    gc.collect()  # The coroutine that nobody awaits complains here.
    assert asyncio.run(guard(f)(Z(3))).shape == (3,)
    with pytest.raises(ContractError, match="expected 4"):
        asyncio.run(guard(f)(Z(4)))


def test_an_assignment_after_init_is_checked_and_does_not_happen():
    @dataclasses.dataclass
    class Cache:
        keys: F_n
        values: F_n

    theirs = oracle(Cache)(Z(2), Z(2))
    theirs.keys = "anything"
    ours = guard(Cache)(Z(2), Z(2))
    kept = ours.keys
    with pytest.raises(ContractError, match=r"Cache: `keys` axis 0 \(n\) is 5, expected 2"):
        ours.keys = Z(5)
    assert ours.keys is kept


def test_the_methods_of_a_plain_class_are_guarded():
    class Layer:
        def run(self, x: F_n) -> F_n:
            return x

    assert oracle(Layer)().run(3) == 3
    with pytest.raises(ContractError):
        guard(Layer)().run(3)


def test_broadcast_runs_need_no_numpy():
    program = (
        "import sys\nsys.modules['numpy'] = None\n"
        "import mlx.core as mx\nfrom jaxtyping import Float\nfrom ropeguard import guard\n"
        "@guard\ndef f(x: Float[mx.array, '*#s'], y: Float[mx.array, '*#s']): return 1\n"
        "print(f(mx.zeros((1, 3)), mx.zeros((2, 1))))\n"
        "try: f(mx.zeros((2, 3)), mx.zeros((2, 4)))\n"
        "except Exception as error: print(error.slug)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["1", "argument-broadcast-mismatch"]


def test_an_array_type_of_none_is_refused_at_decoration():
    def f(x: Float[mx.array | None, "n"]):
        return "ran"

    with pytest.raises(Exception, match="NoneType"):
        oracle(f)(None)
    refused(lambda: guard(f), "contract-invalid")


def test_a_string_argument_is_never_executed(capsys):
    def f(n, x: Float[mx.array, "{n}"]):
        return "ran"

    attack = "print('executed') or 3"
    assert oracle(f)(attack, Z(3)) == "ran"
    assert "executed" in capsys.readouterr().out
    with pytest.raises(ContractError) as caught:
        guard(f)(attack, Z(3))
    assert "executed" not in capsys.readouterr().out
    assert caught.value.slug == "axis-parameter-not-integer"
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("n", [3.0, True, "3", "1+2", None, mx.array(3)])
def test_a_parameter_in_braces_is_an_integer_or_refused(n):
    def f(n, x: Float[mx.array, "{n}"]):
        return "ran"

    with pytest.raises(ContractError):
        guard(f)(n, Z(3))


def test_a_negative_parameter_is_a_number_and_not_text():
    def f(n: int, x: Float[mx.array, "{n}**2"]):
        return "ran"

    with pytest.raises(Exception, match="checking the parameters"):
        oracle(f)(-2, Z(4))
    assert guard(f)(-2, Z(4)) == "ran"


@pytest.mark.parametrize("axis", ["{n:d}", "{n!r}", "{n}{m}", "1{n}", "a{n}", "{n", "{q}", "?a"])
def test_an_axis_that_cannot_be_checked_is_refused_at_decoration(axis):
    def f(n: int, m: int, x: Float[mx.array, axis]):
        return "ran"

    refused(lambda: guard(f), "contract-invalid")


def test_an_expression_before_its_names_is_refused_at_decoration():
    def f(x: Float[mx.array, "n+1"], y: F_n):
        return "ran"

    with pytest.raises(AnnotationError):
        oracle(f)(Z(3), Z(2))
    refused(lambda: guard(f), "contract-invalid")


def test_an_expression_over_a_name_that_this_call_left_unbound_is_refused():
    def f(x: F_n | None, y: Float[mx.array, "n+1"]):
        return "ran"

    assert guard(f)(Z(2), Z(3)) == "ran"
    with pytest.raises(AnnotationError):
        oracle(f)(None, Z(3))
    with pytest.raises(ContractError) as caught:
        guard(f)(None, Z(3))
    assert caught.value.slug == "axis-name-unbound"


def test_tasks_do_not_share_names():
    @guard
    async def same(x: F_n, y: F_n) -> F_n:
        await asyncio.sleep(0)
        return y

    async def work(size):
        for _ in range(20):
            await same(Z(size), Z(size))
            with pytest.raises(ContractError):
                await same(Z(size), Z(size + 1))
        return True

    async def main():
        return await asyncio.gather(*(work(size) for size in range(1, 9)))

    assert asyncio.run(main()) == [True] * 8
