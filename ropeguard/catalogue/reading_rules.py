"""What must hold of the sentences and relations that a record's page is filled with."""

from collections.abc import Iterator

from ropeguard.catalogue.fitting import FIELDS, KINDS
from ropeguard.catalogue.model import Record, Repair
from ropeguard.catalogue.problem import Problem
from ropeguard.catalogue.relations import is_sound
from ropeguard.catalogue.sentences import faults
from ropeguard.catalogue.shape_changes import FAMILIES


def readings(record: Record) -> Iterator[Problem]:
    """Yield what is wrong with a record's `readings` and `repair`."""
    types = {name: field.type for name, field in record.fields.items()}
    for at, sentence in enumerate(record.readings):
        for place in faults(sentence, types):
            allowed = "a field, an entry of a Shape, or a known function of fields"
            yield Problem(f"readings[{at}]", place, allowed)
    if record.repair is not None:
        yield from _repair(record.repair, types)


def _repair(repair: Repair, types: dict[str, str]) -> Iterator[Problem]:
    if repair.kind not in KINDS:
        yield Problem("repair.kind", repair.kind, "one of " + ", ".join(KINDS))
        return
    if (repair.kind == "axes") != bool(repair.operands):
        yield Problem("repair.operands", len(repair.operands), "operands exactly for kind `axes`")
    if repair.kind != "axes" and repair.call is None:
        yield Problem("repair.call", "nothing", "the call to write")
    wanted = {**FIELDS[repair.kind], **dict.fromkeys(repair.operands, "Shape")}
    for name, kind in wanted.items():
        if types.get(name) != kind:
            yield Problem("repair", name, f"a field of type {kind}")
    for name, operand in repair.operands.items():
        for key, axes in (("axes", operand.axes), ("doubtful", operand.doubtful)):
            if axes is not None and not is_sound(axes):
                allowed = "names of axes, with at most one that stands for several"
                yield Problem(f"repair.operands.{name}.{key}", axes, allowed)
        for move in operand.only:
            if move not in FAMILIES and "{x}" not in move:
                allowed = "code with `{x}`, or one of " + ", ".join(FAMILIES)
                yield Problem(f"repair.operands.{name}.only", move, allowed)
