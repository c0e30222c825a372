"""Calls for compute-sanitizer: every dtype, few shapes, views, and slots outside the pool.

`compute-sanitizer --tool memcheck python tests/kernels/short_list.py`
"""

import mlx.core as mx
from rope_oracle import DTYPES, INT_MAX, INT_MIN, Case, assert_correct

from ropeguard import KVPool
from ropeguard.kernels.choosing import current_backend


OUTSIDE = (0, -1, 7, 8, INT_MAX, INT_MIN, 3, 3)


def main():
    """Run all of it and compare with the oracle."""
    for dtype in DTYPES:
        for head_dim in (2, 6, 80, 128):
            for count in (1, 8, 70):
                slots = (OUTSIDE * 9)[:count]
                case = Case(qo_heads=5, kv_heads=5, head_dim=head_dim, dtype=dtype, slots=slots)
                assert_correct(case)
                arrays = case.arrays
                flat = mx.concatenate([mx.zeros((3,), dtype), arrays["q"].flatten()])
                view = flat[3:].reshape(arrays["q"].shape)
                assert_correct(case, case.call(q=view))
                pool = KVPool(1, 8, kv_heads=5, head_dim=head_dim, dtype=dtype)
                arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
                for rows in (arrays["slots"], list(slots), [0] * count):
                    pool.append(0, *arguments, pool.slots(rows), rope_base=1e4)
                    mx.eval(pool.arrays(0))
        pool = KVPool(1, 4096, kv_heads=2, head_dim=8, dtype=dtype)
        arrays = Case(1500, 4096, dtype=dtype).arrays
        arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
        pool.append(0, *arguments, pool.slots(arrays["slots"]), rope_base=1e4)
        mx.eval(pool.arrays(0))
    print("correct on", current_backend())


main()
