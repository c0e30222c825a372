"""What the annotations reject, and how (items 37 to 40, 42 and 43)."""

import mlx.core as mx
import numpy as np
import pytest
from rope_oracle import INT_MAX, Case, assert_correct, same_bits

import ropeguard
from ropeguard import ContractError, rope_pool_fused


CASE = Case(slots=(3, -1, 0))


def rejected(arrays=(), **numbers):
    """Call with replacements and return the violation of the error that must be raised."""
    with pytest.raises(ContractError) as caught:
        rope_pool_fused(**{**CASE.arrays, **dict(arrays), **CASE.numbers, **numbers})
    assert caught.value.violation.function.endswith("rope_pool_fused")
    return caught.value


def zeros(*shape, dtype=mx.float32):
    return mx.zeros(shape, dtype=dtype)


# The eleven checks of the original wrapper, each with a call that breaks it.
ORIGINAL_CHECKS = {
    "q not 3-D": ({"q": zeros(3, 32)}, "q", "rank"),
    "k not 3-D": ({"k": zeros(1, 3, 2, 8)}, "k", "rank"),
    "v not 3-D": ({"v": zeros(3, 16)}, "v", "rank"),
    "positions not 1-D": ({"positions": zeros(1, 3, dtype=mx.int32)}, "positions", "rank"),
    "slots not 1-D": ({"slots": mx.array(3)}, "slots", "rank"),
    "k_pool not 3-D": ({"k_pool": zeros(8, 16)}, "k_pool", "rank"),
    "v_pool not 3-D": ({"v_pool": zeros(1, 8, 2, 8)}, "v_pool", "rank"),
    "q with other heads": ({"q": zeros(3, 5, 8)}, "q", None),
    "q with another head_dim": ({"q": zeros(3, 4, 16)}, "q", None),
    "k with other heads": ({"k": zeros(3, 4, 8)}, "k", None),
    "k with other tokens": ({"k": zeros(2, 2, 8)}, "k", None),
    "v unlike k": ({"v": zeros(3, 1, 8)}, "v", None),
    "positions with other tokens": ({"positions": zeros(2, dtype=mx.int32)}, "positions", None),
    "slots with other tokens": ({"slots": zeros(4, dtype=mx.int32)}, "slots", None),
    "k_pool with other heads": ({"k_pool": zeros(8, 4, 8)}, "k_pool", None),
    "v_pool of another size": ({"v_pool": zeros(9, 2, 8)}, None, None),
    "k of another dtype": ({"k": zeros(3, 2, 8, dtype=mx.float16)}, "k", "same-dtype"),
    "v of another dtype": ({"v": zeros(3, 2, 8, dtype=mx.bfloat16)}, "v", "same-dtype"),
    "k_pool of another dtype": (
        {"k_pool": zeros(8, 2, 8, dtype=mx.float16)},
        "k_pool",
        "same-dtype",
    ),
    "v_pool of another dtype": (
        {"v_pool": zeros(8, 2, 8, dtype=mx.float16)},
        "v_pool",
        "same-dtype",
    ),
}


@pytest.mark.parametrize("defect", ORIGINAL_CHECKS)
def test_item_38_the_checks_of_the_original_wrapper(defect):
    arrays, argument, kind = ORIGINAL_CHECKS[defect]
    error = rejected(arrays)
    assert isinstance(error, ValueError)
    if argument:
        assert error.violation.argument == argument
    if kind:
        assert error.violation.kind == kind


# What the original says, by how the defects above begin.
ORIGINAL_TEXTS = {
    "q not": "rope_pool_fused expects q/k/v to be 3-D",
    "k not": "rope_pool_fused expects q/k/v to be 3-D",
    "v not": "rope_pool_fused expects q/k/v to be 3-D",
    "positions not": "rope_pool_fused expects positions/slots to be 1-D",
    "slots not": "rope_pool_fused expects positions/slots to be 1-D",
    "k_pool not": "rope_pool_fused expects pool tensors to be 3-D",
    "v_pool not": "rope_pool_fused expects pool tensors to be 3-D",
    "q with": "q shape must be [num_tokens, num_qo_heads, head_dim], got (3, ",
    "k with": "k shape must be [num_tokens, num_kv_heads, head_dim], got (",
    "v unlike": "v shape must match k shape, got (3, 1, 8) vs (3, 2, 8)",
    "positions with": "positions/slots must have one entry per token",
    "slots with": "positions/slots must have one entry per token",
    "k_pool with": "k_pool has incompatible shape (8, 4, 8)",
    "v_pool of another size": "v_pool shape must match k_pool shape, got (9, 2, 8) vs (8, 2, 8)",
    "k of": "q/k/v dtypes must match",
    "v of": "q/k/v dtypes must match",
    "k_pool of another dtype": "pool dtypes must match q/k/v dtype",
    "v_pool of another dtype": "pool dtypes must match q/k/v dtype",
}


@pytest.mark.parametrize("defect", ORIGINAL_CHECKS)
def test_item_38_messages_begin_as_those_of_the_original(defect):
    text = next(text for start, text in ORIGINAL_TEXTS.items() if defect.startswith(start))
    assert str(rejected(ORIGINAL_CHECKS[defect][0])).startswith(text)


@pytest.mark.parametrize("head_dim", [7, 1, 0, -8])
def test_item_37_head_dim_is_positive_and_even(head_dim):
    size = max(head_dim, 1)
    arrays = {
        "q": zeros(3, 4, size),
        **{name: zeros(3, 2, size) for name in ("k", "v")},
        **{name: zeros(8, 2, size) for name in ("k_pool", "v_pool")},
    }
    assert isinstance(rejected(arrays, head_dim=head_dim), ValueError)


@pytest.mark.parametrize("heads", [(4, 3), (2, 4), (0, 1), (1, 0), (-4, 2)])
def test_item_36_query_heads_are_a_multiple_of_key_heads(heads):
    qo_heads, kv_heads = heads
    qo, kv = max(qo_heads, 1), max(kv_heads, 1)
    arrays = {
        "q": zeros(3, qo, 8),
        **{name: zeros(3, kv, 8) for name in ("k", "v")},
        **{name: zeros(8, kv, 8) for name in ("k_pool", "v_pool")},
    }
    assert isinstance(rejected(arrays, num_qo_heads=qo_heads, num_kv_heads=kv_heads), ValueError)


@pytest.mark.parametrize("name", ["positions", "slots"])
@pytest.mark.parametrize(
    "dtype", [mx.int64, mx.uint32, mx.int16, mx.int8, mx.uint8, mx.bool_, mx.float32]
)
def test_item_39_positions_and_slots_are_int32(name, dtype):
    error = rejected({name: CASE.arrays[name].astype(dtype)})
    assert isinstance(error, ValueError)
    assert (error.violation.argument, error.violation.kind) == (name, "dtype")


@pytest.mark.parametrize("dtype", [mx.int32, mx.uint8, mx.complex64, mx.bool_])
def test_item_39_queries_are_floats_of_16_or_32_bits(dtype):
    error = rejected({"q": CASE.arrays["q"].astype(dtype)})
    assert (error.violation.argument, error.violation.kind) == ("q", "dtype")


@pytest.mark.parametrize("name", CASE.arrays)
@pytest.mark.parametrize("form", [np.array, lambda x: x.tolist(), lambda x: 3, lambda x: None])
def test_item_40_what_is_not_an_mlx_array_is_a_type_error(name, form):
    error = rejected({name: form(CASE.arrays[name])})
    assert isinstance(error, TypeError)
    assert error.violation.argument == name


def test_item_42_one_array_as_both_pools_is_an_error():
    error = rejected({"v_pool": (pool := CASE.arrays["k_pool"]), "k_pool": pool})
    assert isinstance(error, ValueError)
    assert error.violation.kind == "alias"


@pytest.mark.parametrize("rope_base", [0.0, -1.0, -1, 0, float("nan"), float("inf")])
def test_item_43_rope_base_is_a_finite_positive_number(rope_base):
    error = rejected(rope_base=rope_base)
    assert isinstance(error, ValueError)
    assert error.violation.argument == "rope_base"


def test_item_43_an_integer_base_is_the_float():
    assert same_bits(Case(rope_base=10_000).call()[0], Case(rope_base=10_000.0).call()[0])


@pytest.mark.parametrize("angle", ["F32", "fast", None, 1])
def test_item_12_other_angles_are_an_error(angle):
    assert rejected(angle=angle).violation.argument == "angle"


@pytest.mark.parametrize("slots", [(3, 8, 0), (3, INT_MAX, 0), (3, 1, 3)])
def test_items_26_and_28_level_values_tells_of_slots_that_the_kernel_tolerates(slots):
    case = Case(slots=slots)
    assert_correct(case)
    with ropeguard.level("values"), pytest.raises(ContractError) as caught:
        case.call()
    assert caught.value.violation.argument == "slots"


def test_item_24_level_values_allows_negative_slots_to_repeat():
    case = Case(slots=(-1, 3, -1, -7))
    with ropeguard.level("values"):
        assert_correct(case)


def test_item_14_level_values_tells_of_negative_positions():
    with ropeguard.level("values"), pytest.raises(ContractError) as caught:
        Case(positions=(3, -1, 0)).call()
    assert caught.value.violation.argument == "positions"


def test_contracts_hold_inside_transformations():
    def call(q):
        return CASE.call(q=q)[0]

    with pytest.raises(ContractError):
        mx.vmap(call)(zeros(2, 3, 5, 8))
    with pytest.raises(ContractError):
        mx.grad(lambda q: call(q).sum())(zeros(3, 5, 8))
