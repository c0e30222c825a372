"""The arguments of a refused call as aligned rows, with the wrong axis marked."""

import re
from collections.abc import Iterator

import attrs

from ropeguard.contracts import Argument, Violation


MOST_ROWS = 24
_QUOTED = re.compile(r'"([^"]*)"')


@attrs.frozen
class Row:
    """One argument.

    Attributes:
        name: Its name.
        got: What it is.
        expected: Its annotation.
        blamed: Whether it is the wrong one.
        got_mark: The first and the last column of what is wrong in `got`, if that can be told.
        expected_mark: The same of `expected`.
    """

    name: str
    got: str
    expected: str
    blamed: bool = False
    got_mark: tuple[int, int] | None = None
    expected_mark: tuple[int, int] | None = None


def rows_of(violation: Violation) -> list[Row]:
    """Return the rows of a violation: the arguments that have to do with the contract."""
    shown = [it for it in violation.arguments if _is_telling(it, violation)]
    found = violation.found
    kept = shown[:MOST_ROWS]
    names = {it.name for it in kept}
    if found is not None and found.name not in names:
        kept.append(found)
    return [_row(it, violation) for it in kept]


def left_out(violation: Violation) -> int:
    """Return how many arguments have no row."""
    shown = {row.name for row in rows_of(violation)}
    telling = (it for it in violation.arguments if _is_telling(it, violation))
    return sum(it.name not in shown for it in telling)


def _is_telling(argument: Argument, violation: Violation) -> bool:
    """Say whether an argument has to do with the contract: a hint, a shape, or `{row}` in it."""
    named = f"{{{argument.name}" in violation.hint
    return bool(argument.hint) or argument.shape is not None or named


def _row(argument: Argument, violation: Violation) -> Row:
    got = str(argument)
    blamed = argument.name == violation.argument
    if not blamed:
        return Row(argument.name, got, argument.hint)
    marks = _got_mark(got, argument, violation), _expected_mark(argument.hint, violation)
    return Row(argument.name, got, argument.hint, True, *marks)


def _got_mark(got: str, argument: Argument, violation: Violation) -> tuple[int, int] | None:
    shape, axis = argument.shape, violation.axis
    if shape is None:
        return None
    start = got.rfind("(")
    if violation.kind in ("dtype", "same-dtype"):
        name = argument.dtype or ""
        at = got.rfind(name, 0, start)
        return at, at + len(name)
    if violation.kind == "rank":
        return start, len(got)
    if axis is None or axis >= len(shape):
        return None
    at = start + 1 + sum(len(str(size)) + 2 for size in shape[:axis])
    return at, at + len(str(shape[axis]))


def _expected_mark(hint: str, violation: Violation) -> tuple[int, int] | None:
    if violation.kind in ("dtype", "same-dtype"):
        at = hint.find("SameDtype(") if violation.kind == "same-dtype" else 0
        end = hint.find(")", at) + 1 if violation.kind == "same-dtype" else hint.find("[")
        return (at, end) if 0 <= at < end else None
    for quoted in _QUOTED.finditer(hint):
        words = list(re.finditer(r"\S+", quoted[1]))
        if violation.kind == "rank":
            return quoted.start(), quoted.end()
        named = [i for i, word in enumerate(words) if word[0] == violation.axis_name]
        if named:
            index = violation.axis if violation.axis in named else named[-1]
            start = quoted.start(1)
            return start + words[index].start(), start + words[index].end()
    return None


def table(violation: Violation, width: int | None = None) -> Iterator[str]:
    """Yield the lines of the table, the annotation under the row where it would be too wide."""
    rows = rows_of(violation)
    if not rows:
        return
    names = max(len(row.name) for row in rows)
    gots = max(len(row.got) for row in rows)
    widest = 2 + names + 2 + gots + 2 + max(len(row.expected) for row in rows)
    stacked = width is not None and widest > width
    for row in rows:
        head = f"{'>' if row.blamed else ' '} {row.name:<{names}}  "
        gap = " " * (gots - len(row.got) + 2)
        if stacked:
            yield f"{head}{row.got}".rstrip()
            yield from _marks(row, len(head), None)
            if row.expected:
                yield f"      {row.expected}"
                yield from _marks(row, None, 6)
        else:
            yield f"{head}{row.got}{gap if row.expected else ''}{row.expected}".rstrip()
            yield from _marks(row, len(head), len(head) + gots + 2)
    if left_out(violation):
        yield f"  and {left_out(violation)} more arguments"


def _marks(row: Row, got_at: int | None, expected_at: int | None) -> Iterator[str]:
    """Yield a line of carets under what is wrong."""
    line = ""
    for at, mark in ((got_at, row.got_mark), (expected_at, row.expected_mark)):
        if at is not None and mark is not None:
            line = line.ljust(at + mark[0]) + "^" * (mark[1] - mark[0])
    if line:
        yield line
