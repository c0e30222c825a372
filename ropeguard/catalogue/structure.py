"""TOML tables into the classes of the model, with errors that name the file and the key."""

from collections.abc import Callable, Iterator, Mapping
from types import GenericAlias
from typing import Any, TypeVar, get_args, get_origin

import attrs
from cattrs import BaseValidationError, Converter, ForbiddenExtraKeysError
from cattrs.errors import AttributeValidationNote, IterableValidationNote
from cattrs.gen import make_dict_structure_fn

from ropeguard.catalogue.raising import RopeguardError, error


T = TypeVar("T")
_Hook = Callable[[Any, Any], Any]


def read_table(
    table: Mapping[str, Any], kind: type[T], path: str
) -> tuple[T | None, list[RopeguardError]]:
    """Return the object that `table` describes, or all that is wrong with it.

    Args:
        table: What the TOML file holds.
        kind: The class of the model that it describes.
        path: The file, for the errors.
    """
    try:
        return _CONVERTER.structure(table, kind), []
    except BaseValidationError as wrong:
        return None, list(_findings(wrong, path, ""))


def _findings(group: BaseValidationError, path: str, key: str) -> Iterator[RopeguardError]:
    for one in group.exceptions:
        where = key + _step(one, key)
        if isinstance(one, BaseValidationError):
            yield from _findings(one, path, where)
        elif isinstance(one, ForbiddenExtraKeysError):
            known = "  what may stand there: " + ", ".join(
                field.name for field in attrs.fields(one.cl)
            )
            for name in sorted(one.extra_fields):
                full = f"{where}.{name}" if where else name
                yield error("record-key-unknown", details=known, path=path, key=full)
        elif isinstance(one, RopeguardError):
            found, allowed = one.fields["found"], one.fields["allowed"]
            yield error("record-value-wrong", path=path, key=where, found=found, allowed=allowed)
        else:
            yield error("record-key-missing", path=path, key=where)


def _step(one: BaseException, key: str) -> str:
    for note in getattr(one, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return f".{note.name}" if key else note.name
        if isinstance(note, IterableValidationNote):
            return f".{note.index}" if isinstance(note.index, str) else f"[{note.index}]"
    return ""


def _only(*kinds: type, named: str) -> _Hook:
    def hook(value: Any, _kind: Any) -> Any:
        if type(value) not in kinds:
            raise error("record-value-wrong", path="", key="", found=value, allowed=named)
        return value

    return hook


_TABLE = _only(dict, named="a table")
_LIST = _only(list, named="a list")


def _class_hook(kind: Any, converter: Any) -> Any:
    structure: _Hook = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True)
    return lambda value, it: structure(_TABLE(value, it), it)


def _tuple_hook(kind: Any, converter: Any) -> Any:
    items = GenericAlias(list, get_args(kind)[:1])
    return lambda value, it: tuple(converter.structure(_LIST(value, it), items))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    converter.register_structure_hook(str, _only(str, named="a string"))
    converter.register_structure_hook(int | str, _only(int, str, named="an integer or a string"))
    converter.register_structure_hook_factory(attrs.has, _class_hook)
    converter.register_structure_hook_factory(_is_tuple, _tuple_hook)
    return converter


_CONVERTER = _converter()
