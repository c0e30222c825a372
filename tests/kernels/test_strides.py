"""Arguments of any layout give the results of contiguous ones (item 41)."""

import mlx.core as mx
import pytest
from rope_oracle import Case, assert_correct, same_bits


ARRAYS = ("q", "k", "v", "positions", "slots", "k_pool", "v_pool")
LAYOUTS = {
    "transposed": lambda x: mx.contiguous(x.T).T,
    "last axes swapped": lambda x: (
        mx.contiguous(x.swapaxes(-1, -2)).swapaxes(-1, -2) if x.ndim > 1 else x
    ),
    "every second": lambda x: mx.repeat(x, 2, axis=0)[::2],
    "every second element": lambda x: mx.repeat(x, 2, axis=-1)[..., ::2],
    "reversed": lambda x: mx.contiguous(x[::-1])[::-1],
    "reversed elements": lambda x: mx.contiguous(x[..., ::-1])[..., ::-1],
    "inside a larger array": lambda x: mx.concatenate([x[:1], x, x[:1]])[1:-1],
    "at an odd offset": lambda x: mx.concatenate([x.flatten()[:1], x.flatten()])[1:].reshape(
        x.shape
    ),
    "inside wider rows": lambda x: mx.concatenate([x, x], axis=-1)[..., : x.shape[-1]],
}


def laid_out(x, layout):
    result = LAYOUTS[layout](x)
    mx.eval(result)
    assert mx.array_equal(result, x)
    return result


@pytest.mark.parametrize("dtype", [mx.float32, mx.bfloat16])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*ARRAYS, "all"])
def test_item_41_layouts(name, layout, dtype):
    case = Case(slots=(3, -1, 0, 3, 8), dtype=dtype, qo_heads=2)
    arrays = case.arrays
    names = ARRAYS if name == "all" else (name,)
    result = case.call(**{n: laid_out(arrays[n], layout) for n in names})
    assert all(same_bits(x, y) for x, y in zip(result, case.call(), strict=True))


@pytest.mark.parametrize("dtype", [mx.float32, mx.bfloat16])
def test_item_41_one_token_broadcast(dtype):
    case = Case(slots=(3, 0, 7), dtype=dtype)
    arrays = case.arrays
    repeated = {n: mx.broadcast_to(arrays[n][:1], arrays[n].shape) for n in ("q", "k", "v")}
    repeated["positions"] = mx.broadcast_to(arrays["positions"][:1], (3,))
    assert_correct(case.with_(**repeated))


def test_item_41_one_row_broadcast_to_pools():
    case = Case(slots=(3, 0, 7), dtype=mx.float16)
    row = case.arrays["k_pool"][:1]
    pools = {n: mx.broadcast_to(row, (8, 2, 8)) for n in ("k_pool", "v_pool")}
    assert_correct(case.with_(**pools))


def test_item_41_one_slot_broadcast():
    case = Case(slots=(3, 3, 3)).with_(slots=mx.broadcast_to(mx.array(3, dtype=mx.int32), (3,)))
    assert_correct(case)


@pytest.mark.parametrize("dtype", [mx.float32, mx.bfloat16])
def test_item_41_slices_of_a_fused_projection(dtype):
    batch, tokens, qo_heads, kv_heads, head_dim = 2, 3, 4, 2, 8
    qkv = mx.random.normal((batch, tokens, (qo_heads + 2 * kv_heads) * head_dim)).astype(dtype)
    parts = mx.split(qkv, [qo_heads * head_dim, (qo_heads + kv_heads) * head_dim], axis=-1)
    q, k, v = (x.reshape(batch * tokens, -1, head_dim) for x in parts)
    mx.eval(q, k, v)
    assert_correct(Case(slots=(3, -1, 0, 3, 8, 7), dtype=dtype).with_(q=q, k=k, v=v))


def test_item_41_both_pools_of_one_array():
    both = mx.random.normal((2, 8, 2, 8))
    mx.eval(both)
    assert_correct(Case(slots=(3, -1, 0)).with_(k_pool=both[0], v_pool=both[1]))
