"""Read a callable's annotations: strings are resolved, or it is an error; never `Any`.

A string is resolved against the module, the class body and the enclosing functions as they were
at decoration. A name that is not there yet is tried again at the first call, because a method may
name its own class; after that it is an error.
"""

import ast
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ropeguard.catalogue import error


@attrs.frozen
class Namespace:
    """Where names in string annotations are looked up.

    Attributes:
        globals: The module's names.
        locals: Names of the enclosing class bodies and functions, at decoration.
    """

    globals: dict[str, Any] = attrs.field(repr=False)
    locals: Mapping[str, Any] = attrs.field(repr=False)


def namespace_of(function: Any, frame: types.FrameType | None) -> Namespace:
    """Collect the names that a callable's string annotations use.

    Args:
        function: The callable.
        frame: The frame that decorates it, whose locals are read and not kept.
    """
    wanted = set(_names(raw_annotations(function).values()))
    found: dict[str, Any] = {}
    for scope in _scopes(frame) if wanted else ():
        for name in wanted.intersection(scope):
            found.setdefault(name, scope[name])
    found.update(_closure(function, wanted))
    found.update({item.__name__: item for item in getattr(function, "__type_params__", ())})
    module = inspect.getmodule(function)
    return Namespace(getattr(function, "__globals__", vars(module) if module else {}), found)


def raw_annotations(function: Any) -> dict[str, Any]:
    """Return a callable's own annotations, strings left as they are."""
    try:
        return dict(inspect.get_annotations(function))
    except NameError:  # Python 3.14 evaluates them here, and a name may come later.
        import annotationlib  # type: ignore[import-not-found,unused-ignore]

        forward = annotationlib.Format.FORWARDREF
        return dict(annotationlib.get_annotations(function, format=forward))


def _names(annotations: Any) -> Iterator[str]:
    """Yield the names in string annotations, those inside other hints too."""
    for annotation in annotations:
        text = annotation if isinstance(annotation, str) else None
        text = getattr(annotation, "__forward_arg__", text)
        if text is None:
            yield from _names(
                part for part in typing.get_args(annotation) if not isinstance(part, list)
            )
            continue
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except SyntaxError:
            continue  # Reported with the parameter's name when it is resolved.
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from (word for word in node.value.split() if word.isidentifier())


def _scopes(frame: types.FrameType | None) -> Iterator[Mapping[str, Any]]:
    """Yield the locals of the class bodies around a decoration and of the function around them."""
    while frame is not None and frame.f_code.co_name != "<module>":
        yield frame.f_locals
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return
        frame = frame.f_back


def _closure(function: Any, wanted: set[str]) -> dict[str, Any]:
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    found = {}
    for name, cell in zip(code.co_freevars if code else (), cells or (), strict=True):
        if name in wanted and cell != types.CellType():
            found[name] = cell.cell_contents
    return found


UNDEFINED = object()


def resolve(name: str, annotation: Any, namespace: Namespace, *, final: bool) -> Any:
    """Resolve one annotation.

    Args:
        name: The parameter, or `"return"`.
        annotation: A hint, or a string of one.
        namespace: Where its names are.
        final: Whether a name that is not defined is an error; it may be defined later otherwise.

    Returns:
        The hint, without strings in it; `UNDEFINED` for a name that is not defined yet.

    Raises:
        RopeguardError: It is not a hint (`annotation-unresolvable`).
    """
    stripped = annotation.strip() if isinstance(annotation, str) else annotation
    holder = types.SimpleNamespace(__annotations__={name: stripped})
    try:
        return typing.get_type_hints(
            holder, namespace.globals, dict(namespace.locals), include_extras=True
        )[name]
    except NameError as missing:
        if not final:
            return UNDEFINED
        reason = str(missing)
    except Exception as failure:
        reason = f"{type(failure).__name__}: {_first_line(failure)}"
    raise error("annotation-unresolvable", argument=name, annotation=annotation, reason=reason)


def _first_line(failure: Exception) -> str:
    return (str(failure).strip().splitlines() or [""])[0]
