"""Check the contracts that are written in `Annotated`: on numbers, elements, dtypes, identity."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.describing import dtype_name, summary
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.values import (
    Bound,
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

    def number(self, bound: Bound) -> int | float | None:
        """Return the number that a bound stands for; a name is an axis or a parameter."""
        if not isinstance(bound, str):
            return bound
        size = self.bindings.sizes.get(bound)
        value = self.arguments.get(bound) if size is None else size.size
        return value if _is_number(value) else None

    def origin(self, *bounds: Bound) -> tuple[Origin, ...]:
        """Say where named bounds came from."""
        sizes = self.bindings.sizes
        return tuple(
            sizes[bound].origin if bound in sizes else Origin(bound)
            for bound in bounds
            if isinstance(bound, str)
        )


@attrs.frozen
class _Rule:
    """A contract on numbers as a function of one of them, or of an array of them.

    Attributes:
        kind: The kind of the violation.
        accepts: True where a number, or each element, is allowed; never true for a NaN.
        expected: What is allowed, in words.
        origin: Where named bounds came from.
    """

    kind: str
    accepts: Callable[[Any], Any]
    expected: str
    origin: tuple[Origin, ...] = ()


def reads_elements(contract: ValueContract, value: object) -> bool:
    """Say whether a contract has to evaluate this value."""
    return (isinstance(contract, Unique) or type(contract) in _RULES) and hasattr(value, "shape")


def check_relation(contract: ValueContract, valuation: Valuation) -> Mismatch | None:
    """Check a contract on a Python number, a dtype or an identity: nothing is evaluated.

    `None` and other values that a contract says nothing about pass: their hint has let them in.
    """
    if type(contract) in _RELATIONS:
        return _RELATIONS[type(contract)](contract, valuation)
    value = valuation.value
    if not _is_number(value) or type(contract) not in _RULES:
        return None
    rule = _RULES[type(contract)](contract, valuation)
    if rule.accepts(value):
        return None
    return valuation.mismatch(rule.kind, value, rule.expected, origin=rule.origin)


def check_elements(contract: ValueContract, valuation: Valuation) -> Mismatch | None:
    """Check a contract on an array's elements: this evaluates the array."""
    if isinstance(contract, Unique):
        return _unique(contract, valuation)
    rule = _RULES[type(contract)](contract, valuation)
    if bool(rule.accepts(valuation.value).all()):
        return None
    places = _elements(valuation.value.tolist(), valuation.argument)
    place, got = next((place, item) for place, item in places if not rule.accepts(item))
    return valuation.mismatch(rule.kind, got, rule.expected, where=place, origin=rule.origin)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _range(contract: InRange, valuation: Valuation) -> _Rule:
    low, high = valuation.number(contract.low), valuation.number(contract.high)
    words = []
    for word, bound in (("at least", contract.low), ("below", contract.high)):
        if bound is not None:
            name = f" ({bound})" if isinstance(bound, str) else ""
            words.append(f"{word} {valuation.number(bound)}{name}")

    def accepts(x: Any) -> Any:
        above = x == x if low is None else x >= low
        return above if high is None else above & (x < high)

    origin = valuation.origin(contract.low, contract.high)
    return _Rule("range", accepts, " and ".join(words), origin)


def _finite(_contract: Finite, _valuation: Valuation) -> _Rule:
    # x - x is 0 for every finite x and NaN for the others, in every array library.
    return _Rule("finite", lambda x: x - x == 0, "a finite number")


def _positive(_contract: Positive, _valuation: Valuation) -> _Rule:
    return _Rule("positive", lambda x: x > 0, "a number above 0")


def _multiple(contract: MultipleOf, valuation: Valuation) -> _Rule:
    divisor = valuation.number(contract.divisor)
    name = f" ({contract.divisor})" if isinstance(contract.divisor, str) else ""
    origin = valuation.origin(contract.divisor)
    if divisor == 0:
        return _Rule("multiple", lambda x: x != x, f"0{name}", origin)
    return _Rule(
        "multiple",
        lambda x: x == x if divisor is None else x % divisor == 0,
        f"{divisor}{name}",
        origin,
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
    got = f"the same object as `{contract.argument}`"
    return valuation.mismatch("alias", got, "another", origin=(Origin(contract.argument),))


def _unique(contract: Unique, valuation: Valuation) -> Mismatch | None:
    seen: dict[Any, str] = {}
    for place, item in _elements(valuation.value.tolist(), valuation.argument):
        if contract.ignore_negative and item < 0:
            continue
        first = seen.setdefault(item, place)
        if first != place:
            return valuation.mismatch("unique", item, first, where=place)
    return None


def _elements(nested: Any, name: str, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the elements of nested lists with their places, `slots[3]` or `x[0, 2]`."""
    if not isinstance(nested, list):
        yield f"{name}[{place}]" if place else name, nested
        return
    for i, item in enumerate(nested):
        yield from _elements(item, name, f"{place}, {i}" if place else str(i))


_RULES: dict[type, Callable[..., _Rule]] = {
    InRange: _range,
    Finite: _finite,
    Positive: _positive,
    MultipleOf: _multiple,
}
_RELATIONS: dict[type, Callable[..., Mismatch | None]] = {
    SameDtype: _same_dtype,
    Distinct: _distinct,
}
