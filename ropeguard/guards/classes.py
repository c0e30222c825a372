"""Guarded classes: their methods, and the fields of dataclasses and attrs classes."""

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from ropeguard.contracts import Call, source_of_fields
from ropeguard.diagnosis import contract_error
from ropeguard.guards.levels import Level, current_level
from ropeguard.guards.promise import Promise


_GUARDABLE = (types.FunctionType, staticmethod, classmethod, property)
# Objects whose `__init__` is running here: their fields are checked together when it ends.
_unfinished: ContextVar[frozenset[int]] = ContextVar("ropeguard_unfinished", default=frozenset())
_MISSING = object()


def guard_class(
    target: Any, frame: types.FrameType | None, guard: Callable[[Any, Any], Any]
) -> Any:
    """Guard what a class itself defines, in place.

    Args:
        target: The class.
        frame: The frame that decorates it.
        guard: What guards a function or a descriptor.
    """
    names = _field_names(target)
    for name, member in list(vars(target).items()):
        is_method = isinstance(member, _GUARDABLE) and _is_annotated(member)
        if is_method and not _is_generated(target, name, member):
            setattr(target, name, guard(member, frame))
    if names:
        promise = Promise(source_of_fields(target, names, frame))
        target.__init__ = _checking_init(target.__init__, names, promise)
        if not _is_frozen(target):
            target.__setattr__ = _checking_setattr(target.__setattr__, names, promise)
    return target


def _field_names(target: type) -> tuple[str, ...]:
    """Return the fields of a dataclass or an attrs class; none for another class."""
    if dataclasses.is_dataclass(target):
        return tuple(field.name for field in dataclasses.fields(target))
    return tuple(field.name for field in getattr(target, "__attrs_attrs__", ()))


def _functions(member: Any) -> list[Any]:
    if isinstance(member, property):
        return [part for part in (member.fget, member.fset, member.fdel) if part is not None]
    return [getattr(member, "__func__", member)]


def _is_annotated(member: Any) -> bool:
    return any(inspect.get_annotations(function) for function in _functions(member))


def _is_generated(target: type, name: str, member: Any) -> bool:
    """Say whether `dataclass` or attrs wrote a method, rather than the author.

    The file that a method says it is of does not tell: code of `python -c`, of an interactive
    session and of `exec` has none either.
    """
    parameters = vars(target).get("__dataclass_params__")
    if name == "__init__" and parameters is not None:
        return bool(parameters.init)
    codes = [getattr(function, "__code__", None) for function in _functions(member)]
    return all(code is None or code.co_filename.startswith("<attrs generated") for code in codes)


def _is_frozen(target: type) -> bool:
    parameters = getattr(target, "__dataclass_params__", None)
    return bool(parameters is not None and parameters.frozen)


def _checking_init(
    init: Callable[..., None], names: tuple[str, ...], promise: Promise
) -> Callable[..., None]:
    """Check the fields once `__init__` has set them all, so that they can bind each other."""

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        token = _unfinished.set(_unfinished.get() | {id(self)})
        try:
            init(self, *args, **kwargs)
        finally:
            _unfinished.reset(token)
        if id(self) not in _unfinished.get():
            violation = _violation(self, names, {}, promise)
            if violation is not None:
                del self, args, kwargs
                raise contract_error(violation)

    return __init__


def _checking_setattr(
    assign: Callable[[Any, str, Any], None], names: tuple[str, ...], promise: Promise
) -> Callable[[Any, str, Any], None]:
    """Check a later assignment against the other fields, before it happens."""

    @functools.wraps(assign)
    def __setattr__(self: Any, name: str, value: Any) -> None:
        __tracebackhide__ = True
        if name in names and id(self) not in _unfinished.get():
            violation = _violation(self, names, {name: value}, promise)
            if violation is not None:
                del self, value
                raise contract_error(violation)
        assign(self, name, value)

    return __setattr__


def _violation(
    instance: Any, names: tuple[str, ...], changed: Mapping[str, Any], promise: Promise
) -> Any:
    """Check an object's fields as they would be with some changed; unset ones are left out."""
    level = current_level()
    if level is Level.OFF:
        return None
    values = {name: changed.get(name, getattr(instance, name, _MISSING)) for name in names}
    present = {name: value for name, value in values.items() if value is not _MISSING}
    call = Call(promise.kept(instance), present)
    suspect = next(iter(changed), None)
    return call.check_arguments(values=level is Level.VALUES, stage="field", suspect=suspect)
