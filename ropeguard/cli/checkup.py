"""What `ropeguard doctor` runs: each device, the kernel on it, and a guard that must refuse."""

import math
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from typing import Any

from jaxtyping import Float, Int32

from ropeguard.contracts.backend import mx
from ropeguard.diagnosis import ContractError
from ropeguard.guards import guard, level
from ropeguard.kernels import rope_pool_fused


Line = tuple[str, str, bool | None]
BOUND = 5e-7
HEAD_DIM, POOL = 64, 8
POSITIONS = (0, 1, 1_000, 131_071, 10_000_019, 2**31 - 1)
# 2 pi to 50 digits, from the published expansion of pi (OEIS A000796).
_TURN = 2 * Decimal("3.14159265358979323846264338327950288419716939937510")


def devices() -> list[mx.Device]:
    """Return the devices that MLX can use here."""
    kinds = (mx.cpu, mx.gpu)
    return [mx.Device(kind, 0) for kind in kinds if mx.is_available(mx.Device(kind, 0))]


def check_devices() -> Iterator[Line]:
    """Run one small operation on each device."""
    yield "default device", str(mx.default_device()), None
    for device in devices():
        with mx.stream(device):
            total = mx.arange(4).sum().item()
        yield (
            f"MLX on {device.type.name}",
            "runs" if total == 6 else f"0+1+2+3 = {total}",
            total == 6,
        )


def check_kernel() -> Iterator[Line]:
    """Compare the kernel with exact angles on each device, and look at every row of the pool."""
    for device in devices():
        name = f"kernel on {device.type.name}"
        with mx.stream(device):
            worst = max(_angle_error(base) for base in (1e4, 5e5, 1e7))
            wrong = _wrong_rows()
        held = worst <= BOUND
        yield f"{name}, angles", f"error {worst:.1e}, bound {BOUND:.0e}, to position 2^31 - 1", held
        found = f"rows {wrong} differ" if wrong else "written, skipped and refused as documented"
        yield f"{name}, pool", found, not wrong


def _angle_error(base: float) -> float:
    """Return the largest error of a cosine or a sine: a unit vector turns into both of them."""
    tokens, half = len(POSITIONS), HEAD_DIM // 2
    unit = mx.concatenate([mx.ones((tokens, 1, half)), mx.zeros((tokens, 1, half))], axis=-1)
    positions = mx.array(POSITIONS, mx.int32)
    turned: Any = _call(unit, unit, positions, mx.full((tokens,), -1, mx.int32), base)[0].tolist()
    return max(
        abs(float(got) - exact)
        for row, position in zip(turned, POSITIONS, strict=True)
        for got, exact in zip(row[0], _exact_row(position, base), strict=True)
    )


def _exact_row(position: int, base: float) -> list[float]:
    """Return the cosines, then the sines, of a position's angles, reduced with 50 digits."""
    with localcontext() as context:
        context.prec = 50
        frequencies = [
            (-Decimal(2 * i) / HEAD_DIM * Decimal(base).ln()).exp() for i in range(HEAD_DIM // 2)
        ]
        angles = [float(position * frequency % _TURN) for frequency in frequencies]
    return [math.cos(angle) for angle in angles] + [math.sin(angle) for angle in angles]


def _wrong_rows() -> list[int]:
    """Return the rows of the pool that are not as they should be after a write.

    Token 0 has slot 3, token 1 none, token 2 one past the end, token 3 the last.
    """
    slots = mx.array([3, -1, POOL, POOL - 1], mx.int32)
    rows = mx.random.normal((4, 1, HEAD_DIM), key=mx.random.key(0))
    _, rotated, k_pool, v_pool = _call(rows, rows, mx.arange(4, dtype=mx.int32), slots, 1e4)
    wrong = []
    for row in range(POOL):
        token = {3: 0, POOL - 1: 3}.get(row)
        k = mx.ones((1, HEAD_DIM)) if token is None else rotated[token]
        v = mx.ones((1, HEAD_DIM)) if token is None else rows[token]
        if not (mx.array_equal(k_pool[row], k).item() and mx.array_equal(v_pool[row], v).item()):
            wrong.append(row)
    return wrong


def _call(
    q: mx.array, k: mx.array, positions: mx.array, slots: mx.array, base: float
) -> tuple[mx.array, mx.array, mx.array, mx.array]:
    return rope_pool_fused(
        q,
        k,
        k,
        positions,
        slots,
        mx.ones((POOL, 1, HEAD_DIM)),
        mx.ones((POOL, 1, HEAD_DIM)) + 0,
        head_dim=HEAD_DIM,
        num_qo_heads=1,
        num_kv_heads=1,
        rope_base=base,
    )


class Attention:
    """One attention layer over the KV pool, guarded as a user would guard it."""

    def __init__(self, width: int, heads: int) -> None:
        self.heads, self.head_dim = heads, width // heads
        self.qkv = mx.random.normal((width, 3 * width), key=mx.random.key(1)) * width**-0.5

    @guard
    def __call__(
        self,
        x: Float[mx.array, "tokens width"],
        positions: Int32[mx.array, " tokens"],
        k_pool: Float[mx.array, "pool {self.heads} {self.head_dim}"],
        v_pool: Float[mx.array, "pool {self.heads} {self.head_dim}"],
    ) -> Float[mx.array, "tokens width"]:
        """Attend over the tokens, which are kept in the first rows of the pool."""
        tokens = x.shape[0]
        q, k, v = mx.split((x @ self.qkv).reshape(tokens, 3 * self.heads, self.head_dim), 3, axis=1)
        q, _, k_pool, v_pool = rope_pool_fused(
            q,
            k,
            v,
            positions,
            mx.arange(tokens, dtype=mx.int32),
            k_pool,
            v_pool,
            head_dim=self.head_dim,
            num_qo_heads=self.heads,
            num_kv_heads=self.heads,
            rope_base=1e4,
        )
        keys, values = (pool[:tokens].swapaxes(0, 1)[None] for pool in (k_pool, v_pool))
        out = mx.fast.scaled_dot_product_attention(
            q.swapaxes(0, 1)[None], keys, values, scale=self.head_dim**-0.5, mask="causal"
        )
        return out[0].swapaxes(0, 1).reshape(tokens, -1)


def check_guard() -> Iterator[Line]:
    """Call a guarded layer right, then wrong: the second has to end in its record."""
    layer = Attention(width=128, heads=2)
    x, pools = mx.ones((4, 128)), [mx.zeros((16, 2, HEAD_DIM)), mx.zeros((16, 2, HEAD_DIM)) + 0]
    with level("values"):
        out = layer(x, mx.arange(4, dtype=mx.int32), *pools)
        held = out.shape == (4, 128) and bool(mx.isfinite(out).all().item())
        yield "guarded layer", f"called right, returned {out.shape}", held
        try:
            layer(x, mx.arange(5, dtype=mx.int32), *pools)
        except ContractError as refusal:
            told = str(refusal).partition("\n")[0]
            yield "the same, misused", told, refusal.slug == "argument-size-conflict"
        else:
            yield "the same, misused", "was not refused", False


CHECKS: tuple[Callable[[], Iterator[Line]], ...] = (check_devices, check_kernel, check_guard)
