# ruff: noqa: E501  a mistake and its fix stand on one line
"""Mistakes in calls of model code in the style of mlx-lm, each with the fix that repairs it.

A `Component` is a function with its contract, the arguments of a right call, and mistakes: what a
caller wrote wrongly, and the true fix. Both are statements in the names of the parameters; run on
the right arguments the first makes the wrong call, and run after it the second repairs it. They
were written down before suggestions were ranked. Even numbers of `CASES` are for tuning, odd ones
for reporting.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import mlx.core as mx
import numpy as np
from jaxtyping import Bool, Float, Int, Int32, UInt32

from ropeguard import InRange, MultipleOf, Positive, SameDtype


A = mx.array
B, L, S, H, KV, D, HID, FF, V = 2, 7, 11, 8, 2, 16, 128, 96, 50


class Component(NamedTuple):
    """A function and its mistakes."""

    function: Callable[..., object]
    arguments: Callable[[], dict[str, object]]
    mistakes: tuple[tuple[str, str], ...]


class Case(NamedTuple):
    """One mistake."""

    component: Component
    mistake: str
    fix: str


def a(*shape, dtype=mx.float32):
    """Return an array all of whose entries differ, or nearly."""
    return (mx.arange(math.prod(shape)).reshape(shape) % 8191).astype(dtype)


def i(*shape, high=8):
    return (mx.arange(math.prod(shape)).reshape(shape) % high).astype(mx.int32)


def attention(
    queries: Float[A, "batch heads tokens head_dim"],
    keys: Float[A, "batch kv_heads seen head_dim"],
    values: Float[A, "batch kv_heads seen head_dim"],
    mask: Bool[A, "tokens seen"] | None = None,
    scale: float = 0.25,
) -> Float[A, "batch heads tokens head_dim"]:
    return mx.fast.scaled_dot_product_attention(queries, keys, values, scale=scale, mask=mask)


ATTENTION = Component(
    attention,
    lambda: {
        "queries": a(B, H, L, D),
        "keys": a(B, KV, S, D),
        "values": a(B, KV, S, D),
        "mask": mx.ones((L, S), dtype=mx.bool_),
        "scale": 0.25,
    },
    (
        ("queries = queries.swapaxes(1, 2)", "queries = queries.swapaxes(1, 2)"),
        ("keys = keys.swapaxes(1, 2)", "keys = keys.swapaxes(1, 2)"),
        ("values = values.swapaxes(1, 2)", "values = values.swapaxes(1, 2)"),
        (
            "keys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
            "keys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
        ),
        (
            "queries = queries.swapaxes(1, 2)\nkeys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
            "queries = queries.swapaxes(1, 2)\nkeys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
        ),
        (
            "queries = queries.swapaxes(1, 2).reshape(2, 7, 128)",
            "queries = queries.reshape(2, 7, 8, 16).swapaxes(1, 2)",
        ),
        ("keys = keys.swapaxes(-1, -2)", "keys = keys.swapaxes(-1, -2)"),
        ("mask = mask[:, :7]", "mask = mx.pad(mask, [(0, 0), (4, 0)])"),
        ("mask = mx.where(mask, 0.0, -mx.inf)", "mask = mask == 0"),
        ("mask = mask.astype(mx.int32)", "mask = mask.astype(mx.bool_)"),
        ("mask = mask[None, None]", "mask = mask.squeeze((0, 1))"),
        ("mask = mask.swapaxes(0, 1)", "mask = mask.swapaxes(0, 1)"),
        ("mask = mx.concatenate([mask, mask])", "mask = mask[:7]"),
        ("queries, keys = keys, queries", "queries, keys = keys, queries"),
        ("keys = keys[:, :, :7]", "keys = mx.pad(keys, [(0, 0), (0, 0), (0, 4), (0, 0)])"),
        (
            "queries = queries[0]\nkeys = keys[0]\nvalues = values[0]",
            "queries = queries[None]\nkeys = keys[None]\nvalues = values[None]",
        ),
        ("queries = queries[:, :, 0]\nmask = mask[-1:]", "queries = queries[:, :, None]"),
        ("values = np.array(values)", "values = mx.array(values)"),
        ("scale = 1", "scale = float(scale)"),
    ),
)


def repeated_attention(
    queries: Float[A, "B n_heads L head_dim"],
    keys: Float[A, "B n_heads S head_dim"],
    values: Float[A, "B n_heads S head_dim"],
    mask: Float[A, "L S"],
) -> Float[A, "B n_heads L head_dim"]:
    scores = queries @ keys.swapaxes(-1, -2) / 4 + mask
    return mx.softmax(scores, axis=-1) @ values


REPEATED = Component(
    repeated_attention,
    lambda: {
        "queries": a(B, H, L, D),
        "keys": a(B, H, S, D),
        "values": a(B, H, S, D),
        "mask": a(L, S),
    },
    (
        (
            "keys = keys[:, ::4]\nvalues = values[:, ::4]",
            "keys = mx.repeat(keys, 4, axis=1)\nvalues = mx.repeat(values, 4, axis=1)",
        ),
        (
            "keys = keys[:, :1]\nvalues = values[:, :1]",
            "keys = mx.repeat(keys, 8, axis=1)\nvalues = mx.repeat(values, 8, axis=1)",
        ),
        ("keys = keys[:, ::4]", "keys = mx.repeat(keys, 4, axis=1)"),
        ("values = values[:, ::2]", "values = mx.repeat(values, 2, axis=1)"),
        ("queries = queries.swapaxes(1, 2)", "queries = queries.swapaxes(1, 2)"),
        ("keys = keys.swapaxes(2, 3)", "keys = keys.swapaxes(2, 3)"),
        ("mask = mask[None]", "mask = mask.squeeze(0)"),
        ("mask = mask == 0", "mask = mask.astype(mx.float32)"),
        ("mask = mask.T", "mask = mask.T"),
        (
            "values = values.swapaxes(1, 2).reshape(2, 11, 128)",
            "values = values.reshape(2, 11, 8, 16).swapaxes(1, 2)",
        ),
        ("queries = queries.reshape(16, 7, 16)", "queries = queries.reshape(2, 8, 7, 16)"),
        (
            "queries = queries.reshape(16, 7, 16)\nkeys = keys.reshape(16, 11, 16)\nvalues = values.reshape(16, 11, 16)",
            "queries = queries.reshape(2, 8, 7, 16)\nkeys = keys.reshape(2, 8, 11, 16)\nvalues = values.reshape(2, 8, 11, 16)",
        ),
        (
            "keys, values = keys.swapaxes(1, 2), values.swapaxes(1, 2)",
            "keys, values = keys.swapaxes(1, 2), values.swapaxes(1, 2)",
        ),
        ("mask = mask[-1]", "mask = mx.broadcast_to(mask[None], (7, 11))"),
    ),
)


def output_projection(
    output: Float[A, "batch tokens {n_heads}*{head_dim}"],
    weight: Float[A, "hidden {n_heads}*{head_dim}"],
    residual: Float[A, "batch tokens hidden"],
    n_heads: Annotated[int, Positive()],
    head_dim: Annotated[int, Positive()],
) -> Float[A, "batch tokens hidden"]:
    return residual + output @ weight.T


OUTPUT = Component(
    output_projection,
    lambda: {
        "output": a(B, L, H * D),
        "weight": a(64, H * D),
        "residual": a(B, L, 64),
        "n_heads": H,
        "head_dim": D,
    },
    (
        ("output = output.reshape(2, 7, 8, 16)", "output = output.reshape(2, 7, 128)"),
        (
            "output = output.reshape(2, 7, 8, 16).swapaxes(1, 2)",
            "output = output.swapaxes(1, 2).reshape(2, 7, 128)",
        ),
        ("weight = weight.T", "weight = weight.T"),
        ("n_heads = 2", "n_heads = 8"),
        ("head_dim = 64", "head_dim = 16"),
        ("head_dim = 128 / 8", "head_dim = int(head_dim)"),
        ("n_heads = 4", "n_heads = 8"),
        ("output = output.reshape(14, 128)", "output = output.reshape(2, 7, 128)"),
        ("residual = residual[:, -1]", "residual = mx.broadcast_to(residual[:, None], (2, 7, 64))"),
        (
            "residual = residual.reshape(14, 64)\noutput = output.reshape(14, 128)",
            "residual = residual[None]\noutput = output[None]",
        ),
        ("output = output.swapaxes(0, 1)", "output = output.swapaxes(0, 1)"),
        ("output, residual = residual, output", "output, residual = residual, output"),
    ),
)


def project_qkv(
    x: Float[A, "batch tokens hidden"],
    wq: Float[A, "{n_heads}*{head_dim} hidden"],
    wk: Float[A, "{n_kv_heads}*{head_dim} hidden"],
    wv: Float[A, "{n_kv_heads}*{head_dim} hidden"],
    *,
    n_heads: Annotated[int, MultipleOf("n_kv_heads")],
    n_kv_heads: Annotated[int, Positive()],
    head_dim: Annotated[int, MultipleOf(2)],
) -> Float[A, "batch {n_heads} tokens {head_dim}"]:
    q = x @ wq.T
    return q.reshape(*x.shape[:2], n_heads, head_dim).swapaxes(1, 2)


QKV = Component(
    project_qkv,
    lambda: {
        "x": a(B, L, HID),
        "wq": a(64, HID),
        "wk": a(32, HID),
        "wv": a(32, HID),
        "n_heads": 8,
        "n_kv_heads": 4,
        "head_dim": 8,
    },
    (
        ("wq = wq.T", "wq = wq.T"),
        ("wk = wk.T\nwv = wv.T", "wk = wk.T\nwv = wv.T"),
        ("wq = wq.T\nwk = wk.T\nwv = wv.T", "wq = wq.T\nwk = wk.T\nwv = wv.T"),
        ("x = x[0]", "x = x[None]"),
        ("x = x.reshape(14, 128)", "x = x[None]"),
        ("x = x.swapaxes(-1, -2)", "x = x.swapaxes(-1, -2)"),
        ("n_kv_heads = 8", "n_kv_heads = 4"),
        ("n_kv_heads = 2", "n_kv_heads = 4"),
        ("n_heads = 4", "n_heads = 8"),
        ("head_dim = 16", "head_dim = 8"),
        ("n_heads, n_kv_heads = n_kv_heads, n_heads", "n_heads, n_kv_heads = n_kv_heads, n_heads"),
        ("n_heads, head_dim = 64, 1", "n_heads, head_dim = 8, 8"),
        ("wq, wk = wk, wq", "wq, wk = wk, wq"),
        ("x = x.astype(mx.int32)", "x = x.astype(mx.float32)"),
        ("x = np.array(x)", "x = mx.array(x)"),
        ("head_dim = 128 / 16", "head_dim = int(head_dim)"),
        ("n_heads = '8'", "n_heads = int(n_heads)"),
    ),
)


def swiglu(
    x: Float[A, "batch tokens hidden"],
    gate: Float[A, "inter hidden"],
    up: Float[A, "inter hidden"],
    down: Float[A, "hidden inter"],
) -> Float[A, "batch tokens hidden"]:
    g = x @ gate.T
    return (g * mx.sigmoid(g) * (x @ up.T)) @ down.T


SWIGLU = Component(
    swiglu,
    lambda: {"x": a(B, L, HID), "gate": a(FF, HID), "up": a(FF, HID), "down": a(HID, FF)},
    (
        ("gate = gate.T", "gate = gate.T"),
        ("up = up.T", "up = up.T"),
        ("down = down.T", "down = down.T"),
        ("gate = gate.T\nup = up.T", "gate = gate.T\nup = up.T"),
        ("gate = gate.T\nup = up.T\ndown = down.T", "gate = gate.T\nup = up.T\ndown = down.T"),
        ("up, down = down, up", "up, down = down, up"),
        ("gate, down = down, gate", "gate, down = down, gate"),
        ("x = x[:, -1]", "x = x[:, None]"),
        ("x = x.reshape(14, 128)", "x = x[None]"),
        ("x = x.swapaxes(1, 2)", "x = x.swapaxes(1, 2)"),
        ("gate = mx.concatenate([gate, up])", "gate = gate[:96]"),
        ("up = mx.concatenate([gate, up])", "up = up[-96:]"),
        ("x = x.reshape(2, 7, 8, 16)", "x = x.reshape(2, 7, 128)"),
        ("x = x.reshape(2, 7, 8, 16).swapaxes(1, 2)", "x = x.swapaxes(1, 2).reshape(2, 7, 128)"),
        ("x = x[None]", "x = x.squeeze(0)"),
    ),
)


def gelu_mlp(
    x: Float[A, "*batch hidden"],
    fc1: Float[A, "inter hidden"],
    b1: Float[A, "inter"],
    fc2: Float[A, "hidden inter"],
    b2: Float[A, "hidden"],
) -> Float[A, "*batch hidden"]:
    h = x @ fc1.T + b1
    return h * mx.sigmoid(1.702 * h) @ fc2.T + b2


GELU = Component(
    gelu_mlp,
    lambda: {"x": a(B, L, HID), "fc1": a(FF, HID), "b1": a(FF), "fc2": a(HID, FF), "b2": a(HID)},
    (
        ("b1, b2 = b2, b1", "b1, b2 = b2, b1"),
        ("fc1 = fc1.T", "fc1 = fc1.T"),
        ("fc2 = fc2.T", "fc2 = fc2.T"),
        ("fc1, fc2 = fc2, fc1", "fc1, fc2 = fc2, fc1"),
        ("b1 = b1[None]", "b1 = b1.squeeze(0)"),
        ("b2 = b2[:, None]", "b2 = b2.squeeze(1)"),
        ("x = x.swapaxes(-1, -2)", "x = x.swapaxes(-1, -2)"),
        ("fc1 = fc1.T\nfc2 = fc2.T", "fc1 = fc1.T\nfc2 = fc2.T"),
        ("b1 = b1.astype(mx.int32)", "b1 = b1.astype(mx.float32)"),
    ),
)


def rms_norm(
    x: Float[A, "*batch hidden"], weight: Float[A, "hidden"], eps: Annotated[float, Positive()]
) -> Float[A, "*batch hidden"]:
    return mx.fast.rms_norm(x, weight, eps)


RMS = Component(
    rms_norm,
    lambda: {"x": a(B, L, HID), "weight": a(HID), "eps": 1e-5},
    (
        ("x, weight = weight, x", "x, weight = weight, x"),
        ("weight = weight[None]", "weight = weight.squeeze(0)"),
        ("weight = weight[None, None]", "weight = weight.squeeze((0, 1))"),
        ("x = x.swapaxes(1, 2)", "x = x.swapaxes(1, 2)"),
        ("eps = '1e-5'", "eps = float(eps)"),
        ("x = x.reshape(2, 7, 8, 16)", "x = x.reshape(2, 7, 128)"),
        ("weight = weight.tolist()", "weight = mx.array(weight)"),
        ("x = x.astype(mx.int32)", "x = x.astype(mx.float32)"),
    ),
)


def layer_norm(
    x: Float[A, "batch tokens hidden"],
    weight: Annotated[Float[A, "hidden"], SameDtype("x")],
    bias: Annotated[Float[A, "hidden"], SameDtype("x")],
) -> Float[A, "batch tokens hidden"]:
    return mx.fast.layer_norm(x, weight, bias, 1e-5)


LAYER = Component(
    layer_norm,
    lambda: {
        "x": a(B, L, HID, dtype=mx.float16),
        "weight": a(HID, dtype=mx.float16),
        "bias": a(HID, dtype=mx.float16),
    },
    (
        (
            "weight = weight.astype(mx.float32)\nbias = bias.astype(mx.float32)",
            "weight = weight.astype(mx.float16)\nbias = bias.astype(mx.float16)",
        ),
        ("x = x.astype(mx.float32)", "x = x.astype(mx.float16)"),
        ("bias = bias.astype(mx.bfloat16)", "bias = bias.astype(mx.float16)"),
        ("x = x.swapaxes(1, 2)", "x = x.swapaxes(1, 2)"),
        ("x = x[0]", "x = x[None]"),
        ("bias = bias[None]", "bias = bias.squeeze(0)"),
        (
            "weight = weight[:, None]\nbias = bias[:, None]",
            "weight = weight.squeeze(1)\nbias = bias.squeeze(1)",
        ),
        ("x = x.reshape(14, 128)", "x = x[None]"),
    ),
)


def qk_norm(
    q: Float[A, "batch heads tokens head_dim"],
    k: Float[A, "batch kv_heads tokens head_dim"],
    q_weight: Float[A, "head_dim"],
    k_weight: Float[A, "head_dim"],
) -> tuple[Float[A, "batch heads tokens head_dim"], Float[A, "batch kv_heads tokens head_dim"]]:
    return mx.fast.rms_norm(q, q_weight, 1e-6), mx.fast.rms_norm(k, k_weight, 1e-6)


QK_NORM = Component(
    qk_norm,
    lambda: {"q": a(B, H, L, D), "k": a(B, KV, L, D), "q_weight": a(D), "k_weight": a(D)},
    (
        ("q = q.swapaxes(1, 2)", "q = q.swapaxes(1, 2)"),
        ("k = k.swapaxes(1, 2)", "k = k.swapaxes(1, 2)"),
        (
            "q = q.swapaxes(1, 2).reshape(2, 7, 128)\nk = k.swapaxes(1, 2).reshape(2, 7, 32)",
            "q = q.reshape(2, 7, 8, 16).swapaxes(1, 2)\nk = k.reshape(2, 7, 2, 16).swapaxes(1, 2)",
        ),
        (
            "q = q.swapaxes(1, 2)\nk = k.swapaxes(1, 2)",
            "q = q.swapaxes(1, 2)\nk = k.swapaxes(1, 2)",
        ),
        (
            "q_weight = q_weight[None]\nk_weight = k_weight[None]",
            "q_weight = q_weight.squeeze(0)\nk_weight = k_weight.squeeze(0)",
        ),
        ("q = q[:, :, 0]\nk = k[:, :, 0]", "q = q[:, :, None]\nk = k[:, :, None]"),
        (
            "q_weight = mx.concatenate([q_weight] * 8)\nk_weight = mx.concatenate([k_weight] * 2)",
            "q_weight = q_weight[:16]\nk_weight = k_weight[:16]",
        ),
        ("k = k.swapaxes(1, 2).reshape(2, 7, 32)", "k = k.reshape(2, 7, 2, 16).swapaxes(1, 2)"),
    ),
)


def embed(
    ids: Int[A, "batch tokens"], table: Float[A, "vocab hidden"]
) -> Float[A, "batch tokens hidden"]:
    return table[ids]


EMBED = Component(
    embed,
    lambda: {"ids": i(B, L), "table": a(V, HID)},
    (
        ("ids = ids[0]", "ids = ids[None]"),
        ("ids = ids.astype(mx.float32)", "ids = ids.astype(mx.int32)"),
        ("ids = ids.tolist()", "ids = mx.array(ids)"),
        ("ids = ids[0].tolist()", "ids = mx.array(ids)[None]"),
        ("ids = np.array(ids)", "ids = mx.array(ids)"),
        ("ids, table = table, ids", "ids, table = table, ids"),
        ("ids = ids[..., None]", "ids = ids.squeeze(2)"),
        ("ids = 3", "ids = mx.array(ids)[None, None]"),
        ("table = table[None]", "table = table.squeeze(0)"),
    ),
)


def positions_embed(
    x: Float[A, "batch tokens hidden"],
    table: Float[A, "max_positions hidden"],
    positions: Annotated[Int32[A, "batch tokens"], InRange(0, "max_positions")],
) -> Float[A, "batch tokens hidden"]:
    return x + table[positions]


POSITIONS = Component(
    positions_embed,
    lambda: {"x": a(B, L, HID), "table": a(32, HID), "positions": i(B, L)},
    (
        (
            "positions = mx.arange(7, dtype=mx.int32)",
            "positions = mx.broadcast_to(positions[None], (2, 7))",
        ),
        ("positions = positions.astype(mx.int64)", "positions = positions.astype(mx.int32)"),
        ("positions = positions.T", "positions = positions.T"),
        (
            "positions = list(range(7))",
            "positions = mx.broadcast_to(mx.array(positions)[None], (2, 7))",
        ),
        ("table = table.T", "table = table.T"),
        ("x = x.swapaxes(0, 1)", "x = x.swapaxes(0, 1)"),
        ("table = table[None]", "table = table.squeeze(0)"),
        ("positions = positions[..., None]", "positions = positions.squeeze(2)"),
        ("positions = mx.pad(positions, [(0, 0), (0, 3)])", "positions = positions[:, :7]"),
        ("x = x[0]", "x = mx.broadcast_to(x[None], (2, 7, 128))"),
        ("positions = positions.reshape(14)", "positions = positions.reshape(2, 7)"),
        ("positions = positions.astype(mx.float32)", "positions = positions.astype(mx.int32)"),
    ),
)


def tied_logits(
    h: Float[A, "batch tokens hidden"],
    table: Float[A, "vocab hidden"],
    bias: Float[A, "vocab"] | None = None,
) -> Float[A, "batch tokens vocab"]:
    out = h @ table.T
    return out if bias is None else out + bias


LOGITS = Component(
    tied_logits,
    lambda: {"h": a(B, L, HID), "table": a(V, HID), "bias": a(V)},
    (
        ("table = table.T", "table = table.T"),
        ("h = h[:, -1]", "h = h[:, None]"),
        ("bias = bias[None, None]", "bias = bias.squeeze((0, 1))"),
        ("h = h.reshape(14, 128)", "h = h[None]"),
        ("h, table = table, h", "h, table = table, h"),
        ("h = h.swapaxes(1, 2)", "h = h.swapaxes(1, 2)"),
        ("h = h.reshape(2, 7, 8, 16)", "h = h.reshape(2, 7, 128)"),
    ),
)


def update_cache(
    k_cache: Float[A, "batch kv_heads capacity head_dim"],
    v_cache: Annotated[Float[A, "batch kv_heads capacity head_dim"], SameDtype("k_cache")],
    keys: Annotated[Float[A, "batch kv_heads tokens head_dim"], SameDtype("k_cache")],
    values: Annotated[Float[A, "batch kv_heads tokens head_dim"], SameDtype("k_cache")],
    offset: Annotated[int, InRange(0, "capacity")] = 0,
) -> tuple[
    Float[A, "batch kv_heads capacity head_dim"], Float[A, "batch kv_heads capacity head_dim"]
]:
    end = offset + keys.shape[2]
    at = (slice(None), slice(None), slice(offset, end))
    return k_cache.at[at].add(keys), v_cache.at[at].add(values)


CACHE = Component(
    update_cache,
    lambda: {
        "k_cache": mx.zeros((B, KV, 32, D), mx.bfloat16),
        "v_cache": mx.zeros((B, KV, 32, D), mx.bfloat16),
        "keys": a(B, KV, L, D, dtype=mx.bfloat16),
        "values": a(B, KV, L, D, dtype=mx.bfloat16),
        "offset": 3,
    },
    (
        (
            "keys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
            "keys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
        ),
        ("keys = keys.swapaxes(1, 2)", "keys = keys.swapaxes(1, 2)"),
        (
            "keys = keys.astype(mx.float32)\nvalues = values.astype(mx.float32)",
            "keys = keys.astype(mx.bfloat16)\nvalues = values.astype(mx.bfloat16)",
        ),
        (
            "k_cache = mx.zeros((2, 2, 32, 16))\nv_cache = mx.zeros((2, 2, 32, 16))",
            "k_cache = k_cache.astype(mx.bfloat16)\nv_cache = v_cache.astype(mx.bfloat16)",
        ),
        (
            "k_cache = mx.zeros((2, 8, 32, 16), mx.bfloat16)\nv_cache = mx.zeros((2, 8, 32, 16), mx.bfloat16)",
            "k_cache = mx.zeros((2, 2, 32, 16), mx.bfloat16)\nv_cache = mx.zeros((2, 2, 32, 16), mx.bfloat16)",
        ),
        (
            "k_cache = mx.zeros((1, 2, 32, 16), mx.bfloat16)\nv_cache = mx.zeros((1, 2, 32, 16), mx.bfloat16)",
            "k_cache = mx.zeros((2, 2, 32, 16), mx.bfloat16)\nv_cache = mx.zeros((2, 2, 32, 16), mx.bfloat16)",
        ),
        (
            "k_cache = mx.zeros((2, 2, 32, 8), mx.bfloat16)",
            "k_cache = mx.zeros((2, 2, 32, 16), mx.bfloat16)",
        ),
        (
            "keys = keys[0]\nvalues = values[0]\nk_cache = k_cache[0]\nv_cache = v_cache[0]",
            "keys = keys[None]\nvalues = values[None]\nk_cache = k_cache[None]\nv_cache = v_cache[None]",
        ),
        (
            "keys = keys.swapaxes(1, 2).reshape(2, 7, 32)\nvalues = values.swapaxes(1, 2).reshape(2, 7, 32)",
            "keys = keys.reshape(2, 7, 2, 16).swapaxes(1, 2)\nvalues = values.reshape(2, 7, 2, 16).swapaxes(1, 2)",
        ),
        ("offset = mx.array(3)", "offset = offset.item()"),
        ("offset = 3.0", "offset = int(offset)"),
        ("values = values[:, :, :6]", "values = mx.pad(values, [(0, 0), (0, 0), (0, 1), (0, 0)])"),
        (
            "k_cache = k_cache.swapaxes(1, 2)\nv_cache = v_cache.swapaxes(1, 2)",
            "k_cache = k_cache.swapaxes(1, 2)\nv_cache = v_cache.swapaxes(1, 2)",
        ),
        (
            "keys = keys[:, :, 0]\nvalues = values[:, :, 0]",
            "keys = keys[:, :, None]\nvalues = values[:, :, None]",
        ),
        (
            "keys = mx.repeat(keys, 4, axis=1)\nvalues = mx.repeat(values, 4, axis=1)",
            "keys = keys[:, ::4]\nvalues = values[:, ::4]",
        ),
    ),
)


def write_pool(
    pool: Float[A, "pool kv_heads head_dim"],
    rows: Annotated[Float[A, "tokens kv_heads head_dim"], SameDtype("pool")],
    slots: Annotated[Int32[A, "tokens"], InRange(-1, "pool")],
) -> Float[A, "pool kv_heads head_dim"]:
    return pool.at[slots].add(rows)


POOL = Component(
    write_pool,
    lambda: {
        "pool": mx.zeros((64, KV, D), mx.float16),
        "rows": a(L, KV, D, dtype=mx.float16),
        "slots": i(L),
    },
    (
        ("slots = slots.astype(mx.int64)", "slots = slots.astype(mx.int32)"),
        ("slots = slots.tolist()", "slots = mx.array(slots)"),
        ("slots = np.array(slots, dtype=np.int64)", "slots = mx.array(slots, dtype=mx.int32)"),
        ("slots = slots[:, None]", "slots = slots.squeeze(1)"),
        ("slots = slots[None]", "slots = slots.squeeze(0)"),
        ("rows = rows[None]", "rows = rows.squeeze(0)"),
        ("rows = rows.swapaxes(0, 1)", "rows = rows.swapaxes(0, 1)"),
        ("rows = rows.reshape(7, 32)", "rows = rows.reshape(7, 2, 16)"),
        ("rows = rows.astype(mx.float32)", "rows = rows.astype(mx.float16)"),
        ("pool = mx.zeros((64, 8, 16), mx.float16)", "pool = mx.zeros((64, 2, 16), mx.float16)"),
        ("pool = mx.zeros((64, 32), mx.float16)", "pool = pool.reshape(64, 2, 16)"),
        ("pool, rows = rows, pool", "pool, rows = rows, pool"),
        ("slots = mx.concatenate([slots, slots])", "slots = slots[:7]"),
        ("slots = mx.concatenate([slots, slots])[:8]", "slots = slots[:7]"),
        ("slots = slots.astype(mx.uint32)", "slots = slots.astype(mx.int32)"),
    ),
)


def rotate(
    x: Float[A, "batch heads tokens head_dim"],
    cos: Float[A, "tokens head_dim//2"],
    sin: Float[A, "tokens head_dim//2"],
) -> Float[A, "batch heads tokens head_dim"]:
    half = x.shape[-1] // 2
    left, right = x[..., :half], x[..., half:]
    return mx.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1)


ROTATE = Component(
    rotate,
    lambda: {"x": a(B, H, L, D), "cos": a(L, D // 2), "sin": a(L, D // 2)},
    (
        ("x = x.swapaxes(1, 2)", "x = x.swapaxes(1, 2)"),
        ("cos = cos[None]\nsin = sin[None]", "cos = cos.squeeze(0)\nsin = sin.squeeze(0)"),
        (
            "cos = cos[None, None]\nsin = sin[None, None]",
            "cos = cos.squeeze((0, 1))\nsin = sin.squeeze((0, 1))",
        ),
        (
            "cos = mx.concatenate([cos, cos], axis=1)\nsin = mx.concatenate([sin, sin], axis=1)",
            "cos = cos[:, :8]\nsin = sin[:, :8]",
        ),
        (
            "cos = mx.pad(cos, [(0, 25), (0, 0)])\nsin = mx.pad(sin, [(0, 25), (0, 0)])",
            "cos = cos[:7]\nsin = sin[:7]",
        ),
        ("cos = cos.T\nsin = sin.T", "cos = cos.T\nsin = sin.T"),
        ("x = x.swapaxes(1, 2).reshape(2, 7, 128)", "x = x.reshape(2, 7, 8, 16).swapaxes(1, 2)"),
        ("x = x[0]", "x = x[None]"),
        ("cos = cos[:, None]\nsin = sin[:, None]", "cos = cos.squeeze(1)\nsin = sin.squeeze(1)"),
        ("x, cos = cos, x", "x, cos = cos, x"),
        ("x = x[:, :, -1:]", "cos = cos[-1:]\nsin = sin[-1:]"),
    ),
)


def lora(
    x: Float[A, "*batch hidden"],
    weight: Float[A, "out hidden"],
    lora_a: Float[A, "hidden {rank}"],
    lora_b: Float[A, "{rank} out"],
    rank: Annotated[int, Positive()],
    scale: float = 2.0,
) -> Float[A, "*batch out"]:
    return x @ weight.T + scale * (x @ lora_a) @ lora_b


LORA = Component(
    lora,
    lambda: {
        "x": a(B, L, HID),
        "weight": a(FF, HID),
        "lora_a": a(HID, 4),
        "lora_b": a(4, FF),
        "rank": 4,
        "scale": 2.0,
    },
    (
        ("lora_a = lora_a.T\nlora_b = lora_b.T", "lora_a = lora_a.T\nlora_b = lora_b.T"),
        ("lora_a = lora_a.T", "lora_a = lora_a.T"),
        ("lora_b = lora_b.T", "lora_b = lora_b.T"),
        ("rank = 8", "rank = 4"),
        ("weight = weight.T", "weight = weight.T"),
        ("lora_a, lora_b = lora_b, lora_a", "lora_a, lora_b = lora_b, lora_a"),
        ("rank = 8.0", "rank = 4"),
        ("scale = 2", "scale = float(scale)"),
        ("rank = 4.0", "rank = int(rank)"),
        ("x = x.swapaxes(-1, -2)", "x = x.swapaxes(-1, -2)"),
    ),
)


def route(
    x: Float[A, "tokens hidden"],
    gate: Float[A, "experts hidden"],
    top_k: Annotated[int, InRange(1, "experts")],
) -> Int[A, "tokens {top_k}"]:
    return mx.argpartition(-(x @ gate.T), kth=top_k - 1, axis=-1)[:, :top_k].astype(mx.int32)


ROUTE = Component(
    route,
    lambda: {"x": a(L, HID), "gate": a(6, HID), "top_k": 2},
    (
        ("x = mx.stack([x, x])", "x = x.reshape(14, 128)"),
        ("x = x[None]", "x = x.squeeze(0)"),
        ("gate = gate.T", "gate = gate.T"),
        ("x = x[0]", "x = x[None]"),
        ("x = x.reshape(7, 8, 16)", "x = x.reshape(7, 128)"),
        ("top_k = 2.0", "top_k = int(top_k)"),
        ("x, gate = x.T, gate.T", "x, gate = x.T, gate.T"),
    ),
)


def mix_experts(
    x: Float[A, "tokens hidden"],
    experts: Float[A, "experts hidden hidden"],
    chosen: Int[A, "tokens top_k"],
    scores: Float[A, "tokens top_k"],
) -> Float[A, "tokens hidden"]:
    picked = mx.einsum("th,tkho->tko", x, experts[chosen])
    return (picked * scores[..., None]).sum(axis=1)


EXPERTS = Component(
    mix_experts,
    lambda: {"x": a(L, 16), "experts": a(6, 16, 16), "chosen": i(L, 2, high=6), "scores": a(L, 2)},
    (
        ("chosen, scores = scores, chosen", "chosen, scores = scores, chosen"),
        ("scores = scores[..., None]", "scores = scores.squeeze(2)"),
        (
            "chosen = chosen[:, 0]\nscores = scores[:, 0]",
            "chosen = chosen[..., None]\nscores = scores[..., None]",
        ),
        ("chosen = chosen.T\nscores = scores.T", "chosen = chosen.T\nscores = scores.T"),
        ("scores = scores.T", "scores = scores.T"),
        (
            "x = x[None]\nchosen = chosen[None]\nscores = scores[None]",
            "x = x.squeeze(0)\nchosen = chosen.squeeze(0)\nscores = scores.squeeze(0)",
        ),
        ("chosen = chosen.astype(mx.float32)", "chosen = chosen.astype(mx.int32)"),
        ("experts = experts.reshape(96, 16)", "experts = experts.reshape(6, 16, 16)"),
        ("chosen = chosen.tolist()", "chosen = mx.array(chosen)"),
    ),
)


def cross_entropy(
    logits: Float[A, "batch tokens vocab"],
    targets: Int[A, "batch tokens"],
    weights: Float[A, "batch tokens"] | None = None,
) -> Float[A, ""]:
    picked = mx.take_along_axis(logits, targets[..., None], axis=-1).squeeze(-1)
    losses = mx.logsumexp(logits, axis=-1) - picked
    return (losses if weights is None else losses * weights).mean()


LOSS = Component(
    cross_entropy,
    lambda: {"logits": a(B, L, V), "targets": i(B, L), "weights": a(B, L)},
    (
        ("targets = targets[..., None]", "targets = targets.squeeze(2)"),
        ("targets = mx.pad(targets, [(0, 0), (1, 0)])", "targets = targets[:, -7:]"),
        ("logits = mx.pad(logits, [(0, 0), (0, 1), (0, 0)])", "logits = logits[:, :7]"),
        ("targets = targets.astype(mx.float32)", "targets = targets.astype(mx.int32)"),
        (
            "logits = logits.reshape(14, 50)\ntargets = targets.reshape(14)\nweights = weights.reshape(14)",
            "logits = logits[None]\ntargets = targets[None]\nweights = weights[None]",
        ),
        ("logits, targets = targets, logits", "logits, targets = targets, logits"),
        ("weights = weights > 3", "weights = weights.astype(mx.float32)"),
        ("logits = logits.swapaxes(1, 2)", "logits = logits.swapaxes(1, 2)"),
        ("targets = targets.reshape(14)", "targets = targets.reshape(2, 7)"),
        ("logits = logits.reshape(14, 50)", "logits = logits.reshape(2, 7, 50)"),
        ("targets = targets.T", "targets = targets.T"),
        ("targets = targets.tolist()", "targets = mx.array(targets)"),
        ("targets, weights = weights, targets", "targets, weights = weights, targets"),
    ),
)


def sample(
    logits: Float[A, "batch vocab"],
    temperature: Annotated[float, Positive()],
    penalties: Float[A, "vocab"],
) -> UInt32[A, "batch"]:
    return mx.random.categorical((logits - penalties) / temperature)


SAMPLE = Component(
    sample,
    lambda: {"logits": a(B, V), "temperature": 0.7, "penalties": a(V)},
    (
        ("logits = mx.stack([logits] * 3, axis=1)", "logits = logits[:, -1]"),
        ("logits = logits[:, None]", "logits = logits.squeeze(1)"),
        ("logits = logits[0]", "logits = logits[None]"),
        ("temperature = 1", "temperature = float(temperature)"),
        ("penalties = penalties[None]", "penalties = penalties.squeeze(0)"),
        ("logits, penalties = penalties, logits", "logits, penalties = penalties, logits"),
        ("logits = logits.T", "logits = logits.T"),
        ("temperature = mx.array(0.7)", "temperature = temperature.item()"),
        ("penalties = penalties.tolist()", "penalties = mx.array(penalties)"),
    ),
)


def alibi(
    scores: Float[A, "batch heads tokens seen"],
    slopes: Float[A, "heads"],
    distances: Float[A, "tokens seen"],
) -> Float[A, "batch heads tokens seen"]:
    return scores - slopes[:, None, None] * distances


ALIBI = Component(
    alibi,
    lambda: {"scores": a(B, H, L, S), "slopes": a(H), "distances": a(L, S)},
    (
        ("slopes = slopes[:, None, None]", "slopes = slopes.squeeze((1, 2))"),
        ("distances = distances.T", "distances = distances.T"),
        ("distances = distances[None, None]", "distances = distances.squeeze((0, 1))"),
        ("scores = scores.swapaxes(1, 2)", "scores = scores.swapaxes(1, 2)"),
        ("scores = scores.reshape(16, 7, 11)", "scores = scores.reshape(2, 8, 7, 11)"),
        ("scores = scores.swapaxes(-1, -2)", "scores = scores.swapaxes(-1, -2)"),
        ("distances = distances.astype(mx.int32)", "distances = distances.astype(mx.float32)"),
        ("slopes, distances = distances, slopes", "slopes, distances = distances, slopes"),
    ),
)


def audio_frontend(
    mel: Float[A, "batch frames 80"], kernel: Float[A, "width 3 80"], bias: Float[A, "width"]
) -> Float[A, "batch frames width"]:
    return mx.conv1d(mel, kernel, padding=1) + bias


AUDIO = Component(
    audio_frontend,
    lambda: {"mel": a(B, 30, 80), "kernel": a(24, 3, 80), "bias": a(24)},
    (
        ("mel = mel.swapaxes(1, 2)", "mel = mel.swapaxes(1, 2)"),
        ("mel = mel[0]", "mel = mel[None]"),
        ("mel = mel[0].T", "mel = mel.T[None]"),
        ("kernel = kernel.swapaxes(1, 2)", "kernel = kernel.swapaxes(1, 2)"),
        ("kernel = kernel.transpose(1, 2, 0)", "kernel = kernel.transpose(2, 0, 1)"),
        ("bias = bias[:, None]", "bias = bias.squeeze(1)"),
        ("mel = np.array(mel)", "mel = mx.array(mel)"),
        ("mel = mel[..., None]", "mel = mel.squeeze(3)"),
    ),
)


def patchify(
    pixels: Float[A, "batch height width 3"], weight: Float[A, "hidden 4 4 3"]
) -> Float[A, "batch height//4 width//4 hidden"]:
    return mx.conv2d(pixels, weight, stride=4)


PATCHES = Component(
    patchify,
    lambda: {"pixels": a(B, 16, 24, 3), "weight": a(40, 4, 4, 3)},
    (
        ("pixels = pixels.transpose(0, 3, 1, 2)", "pixels = pixels.transpose(0, 2, 3, 1)"),
        ("weight = weight.transpose(0, 3, 1, 2)", "weight = weight.transpose(0, 2, 3, 1)"),
        (
            "pixels = pixels.transpose(0, 3, 1, 2)\nweight = weight.transpose(0, 3, 1, 2)",
            "pixels = pixels.transpose(0, 2, 3, 1)\nweight = weight.transpose(0, 2, 3, 1)",
        ),
        ("pixels = pixels[0]", "pixels = pixels[None]"),
        ("pixels = pixels[0].transpose(2, 0, 1)", "pixels = pixels.transpose(1, 2, 0)[None]"),
        ("pixels = pixels.astype(mx.uint8)", "pixels = pixels.astype(mx.float32)"),
        (
            "pixels = np.array(pixels).astype(np.uint8)",
            "pixels = mx.array(pixels, dtype=mx.float32)",
        ),
        ("pixels = mx.pad(pixels, [(0, 0), (0, 0), (0, 0), (0, 1)])", "pixels = pixels[..., :3]"),
        ("pixels, weight = weight, pixels", "pixels, weight = weight, pixels"),
    ),
)


def reorder(
    keys: Float[A, "beams kv_heads seen head_dim"],
    values: Float[A, "beams kv_heads seen head_dim"],
    order: Int[A, "beams"],
) -> tuple[Float[A, "beams kv_heads seen head_dim"], Float[A, "beams kv_heads seen head_dim"]]:
    return keys[order], values[order]


BEAMS = Component(
    reorder,
    lambda: {"keys": a(3, KV, S, D), "values": a(3, KV, S, D), "order": i(3, high=3)},
    (
        ("order = order[None]", "order = order.squeeze(0)"),
        ("order = order.tolist()", "order = mx.array(order)"),
        ("order = order.astype(mx.float32)", "order = order.astype(mx.int32)"),
        ("values = values.swapaxes(1, 2)", "values = values.swapaxes(1, 2)"),
        (
            "keys = keys[:1]\nvalues = values[:1]",
            "keys = mx.repeat(keys, 3, axis=0)\nvalues = mx.repeat(values, 3, axis=0)",
        ),
        (
            "keys, values = keys[None], values[None]",
            "keys, values = keys.squeeze(0), values.squeeze(0)",
        ),
        ("values = values[:, :, :9]", "keys = keys[:, :, :9]"),
        (
            "keys = keys.reshape(3, 2, 176)\nvalues = values.reshape(3, 2, 176)",
            "keys = keys.reshape(3, 2, 11, 16)\nvalues = values.reshape(3, 2, 11, 16)",
        ),
    ),
)


def attend_layers(
    x: Float[A, "batch tokens hidden"],
    cache: list[
        tuple[Float[A, "batch kv_heads seen head_dim"], Float[A, "batch kv_heads seen head_dim"]]
    ],
    mask: Bool[A, "tokens seen"],
) -> Float[A, "batch tokens hidden"]:
    return x


LAYERS = Component(
    attend_layers,
    lambda: {
        "x": a(B, L, HID),
        "cache": [(a(B, KV, S, D), a(B, KV, S, D)) for _ in range(3)],
        "mask": mx.ones((L, S), dtype=mx.bool_),
    },
    (
        (
            "cache[1] = (cache[1][0].swapaxes(1, 2), cache[1][1])",
            "cache[1] = (cache[1][0].swapaxes(1, 2), cache[1][1])",
        ),
        (
            "cache[2] = (cache[2][0], cache[2][1][:, :, :8])",
            "cache[2] = (cache[2][0], mx.pad(cache[2][1], [(0, 0), (0, 0), (0, 3), (0, 0)]))",
        ),
        ("cache = tuple(cache)", "cache = list(cache)"),
        ("cache[0] = list(cache[0])", "cache[0] = tuple(cache[0])"),
        ("mask = mask[None]", "mask = mask.squeeze(0)"),
        ("mask = mask.T", "mask = mask.T"),
        (
            "cache[0] = (cache[0][0].astype(mx.int32), cache[0][1])",
            "cache[0] = (cache[0][0].astype(mx.float32), cache[0][1])",
        ),
        ("x = x[0]", "x = mx.broadcast_to(x[None], (2, 7, 128))"),
    ),
)


def scan_state(
    x: Float[A, "batch tokens channels"],
    dt: Float[A, "batch tokens channels"],
    decay: Float[A, "channels states"],
    b: Float[A, "batch tokens states"],
    c: Float[A, "batch tokens states"],
) -> Float[A, "batch tokens channels"]:
    state = mx.zeros((x.shape[0], x.shape[2], decay.shape[1]))
    out = []
    for t in range(x.shape[1]):
        state = (
            state * mx.exp(-dt[:, t, :, None] * decay)
            + (dt[:, t] * x[:, t])[..., None] * b[:, t, None]
        )
        out.append((state * c[:, t, None]).sum(-1))
    return mx.stack(out, axis=1)


SCAN = Component(
    scan_state,
    lambda: {
        "x": a(B, L, 24),
        "dt": a(B, L, 24),
        "decay": a(24, 5),
        "b": a(B, L, 5),
        "c": a(B, L, 5),
    },
    (
        ("decay = decay.T", "decay = decay.T"),
        ("x = x.swapaxes(1, 2)", "x = x.swapaxes(1, 2)"),
        (
            "x = x.swapaxes(1, 2)\ndt = dt.swapaxes(1, 2)",
            "x = x.swapaxes(1, 2)\ndt = dt.swapaxes(1, 2)",
        ),
        (
            "b = b.swapaxes(1, 2)\nc = c.swapaxes(1, 2)",
            "b = b.swapaxes(1, 2)\nc = c.swapaxes(1, 2)",
        ),
        ("dt, b = b, dt", "dt, b = b, dt"),
        ("x, c = c, x", "x, c = c, x"),
        ("dt = dt[0]", "dt = mx.broadcast_to(dt[None], (2, 7, 24))"),
        ("dt = dt[..., 0]", "dt = mx.broadcast_to(dt[..., None], (2, 7, 24))"),
        ("b = b[:, :6]", "b = mx.pad(b, [(0, 0), (0, 1), (0, 0)])"),
    ),
)

COMPONENTS = (
    ATTENTION, REPEATED, OUTPUT, QKV, SWIGLU, GELU, RMS, LAYER, QK_NORM, EMBED, POSITIONS, LOGITS,
    CACHE, POOL, ROTATE, LORA, ROUTE, EXPERTS, LOSS, SAMPLE, ALIBI, AUDIO, PATCHES, BEAMS, LAYERS,
    SCAN,
)  # fmt: skip
CASES = tuple(Case(it, *pair) for it in COMPONENTS for pair in it.mistakes)
NAMES = {"mx": mx, "np": np}
