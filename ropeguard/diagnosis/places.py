"""The places of a call that a fix can change: each argument, and each item of one."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ropeguard.contracts import Contract
from ropeguard.contracts.describing import key_text
from ropeguard.contracts.nodes import (
    Array,
    FixedTuple,
    Items,
    Node,
    Plain,
    Table,
    Union,
    Valued,
)
from ropeguard.contracts.values import ValueContract


_MOST_PLACES = 64


@attrs.frozen
class Place:
    """One value of a call.

    Attributes:
        name: What messages call it, `"items[1]"`.
        root: The parameter.
        keys: The way from the parameter to the value.
        value: The value, or an array's stand-in.
        arrays: The annotations of arrays that it may fit.
        plains: The hints without arrays that it may fit.
        contracts: The contracts on its value.
    """

    name: str
    root: str
    keys: tuple[Any, ...]
    value: Any
    arrays: tuple[Array, ...]
    plains: tuple[Plain, ...] = ()
    contracts: tuple[ValueContract, ...] = ()


def places_of(contract: Contract, arguments: Mapping[str, Any]) -> list[Place]:
    """Return the places of a call, in the order of declaration, as many as a search may try.

    Args:
        contract: The contract.
        arguments: The arguments; those gathered in `*args` and `**kwargs` as tuple and dict.
    """
    found: list[Place] = []
    for name, value in arguments.items():
        kind, node = contract.signature.parameters[name].kind, contract.parameters[name]
        gathers = kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        found += (
            _gathered(node, value, name) if gathers else _places(node, value, name, name, (), ())
        )
        if len(found) >= _MOST_PLACES:
            break
    return found[:_MOST_PLACES]


def _gathered(node: Node, value: Any, name: str) -> Iterator[Place]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield from _places(node, item, f"{name}[{key_text(key)}]", name, (key,), ())


def _places(
    node: Node,
    value: Any,
    name: str,
    root: str,
    keys: tuple[Any, ...],
    contracts: tuple[ValueContract, ...],
) -> Iterator[Place]:
    if isinstance(node, Valued):
        yield from _places(node.inner, value, name, root, keys, (*contracts, *node.contracts))
        return
    inside = list(_items(node, value))
    if inside:
        for item_node, key in inside:
            item_name = f"{name}[{key_text(key)}]"
            yield from _places(item_node, value[key], item_name, root, (*keys, key), ())
        return
    flat = list(_alternatives(node))
    arrays = tuple(it for it in flat if isinstance(it, Array))
    plains = tuple(_outer(it) for it in flat if isinstance(it, (Plain, FixedTuple, Items, Table)))
    yield Place(name, root, keys, value, arrays, plains, contracts)


def _outer(node: Plain | FixedTuple | Items | Table) -> Plain:
    """Return the hint of a container without what it says of the items."""
    if isinstance(node, FixedTuple):
        return Plain(node.text, tuple, lambda value: isinstance(value, tuple))
    return node if isinstance(node, Plain) else node.outer


def _alternatives(node: Node) -> Iterator[Node]:
    if isinstance(node, Union):
        for alternative in node.alternatives:
            yield from _alternatives(alternative)
    elif isinstance(node, Valued):
        yield from _alternatives(node.inner)
    else:
        yield node


def _items(node: Node, value: Any) -> Iterator[tuple[Node, Any]]:
    """Yield the hint and the key of each item that has a hint of its own."""
    if isinstance(node, FixedTuple) and isinstance(value, tuple):
        yield from ((item, i) for i, item in enumerate(node.items) if i < len(value))
    elif isinstance(node, Items) and isinstance(value, (list, tuple)) and node.outer.check(value):
        yield from ((node.item, i) for i in range(len(value)))
    elif isinstance(node, Table) and isinstance(value, dict) and node.outer.check(value):
        # A key is written in code, so it has to be one that writes itself.
        yield from ((node.value, key) for key in value if type(key) in (str, int, bool))
    elif isinstance(node, Union):
        for alternative in node.alternatives:
            found = list(_items(alternative, value))
            if found:
                yield from found
                return


def with_value(arguments: Mapping[str, Any], place: Place, value: Any) -> dict[str, Any]:
    """Return the arguments with another value at a place."""
    return {**arguments, place.root: _rebuilt(arguments[place.root], place.keys, value)}


def _rebuilt(holder: Any, keys: Sequence[Any], value: Any) -> Any:
    if not keys:
        return value
    key, *rest = keys
    if isinstance(holder, dict):
        return {**holder, key: _rebuilt(holder[key], rest, value)}
    items = list(holder)
    items[key] = _rebuilt(items[key], rest, value)
    if hasattr(holder, "_make"):
        return holder._make(items)
    return tuple(items) if isinstance(holder, tuple) else items


def value_at(arguments: Mapping[str, Any], place: Place) -> Any:
    """Return the value at a place."""
    value = arguments[place.root]
    for key in place.keys:
        value = value[key]
    return value


def assignment(arguments: Mapping[str, Any], place: Place, expression: str) -> tuple[str, str]:
    """Return target and value of the statement that puts an expression's value at a place.

    A tuple can't be assigned into, so it is written anew.
    """
    holders = [arguments[place.root]]
    texts = [place.root]
    for key in place.keys:
        holders.append(holders[-1][key])
        texts.append(f"{texts[-1]}[{key!r}]")
    for i in range(len(place.keys) - 1, -1, -1):
        holder, text = holders[i], texts[i]
        if not isinstance(holder, tuple):
            return texts[i + 1], expression
        items = [f"{text}[{j}]" for j in range(len(holder))]
        items[place.keys[i]] = expression
        expression = f"({', '.join(items)},)" if len(items) == 1 else f"({', '.join(items)})"
        if hasattr(holder, "_make"):
            expression = f"{text}._make({expression})"
    return place.root, expression
