"""Check the contracts that are written in `Annotated`: on numbers, dtypes, identity, elements."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.describing import dtype_name, summary
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.values import (
    Distinct,
    Finite,
    InRange,
    MultipleOf,
    Positive,
    SameDtype,
    Unique,
    ValueContract,
)
from ropeguard.contracts.violation import Origin


@attrs.frozen
class Valuation:
    """A value with one contract on it, at the end of a check of shapes.

    Attributes:
        argument: What messages call the value.
        hint: Its annotation.
        value: The value.
        arguments: All of the call's arguments.
        bindings: The sizes that the call has bound.
    """

    argument: str
    hint: str
    value: Any
    arguments: Mapping[str, Any]
    bindings: Bindings

    def mismatch(self, kind: str, got: object, expected: object, **more: Any) -> Mismatch:
        """Make the mismatch of this value."""
        found = summary(self.value, self.argument, self.hint)
        return Mismatch(kind, self.argument, self.hint, got, expected, found=found, **more)

    def bound(self, bound: int | float | str | None) -> int | float | None:
        """Return the number that a bound stands for; a name is an axis or a parameter."""
        if not isinstance(bound, str):
            return bound
        size = self.bindings.sizes.get(bound)
        return size.size if size is not None else self.arguments.get(bound)

    def origin(self, bound: int | float | str | None) -> tuple[Origin, ...]:
        """Say where a named bound came from."""
        if not isinstance(bound, str):
            return ()
        size = self.bindings.sizes.get(bound)
        return (Origin(bound),) if size is None else (size.origin,)


def reads_elements(contract: ValueContract, value: object) -> bool:
    """Say whether a contract has to evaluate this value."""
    return isinstance(contract, (InRange, Finite, Unique)) and hasattr(value, "shape")


def check_relation(contract: ValueContract, valuation: Valuation) -> Mismatch | None:
    """Check a contract on a Python number, a dtype or an identity: nothing is evaluated.

    `None` and other values that a contract says nothing about pass: their hint has let them in.
    """
    return _RELATIONS[type(contract)](contract, valuation)


def check_elements(contract: ValueContract, valuation: Valuation) -> Mismatch | None:
    """Check a contract on an array's elements: this evaluates the array."""
    return _ELEMENTS[type(contract)](contract, valuation)


def range_text(contract: InRange, valuation: Valuation) -> str:
    """Write the range: `at least 0 and below 16 (pool)`."""
    parts = []
    for word, bound in (("at least", contract.low), ("below", contract.high)):
        if bound is not None:
            name = f" ({bound})" if isinstance(bound, str) else ""
            parts.append(f"{word} {valuation.bound(bound)}{name}")
    return " and ".join(parts)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _range_of_number(contract: InRange, valuation: Valuation) -> Mismatch | None:
    value, low, high = (
        valuation.value,
        valuation.bound(contract.low),
        valuation.bound(contract.high),
    )
    if not _is_number(value) or ((low is None or value >= low) and (high is None or value < high)):
        return None
    origin = valuation.origin(contract.low) + valuation.origin(contract.high)
    return valuation.mismatch("range", value, range_text(contract, valuation), origin=origin)


def _finite_number(_contract: Finite, valuation: Valuation) -> Mismatch | None:
    if not _is_number(valuation.value) or math.isfinite(valuation.value):
        return None
    return valuation.mismatch("finite", valuation.value, "a finite number")


def _positive_number(_contract: Positive, valuation: Valuation) -> Mismatch | None:
    if not _is_number(valuation.value) or valuation.value > 0:
        return None
    return valuation.mismatch("positive", valuation.value, "a number above 0")


def _multiple(contract: MultipleOf, valuation: Valuation) -> Mismatch | None:
    value, divisor = valuation.value, valuation.bound(contract.divisor)
    if not _is_number(value) or not _is_number(divisor) or (divisor and value % divisor == 0):
        return None
    name = f" ({contract.divisor})" if isinstance(contract.divisor, str) else ""
    expected = f"{divisor}{name}"
    return valuation.mismatch(
        "multiple", value, expected, origin=valuation.origin(contract.divisor)
    )


def _same_dtype(contract: SameDtype, valuation: Valuation) -> Mismatch | None:
    other = valuation.arguments.get(contract.argument)
    if not hasattr(valuation.value, "dtype") or not hasattr(other, "dtype"):
        return None
    got, expected = dtype_name(valuation.value), dtype_name(other)
    if got == expected:
        return None
    return valuation.mismatch("same-dtype", got, expected, origin=(Origin(contract.argument),))


def _distinct(contract: Distinct, valuation: Valuation) -> Mismatch | None:
    other = valuation.arguments.get(contract.argument)
    if valuation.value is None or valuation.value is not other:
        return None
    origin = (Origin(contract.argument),)
    return valuation.mismatch(
        "alias", f"the same object as `{contract.argument}`", "another", origin=origin
    )


def _unique_number(_contract: Unique, _valuation: Valuation) -> None:
    return None


def _range_of_elements(contract: InRange, valuation: Valuation) -> Mismatch | None:
    low, high = valuation.bound(contract.low), valuation.bound(contract.high)
    value = valuation.value
    outside = [value < low] if low is not None else []
    outside += [value >= high] if high is not None else []
    if not any(bool(mask.any()) for mask in outside):
        return None
    place, got = _first(
        value, lambda x: (low is not None and x < low) or (high is not None and x >= high)
    )
    expected = range_text(contract, valuation)
    origin = valuation.origin(contract.low) + valuation.origin(contract.high)
    return valuation.mismatch("range", got, expected, where=place, origin=origin)


def _finite_elements(_contract: Finite, valuation: Valuation) -> Mismatch | None:
    value = valuation.value
    # x - x is 0 for every finite x and NaN for the others, in every array library.
    if not bool((value - value != 0).any()):
        return None
    place, got = _first(value, lambda x: x - x != 0)
    return valuation.mismatch("finite", got, "finite numbers", where=place)


def _unique_elements(contract: Unique, valuation: Valuation) -> Mismatch | None:
    seen: dict[Any, str] = {}
    for place, item in _elements(valuation.value.tolist()):
        if contract.ignore_negative and item < 0:
            continue
        first = seen.setdefault(item, place)
        if first != place:
            return valuation.mismatch("unique", item, first, where=place)
    return None


def _first(value: Any, wrong: Callable[[Any], bool]) -> tuple[str, object]:
    """Find the first element that is wrong: its place and itself."""
    return next((place, item) for place, item in _elements(value.tolist()) if wrong(item))


def _elements(nested: Any, place: str = "") -> Any:
    """Yield the elements of nested lists with their places, `[3]` or `[0, 2]`."""
    if not isinstance(nested, list):
        yield f"[{place}]" if place else "the only element", nested
        return
    for i, item in enumerate(nested):
        yield from _elements(item, f"{place}, {i}" if place else str(i))


_RELATIONS: dict[type, Callable[..., Mismatch | None]] = {
    InRange: _range_of_number,
    Finite: _finite_number,
    Positive: _positive_number,
    MultipleOf: _multiple,
    SameDtype: _same_dtype,
    Distinct: _distinct,
    Unique: _unique_number,
}
_ELEMENTS: dict[type, Callable[..., Mismatch | None]] = {
    InRange: _range_of_elements,
    Finite: _finite_elements,
    Unique: _unique_elements,
}
