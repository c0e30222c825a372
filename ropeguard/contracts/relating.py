"""Write the contracts on values as conditions, as far as they evaluate nothing."""

from collections.abc import Callable
from typing import Any

from ropeguard.contracts.nodes import Array, Node, Plain, Union, Valued, all_inside
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
from ropeguard.contracts.writing import ArrayWriter


def terms_of(
    contract: ValueContract, node: Valued, local: str, scope: ArrayWriter
) -> list[str] | None:
    """Return the conditions of a contract; `None` if it can't be written.

    Contracts on elements are not checked at level `shapes`, the only one with generated source.
    """
    is_array = any(isinstance(part, Array) for part in all_inside(node))
    if is_array and isinstance(contract, (InRange, Finite, Unique, Positive, MultipleOf)):
        return []
    if not is_array and not _is_number(node):
        return None
    if isinstance(contract, SameDtype):
        return _same_dtype(contract, node, local, scope)
    terms = _TERMS[type(contract)](contract, local, scope)
    if terms and not is_array and any(_is_none(part) for part in _parts(node)):
        return [f"({local} is None or ({' and '.join(terms)}))"]
    return terms


def _is_number(node: Valued) -> bool:
    return all(
        isinstance(part, Plain) and (part.hint in (int, float) or _is_none(part))
        for part in _parts(node)
    )


def _parts(node: Valued) -> tuple[Node, ...]:
    return node.inner.alternatives if isinstance(node.inner, Union) else (node.inner,)


def _is_none(node: Node) -> bool:
    return isinstance(node, Plain) and node.hint in (None, type(None))


def _bound(bound: Bound, scope: ArrayWriter) -> str | None:
    if not isinstance(bound, str):
        return repr(bound)
    if bound in scope.sizes:
        return scope.sizes[bound]
    return bound if bound in scope.contract.parameters else None


def _range(contract: InRange, local: str, scope: ArrayWriter) -> list[str] | None:
    terms = []
    for operator, bound in ((">=", contract.low), ("<", contract.high)):
        if bound is not None:
            text = _bound(bound, scope)
            if text is None:
                return None
            terms.append(f"{local} {operator} {text}")
    return terms


def _multiple(contract: MultipleOf, local: str, scope: ArrayWriter) -> list[str] | None:
    divisor = _bound(contract.divisor, scope)
    return None if divisor is None else [f"{local} % {divisor} == 0"]


def _same_dtype(
    contract: SameDtype, node: Valued, local: str, scope: ArrayWriter
) -> list[str] | None:
    """Compare two dtypes, unless that has been done in place of the dtype's own condition."""
    if local in scope.same:
        return []
    if contract.argument not in scope.dtypes:
        return None
    held, _ = scope.dtypes[contract.argument]
    if local in scope.dtypes:
        return [f"{scope.dtypes[local][0]} == {held}"]
    if isinstance(node.inner, Union) and len(node.inner.alternatives) == 2:
        array = next(part for part in all_inside(node) if isinstance(part, Array))
        _, dtype = scope.getters(array, local)
        return [f"({local} is None or {dtype} == {held})"]
    return None


_TERMS: dict[type, Callable[[Any, str, ArrayWriter], list[str] | None]] = {
    InRange: _range,
    Finite: lambda _contract, local, _scope: [f"{local} - {local} == 0"],
    Positive: lambda _contract, local, _scope: [f"{local} > 0"],
    MultipleOf: _multiple,
    Distinct: lambda contract, local, _scope: [f"{local} is not {contract.argument}"],
}
