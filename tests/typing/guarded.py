"""Read by mypy alone: a guarded callable keeps its signature."""

import dataclasses
from collections.abc import Iterator
from typing import Annotated, assert_type

import mlx.core as mx
from jaxtyping import Float, Int32

from ropeguard import ContractError, InRange, Violation, guard, level, rope_pool_fused, set_level


@guard
def scaled(x: Float[mx.array, "n"], *, by: float = 2.0) -> Float[mx.array, "n"]:
    return x * by


@guard
def rows(x: Float[mx.array, "n d"]) -> Iterator[Float[mx.array, "d"]]:
    yield x[0]


@guard
async def later(slots: Annotated[Int32[mx.array, " tokens"], InRange(0, "pool")], pool: int) -> int:
    return pool


@guard
class Layer:
    def __call__(self, x: Float[mx.array, "n"]) -> Float[mx.array, "n"]:
        return x


@guard
@dataclasses.dataclass
class Cache:
    keys: Float[mx.array, "slots dim"]
    used: int = 0


async def use(x: mx.array) -> None:
    assert_type(scaled(x, by=3.0), mx.array)
    assert_type(Layer()(x), mx.array)
    assert_type(Cache(x).used, int)
    assert_type(await later(x, 3), int)
    for row in rows(x):
        assert_type(row, mx.array)
    scaled(x, bye=3.0)  # type: ignore[call-arg]
    scaled("x")  # type: ignore[arg-type]
    Cache()  # type: ignore[call-arg]
    Layer()(3)  # type: ignore[arg-type]


def misuse(error: ContractError) -> None:
    assert_type(error.violation, Violation)
    assert_type(error.code, str)
    set_level("values")
    with level("off"):
        pass


def kernel(x: mx.array, positions: mx.array) -> None:
    out = rope_pool_fused(
        x,
        x,
        x,
        positions,
        positions,
        x,
        x,
        head_dim=64,
        num_qo_heads=8,
        num_kv_heads=2,
        rope_base=1e4,
        angle="f32",
    )
    assert_type(out, tuple[mx.array, mx.array, mx.array, mx.array])
    rope_pool_fused(x)  # type: ignore[call-arg]
