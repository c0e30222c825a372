"""Suggestions from shapes in a message: MLX itself is asked whether they fit."""

import random
import re

import mlx.core as mx
import mlx.nn as nn
import pytest
from hypothesis import given, settings, strategies as st

from ropeguard import rope_pool_fused
from ropeguard.catalogue import entries
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.lookup import by_text
from ropeguard.catalogue.relations import broadcast, holds, is_sound
from ropeguard.catalogue.shape_changes import changes
from ropeguard.catalogue.yours import sentence, suggestions


SHELF = ours()
MATCHER = SHELF.matcher()


class _Shelf:
    tombstones = SHELF.tombstones
    entry = SHELF.entry
    path = ""

    def matcher(self):
        return MATCHER


def _zeros(chance, low, high, like=()):
    """Return an array; sizes of `like` are as likely as any."""
    sizes = [1, 2, 3, 4, 6, *like]
    return mx.zeros([chance.choice(sizes) for _ in range(chance.randint(low, high))])


def _turned(array, chance):
    """Return an array as somebody has it who lost track of its axes."""
    moves = [
        lambda x: x.transpose(chance.sample(range(x.ndim), x.ndim)) if x.ndim else x,
        lambda x: x.swapaxes(-1, -2) if x.ndim > 1 else x,
        lambda x: mx.expand_dims(x, chance.randint(0, x.ndim)),
        lambda x: x.squeeze(),
        lambda x: x.flatten(0, 1) if x.ndim > 1 else x,
        lambda x: mx.zeros([*x.shape[:-1], chance.choice([2, 3, 5])]) if x.ndim else x,
    ]
    return chance.choice(moves)(array)


def _matmul(chance):
    n, k, m = (chance.choice([1, 2, 3, 4, 6]) for _ in range(3))
    batch = [2] * chance.randint(0, 2)
    a, b = mx.zeros([*batch, n, k]), mx.zeros([*batch, k, m])
    return {"a": _turned(a, chance), "b": _turned(b, chance) if chance.random() < 0.4 else b}


def _linear(chance):
    x = mx.zeros([chance.choice([1, 2, 3]) for _ in range(chance.randint(0, 2))] + [4])
    return {"x": _turned(x, chance)}


def _elementwise(chance):
    a = _zeros(chance, 1, 3)
    return {"a": a, "b": _turned(_turned(a, chance), chance)}


def _conv(chance):
    x, w = mx.zeros((2, 8, 7, 3)), mx.zeros((4, 2, 2, 3))
    wrong = chance.choice(["x", "w"])
    x = _turned(x, chance) if wrong == "x" else x
    w = _turned(w, chance) if wrong == "w" else w
    return {"x": x, "weight": w}


def _attention(chance):
    q, k = mx.zeros((1, 4, 5, 8)), mx.zeros((1, 4, 5, 8))
    wrong = chance.choice("qk")
    return {"q": _turned(q, chance) if wrong == "q" else q, "k": _turned(k, chance)}


def _losses(chance):
    predictions = _zeros(chance, 1, 3)
    return {"predictions": _turned(predictions, chance), "targets": predictions}


def _weights(chance):
    return {"weight": _turned(mx.zeros((4, 3, 2, 5)), chance)}


def _joined(chance):
    parts = [mx.zeros((2, chance.choice([1, 3]), 4)) for _ in range(chance.randint(1, 3))]
    arrays = [*parts, _turned(parts[0], chance)]
    return {"arrays": arrays, "axis": chance.choice([0, 1, 2, -1])}


def _reshaped(chance):
    shape = [chance.choice([1, 2, 3, 4, 6, 8]) for _ in range(chance.randint(1, 4))]
    return {"x": _zeros(chance, 1, 4), "shape": shape}


def _weighted(chance):
    return {"weights": _turned(mx.zeros((3, 2)), chance)}


def _rows(chance):
    return {"v": _turned(mx.zeros((5, 2, 64)), chance)}


LINEAR = nn.Linear(4, 6)
# Record -> arguments, the call, and the same call with a suggestion evaluated in its place.
OPS = {
    "matmul-inner-sizes-differ": (_matmul, "a @ b"),
    "linear-input-features-differ": (_linear, "linear(x)"),
    "broadcast-shapes-differ": (_elementwise, "a + b"),
    "conv-input-channels-differ": (_conv, "mx.conv2d(x, weight)"),
    "sdpa-head-dims-differ": (_attention, "attention(q, k)"),
    "loss-shapes-differ": (_losses, "nn.losses.mse_loss(predictions, targets)"),
    "weight-shape-differs": (_weights, "load(weight)"),
    "concatenate-shapes-differ": (_joined, "mx.concatenate(arrays, axis=axis)"),
    "reshape-size-differs": (_reshaped, "x.reshape(shape)"),
    "loss-weights-shape": (_weighted, "loss(weights)"),
    "v-shape-mismatch": (_rows, "place(v)"),
}
# One array of several, of which the message tells of one.
NOT_ASKED = {"sdpa-input-rank"}


def _load(weight):
    model = nn.Module()
    model.weight = mx.zeros((4, 3, 2, 5))
    model.load_weights([("weight", weight)])


def _attend(q, k):
    """The message tells of queries and keys only; the values are as the keys are."""
    return mx.fast.scaled_dot_product_attention(q, k, mx.zeros(k.shape), scale=1.0)


def _loss(weights):
    targets = mx.zeros((3, 2), dtype=mx.int32)
    return nn.losses.cross_entropy(mx.zeros((3, 2, 4)), targets, weights=weights)


def _place(v):
    """Fuse rows into a pool; the guard knows of other faults of `v` too, but not their records."""
    q, k, pool = mx.zeros((5, 4, 64)), mx.zeros((5, 2, 64)), mx.zeros((8, 2, 64))
    rows = mx.arange(5, dtype=mx.int32)
    heads = {"head_dim": 64, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 1e4}
    return rope_pool_fused(q, k, v, rows, rows, pool, pool + 0, **heads)


NAMES = {"mx": mx, "nn": nn, "linear": LINEAR, "attention": _attend, "load": _load}
NAMES |= {"loss": _loss, "place": _place}


def _hit(call, arguments):
    """Return the record and the values of the error that a call ends in, if it ends in one."""
    try:
        eval(call, {**NAMES, **arguments})
    except ValueError as failure:
        answer = by_text(f"ValueError: {failure}", [_Shelf()])
        return answer.hits[0] if answer else None
    return None


def _with_it(call, arguments, code):
    """Return the call with a suggestion in it: a whole call, or an argument to be passed."""
    for name, value in arguments.items():
        if isinstance(value, list) and f"{name}[" in code and "concatenate" not in code:
            number = int(code.partition(f"{name}[")[2].partition("]")[0])
            made = eval(code, {**NAMES, **arguments})
            changed = [*value[:number], made, *value[number + 1 :]]
            return call, {**arguments, name: changed}
    whole = code.startswith("mx.concatenate") or call == "a @ b" or call.startswith("x.reshape")
    if whole:
        return code, arguments
    [name] = [it for it in arguments if re.search(rf"\b{it}\b", code)]
    return call, {**arguments, name: eval(code, {**NAMES, **arguments})}


@pytest.mark.parametrize("slug", OPS)
def test_mlx_accepts_what_is_suggested(slug):
    make, call = OPS[slug]
    chance = random.Random(slug)
    met = suggested = 0
    for _ in range(1500):
        arguments = make(chance)
        hit = _hit(call, arguments)
        if hit is None or hit.entry["slug"] != slug:
            continue
        met += 1
        found = suggestions(hit.entry, hit.values)
        suggested += bool(found)
        for fit in found:
            again, changed = _with_it(call, arguments, fit.code)
            assert _passes(again, changed), f"{_shapes(arguments)}: {fit.code}"
        if met == 150:
            break
    assert met >= 40
    assert suggested >= met / 5


def _passes(call, arguments):
    try:
        eval(call, {**NAMES, **arguments})
    except ValueError:
        return False
    return True


def _shapes(arguments):
    return {name: getattr(value, "shape", value) for name, value in arguments.items()}


def test_every_record_with_a_repair_is_asked():
    repairs = {entry["slug"] for entry in entries() if entry["repair"]}
    assert repairs - NOT_ASKED == set(OPS)


@pytest.mark.parametrize(
    "entry", [it for it in entries() if it["readings"]], ids=lambda it: it["slug"]
)
def test_the_sentence_of_a_record_fits_its_own_error(entry):
    hit = by_text(entry["expected"], [_Shelf()]).hits[0]
    said = sentence(entry, hit.values)
    if said is None:
        places = [re.findall(r"\{([a-z_]+)", it) for it in entry["readings"]]
        assert not any(hit.values.keys() >= set(it) for it in places)
    else:
        assert "{" not in said


SHAPES = st.lists(st.integers(1, 4), max_size=5).map(tuple)


@given(SHAPES, st.sets(st.integers(2, 4)))
def test_a_change_of_shape_gives_the_shape_that_it_says(shape, sizes):
    array = mx.zeros(shape)
    for text, after, cost in changes(shape, sizes):
        made = eval(text.replace("{x}", "array"), {"array": array, "mx": mx})
        assert made.shape == after
        assert cost > 0


@settings(max_examples=300)
@given(SHAPES, SHAPES)
def test_broadcasting_is_that_of_mlx(a, b):
    try:
        wanted = mx.broadcast_shapes(a, b)
    except ValueError:
        wanted = None
    assert broadcast([a, b]) == wanted
    assert holds({"a": "*#x", "b": "*#x"}, {"a": a, "b": b}) is (wanted is not None)


@pytest.mark.parametrize(
    ("axes", "shape", "fits"),
    [
        ("n k", (2, 3), True),
        ("n n", (2, 3), False),
        ("n 3", (2, 3), True),
        ("n 4", (2, 3), False),
        ("_ _", (2, 3), True),
        ("n", (2, 3), False),
        ("... k", (3,), True),
        ("... k", (), False),
        ("k *rest m", (2, 3, 4, 2), True),
        ("", (), True),
        ("", (1,), False),
        ("h h*", (2, 6), True),
        ("h h*", (2, 7), False),
        ("h* h", (7, 0), False),
    ],
)
def test_axes_are_read_as_jaxtyping_reads_them(axes, shape, fits):
    assert is_sound(axes)
    assert holds({"x": axes}, {"x": shape}) is fits


def test_axes_that_mean_nothing_are_refused():
    for axes in ("*a *b", "n-1", "{n}", "A", "... *a", "n+1", "__import__('os')"):
        assert not is_sound(axes)


def test_a_shape_of_many_axes_costs_little():
    entry = SHELF.entry(SHELF.slugs["broadcast-shapes-differ"])
    values = {"first_shape": (2,) * 5000, "second_shape": (3,) * 5000}
    assert suggestions(entry, values) == []
    assert sentence(entry, {"first_shape": (2, 3), "second_shape": (4,)})
