"""Guarded functions: plain, async and generators."""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from ropeguard.contracts import Call, source_of_function
from ropeguard.diagnosis import contract_error
from ropeguard.guards.compiled import Compiled, Refusal
from ropeguard.guards.generators import guarded_async_generator, guarded_generator
from ropeguard.guards.levels import Level, current_level
from ropeguard.guards.promise import Promise


GUARDED = "__ropeguard__"


def guard_function(function: types.FunctionType, frame: types.FrameType | None) -> Any:
    """Return the function with its contract checked; a guarded one as it is."""
    if hasattr(function, GUARDED):
        return function
    wrap = next(wrap for fits, wrap in _WRAPS if fits(function))
    promise = Promise(source_of_function(function, frame))
    wrapper = functools.wraps(function)(wrap(function, promise))
    if not hasattr(wrapper, GUARDED):
        setattr(wrapper, GUARDED, promise)
    return wrapper


def _wrap(function: types.FunctionType, promise: Promise) -> Callable[..., Any]:
    """Return a function that is generated at its first call, over the authoritative check."""

    def slow(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        level = current_level()
        call = None if level is Level.OFF else promise.open(args, kwargs)
        if call is None:
            return function(*args, **kwargs)
        values = level is Level.VALUES
        violation = call.check_arguments(values=values)
        if violation is not None:
            return Refusal(violation)
        result = function(*args, **kwargs)
        if call.contract.checks_result:
            violation = call.check_result(result, values=values)
        return result if violation is None else Refusal(violation)

    compiled = Compiled(function, promise.kept, slow)
    wrapper = compiled.stub()
    setattr(wrapper, GUARDED, compiled)
    return wrapper


def _wrap_async(function: Callable[..., Any], promise: Promise) -> Callable[..., Any]:
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        level = current_level()
        call = None if level is Level.OFF else promise.open(args, kwargs)
        if call is None:
            return await function(*args, **kwargs)
        values = level is Level.VALUES
        violation = call.check_arguments(values=values)
        if violation is None:
            result = await function(*args, **kwargs)
            if call.contract.checks_result:
                violation = call.check_result(result, values=values)
            if violation is None:
                return result
            del result
        del args, kwargs, call
        raise contract_error(violation)

    return guarded


def _wrap_generator(function: Callable[..., Any], promise: Promise) -> Callable[..., Any]:
    return _wrap_items(function, promise, guarded_generator)


def _wrap_async_generator(function: Callable[..., Any], promise: Promise) -> Callable[..., Any]:
    return _wrap_items(function, promise, guarded_async_generator)


def _wrap_items(
    function: Callable[..., Any], promise: Promise, items: Callable[[Any, Call, bool], Any]
) -> Callable[..., Any]:
    """Check the arguments when the generator is made, and what passes through it as it does."""

    def guarded(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        level = current_level()
        call = None if level is Level.OFF else promise.open(args, kwargs)
        if call is None:
            return function(*args, **kwargs)
        values = level is Level.VALUES
        violation = call.check_arguments(values=values)
        if violation is None:
            return items(function(*args, **kwargs), call, values)
        del args, kwargs, call
        raise contract_error(violation)

    return guarded


_WRAPS: tuple[tuple[Callable[[Any], bool], Callable[..., Any]], ...] = (
    (inspect.iscoroutinefunction, _wrap_async),
    (inspect.isasyncgenfunction, _wrap_async_generator),
    (inspect.isgeneratorfunction, _wrap_generator),
    (callable, _wrap),
)
