"""A call to be checked again with other arguments: stand-ins, and never an array."""

import numbers
from collections.abc import Mapping
from typing import Any

import attrs

from ropeguard.contracts.nodes import Node


_MOST_ITEMS = 8192
_ARRAY = 16  # as many items as an array counts for
_DEEPEST = 16


class StandIn:
    """What checks see of an array: its class, shape and dtype. Nothing of it can be evaluated."""

    __slots__ = ("dtype", "kind", "shape")

    def __init__(self, kind: type, shape: tuple[int, ...], dtype: Any) -> None:
        self.kind = kind
        self.shape = shape
        self.dtype = dtype

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The array's class, for `isinstance`."""
        return self.kind

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)


def is_stand_in(value: object) -> bool:
    """Say whether a value stands for an array."""
    return type(value) is StandIn


@attrs.frozen
class Case:
    """A call as it can be checked again.

    Attributes:
        contract: The contract.
        arguments: The call's arguments, with a stand-in in every array's place.
        stage: What the violation was found in.
        output: The hint, the stand-in and the name of what the call gave, if that is what is wrong.
    """

    contract: Any
    arguments: Mapping[str, Any]
    stage: str
    output: tuple[Node, Any, str] | None = None


class Recheck:
    """Holds a case until it is taken, once; it is neither compared nor pickled nor printed."""

    __slots__ = ("_case",)

    def __init__(self, case: Case | None = None) -> None:
        self._case = case

    def take(self) -> Case | None:
        """Return the case and let go of it."""
        case, self._case = self._case, None
        return case

    def __reduce__(self) -> tuple[Any, ...]:
        return Recheck, ()


def recheck(
    contract: Any, arguments: Mapping[str, Any], stage: str, output: tuple[Node, Any, str] | None
) -> Recheck:
    """Keep what a search for a fix needs of a call.

    Args:
        contract: The contract.
        arguments: The call's arguments.
        stage: What the violation was found in.
        output: The hint, the value and the name of what the call gave, if that is what is wrong.
    """
    twins = _Twins()
    held = {name: twins.of(value) for name, value in arguments.items()}
    if output is not None:
        output = output[0], twins.of(output[1]), output[2]
    # What is not whole would pass a check that the call does not.
    return Recheck(Case(contract, held, stage, output) if twins.left >= 0 else None)


class _Twins:
    """Makes one stand-in for each array, so that identity can be checked.

    Attributes:
        left: How many items may still be looked at; below zero, some were left out.
    """

    def __init__(self) -> None:
        self.left = _MOST_ITEMS
        self._made: dict[int, Any] = {}

    def of(self, value: Any, depth: int = 0) -> Any:
        """Return what stands for a value: an array's stand-in, or the value itself."""
        if isinstance(value, (numbers.Number, str, type, type(None))):
            return value
        if id(value) in self._made:
            return self._made[id(value)]
        if type(value) in (list, tuple, dict) or (
            isinstance(value, tuple) and hasattr(value, "_make")
        ):
            return self._of_items(value, depth)
        if not (hasattr(value, "shape") and hasattr(value, "dtype")):
            return value
        self.left -= _ARRAY
        self._made[id(value)] = twin = StandIn(type(value), tuple(value.shape), value.dtype)
        return twin

    def _of_items(self, value: Any, depth: int) -> Any:
        self.left -= len(value) if depth < _DEEPEST else _MOST_ITEMS
        if self.left < 0:
            return None
        if isinstance(value, dict):
            return {key: self.of(item, depth + 1) for key, item in value.items()}
        items = [self.of(item, depth + 1) for item in value]
        if hasattr(value, "_make"):
            return value._make(items)
        return tuple(items) if isinstance(value, tuple) else items
