"""Who is blamed, for which axis, and with which expected size."""

import typing

import mlx.core as mx
import pytest
from jaxtyping import Float, Int32

from ropeguard import (
    ContractError,
    InRange,
    Origin,
    Positive,
    RopeguardError,
    Unique,
    guard,
)


Z = mx.zeros


@guard
def attend(
    q: Float[mx.array, "tokens heads dim"],
    k: Float[mx.array, "tokens kv_heads dim"],
    v: Float[mx.array, "tokens kv_heads dim"],
    positions: Int32[mx.array, "tokens"],
) -> Float[mx.array, "tokens heads dim"]:
    return q


def violation(q=(4, 8, 64), k=(4, 2, 64), v=(4, 2, 64), positions=(4,)):
    with pytest.raises(ContractError) as caught:
        attend(Z(q), Z(k), Z(v), Z(positions, mx.int32))
    return caught.value.violation


@pytest.mark.parametrize("odd", ["q", "k", "v", "positions"])
def test_the_odd_one_out_is_blamed_whichever_it_is(odd):
    shape = {"q": (5, 8, 64), "k": (5, 2, 64), "v": (5, 2, 64), "positions": (5,)}[odd]
    found = violation(**{odd: shape})
    assert (found.kind, found.argument, found.axis, found.axis_name) == ("bound", odd, 0, "tokens")
    assert (found.got, found.expected, found.tie) == (5, 4, False)
    others = [name for name in ("q", "k", "v", "positions") if name != odd]
    assert found.origin == tuple(Origin(name, 0) for name in others)
    assert found.found.shape == shape


def test_a_tie_names_both_sides():
    found = violation(k=(4, 3, 64))
    assert found.tie
    assert (found.argument, found.got, found.expected) == ("v", 2, 3)
    assert found.origin == (Origin("k", 1),)
    two_two = violation(q=(5, 8, 64), k=(5, 2, 64))
    assert two_two.tie
    assert two_two.origin == (Origin("q", 0), Origin("k", 0))


def test_the_larger_party_wins_without_an_absolute_majority():
    found = violation(q=(5, 8, 64), k=(6, 2, 64))
    assert (found.argument, found.got, found.expected) == ("q", 5, 4)


def test_an_axis_is_counted_from_the_front_behind_a_run_of_axes():
    @guard
    def f(x: Float[mx.array, "*batch n"], y: Float[mx.array, "n"], z: Float[mx.array, "n"]):
        return x

    with pytest.raises(ContractError) as caught:
        f(Z((2, 3, 7)), Z(4), Z(4))
    assert (caught.value.violation.argument, caught.value.violation.axis) == ("x", 2)


def test_items_of_containers_are_blamed_by_their_place():
    @guard
    def f(layers: list[tuple[Float[mx.array, "n"], Float[mx.array, "n"]]]):
        return layers

    with pytest.raises(ContractError, match=r"`layers\[1\]\[0\]` axis 0 \(n\) is 5, expected 4"):
        f([(Z(4), Z(4)), (Z(5), Z(4))])


def test_a_result_is_blamed_and_never_the_arguments():
    @guard
    def f(x: Float[mx.array, "n"]) -> tuple[Float[mx.array, "n"], Float[mx.array, "n"]]:
        return Z(3), Z(3)

    with pytest.raises(ContractError) as caught:
        f(Z(2))
    found = caught.value.violation
    assert (found.stage, found.argument, found.got, found.expected) == ("result", "return[0]", 3, 2)
    assert found.origin == (Origin("x", 0),)


def test_a_parameter_is_the_origin_of_the_size_that_it_gives():
    @guard
    def f(x: Float[mx.array, "{heads} n"], y: Float[mx.array, "{heads} n"], heads: int):
        return x

    with pytest.raises(
        ContractError, match=r"`x` axis 0 \({heads}\) is 3, expected 2 as in `heads`"
    ):
        f(Z((3, 1)), Z((3, 1)), heads=2)


def test_the_closest_alternative_is_told():
    @guard
    def f(x: Float[mx.array, "n 3"] | int | None):
        return x

    with pytest.raises(ContractError, match=r"`x` axis 1 \(3\) is 4, expected 3"):
        f(Z((2, 4)))
    with pytest.raises(ContractError, match="fits no alternative") as caught:
        f("three")
    assert len(caught.value.violation.reasons) == 3


def test_an_array_of_another_library_is_told_from_what_is_no_array():
    numpy = pytest.importorskip("numpy")

    @guard
    def f(x: Float[mx.array, "n"]):
        return x

    with pytest.raises(ContractError, match=r"array of another library, numpy\.ndarray float64"):
        f(numpy.zeros(3))
    with pytest.raises(ContractError, match=r"is 3\.0, which is no array"):
        f(3.0)


def test_a_parameter_that_breaks_its_own_hint_is_blamed_before_the_axis_that_reads_it():
    @guard
    def f(x: Float[mx.array, "{heads} n"], heads: int):
        return x

    with pytest.raises(ContractError, match=r"`heads` is 2\.0, expected int"):
        f(Z((2, 1)), heads=2.0)


def test_a_union_of_arrays_tells_why_each_alternative_failed():
    @guard
    def f(x: Float[mx.array, "n 3"] | Float[mx.array, "n"] | None):
        return x

    with pytest.raises(ValueError, match="an array that fits no alternative") as caught:
        f(Z((2, 2, 3)))
    assert caught.value.slug == "argument-no-array-alternative"


def test_a_missing_optional_is_told_with_both_choices():
    @guard
    def f(x: Float[mx.array, "n"] | None = None, mode: typing.Literal["a"] | None = None):
        return x

    with pytest.raises(ContractError, match=r"expected mlx\.core\.array or None"):
        f("x")
    with pytest.raises(ContractError, match=r"`mode` is 'b', expected Literal\['a'\] or None"):
        f(mode="b")


def test_runs_of_axes_are_told_the_same_whatever_their_number():
    @guard
    def f(x: Float[mx.array, "*batch d"], y: Float[mx.array, "*batch"]):
        return x

    for x, y, told in (
        ((2, 3), (4,), r"`y` axes \*batch \(from axis 0\) are \(4,\), expected \(2,\) as in `x`"),
        ((3,), (4,), r"are \(4,\), expected \(\) as in `x`"),
        ((2, 3), (), r"are \(\), expected \(2,\) as in `x`"),
    ):
        with pytest.raises(ContractError, match=told):
            f(Z(x), Z(y))


def test_what_an_expression_raised_is_told():
    @guard
    def f(x: Float[mx.array, "n"], y: Float[mx.array, "6//n"]):
        return x

    with pytest.raises(ContractError, match=r"raised ZeroDivisionError: integer division"):
        f(Z(0), Z(2))


def test_a_definition_error_says_whose_annotation_it_is():
    def f(x: Float[mx.array, "n+1"]):
        return x

    with pytest.raises(RopeguardError) as caught:
        guard(f)
    assert caught.value.__notes__[-1] == "  in the annotations of f"
    assert caught.value.__notes__[-2] == f"  more: ropeguard explain {caught.value.code}"


def test_a_parameter_that_breaks_its_contract_is_blamed_before_the_axis_that_it_sizes():
    @guard
    def f(x: Float[mx.array, "{heads} n"], heads: typing.Annotated[int, Positive()]):
        return x

    with pytest.raises(ContractError, match="`heads` is 0, which is not a number above 0"):
        f(Z((2, 1)), heads=0)


def test_contracts_on_values_are_shown_as_they_are_written():
    Slots = typing.Annotated[Float[mx.array, "n"], InRange(None, "n"), Unique()]

    @guard
    def f(x: Slots):
        return x

    with pytest.raises(ContractError) as caught:
        f(Z((2, 2)))
    assert 'Float[mx.array, "n"], InRange(None, "n"), Unique()' in str(caught.value)
