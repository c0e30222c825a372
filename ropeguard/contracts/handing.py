"""What generated source hands to the authoritative check, a value at a time."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ropeguard.contracts.bindings import Bindings, Shape, Size
from ropeguard.contracts.checks import check
from ropeguard.contracts.contract import Contract
from ropeguard.contracts.dims import Expression, Named, Variadic, free_names
from ropeguard.contracts.nodes import Array, Node, OwnInstance, all_inside
from ropeguard.contracts.violation import Origin


def bindable(node: Node) -> set[str]:
    """Return the names that arrays inside a node may bind."""
    arrays = [part for part in all_inside(node) if isinstance(part, Array)]
    dims = [dim for array in arrays for dim in array.axes]
    return {dim.name for dim in dims if isinstance(dim, Named | Variadic) and dim.name}


def read_by(node: Node, contract: Contract) -> list[str]:
    """Return the parameters that the authoritative check of a node reads."""
    parameters = list(contract.parameters)
    names = {
        name
        for part in all_inside(node)
        if isinstance(part, Array)
        for dim in part.axes
        if isinstance(dim, Expression)
        for parameter in dim.parameters
        for name in free_names(ast.parse(parameter.text))
    }
    if any(isinstance(part, OwnInstance) for part in all_inside(node)):
        names |= set(parameters[:1])
    return [name for name in parameters if name in names]


def part_of(
    node: Node, local: str, known: tuple[tuple[str, Origin], ...], gathers: bool
) -> Callable[..., Bindings | None]:
    """Return the authoritative check of one value, for use in generated source.

    Args:
        node: The value's hint.
        local: What messages call it.
        known: The names that were bound in generated source before, and where.
        gathers: Whether the value is what `*args` or `**kwargs` gathered.

    Returns:
        A function of the value, of what was bound by such functions before, of the sizes that
        `known` stands for (`None` where one is not bound) and of the parameters that the hint
        reads. It returns what is bound then, or `None` if the value does not fit.
    """

    def part(
        value: Any, bound: Bindings | None, sizes: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Bindings | None:
        if bound is None:
            return None
        bindings = Bindings(dict(bound.sizes), dict(bound.shapes), parameters)
        bind(bindings, known, sizes)
        values = value.values() if isinstance(value, dict) else value
        for item in values if gathers else (value,):
            if check(node, item, bindings, local) is not None:
                return None
        return bindings

    return part


def bind(
    bindings: Bindings, known: Iterable[tuple[str, Origin]], sizes: Iterable[int | None]
) -> None:
    """Take over into bindings what generated source has bound; `None` is not bound."""
    for (name, origin), size in zip(known, sizes, strict=False):
        if isinstance(size, tuple):
            bindings.shapes[name] = Shape(size, False, origin)
        elif size is not None:
            bindings.sizes[name] = Size(size, origin)
