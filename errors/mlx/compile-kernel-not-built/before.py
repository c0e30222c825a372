import os

import mlx.core as mx


SCRATCH = "job-17"
os.environ["TMPDIR"] = os.path.abspath(SCRATCH)


@mx.compile
def activate(x):
    return x * x + 0.5 * x * (3 - x)


activated = activate(mx.array([0.0, 1.5, 3.0]))
mx.eval(activated)
print(activated)
