"""Write a violation for the person who gets it: what is wrong, where, and what to write."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ropeguard.catalogue import Entry
from ropeguard.contracts import Violation
from ropeguard.diagnosis.calls import CallSite
from ropeguard.diagnosis.filling import origin_text
from ropeguard.diagnosis.ranking import MARGIN
from ropeguard.diagnosis.suggestion import Suggestion
from ropeguard.diagnosis.table import left_out, rows_of, table


NARROWEST = 60
_SHOWN = 3
_LABELS = {"verified": "fix:", "likely": "may:"}
_COLOURS = {">": "31", "^": "31", "fix:": "32", "may:": "32", "or:": "32"}


class Report(NamedTuple):
    """All that a diagnostic is written from.

    Attributes:
        headline: The message with the code.
        entry: The record.
        violation: What is wrong.
        suggestions: What would repair the call.
        site: Where the call is.
        sizes: What each name is, and which arguments say so.
        advice: The record's first solution.
    """

    headline: str
    entry: Entry
    violation: Violation
    suggestions: Sequence[Suggestion]
    site: CallSite | None
    sizes: Sequence[str]
    advice: str


def details(report: Report) -> str:
    """Return the lines under an error's headline; a traceback shows the call itself."""
    lines = [*table(report.violation), *_remarks(report)]
    return "\n".join([*lines, *_advice(report, None)])


def render(report: Report, *, color: bool, width: int) -> str:
    """Return the whole diagnostic for a terminal."""
    width = max(width, NARROWEST)
    lines = [*_wrapped(report.headline, width, "  ")]
    lines += _call(report.site, width)
    lines += table(report.violation, width)
    if report.sizes:
        lines += _wrapped(f"  sizes: {'; '.join(report.sizes)}", width, "         ")
    for remark in _remarks(report):
        lines += _wrapped(remark, width, "    ")
    lines += _advice(report, width)
    return "\n".join(_coloured(line) if color else line for line in lines)


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [text]


def _call(site: CallSite | None, width: int) -> Iterator[str]:
    if site is not None:
        yield f"  at {site.file}:{site.line}, in {site.function}"
        if site.source:
            yield from _wrapped(f"     {site.source}", width, "       ")


def _remarks(report: Report) -> Iterator[str]:
    violation = report.violation
    if "reasons" not in report.entry["fields"]:
        yield from (f"  {line}" for line in violation.reasons)
    if violation.kind == "broadcast" and violation.origin:
        yield f"  {violation.expected} because of {origin_text(violation.origin)}"
    if violation.tie:
        yield (
            f"  as many axes say {violation.got} as say {violation.expected}:"
            " either side may be the wrong one"
        )


def shown(suggestions: Sequence[Suggestion]) -> Sequence[Suggestion]:
    """Return the suggestions that are worth a line: those not much dearer than the first."""
    limit = suggestions[0].cost + MARGIN if suggestions else 0.0
    return [it for it in suggestions if it.cost <= limit][:_SHOWN]


def _advice(report: Report, width: int | None) -> Iterator[str]:
    for number, suggestion in enumerate(shown(report.suggestions)):
        label = " or:" if number else _LABELS[suggestion.applicability]
        for i, statement in enumerate(suggestion.shown.split("\n")):
            yield f"  {label if not i else '    '} {statement}"
        if suggestion.reason:
            why = f"       {suggestion.reason}"
            yield from [why] if width is None else _wrapped(why, width, "       ")
    if _needs_solution(report):
        text = f"  try: {report.advice}"
        yield from [text] if width is None else _wrapped(text, width, "       ")
    yield f"  more: ropeguard explain {report.entry['code']}"


def _needs_solution(report: Report) -> bool:
    """Say whether the record's own advice is needed: no suggestion is sure to be meant."""
    return not any(it.applicability == "verified" for it in shown(report.suggestions))


def _coloured(line: str) -> str:
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    if set(word) == {"^"}:
        word = "^"
    colour = _COLOURS.get(word)
    return f"\x1b[{colour}m{line}\x1b[0m" if colour else line


def narrated(report: Report) -> str:
    """Return the diagnostic as sentences, for a screen reader: no table, no marks."""
    violation = report.violation
    lines = [f"{report.headline}."]
    if report.site is not None:
        lines.append(f"The call is at line {report.site.line} of {report.site.file}.")
    for row in rows_of(violation):
        blamed = ", which is the wrong one" if row.blamed else ""
        wanted = f", annotated {row.expected}" if row.expected else ""
        lines.append(f"Argument {row.name} is {row.got}{wanted}{blamed}.")
    if left_out(violation):
        lines.append(f"There are {left_out(violation)} more arguments.")
    lines += [f"{remark.strip()}." for remark in _remarks(report)]
    for number, suggestion in enumerate(shown(report.suggestions), start=1):
        statements = ", then ".join(suggestion.shown.split("\n"))
        reason = f" Reason: {suggestion.reason}." if suggestion.reason else ""
        lines.append(f"Suggestion {number}: write {statements}.{reason}")
    if _needs_solution(report):
        lines.append(report.advice)
    lines.append(f"To learn more, run: ropeguard explain {report.entry['code']}.")
    return "\n".join(lines)


def markdown(report: Report) -> str:
    """Return the diagnostic for a notebook."""
    lines = [f"**{_escaped(report.headline)}**", ""]
    if report.site is not None and report.site.source:
        lines += [f"Line {report.site.line}: {_code(report.site.source)}", ""]
    lines += ["| | argument | got | expected |", "|---|---|---|---|"]
    for row in rows_of(report.violation):
        got, expected = (_code(it) if it else "" for it in (row.got, row.expected))
        mark = "**&gt;**" if row.blamed else ""
        lines.append(f"| {mark} | {_code(row.name)} | {got} | {expected} |")
    if left_out(report.violation):
        lines += ["", f"and {left_out(report.violation)} more arguments"]
    lines.append("")
    lines += [f"{_escaped(remark.strip())}\n" for remark in _remarks(report)]
    for number, suggestion in enumerate(shown(report.suggestions)):
        lines += ["Or:" if number else "Fix:", "", "```python", suggestion.shown, "```", ""]
        lines += [_escaped(suggestion.reason), ""] if suggestion.reason else []
    if _needs_solution(report):
        lines += [report.advice, ""]
    lines.append(f"`ropeguard explain {report.entry['code']}`")
    return "\n".join(lines)


def _code(text: str) -> str:
    """Write text as code in a table's cell, whatever backticks and bars are in it."""
    longest = max((len(it) for it in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence}{text}{fence}".replace("|", "\\|")


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>\[\]|\\])", r"\\\1", text)
