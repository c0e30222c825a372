import asyncio

import mlx.core as mx
import mlx.nn as nn
import numpy as np
from jaxtyping import Int32
from ropeguard import guard


@guard
async def next_batch(shard: asyncio.Queue, rows: int) -> Int32[mx.array, "{rows} length"]:
    tokens = [await shard.get() for _ in range(rows)]
    return np.array(tokens, dtype=np.int32)


async def main() -> mx.array:
    shard = asyncio.Queue()
    for start in range(2):
        shard.put_nowait(list(range(start, start + 6)))
    return nn.Embedding(16, 4)(await next_batch(shard, rows=2))


embedded = asyncio.run(main())
