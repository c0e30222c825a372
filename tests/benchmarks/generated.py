"""Contracts and wrong calls of them, generated: a right call, and one mistake made to it.

The contracts are those of `mistakes.py` and others put together from the axes of models. A mistake
is drawn from a list by weight, and made to one argument or to several that are alike.
"""

import math
import random

import mlx.core as mx
from jaxtyping import Bool, Float, Int32
from mistakes import COMPONENTS, Component


A = mx.array
_SIZES = {
    "batch": 2, "heads": 8, "kv_heads": 4, "tokens": 7, "seen": 11, "head_dim": 16, "hidden": 24,
    "inter": 40, "vocab": 50, "experts": 6, "pool": 32, "rank": 3, "groups": 5, "channels": 10,
}  # fmt: skip
_LAYOUTS = (
    "batch heads tokens head_dim", "batch kv_heads seen head_dim", "batch tokens hidden",
    "tokens hidden", "hidden", "inter hidden", "hidden inter", "tokens seen", "batch tokens",
    "pool kv_heads head_dim", "tokens kv_heads head_dim", "tokens heads head_dim", "vocab hidden",
    "experts inter hidden", "batch tokens channels", "channels groups", "batch heads tokens seen",
    "head_dim", "*batch hidden", "batch tokens {n}", "{n} hidden", "tokens", "hidden rank", "seen",
)  # fmt: skip


def contracts():
    """Return the contracts: those with seeded mistakes, and 48 put together."""
    rng = random.Random(11)
    return [*COMPONENTS, *(_composed(rng, number) for number in range(48))]


def _composed(rng, number):
    """Return a contract of two to six arrays, and the number that their axes read."""
    layouts = rng.sample(_LAYOUTS, rng.randint(2, 6))
    kinds = [rng.choices((Float, Int32, Bool), (8, 1, 1))[0] for _ in layouts]
    names = [f"x{i}" for i in range(len(layouts))]
    hints = {
        name: kind[A, layout] for name, kind, layout in zip(names, kinds, layouts, strict=True)
    }
    reads = any("{n}" in layout for layout in layouts)
    header = ", ".join([*names, *(["n"] if reads else [])])
    namespace = {}
    exec(f"def composed_{number}({header}): return None", namespace)
    function = namespace[f"composed_{number}"]
    function.__annotations__ = {**hints, **({"n": int} if reads else {})}
    dtypes = {Float: mx.float32, Int32: mx.int32, Bool: mx.bool_}
    shapes = [
        tuple(9 if axis == "{n}" else _SIZES[axis.strip("*")] for axis in layout.split())
        for layout in layouts
    ]

    def arguments():
        arrays = {
            name: mx.zeros(shape, dtypes[kind])
            for name, shape, kind in zip(names, shapes, kinds, strict=True)
        }
        return {**arrays, **({"n": 9} if reads else {})}

    return Component(function, arguments, ())


def wrong(contract, rng, lazy):
    """Return the arguments of a call with a mistake made to it, and the mistake's name.

    The arrays are lazy: to evaluate one is to evaluate `lazy`.
    """
    arguments = contract.arguments()
    arrays = [name for name, it in arguments.items() if isinstance(it, A)]
    mistake = rng.choices(list(_MISTAKES), [weight for weight, _ in _MISTAKES.values()])[0]
    for name in arrays:
        arguments[name] = (arguments[name] + lazy.astype(arguments[name].dtype)).astype(
            arguments[name].dtype
        )
    name = rng.choice(arrays)
    make = _MISTAKES[mistake][1]
    if mistake == "swap":
        other = rng.choice(list(arguments))
        arguments[name], arguments[other] = arguments[other], arguments[name]
    elif mistake == "number":
        numbers = [it for it, value in arguments.items() if type(value) is int]
        if numbers:
            chosen = rng.choice(numbers)
            arguments[chosen] = rng.choice([arguments[chosen] * 2, arguments[chosen] + 1, 8.0, 1])
    else:
        alike = [it for it in arrays if arguments[it].ndim == arguments[name].ndim]
        chosen = alike if rng.random() < 0.2 else [name]
        made = make(arguments[name], rng)
        if len(chosen) > 1 and mistake in _EVERYWHERE:
            state = rng.getstate()
            for it in chosen:
                rng.setstate(state)
                arguments[it] = make(arguments[it], rng)
        else:
            arguments[name] = made
    return arguments, mistake


def _swap_axes(x, rng):
    if x.ndim < 2:
        return x[None]
    i = rng.randrange(x.ndim - 1)
    return x.swapaxes(i, i + 1)


def _transposed(x, rng):
    order = list(range(x.ndim))
    rng.shuffle(order)
    return x.transpose(order)


def _merged(x, rng):
    if x.ndim < 2:
        return x[None]
    i = rng.randrange(x.ndim - 1)
    shape = (*x.shape[:i], x.shape[i] * x.shape[i + 1], *x.shape[i + 2 :])
    return x.reshape(shape)


def _split(x, rng):
    able = [i for i, size in enumerate(x.shape) if size % 2 == 0 and size > 2]
    if not able:
        return x[..., None]
    i = rng.choice(able)
    return x.reshape(*x.shape[:i], 2, x.shape[i] // 2, *x.shape[i + 1 :])


def _swapped_and_merged(x, rng):
    return _merged(_swap_axes(x, rng), rng)


def _with_one(x, rng):
    return mx.expand_dims(x, rng.randint(0, x.ndim))


def _without_axis(x, rng):
    i = rng.randrange(x.ndim)
    return x[(slice(None),) * i + (0,)]


def _cut(x, rng):
    i = rng.randrange(x.ndim)
    size = x.shape[i]
    return x[(slice(None),) * i + (slice(0, max(1, size - rng.randint(1, 3))),)]


def _grown(x, rng):
    i = rng.randrange(x.ndim)
    widths = [(0, 0)] * x.ndim
    widths[i] = (0, rng.randint(1, 4))
    return mx.pad(x, widths)


def _fewer(x, rng):
    able = [i for i, size in enumerate(x.shape) if size % 2 == 0]
    if not able:
        return x[None]
    i = rng.choice(able)
    return x[(slice(None),) * i + (slice(None, None, 2),)]


def _cast(x, rng):
    return x.astype(rng.choice([mx.int32, mx.int64, mx.float16, mx.float32, mx.bool_, mx.uint32]))


def _stacked(x, rng):
    return mx.stack([x] * rng.randint(2, 3))


def _number(x, _rng):
    return 3 if x.dtype == mx.int32 else 0.5


def _listed(x, _rng):
    nested = 0.5
    for size in reversed(x.shape):
        nested = [nested] * size
    return nested if math.prod(x.shape) < 2000 else x[None]


_MISTAKES = {
    "swap axes": (18, _swap_axes),
    "transpose": (5, _transposed),
    "merge": (10, _merged),
    "swap and merge": (4, _swapped_and_merged),
    "split": (6, _split),
    "axis of 1": (10, _with_one),
    "lost axis": (6, _without_axis),
    "cut": (6, _cut),
    "grown": (7, _grown),
    "every second": (4, _fewer),
    "dtype": (12, _cast),
    "stacked": (3, _stacked),
    "number": (4, None),
    "swap": (8, None),
    "plain number": (1, _number),
    "list": (2, _listed),
}
_EVERYWHERE = {"swap axes", "axis of 1", "dtype", "lost axis", "merge", "stacked"}
