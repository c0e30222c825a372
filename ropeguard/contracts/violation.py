"""What a violated contract is: plain data, without an array in it."""

from collections.abc import Mapping
from typing import Any

import attrs

from ropeguard.contracts.recheck import Recheck


@attrs.frozen
class Origin:
    """Where an expected size came from.

    Attributes:
        argument: The argument that bound it (`"k"`, `"items[0]"`, `"return"`).
        axis: The axis of that argument, or `None` where the argument is itself the number.
    """

    argument: str
    axis: int | None = None

    def __str__(self) -> str:
        return f"`{self.argument}`" if self.axis is None else f"`{self.argument}` axis {self.axis}"


@attrs.frozen
class Binding:
    """One axis of one argument, with the size that it gives to a name."""

    argument: str
    axis: int
    size: int

    @property
    def origin(self) -> Origin:
        """The place of this axis."""
        return Origin(self.argument, self.axis)


@attrs.frozen
class Argument:
    """One argument of the call that broke its contract.

    Attributes:
        name: The parameter.
        hint: The annotation, as its author would write it; empty if there is none.
        type: The class of the value, with its module.
        shape: The shape, if the value has one.
        dtype: The name of the dtype, if the value has one.
        text: A number, string, bool or None as Python writes it (strings cut at 40 characters);
            empty for everything else, because nothing of the caller's is ever rendered.
    """

    name: str
    hint: str
    type: str
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    text: str = ""

    def __str__(self) -> str:
        if self.shape is not None:
            library = "" if self.type == "mlx.core.array" else f"{self.type} "
            return f"{library}{self.dtype} {self.shape}"
        return self.text or self.type


@attrs.frozen
class Violation:
    """A broken contract, as data: picklable, and it keeps no array alive.

    Attributes:
        function: The guarded function or class, by its qualified name.
        stage: `"argument"`, `"result"`, `"yield"`, `"field"` or `"mutation"`.
        kind: What is wrong: `"rank"`, `"size"`, `"bound"`, `"symbolic"`, `"broadcast"`,
            `"variadic"`, `"dtype"`, `"not-array"`, `"other-library"`, `"union"`,
            `"union-array"`, `"type"`, `"parameter"`, `"unbound"`, `"expression"`, `"range"`,
            `"unique"`, `"finite"`, `"same-dtype"`, `"multiple"`, `"positive"`, `"alias"`,
            `"mutated"`.
        argument: What is blamed: `"q"`, `"items[1]"`, `"return"`, `"return[0]"`, `"yield"`.
        hint: The annotation that it broke.
        got: What it is, in the unit of the kind: a size, a rank, a shape, a dtype's name.
        expected: What the contract wants, in the same unit.
        axis: The axis's index, counted from the front of the value's shape, if one is to blame.
        axis_name: That axis as the annotation writes it.
        where: The axis or axes in words: `"axis 0 (tokens)"`.
        origin: The places that bound the expected size.
        tie: Whether as many places say `got` as say `expected`, so that either may be wrong.
        reasons: One line for each alternative of a union that did not fit, or a remark.
        found: The blamed value, which may be an item of an argument.
        arguments: All arguments of the call.
        recheck: What the search for a fix needs, until the error is made.
    """

    function: str
    stage: str
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
    found: Argument | None = None
    arguments: tuple[Argument, ...] = ()
    recheck: Recheck = attrs.field(factory=Recheck, eq=False, repr=False)

    @property
    def parameter(self) -> str:
        """The parameter that the blamed value was passed as, `"items"` for `"items[1]"`."""
        return self.argument.partition("[")[0]

    def summary(self, name: str) -> Argument | None:
        """Return the argument of that name."""
        return next((argument for argument in self.arguments if argument.name == name), None)

    def to_json(self) -> Mapping[str, object]:
        """Return the violation in JSON's types."""
        return attrs.asdict(self, filter=_is_data, value_serializer=_plain)


def _is_data(field: Any, _value: object) -> bool:
    return bool(field.name != "recheck")


def _plain(_instance: object, _field: object, value: object) -> object:
    return (
        value if isinstance(value, (int, float, str, tuple, list, dict, type(None))) else str(value)
    )
