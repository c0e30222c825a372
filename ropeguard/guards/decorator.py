"""`guard`: make a callable or a class check its contract."""

import inspect
import sys
import types
from typing import Any, TypeVar

from ropeguard.catalogue import error
from ropeguard.guards.classes import guard_class
from ropeguard.guards.functions import guard_function


Target = TypeVar("Target")
_DESCRIPTORS = (staticmethod, classmethod)
_GUARDABLE = (*_DESCRIPTORS, property)


def guard(target: Target, /) -> Target:
    """Check a callable's annotations at every call.

    The contracts are the annotations: jaxtyping's for arrays, ordinary hints for everything else,
    checked as beartype checks them, and `InRange`, `Finite`, `Unique`, `Positive`, `MultipleOf`,
    `SameDtype` and `Distinct` inside `Annotated`. Names of axes hold within one call. A guard
    never evaluates or renders an array (level `values` evaluates those with a contract on their
    elements), so it works the same inside `mx.compile`, `mx.vmap`, `mx.grad` and
    `mx.checkpoint`, where it runs while the function is traced.

    Args:
        target: A function, method, `staticmethod`, `classmethod` or `property`; an async function
            or a generator, whose result or items are checked as they come; or a class: the
            methods that it defines, and for a dataclass or an attrs class its fields, after
            `__init__` and at each later assignment.

    Returns:
        The guarded function, with the signature of the given one, or the class itself.

    Raises:
        RopeguardError: At decoration: `target` is none of these (`guard-target-unsupported`),
            an annotation can't be resolved (`annotation-unresolvable`) or checked
            (`contract-invalid`), or a default contradicts it (`default-contradiction`).
        ContractError: At a call that breaks the contract; also a `ValueError` or a `TypeError`.
    """
    guarded: Target = _guard(target, sys._getframe(1))
    return guarded


def guard_from(target: Any) -> Any:
    """Guard what a decorator was put on by the import hook; descriptors that it can't are left."""
    if inspect.isclass(target) or inspect.isfunction(target) or isinstance(target, _GUARDABLE):
        return _guard(target, sys._getframe(1))
    return target


def _guard(target: Any, frame: types.FrameType | None) -> Any:
    if getattr(target, "__no_type_check__", False):
        return target
    if inspect.isclass(target):
        return guard_class(target, frame, _guard)
    if isinstance(target, _DESCRIPTORS):
        return type(target)(_guard(target.__func__, frame))
    if isinstance(target, property):
        fget, fset, fdel = (
            part and _guard(part, frame) for part in (target.fget, target.fset, target.fdel)
        )
        return property(fget, fset, fdel, target.__doc__)
    if inspect.isfunction(target):
        return guard_function(target, frame)
    raise error("guard-target-unsupported", type=type(target).__qualname__)
