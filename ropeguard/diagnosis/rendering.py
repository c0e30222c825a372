"""Write a violation for the person who gets it: the arguments, what is wrong, what to do."""

from collections.abc import Iterator

from ropeguard.catalogue import Entry
from ropeguard.contracts import Argument, Violation
from ropeguard.diagnosis.filling import origin_text


_MOST_ROWS = 24


def details(entry: Entry, violation: Violation) -> str:
    """Return the lines under an error's headline: nothing in them was evaluated to be shown."""
    lines = [*_table(violation), *_remarks(entry, violation)]
    solution = entry["solutions"][0]["text"]
    lines += [f"  try: {solution}", f"  more: ropeguard explain {entry['code']}"]
    return "\n".join(lines)


def _table(violation: Violation) -> Iterator[str]:
    """Yield a row an argument: its name, what it is, what is expected; the blamed one marked."""
    shown = [row for row in violation.arguments if _is_telling(row, violation)]
    rows = [*shown[:_MOST_ROWS]]
    found = violation.found
    if found is not None and found.name not in {row.name for row in rows}:
        rows.append(found)
    if not rows:
        return
    names = max(len(row.name) for row in rows)
    gots = max(len(str(row)) for row in rows)
    for row in rows:
        mark = ">" if _is_blamed(row, violation) else " "
        got = str(row).ljust(gots if row.hint else 0)
        yield f"{mark} {row.name:<{names}}  {got}  {row.hint}".rstrip()
    if len(shown) > _MOST_ROWS:
        yield f"  and {len(shown) - _MOST_ROWS} more arguments"


def _is_telling(row: Argument, violation: Violation) -> bool:
    """Say whether an argument has to do with the contract: a hint, a shape, or `{row}` in it."""
    return bool(row.hint) or row.shape is not None or f"{{{row.name}" in violation.hint


def _is_blamed(row: Argument, violation: Violation) -> bool:
    return row.name == violation.argument


def _remarks(entry: Entry, violation: Violation) -> Iterator[str]:
    if "reasons" not in entry["fields"]:
        yield from (f"  {line}" for line in violation.reasons)
    if violation.kind == "broadcast" and violation.origin:
        yield f"  {violation.expected} because of {origin_text(violation.origin)}"
    if violation.tie:
        yield (
            f"  as many axes say {violation.got} as say {violation.expected}:"
            " either side may be the wrong one"
        )
