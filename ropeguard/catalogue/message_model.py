"""What a record says of its message: fields, foreign wordings, and what the shapes must be."""

import attrs


@attrs.frozen
class Field:
    """A value in a record's message.

    Attributes:
        type: How it is written: a name of `templates.TYPES`.
        doc: What it is.
        value: Where a diagnosis takes it from; by default from the violation's field of that name.
    """

    type: str
    doc: str
    value: str | None = None


@attrs.frozen
class Pattern:
    """The message of another package that means the same.

    Attributes:
        template: The message, with the record's fields as `{field}`.
        package: Who raises it.
        versions: The releases in which it was executed; none if it was only read, as its note says.
        note: What else there is to know.
    """

    template: str
    package: str
    versions: tuple[str, ...]
    note: str | None = None


@attrs.frozen
class Operand:
    """An array of which a message tells the shape.

    Attributes:
        name: What it is called in suggestions.
        axes: What its axes have to be, as `relations` reads it.
        fixed: Whether it is not for the caller to change.
        doubtful: Axes of shapes in the message that may not be the array's own.
        only: The changes that make sense: families of `shape_changes`, or code with `{x}` for the
            array; by default all.
    """

    name: str
    axes: str
    fixed: bool = False
    doubtful: str | None = None
    only: tuple[str, ...] = ()


@attrs.frozen
class Repair:
    """What has to hold of the shapes in a message, from which changes are searched.

    Attributes:
        kind: `axes` (of the operands), `product` (of fields `size` and `shape`) or `join` (of
            fields `shapes` and `axis`).
        call: The call that a change is written into, with the fields as `{field}`.
        operands: The arrays, by the field that holds their shape, the likelier to blame first.
    """

    kind: str
    call: str | None = None
    operands: dict[str, Operand] = attrs.field(factory=dict)
