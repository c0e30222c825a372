"""Type hints compiled into nodes that can be checked against a value."""

import collections.abc
import inspect
import types
import typing
from typing import Any

from jaxtyping import AbstractArray, AbstractDtype

from ropeguard.catalogue import error
from ropeguard.contracts.dims import parse
from ropeguard.contracts.nodes import (
    Anything,
    Array,
    FixedTuple,
    Items,
    Node,
    OwnInstance,
    Plain,
    Table,
    Union,
    Valued,
)
from ropeguard.contracts.values import ValueContract


def compile_hint(hint: Any) -> Node:
    """Compile a resolved type hint.

    Args:
        hint: A hint without strings in it.

    Returns:
        The node that checks it.

    Raises:
        RopeguardError: A guard can't check this hint (`contract-invalid`).
    """
    if hint is inspect.Parameter.empty:
        return Anything()
    if hint is Any or hint is object:
        return Anything(text_of(hint))
    if hint is typing.Self:
        return OwnInstance()
    if is_array_hint(hint):
        return _compile_array(hint)
    if hasattr(hint, "__metadata__"):
        return _compile_annotated(hint)
    unwrapped = _unwrapped(hint)
    if unwrapped is not hint:
        return compile_hint(unwrapped)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return Union(text_of(hint), tuple(compile_hint(part) for part in typing.get_args(hint)))
    compound = _compile_container(hint, origin)
    if compound is not None:
        return compound
    return _compile_plain(_shallow(hint) if has_array(hint) else hint, text_of(hint))


def is_array_hint(hint: Any) -> bool:
    """Say whether a hint is one of jaxtyping's, `Float[mx.array, "n"]`."""
    return inspect.isclass(hint) and issubclass(hint, AbstractArray)


def has_array(hint: Any) -> bool:
    """Say whether an array's annotation, or a contract on a value, stands inside a hint."""
    if is_array_hint(hint) or any(
        isinstance(item, ValueContract) for item in getattr(hint, "__metadata__", ())
    ):
        return True
    unwrapped = _unwrapped(hint)
    if unwrapped is not hint:
        return has_array(unwrapped)
    return any(has_array(part) for part in _parts(hint))


def _parts(hint: Any) -> tuple[Any, ...]:
    parts: list[Any] = []
    for part in typing.get_args(hint):
        parts.extend(part if isinstance(part, list) else [part])
    return tuple(parts)


def _unwrapped(hint: Any) -> Any:
    """Look through aliases, new types and type variables that stand for a hint with arrays."""
    if isinstance(hint, typing.TypeVar):
        inner = hint.__bound__
        if hint.__constraints__:
            inner = typing.Union[hint.__constraints__]  # noqa: UP007
        return inner if inner is not None and has_array(inner) else hint
    alias = getattr(typing, "TypeAliasType", None)
    if alias is not None and isinstance(hint, alias):
        return hint.__value__
    if isinstance(hint, typing.NewType):
        return hint.__supertype__ if has_array(hint.__supertype__) else hint
    return hint


def _compile_array(hint: Any) -> Array:
    text = text_of(hint)
    if hint.array_type is type(None):
        reason = (
            "jaxtyping reads `Float[A | None, ...]` as an array of class None;"
            " write `Float[A, ...] | None`"
        )
        raise error("contract-invalid", hint=text, reason=reason)
    dtype: Any = type(hint.dtype.__name__, (AbstractDtype,), {"dtypes": hint.dtypes})
    any_shape = dtype[hint.array_type, "..."]
    return Array(text, hint.array_type, parse(hint.dim_str, text), _dtypes(hint), any_shape)


def _dtypes(hint: Any) -> str:
    """Name the allowed dtypes: the group, and its members where they are few."""
    name, dtypes = hint.dtype.__name__, hint.dtypes
    if not isinstance(dtypes, tuple) or not all(isinstance(item, str) for item in dtypes):
        return str(name)
    spelled = [item for item in dtypes if not item.endswith("_")]
    if len(spelled) == 1:
        return str(spelled[0])
    if len(spelled) <= 4:
        return f"{', '.join(spelled[:-1])} or {spelled[-1]}"
    return f"{name} ({_GROUPS[name]})" if name in _GROUPS else str(name)


_GROUPS = {
    "Float": "any floating dtype",
    "Int": "any signed integer dtype",
    "UInt": "any unsigned integer dtype",
    "Integer": "any integer dtype",
    "Inexact": "any floating or complex dtype",
    "Real": "any floating or integer dtype",
    "Num": "any dtype but bool",
}


def _compile_annotated(hint: Any) -> Node:
    inner = compile_hint(hint.__origin__)
    contracts = tuple(item for item in hint.__metadata__ if isinstance(item, ValueContract))
    if contracts:
        return Valued(text_of(hint), inner, contracts)
    if has_array(hint.__origin__):
        return inner
    return _compile_plain(hint, text_of(hint.__origin__))


def _compile_container(hint: Any, origin: Any) -> Node | None:
    """Compile what can be looked into again and again; iterators and callables cannot."""
    arguments, text = typing.get_args(hint), text_of(hint)
    if not inspect.isclass(origin) or not arguments:
        return None
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return Items(text, _compile_plain(tuple, text), compile_hint(arguments[0]))
        if any(typing.get_origin(part) is typing.Unpack for part in arguments):
            return None
        items = () if arguments == ((),) else arguments
        return FixedTuple(text, tuple(compile_hint(part) for part in items))
    if issubclass(origin, collections.abc.Mapping) and len(arguments) == 2:
        key, value = (compile_hint(part) for part in arguments)
        return Table(text, _compile_plain(origin, text), key, value)
    if _is_collection(origin) and len(arguments) == 1:
        return Items(text, _compile_plain(origin, text), compile_hint(arguments[0]))
    return None


def _is_collection(origin: type) -> bool:
    return issubclass(origin, collections.abc.Collection) and not issubclass(
        origin, collections.abc.Mapping
    )


def _shallow(hint: Any) -> Any:
    """Drop what is inside a hint whose inside beartype leaves alone: iterators, callables."""
    origin = typing.get_origin(hint)
    return hint if origin is None else origin


def _compile_plain(hint: Any, text: str) -> Plain:
    if hint is None or _is_ordinary_class(hint):
        expected = type(None) if hint is None else hint
        return Plain(text, hint, lambda value: isinstance(value, expected))
    if hint is typing.NoReturn or hint is typing.Never:
        return Plain(text, hint, lambda _value: False)
    from beartype.door import is_bearable
    from beartype.roar import BeartypeException

    try:
        is_bearable(None, hint)
    except BeartypeException as failure:
        reason = f"beartype can't check it ({type(failure).__name__})"
        raise error("contract-invalid", hint=text, reason=reason) from None
    return Plain(text, hint, lambda value: is_bearable(value, hint))


def _is_ordinary_class(hint: Any) -> bool:
    """Say whether `isinstance` is all there is to check, so that beartype isn't needed."""
    return (
        inspect.isclass(hint)
        and typing.get_origin(hint) is None
        and not typing.is_typeddict(hint)
        and not getattr(hint, "_is_protocol", False)
    )


def text_of(hint: Any) -> str:
    """Write a hint the way its author would, without module names that say nothing."""
    if is_array_hint(hint):
        array_type = getattr(hint.array_type, "__name__", str(hint.array_type))
        module = getattr(hint.array_type, "__module__", "")
        array_type = "mx.array" if (module, array_type) == ("mlx.core", "array") else array_type
        return f'{hint.dtype.__name__}[{array_type}, "{hint.dim_str.strip()}"]'
    if hint is type(None) or hint is None:
        return "None"
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(text_of(part) for part in arguments)
    if hasattr(hint, "__metadata__"):
        contracts = [str(item) for item in hint.__metadata__ if isinstance(item, ValueContract)]
        return ", ".join([text_of(hint.__origin__), *contracts])
    if origin is not None and origin is not typing.Literal and not isinstance(hint, type):
        inside = ", ".join(_text_of_argument(part) for part in arguments)
        return f"{getattr(origin, '__name__', str(origin))}[{inside}]" if inside else str(hint)
    if inspect.isclass(hint) and origin is None:
        return hint.__qualname__
    return str(hint).replace("typing.", "")


def _text_of_argument(part: Any) -> str:
    if part is Ellipsis:
        return "..."
    if isinstance(part, list):
        return f"[{', '.join(text_of(item) for item in part)}]"
    return text_of(part)
