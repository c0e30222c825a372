"""What a check found wrong in one value, before it is known who is to blame."""

import attrs

from ropeguard.contracts.dims import Dim, Variadic
from ropeguard.contracts.violation import Argument, Origin


@attrs.frozen
class Mismatch:
    """A value that does not fit its annotation. The fields are those of `Violation`.

    Attributes:
        name: The axis name whose sizes disagree, if that is what is wrong.
        found: The value itself, summarised.
    """

    kind: str
    argument: str
    hint: str
    got: object
    expected: object
    axis: int | None = None
    axis_name: str | None = None
    where: str = ""
    origin: tuple[Origin, ...] = ()
    tie: bool = False
    reasons: tuple[str, ...] = ()
    name: str | None = None
    found: Argument | None = None


def where_axis(axis: int, dim: Dim | Variadic) -> str:
    """Name one axis: `axis 0 (tokens)`."""
    return f"axis {axis} ({dim.text})"


def where_axes(first: int, dim: Variadic) -> str:
    """Name a run of axes, which may be empty: `axes *batch (from axis 0)`."""
    return f"axes {dim.text} (from axis {first})"
