"""How good the suggestions of diagnostics are: shown at all, true when tried, right, and useful.

Run it: python tests/benchmarks/suggestions.py [VIOLATIONS] [--half tune|report]

(a) generated violations over many contracts: how many get a suggestion, whether every suggestion
    repairs the call when it is run on the call's real arguments, what a failing call costs, and
    whether an array was evaluated;
(b) the mistakes of `mistakes.py`, whose true fix is known: whether the first suggestion, or one of
    the first three, leads to the same arguments as the true fix;
(c) a fixer that reads nothing but the error's text: how many of those mistakes it repairs with
    MLX's own message, with that of jaxtyping with beartype, and with ours.
"""

import argparse
import inspect
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

import mlx.core as mx
import numpy as np
from beartype import beartype
from jaxtyping import jaxtyped

from ropeguard import ContractError, guard


sys.path.insert(0, str(Path(__file__).parent))
import generated
from mistakes import CASES, NAMES


def stub(function):
    """Return a function with the same parameters and no body, so that arguments alone matter."""
    parameters = inspect.signature(function).parameters.values()
    plain = [it.replace(annotation=inspect.Parameter.empty) for it in parameters]
    namespace = {}
    exec(f"def {function.__name__}{inspect.Signature(plain)}: return None", namespace)
    made = namespace[function.__name__]
    hints = {name: it for name, it in function.__annotations__.items() if name != "return"}
    made.__annotations__ = hints
    return made


def changed(code, arguments):
    """Run statements in the names of the arguments; return the arguments afterwards."""
    copied = {name: list(it) if isinstance(it, list) else it for name, it in arguments.items()}
    namespace = {**NAMES, **copied}
    exec(code, namespace)
    return {name: namespace[name] for name in arguments}


def equal(left, right):
    """Say whether two arguments are the same: class, dtype, shape and elements."""
    if isinstance(left, (list, tuple)) and not isinstance(right, mx.array):
        same = type(left) is type(right) and len(left) == len(right)
        return same and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right):
        return False
    if isinstance(left, mx.array):
        same = left.shape == right.shape and left.dtype == right.dtype
        return same and bool(mx.array_equal(left, right, equal_nan=True))
    return bool(np.array_equal(left, right))


def refusal(function, arguments):
    """Return the error of a refused call, or `None`."""
    try:
        function(**arguments)
    except ContractError as error:
        return error
    return None


def generated_violations(count):
    """Print (a)."""
    contracts = generated.contracts()
    guarded = [guard(stub(it.function)) for it in contracts]
    rng = random.Random(4)
    big = mx.random.normal((2000, 2000))
    mx.eval(big)
    mx.synchronize()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    seconds, suggested, shown, passed, violations = [], 0, 0, 0, 0
    failures, without = [], Counter()
    while violations < count:
        number = violations % len(contracts)
        contract, function = contracts[number], guarded[number]
        lazy = (big @ big)[0, 0] * 0
        arguments, mistake = generated.wrong(contract, rng, lazy)
        start = time.thread_time()
        error = refusal(function, arguments)
        spent = time.thread_time() - start
        if error is None:
            contracts.append(contracts.pop(number)), guarded.append(guarded.pop(number))
            continue
        violations += 1
        seconds.append(spent)
        suggested += bool(error.suggestions)
        if not error.suggestions:
            without[mistake] += 1
        for suggestion in error.suggestions:
            shown += 1
            try:
                again = refusal(function, changed(suggestion.code, arguments))
            except Exception as wrong:
                again = wrong
            passed += again is None
            if again is not None:
                failures.append((contract.function.__name__, suggestion.code, str(again)[:200]))
    evaluated = mx.get_peak_memory() - before > 8e6
    seconds.sort()
    rows = [
        ("contracts", len(contracts)),
        ("violations", violations),
        ("with a suggestion", percent(suggested, violations)),
        ("suggestions", shown),
        ("that pass when run on the real arguments", percent(passed, shown)),
        ("failing call, median", f"{seconds[len(seconds) // 2] * 1e3:.1f} ms"),
        ("failing call, p95", f"{seconds[int(len(seconds) * 0.95)] * 1e3:.1f} ms"),
        ("failing call, slowest", f"{seconds[-1] * 1e3:.1f} ms"),
        ("arrays evaluated", "some" if evaluated else 0),
    ]
    table("(a) generated violations", rows)
    if without:
        print("without a suggestion:", dict(without.most_common(12)), "\n")
    for failure in failures[:5]:
        print("FAILS", failure)


def percent(part, whole):
    return f"{100 * part / max(whole, 1):.1f} %"


def table(title, rows):
    print(title)
    width = max(len(str(row[0])) for row in rows)
    for name, *values in rows:
        print(f"  {name:<{width}}  {'  '.join(str(it).rjust(9) for it in values)}")
    print()


def place_of_true_fix(case):
    """Return which suggestion is the true fix, 1 for the first; 0 if none of three is."""
    wrong = changed(case.mistake, case.component.arguments())
    right = changed(case.fix, wrong)
    error = refusal(guard(stub(case.component.function)), wrong)
    for place, suggestion in enumerate(error.suggestions[:3], start=1):
        try:
            done = changed(suggestion.code, wrong)
        except Exception:
            continue
        if all(equal(done[name], right[name]) for name in right):
            return place
    return 0


def seeded_mistakes(cases, label, verbose):
    """Print (b) for some of the cases."""
    places = [place_of_true_fix(case) for case in cases]
    rows = [
        ("mistakes", len(places)),
        ("first suggestion is the true fix", percent(places.count(1), len(places))),
        ("among the first three", percent(sum(it > 0 for it in places), len(places))),
    ]
    table(f"(b) seeded mistakes, {label}", rows)
    for case, place in zip(cases, places, strict=True):
        if verbose and place != 1:
            wrong = changed(case.mistake, case.component.arguments())
            error = refusal(guard(stub(case.component.function)), wrong)
            print(place, case.component.function.__name__, "|", case.mistake.replace("\n", "; "))
            print("     true:", case.fix.replace("\n", "; "))
            for it in error.suggestions[:3]:
                print("     ours:", it.cost, it.code.replace("\n", "; "))


# What a fixer can do that reads a text without code in it: the parameter, what it is, what it
# should be, and for each difference the one most common remedy.
_JAXTYPING = re.compile(
    r"parameter '(?P<name>\w+)'.*?Actual value: (?P<got>.*?)\s*Expected type: (?P<want>[^\n]*)",
    re.DOTALL,
)
_SHAPE = re.compile(r"\(([\d, ]+)\)")
_DTYPES = {"Float": "mx.float32", "Int": "mx.int32", "Int32": "mx.int32", "Bool": "mx.bool_"}
_KINDS = {"Float": ("f", "bf"), "Int": ("i", "u"), "Int32": ("i32",), "Bool": ("bool",)}


def from_ours(text, _arguments):
    """Return the statements of the first suggestion in one of our texts."""
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith(("  fix: ", "  may: "))), None)
    if at is None:
        return ""
    statements = [lines[at][7:]]
    for line in lines[at + 1 :]:
        # The reason begins with the name in backticks, or is about the whole call.
        if not re.match(r" {7}[\w\[\]'., ]+ = ", line):
            break
        statements.append(line[7:])
    return "\n".join(statements)


def from_jaxtyping(text, _arguments):
    """Return a remedy for what jaxtyping with beartype says."""
    said = _JAXTYPING.search(text)
    if said is None:
        return ""
    name, got, want = said["name"], said["got"], said["want"]
    kind = re.search(r"(Float|Int32|Int|Bool)\[", want)
    axes = re.search(r"'([^']*)'\]", want)
    array = re.match(r"(\w+)\[([\d,]*)\]", got)
    if array is None or axes is None or kind is None:
        return f"{name} = mx.array({name})" if kind else ""
    shape = [int(it) for it in array[2].split(",") if it]
    if not array[1].startswith(_KINDS[kind[1]]):
        return f"{name} = {name}.astype({_DTYPES[kind[1]]})"
    return remedy(name, shape, len(axes[1].split()))


def remedy(name, shape, rank):
    """Return the most common remedy for a shape of a wrong rank, or of a wrong size."""
    if len(shape) > rank and 1 in shape:
        return f"{name} = {name}.squeeze({shape.index(1)})"
    if len(shape) < rank:
        return f"{name} = {name}[None]"
    if len(shape) == 4:
        return f"{name} = {name}.swapaxes(1, 2)"
    return f"{name} = {name}.swapaxes(-1, -2)" if len(shape) > 1 else ""


def from_mlx(text, arguments):
    """Return a remedy for what MLX says, for the first argument whose shape it names."""
    for shape in _SHAPE.findall(text):
        sizes = tuple(int(it) for it in shape.split(",") if it.strip())
        for name, value in arguments.items():
            if isinstance(value, mx.array) and tuple(value.shape) == sizes:
                return remedy(name, list(sizes), len(sizes))
    return ""


def text_of(call, arguments):
    try:
        out = call(**arguments)
        mx.eval(out)
    except Exception as error:
        return str(error)
    return ""


ARMS = {
    "MLX's own message": (lambda it: it, from_mlx),
    "jaxtyping + beartype": (lambda it: jaxtyped(typechecker=beartype)(stub(it)), from_jaxtyping),
    "ropeguard": (lambda it: guard(stub(it)), from_ours),
}  # fmt: skip


def fixer(cases, label):
    """Print (c)."""
    rows = [("mistakes repaired by a fixer that reads the text", f"of {len(cases)}", "")]
    for arm, (made, read) in ARMS.items():
        repaired = 0
        for case in cases:
            wrong = changed(case.mistake, case.component.arguments())
            right = changed(case.fix, wrong)
            code = read(text_of(made(case.component.function), wrong), wrong)
            try:
                done = changed(code, wrong) if code else wrong
            except Exception:
                continue
            repaired += bool(code) and all(equal(done[name], right[name]) for name in right)
        rows.append((arm, repaired, percent(repaired, len(cases))))
    table(f"(c) {label}", rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("violations", nargs="?", type=int, default=10_000)
    parser.add_argument("--half", choices=("tune", "report"), default="report")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.violations:
        generated_violations(options.violations)
    half = CASES[options.half == "report" :: 2]
    label = {"tune": "the half for tuning", "report": "the half held out"}[options.half]
    seeded_mistakes(half, label, options.verbose)
    fixer(half, label)


if __name__ == "__main__":
    main()
