"""Compare a shape with the axes of an annotation, binding names as jaxtyping does.

Order and meaning follow jaxtyping 0.3.11: the axes before a run, those after it, then the run;
`#` accepts 1 without binding; a check that fails leaves the bindings as they were.
"""

import numbers
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings, Shape, Size
from ropeguard.contracts.describing import exception_text, type_name
from ropeguard.contracts.dims import (
    Axes,
    Dim,
    Expression,
    Fixed,
    Named,
    Parameter,
    Unchecked,
    Variadic,
)
from ropeguard.contracts.mismatch import Mismatch, where_axes, where_axis
from ropeguard.contracts.violation import Origin


@attrs.frozen
class Subject:
    """The value whose shape is checked: what messages call it, and its annotation."""

    argument: str
    hint: str


def check_shape(
    axes: Axes, shape: tuple[int, ...], bindings: Bindings, subject: Subject
) -> Mismatch | None:
    """Check a shape, and bind its names if it fits.

    Args:
        axes: The annotation's axes.
        shape: The value's shape.
        bindings: What the call has bound; changed only if the shape fits.
        subject: The value, for the mismatch.

    Returns:
        `None` if the shape fits.
    """
    mismatch = check_rank(axes, shape, subject)
    if mismatch is not None:
        return mismatch
    trial = bindings.copy()
    run = variadic_index(axes)
    for axis, dim in placed(axes, len(shape)):
        mismatch = _CHECKS[type(dim)](dim, axis, shape[axis], trial, subject)
        if mismatch is not None:
            return mismatch
    if run is not None:
        after = len(axes) - run - 1
        part = shape[run : len(shape) - after]
        mismatch = _check_run(axes[run], run, part, trial, subject)  # type: ignore[arg-type]
        if mismatch is not None:
            return mismatch
    bindings.accept(trial)
    return None


def check_rank(axes: Axes, shape: tuple[int, ...], subject: Subject) -> Mismatch | None:
    """Check the number of axes alone."""
    least, open_ended = len(axes), variadic_index(axes) is not None
    if open_ended:
        least -= 1
    if len(shape) == least or (open_ended and len(shape) > least):
        return None
    expected = f"at least {least}" if open_ended else str(least)
    return Mismatch("rank", subject.argument, subject.hint, len(shape), expected)


def variadic_index(axes: Axes) -> int | None:
    """Return where `...` or `*name` stands, if there is one."""
    return next((i for i, dim in enumerate(axes) if isinstance(dim, Variadic)), None)


def placed(axes: Axes, rank: int) -> Iterable[tuple[int, Dim]]:
    """Yield each single axis of an annotation with its index in a shape of that rank."""
    run = variadic_index(axes)
    for i, dim in enumerate(axes):
        if not isinstance(dim, Variadic):
            yield (i if run is None or i < run else i + rank - len(axes)), dim


def _mismatch(
    kind: str, dim: Dim, axis: int, got: object, expected: object, subject: Subject, **more: Any
) -> Mismatch:
    where = where_axis(axis, dim)
    return Mismatch(
        kind, subject.argument, subject.hint, got, expected, axis, dim.text, where, **more
    )


def one_or(size: object) -> str:
    """Write what a broadcasting axis accepts."""
    return "1" if size == 1 else f"1 or {size}"


def _check_unchecked(*_arguments: object) -> None:
    return None


def _check_fixed(
    dim: Fixed, axis: int, size: int, _bindings: Bindings, subject: Subject
) -> Mismatch | None:
    if size == dim.size or (dim.broadcast and size == 1):
        return None
    if dim.broadcast:
        return _mismatch("broadcast", dim, axis, size, one_or(dim.size), subject)
    return _mismatch("size", dim, axis, size, dim.size, subject)


def _check_named(
    dim: Named, axis: int, size: int, bindings: Bindings, subject: Subject
) -> Mismatch | None:
    if dim.broadcast and size == 1:
        return None
    origin = Origin(subject.argument, axis)
    bound = bindings.sizes.setdefault(dim.name, Size(size, origin))
    if bound.size == size:
        return None
    if dim.broadcast:
        expected: object = one_or(bound.size)
        return _mismatch("broadcast", dim, axis, size, expected, subject, origin=(bound.origin,))
    return _mismatch(
        "bound", dim, axis, size, bound.size, subject, origin=(bound.origin,), name=dim.name
    )


def _check_expression(
    dim: Expression, axis: int, size: int, bindings: Bindings, subject: Subject
) -> Mismatch | None:
    if dim.broadcast and size == 1:
        return None
    parameters: dict[str, int] = {}
    for parameter in dim.parameters:
        value = _parameter(parameter, bindings)
        if isinstance(value, _NoNumber):
            return _mismatch(value.kind, dim, axis, value.found, parameter.text, subject)
        parameters[parameter.placeholder] = value
    try:
        expected = dim.size(bindings.integers(), parameters)
    except NameError:
        missing = next(name for name in dim.names if name not in bindings.sizes)
        return _mismatch("unbound", dim, axis, size, missing, subject)
    except Exception as failure:
        return _mismatch("expression", dim, axis, exception_text(failure), dim.text, subject)
    if expected == size:
        return None
    return _expression_mismatch(dim, axis, size, expected, bindings, subject)


@attrs.frozen
class _NoNumber:
    """Why a parameter gives no size: it is not an integer, or reading it raised."""

    kind: str
    found: str


def _parameter(parameter: Parameter, bindings: Bindings) -> int | _NoNumber:
    try:
        value = eval(parameter.code, dict(bindings.parameters))
    except Exception as failure:
        return _NoNumber("expression", exception_text(failure))
    # By class, not by `operator.index`, which would evaluate an array of one integer.
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        return _NoNumber("parameter", type_name(value))
    return int(value)


def _expression_mismatch(
    dim: Expression,
    axis: int,
    size: int,
    expected: object,
    bindings: Bindings,
    subject: Subject,
) -> Mismatch:
    if dim.sole_parameter is not None and not dim.broadcast:
        parameter = (Origin(dim.sole_parameter),)
        return _mismatch("bound", dim, axis, size, expected, subject, origin=parameter)
    origin: tuple[Origin, ...] = tuple(
        dict.fromkeys(
            [bindings.sizes[name].origin for name in dim.names if name in bindings.sizes]
            + [Origin(parameter.text) for parameter in dim.parameters]
        )
    )
    if dim.broadcast:
        return _mismatch("broadcast", dim, axis, size, one_or(expected), subject, origin=origin)
    return _mismatch("symbolic", dim, axis, size, expected, subject, origin=origin)


def _check_run(
    dim: Variadic, first: int, part: tuple[int, ...], bindings: Bindings, subject: Subject
) -> Mismatch | None:
    if dim.name is None:
        return None
    bound = bindings.shapes.get(dim.name)
    if bound is None:
        origin = Origin(subject.argument)
        bindings.shapes[dim.name] = Shape(part, dim.broadcast, origin)
        return None
    joint = _joint_shape(part, dim.broadcast, bound)
    if joint is None:
        kind = "broadcast" if dim.broadcast else "variadic"
        expected = (
            bound.shape if kind == "variadic" else f"a shape that broadcasts with {bound.shape}"
        )
        where = where_axes(first, dim)
        origin_ = (bound.origin,)
        return Mismatch(
            kind, subject.argument, subject.hint, part, expected, None, dim.text, where, origin_
        )
    bindings.shapes[dim.name] = joint
    return None


def _joint_shape(part: tuple[int, ...], broadcast: bool, bound: Shape) -> Shape | None:
    """Return the shape that `*name` stands for once `part` is seen too; `None` if none fits."""
    if not broadcast and not bound.broadcast:
        return bound if part == bound.shape else None
    joint = _broadcast(part, bound.shape)
    if bound.broadcast:
        fits = joint is not None and (broadcast or joint == part)
        return Shape(joint, broadcast, bound.origin) if fits and joint is not None else None
    return bound if joint == bound.shape else None


def _broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the common shape of two shapes, by the rule that MLX and NumPy share."""
    rank = max(len(left), len(right))
    sizes = []
    for a, b in zip(_padded(left, rank), _padded(right, rank), strict=True):
        if a != b and 1 not in (a, b):
            return None
        sizes.append(b if a == 1 else a)
    return tuple(sizes)


def _padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return (1,) * (rank - len(shape)) + shape


_CHECKS: dict[type, Callable[..., Mismatch | None]] = {
    Fixed: _check_fixed,
    Named: _check_named,
    Unchecked: _check_unchecked,
    Expression: _check_expression,
}
