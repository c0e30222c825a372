"""Read a record's fields out of a violation."""

from collections.abc import Sequence

from ropeguard.catalogue import Entry
from ropeguard.contracts import Origin, Violation


_SHOWN_ORIGINS = 4


def fields_of(entry: Entry, violation: Violation) -> dict[str, object]:
    """Return a value for every field of a record.

    A field is taken from the violation's attribute of its name, or from the place that its
    `value` names: `got_shape`, `got_dtype` and `got_type` are the blamed argument's, `reasons`
    the alternatives' reasons, and `v.shape` another argument's.
    """
    return {
        name: _value(field.get("value") or name, violation)
        for name, field in entry["fields"].items()
    }


def _value(path: str, violation: Violation) -> object:
    if path == "origin":
        return origin_text(violation.origin)
    if path == "reasons":
        return "; ".join(violation.reasons)
    argument, _, attribute = path.rpartition(".")
    if path.startswith("got_"):
        argument, attribute = violation.argument, path.removeprefix("got_")
    if argument:
        summary = violation.summary(argument) or violation.summary(violation.parameter)
        value = getattr(summary, attribute, None)
        return "unknown" if value is None else value
    return getattr(violation, path)


def origin_text(origins: Sequence[Origin]) -> str:
    """Write where a size was bound: "`k` axis 0, `v` axis 0 and `positions` axis 0"."""
    shown = [str(origin) for origin in origins[:_SHOWN_ORIGINS]]
    more = len(origins) - len(shown)
    if more:
        shown.append(f"{more} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
