"""Walk through a value along its hint: every part that a hint of its own speaks of."""

from collections.abc import Iterator, Mapping
from typing import Any

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.checks import check
from ropeguard.contracts.describing import key_place, key_text
from ropeguard.contracts.nodes import FixedTuple, Items, Node, Table, Union, Valued


Part = tuple[Node, Any, str]


def walk(part: Part, parameters: Mapping[str, object]) -> Iterator[Part]:
    """Yield a value with its hint, then what is inside it with theirs, containers first.

    Of a union, the alternative that the value fits by itself is followed.

    Args:
        part: The hint, the value and what messages call it.
        parameters: The call's arguments, which axis expressions read.
    """
    yield part
    for inner in _inside(part, parameters):
        yield from walk(inner, parameters)


def _inside(part: Part, parameters: Mapping[str, object]) -> Iterator[Part]:
    node, value, name = part
    if isinstance(node, Valued):
        yield node.inner, value, name
    elif isinstance(node, Union):
        fitting = (
            alternative
            for alternative in node.alternatives
            if check(alternative, value, Bindings(parameters=parameters), name) is None
        )
        yield from ((alternative, value, name) for alternative in list(fitting)[:1])
    elif isinstance(node, FixedTuple) and isinstance(value, tuple):
        for i, (item, held) in enumerate(zip(node.items, value, strict=False)):
            yield item, held, f"{name}[{i}]"
    elif isinstance(node, Items) and node.outer.check(value):
        yield from ((node.item, held, f"{name}[{i}]") for i, held in enumerate(value))
    elif isinstance(node, Table) and node.outer.check(value):
        for key, held in value.items():
            yield node.key, key, key_place(name, key)
            yield node.value, held, f"{name}[{key_text(key)}]"
