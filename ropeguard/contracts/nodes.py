"""What type hints are compiled into: one class for each way of checking a value."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ropeguard.contracts.dims import Axes
from ropeguard.contracts.values import ValueContract


@attrs.frozen
class Anything:
    """A value that is not checked: no annotation, `Any` or `object`."""

    text: str = ""


@attrs.frozen
class OwnInstance:
    """An instance of the class that the method was called on, `Self`."""

    text: str = "Self"


@attrs.frozen
class Array:
    """An array with a jaxtyping annotation.

    Attributes:
        text: The annotation as its author would write it.
        array_type: The class of the array; `Any` for whatever has a shape and a dtype.
        axes: The axes of the shape.
        dtypes: What to call the allowed dtypes.
        any_shape: The same annotation with `...` for a shape: jaxtyping's own verdict on class
            and dtype, by its public interface, without a binding.
    """

    text: str
    array_type: Any
    axes: Axes
    dtypes: str
    any_shape: Any = attrs.field(eq=False)


@attrs.frozen
class Plain:
    """A hint without arrays, checked by beartype; `check` is its public test."""

    text: str
    hint: Any
    check: Callable[[object], bool] = attrs.field(eq=False, repr=False)


@attrs.frozen
class Union:
    """A value that fits one of several hints; the first that fits binds."""

    text: str
    alternatives: "tuple[Node, ...]"

    @property
    def inside(self) -> "tuple[Node, ...]":
        """The nodes of what this one is made of."""
        return self.alternatives


@attrs.frozen
class FixedTuple:
    """A tuple with a hint an item."""

    text: str
    items: "tuple[Node, ...]"

    @property
    def inside(self) -> "tuple[Node, ...]":
        """The nodes of what this one is made of."""
        return self.items


@attrs.frozen
class Items:
    """A container, all of whose items fit one hint."""

    text: str
    outer: Plain
    item: "Node"

    @property
    def inside(self) -> "tuple[Node, ...]":
        """The nodes of what this one is made of."""
        return (self.item,)


@attrs.frozen
class Table:
    """A mapping, all of whose keys and values fit a hint each."""

    text: str
    outer: Plain
    key: "Node"
    value: "Node"

    @property
    def inside(self) -> "tuple[Node, ...]":
        """The nodes of what this one is made of."""
        return self.key, self.value


@attrs.frozen
class Valued:
    """A hint with contracts on its value."""

    text: str
    inner: "Node"
    contracts: tuple[ValueContract, ...]

    @property
    def inside(self) -> "tuple[Node, ...]":
        """The nodes of what this one is made of."""
        return (self.inner,)


Node = Anything | OwnInstance | Array | Plain | Union | FixedTuple | Items | Table | Valued


def all_inside(node: Node) -> Iterator[Node]:
    """Yield a node and every node inside it, in the order in which they are checked."""
    yield node
    for part in getattr(node, "inside", ()):
        yield from all_inside(part)


def has_values(node: Node) -> bool:
    """Say whether a contract on a value stands anywhere inside a node."""
    return any(isinstance(part, Valued) for part in all_inside(node))
