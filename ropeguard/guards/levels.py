"""How much guards check: `off`, `shapes` or `values`."""

import contextlib
import enum
import os
import threading
from collections.abc import Iterator
from contextvars import ContextVar

from ropeguard.catalogue import error


class Level(enum.Enum):
    """What a guard checks.

    Attributes:
        OFF: Nothing.
        SHAPES: Classes, shapes, dtypes, Python numbers; evaluates nothing.
        VALUES: The contracts on array elements too; evaluates the arrays that have one, except
            inside `mx.compile` and `mx.vmap`.
    """

    OFF = "off"
    SHAPES = "shapes"
    VALUES = "values"


VARIABLE = "ROPEGUARD_LEVEL"


def _read(name: "str | Level", source: str) -> Level:
    if isinstance(name, Level):
        return name
    by_name = {level.value: level for level in Level}
    if name not in by_name:
        raise error("level-unknown", level=name, source=source)
    return by_name[name]


# What generated source reads first: 0 where level `shapes` holds everywhere, 1 where `off` does,
# 2 where it depends on the block.
MODE = [0]
_blocks = [0]
_lock = threading.Lock()
_process_level = [_read(os.environ.get(VARIABLE) or Level.SHAPES, VARIABLE)]
_block_level: ContextVar[Level | None] = ContextVar("ropeguard_level", default=None)


def current_level() -> Level:
    """Return the level in force here: the innermost block's, else the process's."""
    return _block_level.get() or _process_level[0]


def set_level(name: "str | Level") -> None:
    """Set the level of the whole process.

    It starts as the environment variable `ROPEGUARD_LEVEL` says, or as `"shapes"`.

    Args:
        name: `"off"`, `"shapes"` or `"values"`.

    Raises:
        RopeguardError: No such level (`level-unknown`).
    """
    level = _read(name, "set_level")
    with _lock:
        _process_level[0] = level
        _set_mode()


def _set_mode() -> None:
    by_level = {Level.SHAPES: 0, Level.OFF: 1, Level.VALUES: 2}
    MODE[0] = 2 if _blocks[0] else by_level[_process_level[0]]


def _count_blocks(change: int) -> None:
    with _lock:
        _blocks[0] += change
        _set_mode()


_set_mode()


@contextlib.contextmanager
def level(name: "str | Level") -> Iterator[None]:
    """Set the level of a block, for this thread or asyncio task alone.

    Args:
        name: `"off"`, `"shapes"` or `"values"`.

    Raises:
        RopeguardError: No such level (`level-unknown`).
    """
    token = _block_level.set(_read(name, "level"))
    _count_blocks(1)
    try:
        yield
    finally:
        _count_blocks(-1)
        _block_level.reset(token)
