"""Calls for compute-sanitizer: every dtype, few shapes, views, and slots outside the pool.

`compute-sanitizer --tool memcheck python tests/kernels/short_list.py`
"""

import mlx.core as mx
from rope_oracle import DTYPES, INT_MAX, INT_MIN, Case, assert_correct

from ropeguard import KVPool
from ropeguard.kernels.choosing import current_backend


OUTSIDE = (0, -1, 7, 8, INT_MAX, INT_MIN, 3, 3)


def _moved(x, by):
    """Return the same values as a view that begins at another element of its buffer."""
    flat = mx.concatenate([mx.zeros((by,), x.dtype), x.flatten()])
    mx.eval(flat)
    return flat[by:].reshape(x.shape)


def main():
    """Run all of it and compare with the oracle."""
    for dtype in DTYPES:
        for head_dim in (2, 6, 80, 128):
            for count in (1, 8, 70):
                slots = (OUTSIDE * 9)[:count]
                case = Case(qo_heads=5, kv_heads=5, head_dim=head_dim, dtype=dtype, slots=slots)
                assert_correct(case)
                arrays = case.arrays
                assert_correct(case, case.call(q=_moved(arrays["q"], 3)))
                mx.eval(case.call(v=_moved(arrays["v"], 1), spare_row=0))
                pool = KVPool(1, 8, kv_heads=5, head_dim=head_dim, dtype=dtype)
                arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
                for rows in (arrays["slots"], list(slots), [0] * count):
                    pool.append(0, *arguments, pool.slots(rows), rope_base=1e4)
                    mx.eval(pool.arrays(0))
        pool = KVPool(1, 4096, kv_heads=2, head_dim=8, dtype=dtype)
        arrays = Case(1500, 4096, dtype=dtype).arrays
        arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
        arguments[2] = _moved(arguments[2], 3)
        pool.append(0, *arguments, pool.slots(arrays["slots"]), rope_base=1e4)
        mx.eval(pool.arrays(0))
    print("correct on", current_backend())


main()
