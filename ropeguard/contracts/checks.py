"""Check a value against a compiled hint: nothing is rendered, evaluated or kept."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.describing import (
    describe,
    dtype_name,
    key_place,
    key_text,
    summary,
    type_name,
    type_text,
)
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.nodes import (
    Anything,
    Array,
    FixedTuple,
    Items,
    Node,
    OwnInstance,
    Plain,
    Table,
    Union,
    Valued,
)
from ropeguard.contracts.shapes import Subject, check_shape


def check(node: Node, value: object, bindings: Bindings, argument: str) -> Mismatch | None:
    """Check a value, binding axis names as the annotation's axes are met.

    Args:
        node: The compiled hint.
        value: The value; only its class, `shape` and `dtype` are read, and the items of
            containers.
        bindings: What the call has bound; unchanged if the value does not fit.
        argument: What messages call the value.

    Returns:
        `None` if the value fits.
    """
    mismatch = _CHECKS[type(node)](node, value, bindings, argument)
    if mismatch is None or mismatch.found is not None:
        return mismatch
    return attrs.evolve(mismatch, found=summary(value, argument, node.text))


def _check_anything(*_arguments: object) -> None:
    return None


def _check_own_instance(
    node: OwnInstance, value: object, bindings: Bindings, argument: str
) -> Mismatch | None:
    owner = next(iter(bindings.parameters.values()), None)
    if isinstance(value, owner if isinstance(owner, type) else type(owner)):
        return None
    return Mismatch("type", argument, node.text, type_name(value), node.text)


def _check_plain(node: Plain, value: object, _bindings: Bindings, argument: str) -> Mismatch | None:
    if node.check(value):
        return None
    return Mismatch("type", argument, node.text, describe(value), node.text)


def _check_array(node: Array, value: Any, bindings: Bindings, argument: str) -> Mismatch | None:
    if not _has_class(node, value):
        other = hasattr(value, "shape") and hasattr(value, "dtype")
        kind = "other-library" if other else "not-array"
        expected = type_text(node.array_type)
        return Mismatch(kind, argument, node.text, describe(value), expected)
    if not isinstance(value, node.any_shape):
        return Mismatch("dtype", argument, node.text, dtype_name(value), node.dtypes)
    return check_shape(node.axes, tuple(value.shape), bindings, Subject(argument, node.text))


def _has_class(node: Array, value: object) -> bool:
    if node.array_type is Any:
        return hasattr(value, "shape") and hasattr(value, "dtype")
    return isinstance(value, node.array_type)


def _check_union(node: Union, value: object, bindings: Bindings, argument: str) -> Mismatch | None:
    mismatches = []
    for alternative in node.alternatives:
        mismatch = check(alternative, value, bindings, argument)
        if mismatch is None or mismatch.kind in _FATAL:
            return mismatch
        mismatches.append(mismatch)
    of_class = any(mismatch.kind not in _WRONG_CLASS for mismatch in mismatches)
    return _closest(mismatches) or Mismatch(
        "union-array" if of_class else "union",
        argument,
        node.text,
        describe(value),
        node.text,
        reasons=tuple(f"not {mismatch.hint}: {reason(mismatch)}" for mismatch in mismatches),
    )


def _closest(mismatches: list[Mismatch]) -> Mismatch | None:
    """Return the one alternative that accepts the value's class, if exactly one does."""
    of_class = [item for item in mismatches if item.kind not in _WRONG_CLASS]
    if len(of_class) == 1:
        return of_class[0]
    others = [item for item in mismatches if item.hint != "None"]
    if of_class or len(others) != 1:
        return None
    return attrs.evolve(others[0], expected=f"{others[0].expected} or None")


# Where an axis has no size, jaxtyping raises, and no other alternative is tried.
_FATAL = ("unbound", "expression", "parameter")
_WRONG_CLASS = ("type", "not-array", "other-library")


def _check_fixed_tuple(
    node: FixedTuple, value: object, bindings: Bindings, argument: str
) -> Mismatch | None:
    if not isinstance(value, tuple):
        return Mismatch("type", argument, node.text, describe(value), node.text)
    if len(value) != len(node.items):
        got = f"a tuple of {len(value)}"
        return Mismatch("type", argument, node.text, got, node.text)
    return _check_all(
        ((item, value[i], f"{argument}[{i}]") for i, item in enumerate(node.items)), bindings
    )


def _check_items(
    node: Items, value: Collection[object], bindings: Bindings, argument: str
) -> Mismatch | None:
    return _check_plain(node.outer, value, bindings, argument) or _check_all(
        ((node.item, item, f"{argument}[{i}]") for i, item in enumerate(value)), bindings
    )


def _check_table(
    node: Table, value: Mapping[object, object], bindings: Bindings, argument: str
) -> Mismatch | None:
    mismatch = _check_plain(node.outer, value, bindings, argument)
    if mismatch is not None:
        return mismatch
    keys = ((node.key, key, key_place(argument, key)) for key in value)
    values = ((node.value, item, f"{argument}[{key_text(key)}]") for key, item in value.items())
    return _check_all(keys, bindings) or _check_all(values, bindings)


def _check_all(parts: Iterable[tuple[Node, object, str]], bindings: Bindings) -> Mismatch | None:
    """Check several parts of one value: all of them bind, or none."""
    trial = bindings.copy()
    for node, value, argument in parts:
        mismatch = check(node, value, trial, argument)
        if mismatch is not None:
            return mismatch
    bindings.accept(trial)
    return None


def _check_valued(
    node: Valued, value: object, bindings: Bindings, argument: str
) -> Mismatch | None:
    return check(node.inner, value, bindings, argument)


_CHECKS: dict[type, Callable[..., Mismatch | None]] = {
    Anything: _check_anything,
    OwnInstance: _check_own_instance,
    Plain: _check_plain,
    Array: _check_array,
    Union: _check_union,
    FixedTuple: _check_fixed_tuple,
    Items: _check_items,
    Table: _check_table,
    Valued: _check_valued,
}


def reason(mismatch: Mismatch) -> str:
    """Say in a few words why one alternative did not fit."""
    what = mismatch.where or {"rank": "rank", "dtype": "dtype"}.get(mismatch.kind, "it")
    return f"{what} is {mismatch.got}, expected {mismatch.expected}"
