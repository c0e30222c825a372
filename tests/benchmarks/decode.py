"""What guards cost in a whole program: a 32-layer decode step with every function guarded.

Run it: python tests/benchmarks/decode.py [STEPS]

Steps are taken in turn with guards at level `shapes` and at level `off`; the least and the median
CPU time of each are compared. The step is then run inside `mx.compile`, where a guard runs while
the function is traced and not afterwards.
"""

import statistics
import sys
import time

import mlx.core as mx
from jaxtyping import Float, Int32

import ropeguard
from ropeguard import guard, rope_pool_fused


LAYERS, WIDTH, HEADS, KV_HEADS, HEAD_DIM, POOL, BATCH = 32, 512, 8, 2, 64, 64, 4
CALLS = [0]


@guard
def norm(
    x: Float[mx.array, "tokens width"], weight: Float[mx.array, "width"]
) -> Float[mx.array, "tokens width"]:
    CALLS[0] += 1
    return mx.fast.rms_norm(x, weight, 1e-5)


@guard
def project(
    x: Float[mx.array, "tokens width"], weight: Float[mx.array, "width out"]
) -> Float[mx.array, "tokens out"]:
    return x @ weight


@guard
def attend(
    q: Float[mx.array, "tokens heads head_dim"],
    k_pool: Float[mx.array, "pool kv_heads head_dim"],
    v_pool: Float[mx.array, "pool kv_heads head_dim"],
) -> Float[mx.array, "tokens heads head_dim"]:
    keys, values = k_pool.swapaxes(0, 1)[None], v_pool.swapaxes(0, 1)[None]
    q = q.swapaxes(0, 1)[None]
    out = mx.fast.scaled_dot_product_attention(q, keys, values, scale=HEAD_DIM**-0.5)
    return out[0].swapaxes(0, 1)


@guard
def mlp(
    x: Float[mx.array, "tokens width"],
    up: Float[mx.array, "width hidden"],
    down: Float[mx.array, "hidden width"],
) -> Float[mx.array, "tokens width"]:
    hidden = x @ up
    return (hidden * mx.sigmoid(hidden)) @ down


@guard
def layer(
    x: Float[mx.array, "tokens width"],
    weights: dict[str, Float[mx.array, "..."]],
    k_pool: Float[mx.array, "pool kv_heads head_dim"],
    v_pool: Float[mx.array, "pool kv_heads head_dim"],
    positions: Int32[mx.array, " tokens"],
    slots: Int32[mx.array, " tokens"],
) -> tuple[
    Float[mx.array, "tokens width"],
    Float[mx.array, "pool kv_heads head_dim"],
    Float[mx.array, "pool kv_heads head_dim"],
]:
    tokens = x.shape[0]
    qkv = project(norm(x, weights["attention_norm"]), weights["qkv"])
    qkv = qkv.reshape(tokens, HEADS + 2 * KV_HEADS, HEAD_DIM)
    q, k, v = mx.split(qkv, [HEADS, HEADS + KV_HEADS], axis=1)
    q, _, k_pool, v_pool = rope_pool_fused(
        q,
        k,
        v,
        positions,
        slots,
        k_pool,
        v_pool,
        head_dim=HEAD_DIM,
        num_qo_heads=HEADS,
        num_kv_heads=KV_HEADS,
        rope_base=1e4,
    )
    x = x + project(attend(q, k_pool, v_pool).reshape(tokens, -1), weights["out"])
    x = x + mlp(norm(x, weights["mlp_norm"]), weights["up"], weights["down"])
    return x, k_pool, v_pool


def make_weights():
    shapes = {
        "attention_norm": (WIDTH,),
        "qkv": (WIDTH, (HEADS + 2 * KV_HEADS) * HEAD_DIM),
        "out": (HEADS * HEAD_DIM, WIDTH),
        "mlp_norm": (WIDTH,),
        "up": (WIDTH, 4 * WIDTH),
        "down": (4 * WIDTH, WIDTH),
    }
    return {name: mx.random.normal(shape) * 0.02 for name, shape in shapes.items()}


class Model:
    def __init__(self):
        self.weights = [make_weights() for _ in range(LAYERS)]
        self.pools = [
            (mx.zeros((POOL, KV_HEADS, HEAD_DIM)), mx.zeros((POOL, KV_HEADS, HEAD_DIM)))
            for _ in range(LAYERS)
        ]
        mx.eval(self.weights, self.pools)

    def step(self, x, positions, slots):
        for i, weights in enumerate(self.weights):
            k_pool, v_pool = self.pools[i]
            self.pools[i] = (None, None)
            x, *pools = layer(x, weights, k_pool, v_pool, positions, slots)
            del k_pool, v_pool
            self.pools[i] = tuple(pools)
        mx.eval(x, self.pools)
        return x


def seconds(model, x, position):
    positions = mx.full((BATCH,), position, mx.int32)
    slots = mx.arange(BATCH, dtype=mx.int32) + position * BATCH % (POOL - BATCH)
    start = time.process_time()
    model.step(x, positions, slots)
    return time.process_time() - start


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    model, x = Model(), mx.random.normal((BATCH, WIDTH))
    times = {"shapes": [], "off": []}
    for position in range(2 * steps + 4):
        level = ("shapes", "off")[position % 2]
        ropeguard.set_level(level)
        took = seconds(model, x, position)
        if position >= 4:
            times[level].append(took)
    ropeguard.set_level("shapes")
    print(
        "| decode step, 32 layers | guards on, ms | guards off, ms | overhead |\n|---|---|---|---|"
    )
    for name, of in (("least", min), ("median", statistics.median)):
        on, off = of(times["shapes"]) * 1e3, of(times["off"]) * 1e3
        print(f"| {name} CPU time | {on:.2f} | {off:.2f} | {100 * (on / off - 1):.1f} % |")
    CALLS[0] = 0
    compiled = mx.compile(norm)
    for _ in range(10):
        mx.eval(compiled(x, model.weights[0]["mlp_norm"]))
    print(f"\ninside mx.compile, 10 calls: the guarded function ran {CALLS[0]} time")


if __name__ == "__main__":
    main()
