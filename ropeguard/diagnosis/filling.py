"""Read a record's fields out of a violation."""

from collections.abc import Sequence

from ropeguard.catalogue import Entry
from ropeguard.contracts import Argument, Origin, Violation


_SHOWN_ORIGINS = 4


def fields_of(entry: Entry, violation: Violation) -> dict[str, object]:
    """Return a value for every field of a record.

    A field is taken from the violation's attribute of its name, or from the place that its
    `value` names: `got_shape`, `got_dtype` and `got_type` are the blamed value's, `got_at` is
    the element with its place, and `v.shape` or `head_dim.text` another argument's.
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
    if path == "got_at":
        return f"{violation.got} at {violation.where}" if violation.where else violation.got
    if path.startswith("got_"):
        return _summary_value(violation.found, path.removeprefix("got_"))
    argument, _, attribute = path.rpartition(".")
    if argument:
        return _summary_value(violation.summary(argument), attribute)
    return getattr(violation, path)


def _summary_value(summary: Argument | None, attribute: str) -> object:
    value = getattr(summary, attribute, None)
    return "unknown" if value is None else value


def origin_text(origins: Sequence[Origin]) -> str:
    """Write where a size was bound: "`k` axis 0, `v` axis 0 and `positions` axis 0"."""
    shown = [str(origin) for origin in origins[:_SHOWN_ORIGINS]]
    more = len(origins) - len(shown)
    if more:
        shown.append(f"{more} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
