"""Every check of `rope_pool_fused`: its record, its text, everywhere the same, and found again.

`ORIGINAL` holds the texts of the wrapper that the kernel comes from (sgl_kernel/metal.py of
sglang), with the shapes of the wrong call in them, as that wrapper would print them.
"""

import mlx.core as mx
import pytest

import ropeguard
from ropeguard import ContractError, rope_pool_fused
from ropeguard.cli import main


Z = mx.zeros
NUMBERS = {"head_dim": 64, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 1e4}


def arrays():
    return {
        "q": Z((4, 4, 64)),
        "k": Z((4, 2, 64)),
        "v": Z((4, 2, 64)),
        "positions": Z((4,), mx.int32),
        "slots": mx.arange(4, dtype=mx.int32),
        "k_pool": Z((8, 2, 64)),
        "v_pool": Z((8, 2, 64)) + 0,
    }


def i32(*values):
    return mx.array(values, mx.int32)


WRONG = {
    "q-k-v-not-3d": {"q": Z((1, 4, 4, 64))},
    "positions-slots-not-1d": {"positions": Z((1, 4), mx.int32)},
    "pool-not-3d": {"v_pool": Z((8, 128))},
    "q-shape-mismatch": {"q": Z((4, 8, 64))},
    "k-shape-mismatch": {"k": Z((4, 4, 64))},
    "v-shape-mismatch": {"v": Z((5, 2, 64))},
    "positions-slots-length-mismatch": {"slots": Z((5,), mx.int32)},
    "k-pool-shape-mismatch": {"k_pool": Z((8, 2, 128))},
    "v-pool-shape-mismatch": {"v_pool": Z((9, 2, 64))},
    "q-k-v-dtype-mismatch": {"k": Z((4, 2, 64), mx.float16)},
    "pool-dtype-mismatch": {"k_pool": Z((8, 2, 64), mx.bfloat16)},
    "positions-slots-not-int32": {"slots": Z((4,), mx.int64)},
    "q-dtype-unsupported": {"q": Z((4, 4, 64), mx.int32)},
    "head-dim-odd": {
        "q": Z((4, 4, 63)), "k": Z((4, 2, 63)), "v": Z((4, 2, 63)), "head_dim": 63,
        "k_pool": Z((8, 2, 63)), "v_pool": Z((8, 2, 63)) + 0,
    },
    "rope-base-not-positive": {"rope_base": 0.0},
    "query-heads-not-multiple": {"q": Z((4, 3, 64)), "num_qo_heads": 3},
    "argument-other-library": {"q": pytest.importorskip("numpy").zeros((4, 4, 64), "float32")},
    "argument-not-array": {"slots": [0, 1, 2, 3]},
    "argument-type-mismatch": {"head_dim": 64.0},
}  # fmt: skip
VALUES = {
    "slot-out-of-range": {"slots": i32(0, 1, 8, 3)},
    "slot-duplicate": {"slots": i32(0, 1, 2, 1)},
    "position-out-of-range": {"positions": i32(0, -1, 2, 3)},
}
ORIGINAL = {
    "q-k-v-not-3d": "rope_pool_fused expects q/k/v to be 3-D",
    "positions-slots-not-1d": "rope_pool_fused expects positions/slots to be 1-D",
    "pool-not-3d": "rope_pool_fused expects pool tensors to be 3-D",
    "q-shape-mismatch": "q shape must be [num_tokens, num_qo_heads, head_dim], got (4, 8, 64)",
    "k-shape-mismatch": "k shape must be [num_tokens, num_kv_heads, head_dim], got (4, 4, 64)",
    "v-shape-mismatch": "v shape must match k shape, got (5, 2, 64) vs (4, 2, 64)",
    "positions-slots-length-mismatch": "positions/slots must have one entry per token",
    "k-pool-shape-mismatch": "k_pool has incompatible shape (8, 2, 128)",
    "v-pool-shape-mismatch": "v_pool shape must match k_pool shape, got (9, 2, 64) vs (8, 2, 64)",
    "q-k-v-dtype-mismatch": "q/k/v dtypes must match",
    "pool-dtype-mismatch": "pool dtypes must match q/k/v dtype",
}


def error_of(call):
    with pytest.raises(ContractError) as caught:
        call()
    return caught.value


def wrong_call(slug):
    return {**arrays(), **NUMBERS, **(WRONG | VALUES)[slug]}


@pytest.mark.parametrize("slug", WRONG)
def test_a_wrong_call_gives_its_record_in_every_transformation(slug):
    eager = error_of(lambda: rope_pool_fused(**wrong_call(slug)))
    assert eager.slug == slug
    assert isinstance(eager, TypeError if slug.startswith("argument-") else ValueError)
    traced = "v" if slug != "v-shape-mismatch" else "k"

    def body(x):
        return rope_pool_fused(**wrong_call(slug) | {traced: x})[1].sum()

    x = wrong_call(slug)[traced]
    stacked = mx.stack([x, x])
    for run in (mx.compile(body), mx.grad(body), mx.checkpoint(body)):
        other = error_of(lambda run=run: run(x))
        assert (other.slug, str(other)) == (slug, str(eager))
    mapped = error_of(lambda: mx.vmap(body)(stacked))
    assert (mapped.slug, str(mapped)) == (slug, str(eager))


@pytest.mark.parametrize("slug", VALUES)
def test_a_wrong_value_is_told_at_level_values(slug):
    rope_pool_fused(**wrong_call(slug))
    with ropeguard.level("values"):
        error = error_of(lambda: rope_pool_fused(**wrong_call(slug)))
    assert error.slug == slug


def test_one_array_as_both_pools_is_refused():
    pool = Z((8, 2, 64))
    call = {**arrays(), **NUMBERS, "k_pool": pool, "v_pool": pool}
    assert error_of(lambda: rope_pool_fused(**call)).slug == "pools-aliased"


@pytest.mark.parametrize("slug", ORIGINAL)
def test_the_original_text_is_the_prefix_of_ours(slug):
    assert str(error_of(lambda: rope_pool_fused(**wrong_call(slug)))).startswith(ORIGINAL[slug])


TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/model/attention.py", line 88, in __call__
    q, k, kp, vp = metal.rope_pool_fused(q, k, v, positions, slots, kp, vp, **sizes)
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/venv/lib/python3.11/site-packages/sgl_kernel/metal.py", line 64, in rope_pool_fused
    raise ValueError(message)
ValueError: {}
"""


@pytest.mark.parametrize("form", ["{}", "ValueError: {}", TRACEBACK, "E   ValueError: {}"])
@pytest.mark.parametrize("slug", ORIGINAL)
def test_the_original_text_finds_the_record(slug, form, capsys):
    assert main(["explain", form.format(ORIGINAL[slug])]) == 0
    assert slug in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("slug", [*WRONG, *VALUES])
def test_our_text_finds_the_record(slug, capsys):
    with ropeguard.level("values"):
        error = error_of(lambda: rope_pool_fused(**wrong_call(slug)))
    first = str(error).splitlines()[0]
    for text in (str(error), first, first.removesuffix(f" [{error.code}]")):
        assert main(["explain", text]) == 0
        assert slug in capsys.readouterr().out.splitlines()[0]
