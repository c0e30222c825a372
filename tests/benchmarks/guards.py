"""What a passing guard costs, against checks written by hand and against jaxtyping with beartype.

Run it: python tests/benchmarks/guards.py [ROUNDS]

Every number is the least CPU time of many rounds, in which the variants take turns, less that of
the bare call. Ratios of one run are what to compare; microseconds are this machine's.
"""

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import mlx.core as mx
from beartype import beartype
from jaxtyping import Float, Int32, jaxtyped

import ropeguard
from ropeguard import guard


CALLS = 200


class Case(NamedTuple):
    """One function in its variants, with the arguments of a passing call."""

    name: str
    variants: dict[str, Callable[..., object]]
    args: tuple[object, ...]
    kwargs: dict[str, object]


def seconds(function, args, kwargs):
    start = time.thread_time()
    for _ in range(CALLS):
        function(*args, **kwargs)
    return (time.thread_time() - start) / CALLS


def measure(case, rounds):
    """Return the least time of each variant, in microseconds, less the bare call's."""
    best = dict.fromkeys(case.variants, float("inf"))
    for _ in range(rounds):
        for name, function in case.variants.items():
            best[name] = min(best[name], seconds(function, case.args, case.kwargs))
    return {name: (least - best["bare"]) * 1e6 for name, least in best.items()}


def fail(message):
    raise ValueError(message)


def hand(q, k, v, positions, slots, k_pool, v_pool, head_dim, num_qo_heads, num_kv_heads):
    """The eleven checks of the wrapper that the kernel comes from, in its order."""
    if q.ndim != 3 or k.ndim != 3 or v.ndim != 3:
        fail("expects q/k/v to be 3-D")
    if positions.ndim != 1 or slots.ndim != 1:
        fail("expects positions/slots to be 1-D")
    if k_pool.ndim != 3 or v_pool.ndim != 3:
        fail("expects pool tensors to be 3-D")
    q_shape, k_shape, v_shape = tuple(q.shape), tuple(k.shape), tuple(v.shape)
    positions_shape, slots_shape = tuple(positions.shape), tuple(slots.shape)
    k_pool_shape, v_pool_shape = tuple(k_pool.shape), tuple(v_pool.shape)
    if q_shape != (q_shape[0], num_qo_heads, head_dim):
        fail("q shape")
    if k_shape != (q_shape[0], num_kv_heads, head_dim):
        fail("k shape")
    if v_shape != k_shape:
        fail("v shape must match k shape")
    if positions_shape != (q_shape[0],) or slots_shape != (q_shape[0],):
        fail("one entry per token")
    if k_pool_shape[1:] != (num_kv_heads, head_dim):
        fail("k_pool has incompatible shape")
    if v_pool_shape != k_pool_shape:
        fail("v_pool shape must match k_pool shape")
    if q.dtype != k.dtype or q.dtype != v.dtype:
        fail("q/k/v dtypes must match")
    if k_pool.dtype != q.dtype or v_pool.dtype != q.dtype:
        fail("pool dtypes must match q/k/v dtype")


def bare7(q, k, v, positions, slots, k_pool, v_pool):
    return q


def hand7(q, k, v, positions, slots, k_pool, v_pool):
    hand(q, k, v, positions, slots, k_pool, v_pool, 128, 32, 8)
    return q


def named7(
    q: Float[mx.array, "tokens heads head_dim"],
    k: Float[mx.array, "tokens kv_heads head_dim"],
    v: Float[mx.array, "tokens kv_heads head_dim"],
    positions: Int32[mx.array, " tokens"],
    slots: Int32[mx.array, " tokens"],
    k_pool: Float[mx.array, "pool kv_heads head_dim"],
    v_pool: Float[mx.array, "pool kv_heads head_dim"],
):
    return q


def bare11(q, k, v, positions, slots, k_pool, v_pool, *, head_dim, heads, kv_heads):
    return q


def hand11(q, k, v, positions, slots, k_pool, v_pool, *, head_dim, heads, kv_heads):
    hand(q, k, v, positions, slots, k_pool, v_pool, head_dim, heads, kv_heads)
    return q


def braces7(
    q: Float[mx.array, "tokens {heads} {head_dim}"],
    k: Float[mx.array, "tokens {kv_heads} {head_dim}"],
    v: Float[mx.array, "tokens {kv_heads} {head_dim}"],
    positions: Int32[mx.array, " tokens"],
    slots: Int32[mx.array, " tokens"],
    k_pool: Float[mx.array, "pool {kv_heads} {head_dim}"],
    v_pool: Float[mx.array, "pool {kv_heads} {head_dim}"],
    *,
    head_dim: int,
    heads: int,
    kv_heads: int,
):
    return q


def returning7(
    q: Float[mx.array, "tokens heads head_dim"],
    k: Float[mx.array, "tokens kv_heads head_dim"],
    v: Float[mx.array, "tokens kv_heads head_dim"],
    positions: Int32[mx.array, " tokens"],
    slots: Int32[mx.array, " tokens"],
    k_pool: Float[mx.array, "pool kv_heads head_dim"],
    v_pool: Float[mx.array, "pool kv_heads head_dim"],
) -> Float[mx.array, "tokens heads head_dim"]:
    return q


def bare1(x):
    return x


def hand1(x):
    if x.ndim != 2 or x.dtype != mx.float32:
        fail("x")
    return x


def named1(x: Float[mx.array, "n d"]):
    return x


def hand_return1(x):
    if x.ndim != 2 or x.dtype != mx.float32:
        fail("x")
    out = x
    if out.shape != x.shape or out.dtype != mx.float32:
        fail("out")
    return out


def returning1(x: Float[mx.array, "n d"]) -> Float[mx.array, "n d"]:
    return x


def bare2(x, y):
    return x


def hand_symbolic(x, y):
    if x.ndim != 2 or y.ndim != 2 or y.shape != (2 * x.shape[0], x.shape[1]):
        fail("shape")
    if x.dtype != mx.float32 or y.dtype != mx.float32:
        fail("dtype")
    return x


def symbolic(x: Float[mx.array, "n d"], y: Float[mx.array, "2*n d"]):
    return x


class Bare:
    def call(self, x):
        return x


class Hand:
    width = 64

    def call(self, x):
        if x.ndim != 2 or x.shape[1] != self.width or x.dtype != mx.float32:
            fail("x")
        return x


class Annotated:
    width = 64

    def call(self, x: Float[mx.array, "n {self.width}"]):
        return x


def both(function):
    """Return our variant and the peer's."""
    return {"ropeguard": guard(function), "jaxtyping": jaxtyped(function, typechecker=beartype)}


def cases():
    q = mx.zeros((4, 32, 128), mx.float16)
    k = mx.zeros((4, 8, 128), mx.float16)
    places, pool = mx.zeros((4,), mx.int32), mx.zeros((16, 8, 128), mx.float16)
    seven = (q, k, k + 0, places, places + 0, pool, pool + 0)
    numbers = {"head_dim": 128, "heads": 32, "kv_heads": 8}
    x = mx.zeros((4, 64))
    mx.eval(seven, x)
    ours, theirs = (type(name, (), dict(vars(Annotated))) for name in ("Guarded", "Peer"))
    ours.call = guard(Annotated.call)
    theirs.call = jaxtyped(Annotated.__dict__["call"], typechecker=beartype)
    methods = {"bare": Bare().call, "hand": Hand().call}
    methods |= {"ropeguard": ours().call, "jaxtyping": theirs().call}
    seven_by_hand = {"bare": bare7, "hand": hand7}
    eleven_by_hand = {"bare": bare11, "hand": hand11}
    one_by_hand = {"bare": bare1, "hand": hand1}
    result_by_hand = {"bare": bare1, "hand": hand_return1}
    two = (x, mx.zeros((8, 64)))
    return [
        Case("seven arrays, named axes", seven_by_hand | both(named7), seven, {}),
        Case(
            "seven arrays, {} axes",
            eleven_by_hand | both(braces7),
            seven,
            numbers,
        ),
        Case("seven arrays, a result", seven_by_hand | both(returning7), seven, {}),
        Case("one array", one_by_hand | both(named1), (x,), {}),
        Case("one array, a result", result_by_hand | both(returning1), (x,), {}),
        Case("a symbolic axis", {"bare": bare2, "hand": hand_symbolic} | both(symbolic), two, {}),
        Case("a method, {self.width}", methods, (x,), {}),
    ]


def level_costs(rounds):
    """Return what one array and seven cost at each level."""
    seven = cases()[0]
    one = cases()[3]
    rows = []
    for name in ("off", "shapes", "values"):
        ropeguard.set_level(name)
        costs = []
        for case in (one, seven):
            variants = {it: case.variants[it] for it in ("bare", "ropeguard")}
            costs.append(measure(case._replace(variants=variants), rounds)["ropeguard"])
        rows.append((name, *costs))
    ropeguard.set_level("shapes")
    return rows


def generation_cost(rounds=20):
    """Return the least CPU time, in milliseconds, of the first call of a guarded function."""
    case = cases()[0]
    best = float("inf")
    for _ in range(rounds):
        function = guard(named7)
        start = time.thread_time()
        function(*case.args)
        best = min(best, time.thread_time() - start)
    return best * 1e3


def import_cost(program, rounds=12):
    """Return the least CPU time of a fresh process, in milliseconds."""
    best = float("inf")
    measured = "import resource, sys; u = resource.getrusage(resource.RUSAGE_SELF)"
    measured += "; print(u.ru_utime + u.ru_stime)"
    for _ in range(rounds):
        ended = subprocess.run(
            [sys.executable, "-c", f"{program}\n{measured}"],
            capture_output=True,
            text=True,
            check=True,
        )
        best = min(best, float(ended.stdout))
    return best * 1e3


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    gc.disable()
    print(
        "| passing call | hand, us | ropeguard, us | of hand | jaxtyping+beartype, us | of hand |"
    )
    print("|---|---|---|---|---|---|")
    for case in cases():
        cost = measure(case, rounds)
        by_hand, ours, theirs = cost["hand"], cost["ropeguard"], cost["jaxtyping"]
        print(
            f"| {case.name} | {by_hand:.2f} | {ours:.2f} | {ours / by_hand:.2f} |"
            f" {theirs:.1f} | {theirs / by_hand:.1f} |"
        )
    print("\n| level | one array, us | seven arrays, us |\n|---|---|---|")
    for name, one, seven in level_costs(rounds):
        print(f"| {name} | {one:.2f} | {seven:.2f} |")
    bare, ours = import_cost("pass"), import_cost("import ropeguard")
    print(f"\ngeneration at the first call: {generation_cost():.2f} ms")
    print(f"import ropeguard: {ours - bare:.1f} ms over bare Python's {bare:.1f} ms")


if __name__ == "__main__":
    main()
