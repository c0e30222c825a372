from functools import partial

import mlx.core as mx


@partial(mx.compile, shapeless=True)
def pool(scores):
    return scores.mean(axis=1)


print("mean of 2 ones", pool(mx.ones((1, 2))).item())
print("mean of 8 ones", pool(mx.ones((1, 8))).item())
