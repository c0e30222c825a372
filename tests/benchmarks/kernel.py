"""Times the kernel against MLX's own operations, in one run, on the default device.

`python tests/benchmarks/kernel.py` prints a table for every shape and the whole decode step;
`--quick` does one shape.
"""

import argparse
import random
import time

import mlx.core as mx

from ropeguard import KVPool, rope_pool_fused


BASE = 1e4
LAYERS = 20
REPEATS = 5
IN_A_ROW = 3
SHAPES = ((32, 8, 128), (32, 8, 64), (32, 8, 256), (16, 16, 64), (16, 16, 128), (16, 16, 256))
TOKENS = (1, 16, 64, 256, 1024, 4096, 16_384)


def microseconds(steps, repeats=REPEATS):
    """Return for each step the best of several runs, three in a row in turns, after a warm-up.

    A server does the same again and again: the first of a row finds caches and buffers of others.
    """
    best = [float("inf")] * len(steps)
    for turn in range(repeats + 1):
        for i, step in [pair for pair in enumerate(steps) for _ in range(IN_A_ROW)]:
            mx.synchronize()
            start = time.perf_counter()
            step()
            mx.synchronize()
            if turn:
                best[i] = min(best[i], time.perf_counter() - start)
    return [1e6 * it for it in best]


def copy_bandwidth():
    """Return bytes read and written per microsecond by a large copy."""
    x = mx.zeros((1 << (30 if mx.default_device().type == mx.gpu else 24),), mx.bfloat16)
    mx.eval(x)
    (spent,) = microseconds([lambda: mx.eval(x + 1)])
    return 2 * x.nbytes / spent


def composed(q, k, v, positions, slots, k_pool, v_pool):
    """Return what users write today: two rotations and two scatters."""
    rope = {"dims": q.shape[-1], "traditional": False, "base": BASE, "scale": 1.0}
    q = mx.fast.rope(q[:, :, None], **rope, offset=positions)[:, :, 0]
    k = mx.fast.rope(k[:, :, None], **rope, offset=positions)[:, :, 0]
    k_pool, v_pool = k_pool[...], v_pool[...]
    k_pool[slots] = k
    v_pool[slots] = v
    return q, k_pool, v_pool


class Layers:
    """Twenty layers one after another on the same arrays, in every way that is compared."""

    def __init__(self, tokens, heads, kv_heads, head_dim, rows, dtype):
        self.numbers = {"head_dim": head_dim, "num_qo_heads": heads, "num_kv_heads": kv_heads}
        self.qkv = [
            mx.random.normal((tokens, n, head_dim)).astype(dtype)
            for n in (heads, kv_heads, kv_heads)
        ]
        self.positions = mx.arange(tokens, dtype=mx.int32)
        self.listed = random.Random(0).sample(range(rows), tokens)
        self.array = mx.array(self.listed, dtype=mx.int32)
        self.pools = [mx.zeros((rows, kv_heads, head_dim), dtype) for _ in range(2)]
        self.pool = KVPool(1, rows, kv_heads=kv_heads, head_dim=head_dim, dtype=dtype)
        mx.eval(self.qkv, self.positions, self.array, self.pools)
        self.run = self.pool.slots(range(7, 7 + tokens))
        part, apart = -(-tokens // 4), rows // 4
        starts = [apart * (it // part) for it in range(tokens)]
        self.four = self.pool.slots([starts[it] + it % part for it in range(tokens)])

    def composed(self):
        out = []
        for _ in range(LAYERS):
            q, *self.pools = composed(*self.qkv, self.positions, self.array, *self.pools)
            out.append(q)
        mx.eval(out, self.pools)

    def function(self):
        out = []
        for _ in range(LAYERS):
            arguments = (*self.qkv, self.positions, self.array, *self.pools)
            q, _, *self.pools = rope_pool_fused(*arguments, rope_base=BASE, **self.numbers)
            del arguments
            out.append(q)
        mx.eval(out, self.pools)

    def spared(self):
        out = []
        for _ in range(LAYERS):
            arguments = (*self.qkv, self.positions, self.array, *self.pools)
            q, _, *self.pools = rope_pool_fused(
                *arguments, rope_base=BASE, spare_row=0, **self.numbers
            )
            del arguments
            out.append(q)
        mx.eval(out, self.pools)

    def _pool(self, slots):
        out = [
            self.pool.append(0, *self.qkv, self.positions, slots, rope_base=BASE)[0]
            for _ in range(LAYERS)
        ]
        mx.eval(out, self.pool.arrays(0))

    def by_array(self):
        self._pool(self.pool.slots(self.array))

    def by_run(self):
        self._pool(self.run)

    def by_four(self):
        self._pool(self.four)


def table(shape, dtype, rows, bandwidth, most):
    """Print a table: microseconds a layer, and how many times as fast as composed."""
    heads, kv_heads, head_dim = shape
    print(f"\n{heads}/{kv_heads} heads of {head_dim}, {str(dtype)[9:]}, pools of {rows:,} rows")
    names = ("composed", "array", "one run", "four runs", "spare row", "rope_pool_fused")
    print(f"{'tokens':>7}" + "".join(f"{name:>18}" for name in names) + f"{'floor':>9}")
    for tokens in (it for it in TOKENS if it <= most):
        it = Layers(tokens, *shape, rows, dtype)
        ways = [it.composed, it.by_array, it.by_run, it.by_four, it.spared, it.function]
        spent = [us / LAYERS for us in microseconds(ways)]
        row = tokens * head_dim * mx.zeros(1, dtype).nbytes
        floor = row * (2 * heads + 5 * kv_heads) / bandwidth
        cells = [f"{us:>10.1f} {spent[0] / us:>5.2f}x " for us in spent]
        print(f"{tokens:>7,}" + "".join(cells) + f"{floor:>9.1f}", flush=True)


class Decode:
    """Decode steps of 32 layers with attention, a batch of sequences with the same context."""

    LAYERS, HEADS, KV_HEADS, HEAD_DIM, BATCH, CONTEXT = 32, 32, 8, 128, 16, 1024

    def __init__(self):
        self.rows = self.BATCH * self.CONTEXT
        self.pool = KVPool(self.LAYERS, self.rows, kv_heads=self.KV_HEADS, head_dim=self.HEAD_DIM)
        shape = (self.rows + 1, self.KV_HEADS, self.HEAD_DIM)
        self.pools = [[mx.zeros(shape, mx.bfloat16) for _ in "kv"] for _ in range(self.LAYERS)]
        self.table = mx.arange(self.rows).reshape(self.BATCH, self.CONTEXT)
        self.weights = (mx.random.normal((1, 8192)) / 100).astype(mx.bfloat16)
        self.step = 0
        mx.eval(self.pools, self.table, self.weights)

    def place(self):
        self.step += 1
        rows = [self.CONTEXT * it + self.step % self.CONTEXT for it in range(self.BATCH)]
        return rows, mx.full((self.BATCH,), self.step, mx.int32)

    def attend(self, q, keys, values, more=()):
        keys, values = keys[self.table], values[self.table]
        if more:
            keys, values = (
                mx.concatenate([x, y.reshape(self.BATCH, -1, *y.shape[1:])], axis=1)
                for x, y in zip((keys, values), more, strict=True)
            )
        out = mx.fast.scaled_dot_product_attention(
            q[:, :, None], keys.swapaxes(1, 2), values.swapaxes(1, 2), scale=0.09
        )
        return out.reshape(self.BATCH, -1)

    def qkv(self, x):
        mixed = mx.concatenate([x, x[:, :2048]], axis=-1) * self.weights[:, :6144]
        q, k, v = mx.split(mixed, [4096, 5120], axis=-1)
        return [y.reshape(self.BATCH, -1, self.HEAD_DIM) for y in (q, k, v)]

    def composed(self, x):
        rows, positions = self.place()
        slots = mx.array(rows, dtype=mx.int32)
        for layer in range(self.LAYERS):
            pools = self.pools[layer]
            q, *self.pools[layer] = composed(*self.qkv(x), positions, slots, *pools)
            del pools
            x = x + self.attend(q, *self.pools[layer])
        return x

    def ours(self, x):
        rows, positions = self.place()
        slots = self.pool.slots(rows)
        for layer in range(self.LAYERS):
            q, _ = self.pool.append(layer, *self.qkv(x), positions, slots, rope_base=BASE)
            x = x + self.attend(q, *self.pool.arrays(layer))
        return x

    def deferred(self, x):
        rows, positions = self.place()
        slots = self.pool.slots(rows)
        for layer in range(self.LAYERS):
            q, _ = self.pool.append(
                layer, *self.qkv(x), positions, slots, rope_base=BASE, defer=True
            )
            x = x + self.attend(q, *self.pool.arrays(layer), self.pool.pending(layer))
        return x


def run_steps(step, x, depth, commit=None, every=16, count=64):
    """Return milliseconds a step with so many in flight, and the peak of memory in MiB."""

    def go(count):
        flying = []
        out = x
        for i in range(count):
            out = step(out)
            mx.async_eval(out)
            flying.append(out)
            while len(flying) > depth:
                mx.eval(flying.pop(0))
            if commit is not None and i % every == every - 1:
                mx.eval(flying)
                commit()
        mx.eval(flying)
        mx.synchronize()

    go(8 if commit is None else every)
    mx.reset_peak_memory()
    before, start = mx.get_active_memory(), time.perf_counter()
    go(count)
    return 1e3 * (time.perf_counter() - start) / count, (mx.get_peak_memory() - before) / 2**20


def decode():
    """Print the time of a whole decode step and the memory that it takes beyond the pools."""
    it = Decode()
    x = mx.random.normal((it.BATCH, 4096)).astype(mx.bfloat16)
    pools = 2 * it.LAYERS * (it.rows + 1) * it.KV_HEADS * it.HEAD_DIM * 2 / 2**20
    print(f"\ndecode, {it.LAYERS} layers, batch {it.BATCH}, context {it.CONTEXT}, {pools:.0f} MiB")
    for depth in (0, 1):
        for name, step, commit in (
            ("composed", it.composed, None),
            ("KVPool", it.ours, None),
            ("KVPool, deferred by 16 steps", it.deferred, it.pool.commit),
        ):
            spent, extra = run_steps(step, x, depth, commit)
            print(f"  {depth} in flight, {name:<30}{spent:8.2f} ms a step, peak +{extra:.0f} MiB")


def memory():
    """Print how active memory moves over a thousand steps."""
    pool = KVPool(1, 1024, kv_heads=8, head_dim=128)
    q, k, v = (mx.random.normal((4, n, 128)).astype(mx.bfloat16) for n in (32, 8, 8))
    positions, active = mx.arange(4, dtype=mx.int32), []
    for step in range(1000):
        slots = pool.slots([(4 * step + i) % 1024 for i in range(4)])
        out, _ = pool.append(0, q, k, v, positions, slots, rope_base=BASE)
        mx.eval(out, pool.arrays(0))
        active.append(mx.get_active_memory())
    print(f"\nactive memory over 1,000 steps: {min(active[10:])} to {max(active[10:])} bytes")


def main():
    """Print everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--most", type=int, default=TOKENS[-1])
    parser.add_argument("--rows", type=int, default=65_536)
    options = parser.parse_args()
    bandwidth = copy_bandwidth()
    print(f"MLX {mx.__version__}, {mx.default_device()}, copy {bandwidth / 1e6:.2f} TB/s")
    for shape in SHAPES[: 1 if options.quick else None]:
        table(shape, mx.bfloat16, options.rows, bandwidth, options.most)
    decode()
    memory()


if __name__ == "__main__":
    main()
