"""Contracts on values, written beside the type in `Annotated`.

They say what a shape cannot: a range, distinct entries, equal dtypes. Those that have to read an
array's elements are checked at level `values` alone, where reading evaluates the array; those on
Python numbers, dtypes and identity cost nothing and are checked always.
"""

import attrs


Bound = int | float | str | None


@attrs.frozen(str=False)
class ValueContract:
    """What all contracts on values have in common; not made by itself."""

    def __str__(self) -> str:
        """Write the contract as its author would."""
        fields = attrs.fields(type(self))
        values = [getattr(self, field.name) for field in fields]
        while values and values[-1] == fields[len(values) - 1].default:
            values.pop()
        written = [_written(*pair) for pair in zip(fields, values, strict=False)]
        return f"{type(self).__name__}({', '.join(written)})"


def _written(field: "attrs.Attribute[object]", value: object) -> str:
    if isinstance(value, bool):
        return f"{field.name}={value}"
    return f'"{value}"' if isinstance(value, str) else repr(value)


@attrs.frozen(str=False)
class InRange(ValueContract):
    """Every element `x` satisfies `low <= x < high`.

    Broken, it raises a `ContractError` of record RG1451 (a `ValueError`).

    Attributes:
        low: The least allowed value; `None` for no bound.
        high: The first value that is too large; `None` for no bound.

    Either may be a number, the name of an axis, or the name of a parameter that is a number:
    `Annotated[Int32[mx.array, " tokens"], InRange(-1, "pool")]`.
    """

    low: Bound = None
    high: Bound = None


@attrs.frozen(str=False)
class Finite(ValueContract):
    """No element is infinite or NaN."""


@attrs.frozen(str=False)
class Unique(ValueContract):
    """No element occurs twice.

    Attributes:
        ignore_negative: Whether elements below zero do not count: for slots, where they mean
            "no slot".
    """

    ignore_negative: bool = False


@attrs.frozen(str=False)
class Positive(ValueContract):
    """A Python number above zero."""


@attrs.frozen(str=False)
class MultipleOf(ValueContract):
    """A Python integer that is a multiple of another.

    Attributes:
        divisor: The other: a number, or the name of a parameter or an axis.
    """

    divisor: int | str


@attrs.frozen(str=False)
class SameDtype(ValueContract):
    """An array of the same dtype as another argument.

    Attributes:
        argument: The name of the other argument.
    """

    argument: str


@attrs.frozen(str=False)
class Distinct(ValueContract):
    """Not the very object that another argument is.

    Attributes:
        argument: The name of the other argument.
    """

    argument: str
