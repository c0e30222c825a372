"""Changes of an array's number of elements, and of the order in which memory is read."""

import math
from collections.abc import Iterator

from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.regrouping import groupings, split
from ropeguard.diagnosis.steps import MOST_ELEMENTS, Shape, Step, Steps, matches
from ropeguard.diagnosis.wants import Want, Wants


def resized(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield slices, repetitions and padding of one axis or two that have another size."""
    if len(shape) != len(wants):
        return
    wrong = [i for i, want in enumerate(wants) if not want.accepts(shape[i])]
    if not 0 < len(wrong) <= 2:
        return
    partial: list[Steps] = [()]
    for axis in wrong:
        partial = [
            (*steps, step)
            for steps in partial
            for step in _resized_axis(steps[-1].shape if steps else shape, axis, wants[axis])
        ][:6]
    yield from partial


def _resized_axis(shape: Shape, axis: int, want: Want) -> Iterator[Step]:
    got, size, role = shape[axis], want.size or 0, ranking.role_of(want.name)
    after = (*shape[:axis], size, *shape[axis + 1 :])
    name = want.name.strip("#*")
    costs = ranking.COSTS
    if got == 1 and size > 1:
        why = f"repeats its one entry {size} times along axis {axis} ({name})"
        yield Step("repeat", f"mx.repeat({{x}}, {size}, axis={axis})", after, costs["repeat"], why)
        return
    if 0 < got < size and size % got == 0:
        cost = costs["repeat"] + ranking.REPEATS.get(role, ranking.REPEATS[""])
        times = size // got
        why = f"repeats each of the {got} entries {times} times along axis {axis} ({name})"
        text, guess = f"mx.repeat({{x}}, {times}, axis={axis})", role != "heads"
        yield Step("repeat", text, after, cost, why, guess)
    if got > size:
        lost = ranking.LOSES_PART * (got - size) / got
        cost = costs["slice"] + ranking.SLICES.get(role, ranking.SLICES[""]) + lost
        before = ":, " * axis
        why = f"keeps the first {size} of {got} along axis {axis} ({name})"
        yield Step("slice", f"{{x}}[{before}:{size}]", after, cost, why, True)
        if size:
            why = f"keeps the last {size} of {got} along axis {axis} ({name})"
            cost += ranking.LIKELY_SLICE_END
            yield Step("slice", f"{{x}}[{before}-{size}:]", after, cost, why, True)
    if got < size:
        cost = costs["pad"] + ranking.PADS.get(role, ranking.PADS[""])
        widths = [(0, size - got) if i == axis else (0, 0) for i in range(len(shape))]
        why = f"adds {size - got} zero{'s' * (size - got > 1)} along axis {axis} ({name})"
        yield Step("pad", f"mx.pad({{x}}, {widths})", after, cost, why, True)


def indexed(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield one entry of an axis that is one too many."""
    if len(shape) != len(wants) + 1:
        return
    for axis, size in enumerate(shape):
        left = shape[:axis] + shape[axis + 1 :]
        if size < 2 or not matches(left, wants):
            continue
        cost = ranking.COSTS["index"] + ranking.LOSES_PART * (size - 1) / size
        cost += 0 if axis == len(shape) - 2 else ranking.NOT_LAST_TOKEN
        for index, which in ((-1, "last"), (0, "first")):
            text = f"{{x}}[{':, ' * axis}{index}]"
            why = f"keeps the {which} of {size} entries along axis {axis}"
            yield (Step("index", text, left, cost + 0.1 * (index == 0), why, True),)


def reinterpreted(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield the reshape that fits by its number of elements alone."""
    total = math.prod(shape)
    if matches(shape, wants) or not 0 < total < MOST_ELEMENTS:
        return
    after = split(total, wants)
    if after is None or after == shape or any(it[0] == after for it in groupings(shape, wants)):
        return
    text = f"{{x}}.reshape({', '.join(map(str, after))})"
    why = "reads the elements in the order of memory, which mixes axes: entries change their place"
    yield (Step("reinterpret", text, after, ranking.COSTS["reinterpret"], why, True),)
