"""Contracts on values: what each refuses, at which level, and where it stays silent."""

from typing import Annotated

import mlx.core as mx
import pytest
from jaxtyping import Float, Int32

import ropeguard
from ropeguard import (
    ContractError,
    Distinct,
    Finite,
    InRange,
    MultipleOf,
    Positive,
    RopeguardError,
    SameDtype,
    Unique,
    guard,
)


Z = mx.zeros
Slots = Annotated[Int32[mx.array, " tokens"], InRange(-1, "pool"), Unique(ignore_negative=True)]


@guard
def write(
    slots: Slots, pool: Float[mx.array, "pool dim"], limit: int = 100
) -> Float[mx.array, "pool dim"]:
    return pool


def slots(*values):
    return mx.array(values, mx.int32)


def slug(call):
    with pytest.raises(ContractError) as caught:
        call()
    return caught.value.slug


def test_elements_are_read_at_level_values_alone():
    bad = slots(0, 99)
    write(bad, Z((4, 2)))
    with ropeguard.level("values"):
        assert slug(lambda: write(bad, Z((4, 2)))) == "value-out-of-range"
        write(slots(-1, -1, 0, 3), Z((4, 2)))


def test_a_value_out_of_range_is_told_with_its_place_and_bound():
    with ropeguard.level("values"), pytest.raises(ContractError) as caught:
        write(slots(0, 1, 4, -9), Z((4, 2)))
    found = caught.value.violation
    assert (found.got, found.where) == (4, "slots[2]")
    assert found.expected == "at least -1 and below 4 (pool)"
    assert "`slots` has value 4 at slots[2]" in str(caught.value)


def test_a_repeated_value_is_told_with_both_places():
    with ropeguard.level("values"), pytest.raises(ContractError) as caught:
        write(slots(2, -1, -1, 2), Z((4, 2)))
    found = caught.value.violation
    assert (caught.value.slug, found.got, found.expected, found.where) == (
        "value-not-unique", 2, "slots[0]", "slots[3]",
    )  # fmt: skip


@pytest.mark.parametrize("bad", [float("inf"), -float("inf"), float("nan")])
@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
def test_elements_that_are_not_finite_are_told(bad, dtype):
    @guard
    def f(x: Annotated[Float[mx.array, "a b"], Finite()]):
        return x

    x = Z((2, 3), dtype)
    x[1, 2] = bad
    with ropeguard.level("values"):
        f(Z((2, 3), dtype))
        with pytest.raises(ContractError) as caught:
            f(x)
    assert (caught.value.slug, caught.value.violation.where) == ("value-not-finite", "x[1, 2]")


def test_contracts_on_results_are_checked():
    @guard
    def normalise(x: Float[mx.array, "n"]) -> Annotated[Float[mx.array, "n"], Finite()]:
        return x / x.sum()

    with ropeguard.level("values"):
        normalise(mx.ones(3))
        assert slug(lambda: normalise(Z(3))) == "value-not-finite"


def test_python_numbers_are_checked_at_every_level_but_off():
    @guard
    def f(
        base: Annotated[float | int, Finite(), Positive()],
        dim: Annotated[int, Positive(), MultipleOf(2)],
        heads: Annotated[int, MultipleOf("groups")],
        groups: int,
        top_p: Annotated[float, InRange(0, "limit")] = 0.5,
        limit: float = 1.0,
    ):
        return base

    good = {"base": 1e4, "dim": 64, "heads": 8, "groups": 2}
    assert f(**good) == 1e4
    for wrong, expected in (
        ({"base": float("nan")}, "value-not-finite"),
        ({"base": float("inf")}, "value-not-finite"),
        ({"base": 0}, "value-not-positive"),
        ({"base": -1.0}, "value-not-positive"),
        ({"dim": 63}, "value-not-multiple"),
        ({"dim": 0}, "value-not-positive"),
        ({"heads": 9}, "value-not-multiple"),
        ({"groups": 0}, "value-not-multiple"),
        ({"top_p": 1.0}, "value-out-of-range"),
        ({"top_p": -0.1}, "value-out-of-range"),
        ({"top_p": 0.9, "limit": 0.8}, "value-out-of-range"),
    ):
        assert slug(lambda wrong=wrong: f(**good | wrong)) == expected
        with ropeguard.level("off"):
            f(**good | wrong)


def test_dtypes_and_identity_are_checked_without_evaluation():
    @guard
    def f(
        q: Float[mx.array, "n"],
        k: Annotated[Float[mx.array, "n"], SameDtype("q"), Distinct("q")],
        mask: Annotated[Float[mx.array, "n"] | None, SameDtype("q")] = None,
    ):
        return q

    q = Z(3)
    f(q, Z(3))
    assert slug(lambda: f(q, q)) == "argument-aliased"
    assert slug(lambda: f(q, Z(3, mx.float16))) == "argument-dtype-conflict"
    assert slug(lambda: f(q, Z(3), Z(3, mx.bfloat16))) == "argument-dtype-conflict"
    assert slug(lambda: mx.compile(f)(q, Z(3, mx.float16))) == "argument-dtype-conflict"


def test_shapes_are_checked_before_values():
    with ropeguard.level("values"):
        assert slug(lambda: write(slots(99), Z(4))) == "argument-rank-mismatch"


@pytest.mark.parametrize("transform", [mx.compile, mx.vmap])
def test_elements_are_left_alone_where_mlx_cannot_read_them(transform):
    def body(given):
        return write(given, Z((4, 2)))

    given = slots(0, 99) if transform is mx.compile else mx.stack([slots(0, 99), slots(0, 1)])
    with ropeguard.level("values"):
        transform(body)(given)


def test_elements_are_read_under_grad_where_mlx_can_read_them():
    @guard
    def loss(x: Annotated[Float[mx.array, "n"], InRange(0, 1)]) -> Float[mx.array, ""]:
        return (x * x).sum()

    with ropeguard.level("values"):
        assert mx.grad(loss)(Z(3)).shape == (3,)
        assert slug(lambda: mx.grad(loss)(mx.ones(3))) == "value-out-of-range"


@pytest.mark.parametrize(
    "contract", [InRange(0, "nothing"), SameDtype("nothing"), Distinct("n"), MultipleOf("nothing")]
)
def test_a_contract_over_a_name_that_is_not_there_is_refused_at_decoration(contract):
    def f(x: Annotated[Float[mx.array, "n"], contract]):
        return x

    with pytest.raises(RopeguardError) as caught:
        guard(f)
    assert caught.value.slug == "contract-invalid"


def test_empty_arrays_satisfy_every_contract_on_elements():
    with ropeguard.level("values"):
        write(slots(), Z((4, 2)))


Limited = Annotated[int, InRange(0, 10)]
Sound = Annotated[Float[mx.array, "n"], Finite()]


@pytest.mark.parametrize(
    ("hint", "good", "bad", "place"),
    [
        (list[Limited], [1, 9], [1, 10], "x[1]"),
        (Limited | None, None, 10, "x"),
        (dict[str, Limited], {"a": 1}, {"a": -1}, "x['a']"),
        (tuple[Sound, int], (Z(2), 1), (Z(2) / 0, 1), "x[0]"),
        (list[Sound | None], [None, Z(2)], [None, Z(2) / 0], "x[1]"),
    ],
)
def test_contracts_are_checked_wherever_they_stand(hint, good, bad, place):
    @guard
    def takes(x: hint):
        return "ran"

    @guard
    def gives(y) -> hint:
        return y

    with ropeguard.level("values"):
        takes(good)
        gives(good)
        with pytest.raises(ContractError) as caught:
            takes(bad)
        assert caught.value.violation.argument == place
        with pytest.raises(ContractError) as caught:
            gives(bad)
        assert caught.value.violation.argument == place.replace("x", "return", 1)


def test_a_nan_is_in_no_range():
    @guard
    def f(x: Annotated[Float[mx.array, "n"], InRange(0, None)]):
        return x

    nan = mx.array([0.0, float("nan")])
    with ropeguard.level("values"):
        assert slug(lambda: f(nan)) == "value-out-of-range"


def test_contracts_on_numbers_hold_for_elements_too():
    @guard
    def f(
        scale: Annotated[Float[mx.array, "n"], Positive()],
        dims: Annotated[Int32[mx.array, "n"], MultipleOf(2)],
    ):
        return scale

    with ropeguard.level("values"):
        f(mx.ones(2), slots(2, 4))
        with pytest.raises(ContractError, match=r"`scale` is 0\.0 at scale\[1\], which is not"):
            f(mx.array([1.0, 0.0]), slots(2, 4))
        with pytest.raises(ContractError, match=r"`dims` is 3 at dims\[0\], .* multiple of 2"):
            f(mx.ones(2), slots(3, 4))


@pytest.mark.parametrize("contract", [SameDtype("y"), Unique()])
def test_a_contract_on_arrays_where_there_is_none_is_refused_at_decoration(contract):
    def f(x: Annotated[int, contract], y: int):
        return x

    with pytest.raises(RopeguardError) as caught:
        guard(f)
    assert caught.value.slug == "contract-invalid"


def test_a_default_that_breaks_its_own_contract_is_refused_at_decoration():
    def f(x: Annotated[int, Positive()] = 0):
        return x

    with pytest.raises(RopeguardError) as caught:
        guard(f)
    assert caught.value.slug == "default-contradiction"


def test_a_contract_is_written_as_its_author_would():
    written = {
        InRange(None, "pool"): 'InRange(None, "pool")',
        InRange(0): "InRange(0)",
        Unique(): "Unique()",
        Unique(ignore_negative=True): "Unique(ignore_negative=True)",
        MultipleOf("heads"): 'MultipleOf("heads")',
        Finite(): "Finite()",
    }
    for contract, text in written.items():
        assert str(contract) == text
        assert eval(text, vars(ropeguard) | {"Unique": Unique}) == contract
