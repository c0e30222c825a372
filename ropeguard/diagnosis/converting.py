"""Changes of what a value is: another dtype, an array in place of a number, a list or NumPy's."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from ropeguard.contracts.backend import mx
from ropeguard.contracts.describing import dtype_name
from ropeguard.contracts.nodes import Array
from ropeguard.contracts.recheck import StandIn, is_stand_in
from ropeguard.contracts.values import SameDtype
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.places import Place


_MOST_NUMBERS = 4096
_DTYPES = (
    *("float32", "bfloat16", "float16", "int32", "bool", "uint32", "int64", "uint8", "int8"),
    *("int16", "uint16", "uint64", "float64", "complex64"),
)
_SHORTER = {"float64": "float32", "complex128": "complex64", "bool_": "bool"}
_INEXACT = ("float", "bfloat", "complex")


@attrs.frozen
class Conversion:
    """A value made into another.

    Attributes:
        move: What it is, a key of `ranking.COSTS`, or empty for the value as it is.
        text: How it is written.
        value: The value afterwards.
        cost: How far-fetched it is.
        why: What it does.
        guess: Whether elements change in a way that only the caller can know to be meant.
    """

    move: str
    text: str
    value: Any
    cost: float
    why: str = ""
    guess: bool = False


def conversions(place: Place, node: Array, others: Sequence[Any]) -> Iterator[Conversion]:
    """Yield arrays of the class and the dtype that an annotation wants, the likeliest first.

    Args:
        place: The value.
        node: The annotation.
        others: Further arguments, whose dtypes are the likeliest.
    """
    array_type = node.array_type
    wants_mlx = array_type is Any or (
        isinstance(array_type, type) and issubclass(mx.array, array_type)
    )
    value = place.value
    if is_stand_in(value) and (array_type is Any or isinstance(value, array_type)):
        yield from _cast(Conversion("", "{x}", value, 0.0), place, node, others)
    elif wants_mlx:
        wrapped = _wrapped(value)
        if wrapped is not None:
            text, twin = wrapped
            why = "it is no array of MLX yet"
            made = Conversion("wrap", text, twin, ranking.COSTS["wrap"], why)
            yield from _cast(made, place, node, others)


def _wrapped(value: Any) -> tuple[str, StandIn] | None:
    """Return how a value becomes an array of MLX, and what stands for that array."""
    if is_stand_in(value):
        if not value.kind.__module__.startswith("numpy"):
            return None
        name = dtype_name(value)
        dtype = getattr(mx, _SHORTER.get(name, name), None)
        return None if dtype is None else ("mx.array({x})", StandIn(mx.array, value.shape, dtype))
    shape = _nested(value, [_MOST_NUMBERS])
    if shape is None:
        return None
    dtype = _dtype_of(value)
    return None if dtype is None else ("mx.array({x})", StandIn(mx.array, shape, dtype))


def _nested(value: Any, left: list[int]) -> tuple[int, ...] | None:
    """Return the shape of nested lists of numbers; `None` if they are ragged, or too many."""
    left[0] -= 1
    if left[0] < 0:
        return None
    if type(value) in (int, float, bool):
        return ()
    if type(value) not in (list, tuple) or not value:
        return None
    inside = {_nested(item, left) for item in value}
    shape = inside.pop()
    return None if inside or shape is None else (len(value), *shape)


def _dtype_of(value: Any) -> Any:
    kinds = _kinds(value)
    if kinds == {bool}:
        return mx.bool_
    if float in kinds:
        return mx.float32
    fits = all(-(2**31) <= it < 2**31 for it in _numbers(value))
    return mx.int32 if fits else None


def _numbers(value: Any) -> Iterator[Any]:
    if type(value) in (list, tuple):
        for item in value:
            yield from _numbers(item)
    else:
        yield value


def _kinds(value: Any) -> set[type]:
    return {type(item) for item in _numbers(value)}


def _cast(
    base: Conversion, place: Place, node: Array, others: Sequence[Any]
) -> Iterator[Conversion]:
    """Yield the array in each dtype that is allowed, as it is first of all."""
    same = next((it.argument for it in place.contracts if isinstance(it, SameDtype)), None)
    if isinstance(base.value, node.any_shape):
        yield base
    elif not issubclass(base.value.kind, mx.array):
        return
    elif same is None:
        yield from _made_each(base, _allowed(base, node, others)[:2])
    if issubclass(base.value.kind, mx.array) and same is not None:
        yield from _made_each(base, _allowed(base, node, others)[:3])
    if dtype_name(base.value).startswith(_INEXACT) and "bool" in _allowed(base, node, ()):
        why = "if it is an additive mask, where 0 keeps"
        made = StandIn(mx.array, base.value.shape, mx.bool_)
        text = f"{base.text} == 0"
        yield Conversion("cast", text, made, base.cost + ranking.COSTS["cast"], why, True)


def _allowed(base: Conversion, node: Array, others: Sequence[Any]) -> list[str]:
    """Return the dtypes that the annotation allows, those of other arguments first."""
    seen = [dtype_name(it) for it in others if is_stand_in(it) and it.kind is mx.array]
    got = dtype_name(base.value)
    names = dict.fromkeys([*sorted(set(seen), key=seen.count, reverse=True), *_DTYPES])
    return [
        name
        for name in names
        if name != got
        and hasattr(mx, _attribute(name))
        and isinstance(StandIn(mx.array, (), getattr(mx, _attribute(name))), node.any_shape)
    ]


def _attribute(name: str) -> str:
    return "bool_" if name == "bool" else name


def _made_each(base: Conversion, names: Sequence[str]) -> Iterator[Conversion]:
    for number, name in enumerate(names):
        made = _made(base, name)
        yield attrs.evolve(made, cost=made.cost + ranking.OTHER_DTYPE * number)


def _made(base: Conversion, name: str) -> Conversion:
    got, attribute = dtype_name(base.value), _attribute(name)
    far = got.startswith(_INEXACT) and not name.startswith(_INEXACT)
    cost = base.cost + ranking.COSTS["cast"] + (ranking.CAST_FAR if far else 0)
    twin = StandIn(mx.array, base.value.shape, getattr(mx, attribute))
    why = f"casts {got} to {name}" + (", which drops fractions" if far and name != "bool" else "")
    doubt = next((text for test, text in _DOUBTS if test(got, name)), None)
    if name == "bool":
        why += ": if 0 hides, as in a mask of zeros and ones"
    if doubt is not None:
        far, why = True, f"{why}: {doubt}"
    if base.move == "wrap" and base.text == "mx.array({x})":
        text = f"mx.array({{x}}, dtype=mx.{attribute})"
        return Conversion("wrap", text, twin, cost - 0.6, base.why, far)
    return Conversion("cast", f"{base.text}.astype(mx.{attribute})", twin, cost, why, far)


# Casts that fit and may still not be meant.
_DOUBTS: tuple[tuple[Callable[[str, str], bool], str], ...] = (
    (
        lambda got, name: got == "bool" and name.startswith(("int", "uint")),
        "as indices, a mask is rows 0 and 1 over and over",
    ),
    (
        lambda got, name: got == "uint32" and name.startswith(_INEXACT),
        "packed weights would lose their meaning",
    ),
)


# What makes a plain value fit: the class it should be, how that is written, and from what.
_PLAIN: tuple[tuple[str, Callable[[Any], Any], Callable[[Any], bool], str], ...] = (
    ("int({x})", int, lambda it: type(it) is float and it == it // 1, "it is a whole number"),
    ("float({x})", float, lambda it: type(it) in (int, str), "it is not a float yet"),
    ("int({x})", int, lambda it: type(it) is str, "it is text"),
    ("tuple({x})", tuple, lambda it: type(it) is list, "it is a list"),
    ("list({x})", list, lambda it: type(it) is tuple, "it is a tuple"),
    ("str({x})", str, lambda it: type(it) is int, "it is a number"),
)


def plain_conversions(place: Place) -> Iterator[Conversion]:
    """Yield other plain values that a value without an array's annotation could become."""
    if not place.plains:
        return
    for text, make, fits, why in _PLAIN:
        if is_stand_in(place.value) or not fits(place.value):
            continue
        try:
            made = make(place.value)
        except ValueError:
            continue
        yield Conversion("convert", text, made, ranking.COSTS["convert"], why)
