"""A thousand steps of a server that admits, decodes and frees requests (item 63)."""

import random

import mlx.core as mx
import numpy as np
from rope_oracle import Case, bits, same_bits

from ropeguard import rope_pool_fused


POOL = 64
MODEL = Case(pool=POOL, qo_heads=2, kv_heads=1, head_dim=4, dtype=mx.float16)


class Server:
    """Hands out slots, and remembers in a dict which row each of them must hold."""

    def __init__(self):
        self.random = random.Random(0)
        self.free = list(range(POOL))
        self.requests = []
        self.expected = ({}, {})
        self.k_pool, self.v_pool = MODEL.arrays["k_pool"], MODEL.arrays["v_pool"]

    def plan(self):
        """Free, decode and admit; return the positions and the slots of the step's tokens."""
        self.random.shuffle(self.requests)
        while self.requests and (self.random.random() < 0.2 or len(self.free) < 8):
            self.free += self.requests.pop()
        self.random.shuffle(self.free)
        positions, slots = [], []
        for request in self.requests[:4]:
            positions.append(len(request))
            request.append(self.free.pop())
            slots.append(request[-1])
        if len(self.free) >= 4:
            request = [self.free.pop() for _ in range(self.random.randint(1, 4))]
            positions += range(len(request))
            slots += request
            self.requests.append(request)
        # Padding, as a server adds it to reach a fixed number of tokens.
        padding = self.random.randint(0, 2)
        return positions + [0] * padding, slots + [-1] * padding

    def step(self, seed):
        positions, slots = self.plan()
        case = Case(
            pool=1,
            qo_heads=2,
            kv_heads=1,
            head_dim=4,
            dtype=mx.float16,
            seed=seed,
            positions=tuple(positions),
            slots=tuple(slots),
        )
        arrays = case.arrays | {"k_pool": self.k_pool, "v_pool": self.v_pool}
        self.k_pool = self.v_pool = None
        _, k_rot, self.k_pool, self.v_pool = rope_pool_fused(**arrays, **MODEL.numbers)
        for kept, rows in zip(self.expected, (bits(k_rot), bits(arrays["v"])), strict=True):
            kept.update((slot, row) for slot, row in zip(slots, rows, strict=True) if slot >= 0)

    def check(self):
        for pool, kept in zip((self.k_pool, self.v_pool), self.expected, strict=True):
            rows = bits(pool)
            assert all(np.array_equal(rows[slot], row) for slot, row in kept.items())


def test_item_63_a_thousand_steps():
    server = Server()
    for seed in range(1000):
        server.step(seed)
        if seed % 50 == 0:
            server.check()
    server.check()
    assert len(server.expected[0]) == POOL


def test_item_64_a_call_in_the_words_of_the_original_wrapper():
    # sglang's attention wrapper passes arrays by position and sizes by name, one layer at a time.
    layers = [[x["k_pool"], x["v_pool"]] for x in (Case(seed=s).arrays for s in range(3))]
    case = Case(slots=(3, 0, 7))
    q, k, v, positions, slots = (case.arrays[n] for n in ("q", "k", "v", "positions", "slots"))
    for layer in layers:
        old = tuple(layer)
        _, k_rot, *layer[:] = rope_pool_fused(
            q,
            k,
            v,
            positions,
            slots,
            *layer,
            head_dim=8,
            num_qo_heads=4,
            num_kv_heads=2,
            rope_base=1e4,
        )
        assert same_bits(layer[0][slots], k_rot)
        assert same_bits(layer[1][slots], v)
        assert same_bits(layer[0][1:3], old[0][1:3])
