"""The proof of a record: its programs, each run in a process of its own."""

import re
import signal
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.programs import SECONDS, Run, Runner, run
from ropeguard.catalogue.templates import clean
from ropeguard.catalogue.vocabulary import NOTHING


_PREFIX = "ropeguard: "
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):$", re.MULTILINE)


class Step(NamedTuple):
    """One step of a proof.

    Attributes:
        name: `before`, `message`, `wrong`, `after`, `validation` or `prevention`.
        holds: Whether it went as the record says.
        problem: What went otherwise, in one line.
        output: What the program printed.
    """

    name: str
    holds: bool
    problem: str
    output: str


def prove(entry: Entry, matcher: Matcher, *others: Matcher, runner: Runner = run) -> Iterator[Step]:
    """Run a record's programs, and return what came of each step.

    Args:
        entry: The record.
        matcher: The matcher of the catalogue that the record stands in.
        others: Further matchers, whose records may stop the program of `prevention`.
        runner: What runs a program: by default in a fresh process.
    """
    if not runs_here(entry):
        yield _names(entry["expected"], entry, matcher)
        return
    before = runner(entry["before"], "")
    yield fails(before, entry)
    yield tells(before, entry, matcher)
    check = entry["validation_code"]
    if entry["exception"] == NOTHING:
        yield _is_wrong(runner(_both(entry["before"], check), entry["before"]))
    yield from _passes(runner(_both(entry["after"], check), entry["after"]))
    if entry["prevention"]["code"] is not None:
        yield _prevents(runner(entry["prevention"]["code"], ""), (matcher, *others))


def runs_here(entry: Entry) -> bool:
    """Return whether this machine has the device that a record's programs need."""
    return entry["device"] is None or entry["device"] in _devices()


@cache
def _devices() -> tuple[str, ...]:
    return tuple(run(_DEVICES).output.split())


_DEVICES = """
import mlx.core as mx

for backend in (mx.metal, mx.cuda):
    if backend.is_available():
        print("gpu", backend.__name__.rpartition(".")[2])
"""


def fails(ended: Run, entry: Entry) -> Step:
    """Return whether `before.py` ended as it has to: in an error, or without one.

    A mistake that raises nothing may still end the process by a signal.
    """
    silent = entry["exception"] == NOTHING
    if ended.status is None:
        return Step("before", False, _TIME, ended.errors)
    holds = ended.status <= 0 if silent else ended.status != 0
    problem = "" if holds else f"it ended with exit status {ended.status}"
    return Step("before", holds, problem, ended.errors)


def outcome(ended: Run, entry: Entry) -> str:
    """Return what `expected.txt` has to hold: the error, or what a silent mistake printed."""
    if entry["exception"] != NOTHING:
        return last_block(ended.errors).rstrip() + "\n"
    died = f"{signal.Signals(-ended.status).name}\n" if ended.status else ""
    return ended.output.rstrip() + "\n" * bool(ended.output) + died


def _is_wrong(ended: Run) -> Step:
    """Return whether what a silent mistake gives is not what the validation asks for."""
    died = ended.status is not None and ended.status < 0
    holds = died or last_block(ended.errors).startswith("AssertionError")
    problem = "" if holds else "its validation_code does not fail with an AssertionError"
    return Step("wrong", holds, problem, ended.errors)


def tells(ended: Run, entry: Entry, matcher: Matcher) -> Step:
    """Return whether a record is found by how its `before.py` ended, and expects just that."""
    silent = entry["exception"] == NOTHING
    named = _names(entry["message"] if silent else ended.errors, entry, matcher)
    if not named.holds:
        return named
    if outcome(ended, entry).rstrip() != entry["expected"].rstrip():
        shown = ended.output if silent else ended.errors
        return Step("message", False, "its message is not expected.txt", shown)
    return named


def _names(text: str, entry: Entry, matcher: Matcher) -> Step:
    """Return whether a text leads back to the record."""
    found = [match.code for match in matcher.matches(text)]
    holds = found[:1] == [entry["code"]]
    told = found[0] if found else "no record"
    return Step("message", holds, "" if holds else f"its output leads to {told}", text)


def _both(program: str, snippet: str) -> str:
    """Return one program that runs `program`, then `snippet` among its names."""
    return _HARNESS.format(program=program, snippet=snippet, done=_DONE)


_DONE = "ropeguard-after-done"
_HARNESS = """
try:
    exec(compile({program!r}, "after.py", "exec", dont_inherit=True))
except SystemExit as _ended:
    if _ended.code:
        raise
print({done!r})
exec(compile({snippet!r}, "validation_code", "exec", dont_inherit=True))
"""


def _passes(ended: Run) -> Iterator[Step]:
    problem = _TIME if ended.status is None else f"it ended with exit status {ended.status}"
    if _DONE not in ended.output.splitlines():
        yield Step("after", False, problem, ended.errors)
        return
    yield Step("after", True, "", ended.errors)
    holds = ended.status == 0
    yield Step("validation", holds, "" if holds else problem, ended.errors)


def _prevents(ended: Run, matchers: Iterable[Matcher]) -> Step:
    problem = ""
    if ended.status is None:
        problem = _TIME
    elif ended.status == 0:
        problem = "it ended with exit status 0"
    elif not any(matcher.matches(ended.errors) for matcher in matchers):
        problem = "its output leads to no record"
    return Step("prevention", not problem, problem, ended.errors)


_TIME = f"it ran for more than {SECONDS} seconds"


def quoted(output: str, lines: int = 12) -> str:
    """Return the end of a program's output as details of an error: apart from its message."""
    return "\n".join(f"  | {clean(line)}" for line in output.splitlines()[-lines:])


def last_block(errors: str) -> str:
    """Return the error that a program ended in: of a traceback, what follows the last frame.

    A command that reports its error without a traceback begins it with `ropeguard: `.
    """
    starts = [found.end() for found in _TRACEBACK.finditer(errors)]
    if starts:
        lines = errors[starts[-1] + 1 :].splitlines()
        first = next((at for at, line in enumerate(lines) if line[:1] not in ("", " ")), 0)
        return "\n".join(lines[first:]) + "\n"
    at = errors.find(_PREFIX)
    return errors[max(at, 0) :]
