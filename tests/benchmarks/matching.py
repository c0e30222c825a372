"""How well, and how fast, a pasted error leads to its record.

Run it: python tests/benchmarks/matching.py [accuracy] [foreign] [nearest] [speed]

accuracy  every record in every form of `forms.py`: is the first answer right, or one of three?
foreign   the errors of other packages in `tests/data/unrelated.jsonl`: how many match anything?
nearest   records that are not in the catalogue, and messages worded anew: does the nearest record
          concern the same operation?
speed     a paste of 200 lines against 10,000 records, and texts made to be slow, each twice as
          long as the one before.
"""

import json
import random
import re
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from ropeguard.catalogue import entries
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.evidence import op_of, tags_of
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.lookup import by_text, nearest_to
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.templates import fill, parse
from ropeguard.catalogue.vocabulary import NOTHING, OPS, OURS


sys.path.insert(0, str(Path(__file__).parent))
import forms


DATA = Path(__file__).parents[1] / "data" / "unrelated.jsonl"
# What another wrapper, or another release, may call the same exception.
OTHER_NAMES = ("RuntimeError", "mlx.core.Error", "serving.errors.StepFailed", "Exception")


def text_of(entry):
    """Return the last block of a traceback that has this error.

    A mistake that raises nothing is looked up by its own sentence.
    """
    if entry["exception"] == NOTHING:
        return f"Wrong: {entry['message']}"
    return entry["expected"].rstrip("\n")


def forms_of(entry):
    """Return the forms in which the record's error can come."""
    if entry["origin"] in OURS:
        return forms.FORMS
    if is_of_its_name(entry):
        return tuple(it for it in forms.FORMS if it is not forms.without_its_name)
    return (*forms.FORMS, *forms.NATIVE_FORMS)


def is_of_its_name(entry):
    """Say whether the exception's name is a part of the message, as in `KeyError: array(2)`."""
    return entry["message"].startswith(f"{entry['exception']}: ")


def renamed(entry):
    """Return the error under other exceptions' names."""
    if entry["origin"] in OURS or is_of_its_name(entry):
        return []
    _, colon, message = text_of(entry).partition(": ")
    return [f"{name}{colon}{message}" for name in OTHER_NAMES]


def answers(text, shelf):
    """Return the codes that a look-up gives, in its order."""
    answer = by_text(text, [shelf])
    return [hit.entry["code"] for hit in (*answer.hits, *answer.rivals)]


def nearest(text, shelf):
    """Return the code of the nearest record of the same operation, where there is one."""
    hit = nearest_to(text, [shelf])
    return [] if hit is None else [hit.entry["code"]]


def accuracy(catalogue=None, shelf=None):
    """Return, for each form, how often the answer was right: first, among three, of how many."""
    shelf = shelf or _Warm(ours())
    counts = {}
    for entry in catalogue or entries():
        text = text_of(entry)
        trials = [(form.__name__, form(text)) for form in forms_of(entry)]
        trials += [("renamed", forms.plain(it)) for it in renamed(entry)]
        for name, pasted in trials:
            codes = answers(pasted, shelf)
            count = counts.setdefault(name, Counter())
            count["all"] += 1
            count["first"] += codes[:1] == [entry["code"]]
            count["three"] += entry["code"] in codes[:3]
            if codes[:1] != [entry["code"]]:
                count[f"{entry['slug']} -> {codes[:3]}"] += 1
    return counts


class _Warm:
    """A shelf whose matcher is made once, perhaps without some records."""

    def __init__(self, shelf, without=()):
        self._shelf = shelf
        self._entries = [it for it in shelf.entries() if it["slug"] not in without]
        self._matcher = Matcher(index_of(self._entries), [it["code"] for it in self._entries])

    def matcher(self):
        return self._matcher

    def entries(self):
        return self._entries

    def __getattr__(self, name):
        return getattr(self._shelf, name)


def _show_accuracy():
    counts = accuracy()
    total = Counter()
    for name, count in counts.items():
        total += Counter({key: count[key] for key in ("all", "first", "three")})
        wrong = [key for key in count if "->" in key]
        print(f"  {name:22} {count['first']:6} of {count['all']:6}", *wrong[:8], sep="  ")
    first, three = (total[key] / total["all"] for key in ("first", "three"))
    print(f"  first answer right {first:.3%}, one of three {three:.3%}, of {total['all']}")


def unrelated():
    """Return the collected errors of other packages, each with its traceback."""
    with open(DATA, encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    for record in records:
        lines = ["Traceback (most recent call last):", '  File "<stdin>", line 1, in <module>']
        for path, line, name, source in record["frames"]:
            lines += [f'  File "{path}", line {line}, in {name}', f"    {source}"]
        last = f"{record['exception']}: {record['message']}".rstrip(": ")
        record["text"] = "\n".join([*lines, last])
    return records


def false_matches(shelf=None):
    """Return the errors of other packages that lead to a record, or to a nearest one."""
    shelf = shelf or _Warm(ours())
    found = []
    for record in unrelated():
        for text in (record["text"], record["text"].splitlines()[-1]):
            codes = answers(text, shelf) or nearest(text, shelf)
            if codes:
                found.append((record, codes))
                break
    return found


def _show_foreign():
    records = unrelated()
    sources = Counter(record["source"] for record in records)
    listed = ", ".join(f"{count} of {name}" for name, count in sources.items())
    found = false_matches()
    print(f"  {len(found)} of {len(records)} errors match a record ({listed})")
    for record, codes in found:
        print(f"    {record['call'][:60]}: {record['message'][:90]!r} -> {codes}")


def _of_mlx():
    return [it for it in entries() if it["origin"] not in OURS and it["exception"] != NOTHING]


def _names_itself(text):
    return re.search(r"^\S+: \[[A-Za-z_:]+\] ", text) is not None


def _alike(entry, code, known):
    """Say whether a record is of an operation that another one is of."""
    other = next(it for it in known if it["code"] == code)
    tags = [
        {op_of(tag) for tag in tags_of(it["message"])} | set(it["ops"]) for it in (entry, other)
    ]
    return bool(tags[0] & tags[1])


# In the place of the frames of a model: the innermost one is in MLX's own Python.
INSIDE = (
    "Traceback (most recent call last):\n"
    '  File "/usr/lib/python3.11/site-packages/mlx/nn/layers/base.py", line 1, in call\n'
    "    return apply(x)\n"
)


def left_out(step=1):
    """Return how the nearest record does where a record is missing: answers, right, of how many."""
    count, known = Counter(), entries()
    for entry in _of_mlx()[::step]:
        text = text_of(entry)
        shelf = _Warm(ours(), without=[entry["slug"]])
        kind = "with the operation in brackets" if _names_itself(text) else "others, from a frame"
        frames = "" if _names_itself(text) else INSIDE
        codes = answers(frames + text, shelf) or nearest(frames + text, shelf)
        count[kind, "all"] += 1
        count[kind, "answered"] += bool(codes)
        count[kind, "right"] += bool(codes) and _alike(entry, codes[0], known)
    return count


def reworded(changes=6, seed=5, step=1):
    """Return the same for messages of which a word was dropped or changed."""
    count, known, chance = Counter(), entries(), random.Random(seed)
    shelf = _Warm(ours())
    for entry in _of_mlx()[::step]:
        text = text_of(entry).splitlines()[0]
        kind = "with the operation in brackets" if _names_itself(text) else "others, from a frame"
        words = text.split(" ")
        places = [at for at, word in enumerate(words) if at > 1 and word.isalpha()]
        for at in chance.sample(places, min(changes, len(places))):
            instead = chance.choice([[], ["given"], ["expected"]])
            changed = " ".join([*words[:at], *instead, *words[at + 1 :]])
            changed = changed if _names_itself(text) else INSIDE + changed
            codes = answers(changed, shelf) or nearest(changed, shelf)
            count[kind, "all"] += 1
            count[kind, "answered"] += bool(codes)
            count[kind, "right"] += bool(codes) and _alike(entry, codes[0], known)
            count[kind, "same"] += codes[:1] == [entry["code"]]
    return count


def _show_nearest():
    for name, count in (("record left out", left_out()), ("message reworded", reworded())):
        for kind in sorted({kind for kind, _ in count}):
            shown = {key: number for (it, key), number in count.items() if it == kind}
            print(f"  {name}, {kind}: {shown['answered']} of {shown['all']} get an answer;", end="")
            print(f" {shown['right']} one of the same operation", end="")
            print(f", {shown['same']} their own record" if "same" in shown else "")


def many(number=10_000, seed=7):
    """Return entries with templates of the words that records use, as often as they use them."""
    rng = random.Random(seed)
    known = entries()
    prose = " ".join(f"{it['message']} {it['documentation']}" for it in known)
    words = re.findall(r"[a-z]{2,}", prose)
    kinds = {"Shape": "(2,3)", "Int": "7", "Name": "keys", "Dtype": "float32", "Text": "a/b"}
    made = {}
    while len(made) < number:
        parts = rng.choices(words, k=rng.randint(5, 11))
        places = sorted(rng.sample(range(1, len(parts)), rng.randint(0, 3)))
        fields = {f"value{at}": rng.choice(list(kinds)) for at in places}
        for at in places:
            parts[at] = f"{{value{at}}}"
        message = " ".join(parts)
        if rng.random() < 0.6:
            message = f"[{rng.choice(OPS)}] {message}"
        tables = {name: {"type": kind, "doc": "", "value": None} for name, kind in fields.items()}
        made.setdefault(message, {"message": message, "fields": tables, "patterns": []})
    return [{"code": f"x{at}", **entry} for at, entry in enumerate(made.values())]


def paste(message, lines=200):
    """Return a traceback of so many lines, through the layers of a model, with that message."""
    found = ["Traceback (most recent call last):"]
    for layer in range(lines):
        found += [
            f'  File "/usr/lib/python3.11/site-packages/mlx_lm/models/llama.py", line {layer}, '
            f"in forward_{layer}",
            f"    queries, keys, values = self.q_proj(x), self.k_proj(x), self.v_proj(x + {layer})",
            "                                            ^^^^^^^^^^^^^^",
        ]
    return "\n".join([*found[: lines - 1], f"ValueError: {message}"])


def least(function, times):
    """Return the least CPU time of several calls, in milliseconds."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best * 1e3


def look_up_cost(number=10_000, times=30):
    """Return what loading the index takes, what a look-up takes, and whether it was right."""
    found = many(number)
    index = json.dumps(index_of(found), separators=(",", ":"))
    codes = [entry["code"] for entry in found]
    loading = least(lambda: Matcher(json.loads(index), codes), 5)
    matcher = Matcher(json.loads(index), codes)
    wanted = found[number // 3]
    values = {"Shape": (2, 3), "Int": 7, "Name": "keys", "Dtype": "float32", "Text": "a/b"}
    types = {name: it["type"] for name, it in wanted["fields"].items()}
    message = fill(
        parse(wanted["message"]), {name: values[kind] for name, kind in types.items()}, types
    )
    text = paste(message)
    right = matcher.matches(text)[0].code == wanted["code"]
    return loading, least(lambda: matcher.matches(text), times), right


# Each takes a size in characters.
SLOW = {
    "one very long line": lambda size: "shape dimension input " * (size // 22),
    "short lines": lambda size: "\n".join(f"a{at}" for at in range(size // 7)),
    "beginnings of a message": lambda size: (
        "[matmul] Last dimension of first input " * (size // 39)
    ),
    "beginnings in lines": lambda size: "ValueError: [matmul] Last dimension of\n" * (size // 39),
    "an open shape": lambda size: "Shapes (" + "1, " * (size // 3),
    "codes": lambda size: "[RG4270] " * (size // 9),
    "codes in lines": lambda size: "[RG4270]\n[RG2114]\n" * (size // 18),
    "escapes in escapes": lambda size: "\x1b[1m\x1b[31;" * (size // 9),
    "prefixes": lambda size: "E   " * (size // 4),
    "lines as wide as a terminal": lambda size: ("cannot broadcast " * 5)[:80] * (size // 80),
    "wrapped lines": lambda size: f"{'cannot be broadcast ' * 4}\n" * (size // 81),
    "colons": lambda size: "Error: " * (size // 7),
    "places in C++": lambda size: "[load] Failed to open file " + " at x.cpp:" * (size // 10),
}
SIZES = tuple(2**power for power in range(15, 21))


def growth(name, matcher, sizes=SIZES):
    """Return the CPU time for each size of a text that is made to be slow."""
    texts = [SLOW[name](size) for size in sizes]
    return [least(partial(matcher.matches, text), 3) for text in texts]


def _show_speed():
    loading, looking, right = look_up_cost()
    print(
        f"  10,000 records: index loaded in {loading:.1f} ms; 200 lines in {looking:.2f} ms", end=""
    )
    print(", right" if right else ", WRONG")
    loading, looking = least(ours().matcher, 5), None
    matcher = ours().matcher()
    text = paste("[matmul] Last dimension of first input with shape (2,3) must match")
    looking = least(lambda: matcher.matches(text), 30)
    print(f"  this catalogue: index loaded in {loading:.1f} ms; 200 lines in {looking:.2f} ms")
    print("  ms for texts of", *(f"{size >> 10} KiB" for size in SIZES), "| per doubling")
    for name in SLOW:
        times = growth(name, matcher)
        ratio = (times[-1] / times[0]) ** (1 / (len(SIZES) - 1))
        print(f"  {name:28}", *(f"{it:8.1f}" for it in times), f"| {ratio:.2f}")


MODES = {
    "accuracy": _show_accuracy,
    "foreign": _show_foreign,
    "nearest": _show_nearest,
    "speed": _show_speed,
}


def main():
    for mode in sys.argv[1:] or MODES:
        print(mode)
        MODES[mode]()


if __name__ == "__main__":
    main()
