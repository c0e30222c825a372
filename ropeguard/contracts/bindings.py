"""The sizes that one call has bound so far: owned by the call, shared with nothing."""

from collections.abc import Mapping

import attrs

from ropeguard.contracts.violation import Origin


@attrs.frozen
class Size:
    """The size of a named axis and where it was first seen."""

    size: int
    origin: Origin


@attrs.frozen
class Shape:
    """The shape of a named run of axes, `*name`, and where it was first seen."""

    shape: tuple[int, ...]
    broadcast: bool
    origin: Origin


@attrs.define
class Bindings:
    """Names bound while one call is checked.

    Attributes:
        sizes: Axis names and their sizes.
        shapes: Names of runs of axes and their shapes.
        parameters: The call's arguments, which `{...}` reads.
    """

    sizes: dict[str, Size] = attrs.field(factory=dict)
    shapes: dict[str, Shape] = attrs.field(factory=dict)
    parameters: Mapping[str, object] = attrs.field(factory=dict)

    def copy(self) -> "Bindings":
        """Return bindings that can grow without changing these."""
        return Bindings(dict(self.sizes), dict(self.shapes), self.parameters)

    def accept(self, other: "Bindings") -> None:
        """Take over what a check that passed has bound."""
        self.sizes, self.shapes = other.sizes, other.shapes

    def integers(self) -> dict[str, int]:
        """Return the bound sizes without their origins, for an axis expression."""
        return {name: size.size for name, size in self.sizes.items()}
