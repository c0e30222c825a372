"""The owner of the pools: rows, writes, holders, deferred rows, faults and the probe."""

import random
import warnings

import mlx.core as mx
import numpy as np
import pytest
from rope_oracle import DTYPES, INT_MAX, Case, assert_rotated, bits, same_bits, written

import ropeguard
from ropeguard import KVPool, RopeguardError, rope_pool_fused, slot_fault
from ropeguard.kernels import choosing, kv_pool, slots as kept, writes


SIZES = {"kv_heads": 2, "head_dim": 8}
BASE = {"rope_base": 1e4}


def pool_of(layers=1, rows=64, dtype=mx.float16, **options):
    return KVPool(layers, rows, **SIZES, dtype=dtype, **options)


def tokens(count, seed=0, dtype=mx.float16):
    arrays = Case(count, 8, dtype=dtype, seed=seed).arrays
    return [arrays[name] for name in ("q", "k", "v", "positions")]


def both(pool, layer=0):
    return [x[: pool.rows] for x in pool.arrays(layer)]


ROWS = {
    "one run": range(5, 12),
    "two runs": [3, 4, 5, 9, 10, 11, 12],
    "scattered": [9, 2, 30, 7, 1, 63, 0],
    "skips": [-1, 5, 6, 64, 7, INT_MAX, -7],
    "repeated": [4, 4, 4, 9, 4, 9, 1],
    "none": [-1] * 7,
}


@pytest.mark.parametrize("known", ["array", "numbers"])
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_rows_are_those_of_the_oracle_however_they_are_written(dtype, name, known, monkeypatch):
    rows = list(ROWS[name])
    slots = mx.array(rows, dtype=mx.int32) if known == "array" else rows
    q, k, v, positions = tokens(7, dtype=dtype)
    ways = ((1, 10**9, False), (10**9, 1, False), (10**9, 1, True), (10**9, 10**9, False))
    for per_run, for_words, long_words in ways:
        monkeypatch.setattr(kept, "_ROWS_PER_RUN", per_run)
        monkeypatch.setattr(writes, "_ROWS_FOR_WORDS", for_words)
        monkeypatch.setattr(writes, "_suits_long_words", lambda *_, it=long_words: it)
        pool = pool_of(dtype=dtype)
        old = mx.random.normal((65, 2, 8)).astype(dtype)
        pool._keys, pool._values = [old + 0], [old + 0]
        mx.eval(pool._keys, pool._values)
        q_rot, k_rot = pool.append(0, q, k, v, positions, pool.slots(slots), **BASE)
        assert_rotated(q_rot, q, positions.tolist(), 1e4)
        keys, values = both(pool)
        np.testing.assert_array_equal(bits(keys), written(old[:64], k_rot, rows))
        np.testing.assert_array_equal(bits(values), written(old[:64], v, rows))


@pytest.mark.parametrize("count", [1, 3, 70, 1100])
def test_a_pool_holds_what_the_function_would_have_written(count):
    arrays = Case(count, 1200, seed=3).arrays
    pool = KVPool(1, 1200, **SIZES, dtype=mx.float32)
    arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
    rotated = pool.append(0, *arguments, pool.slots(arrays["slots"]), **BASE)
    empty = [mx.zeros((1200, 2, 8)) for _ in "kv"]
    expected = rope_pool_fused(*arguments, arrays["slots"], *empty, **Case().numbers)
    for x, y in zip((*rotated, *both(pool)), expected, strict=True):
        assert same_bits(x, y)


def test_slots_do_not_change_when_their_array_does():
    pool, given = pool_of(), mx.array([3, 4], mx.int32)
    slots = pool.slots(given)
    given[0] = 9
    assert slots.rows.tolist() == [3, 4]


def test_allocation_prefers_one_run_and_gives_every_row_once():
    pool, choose = pool_of(rows=100), random.Random(0)
    live = {}
    for step in range(300):
        if live and choose.random() < 0.5:
            pool.release(live.pop(choose.choice(list(live))))
        else:
            count = choose.randint(1, 12)
            if count <= pool.free:
                live[step] = pool.allocate(count)
        taken = [row for slots in live.values() for row in slots.given.tolist()]
        assert len(set(taken)) == len(taken) == 100 - pool.free
    for slots in live.values():
        pool.release(slots)
    assert pool.allocate(100).runs == ((0, 0, 100),)


def code_of(call):
    with pytest.raises(RopeguardError) as caught:
        call()
    return caught.value.slug


def test_misuse_is_told():
    pool, arguments = pool_of(), tokens(3)
    slots = pool.allocate(3)
    assert code_of(lambda: pool.allocate(62)) == "pool-full"
    assert code_of(lambda: pool.append(1, *arguments, slots, **BASE)) == "pool-layer-unknown"
    assert code_of(lambda: pool.arrays(-1)) == "pool-layer-unknown"
    assert code_of(lambda: pool.append(0, *arguments, pool.slots([1]), **BASE)) == "slots-mismatch"
    other = pool_of(rows=65).slots([1, 2, 3])
    assert code_of(lambda: pool.append(0, *arguments, other, **BASE)) == "slots-mismatch"
    wrong = tokens(3, dtype=mx.float32)
    assert code_of(lambda: pool.append(0, *wrong, slots, **BASE)) == "pool-dtype-differs"
    assert code_of(lambda: pool_of(dtype=mx.int32)) == "pool-dtype-unsupported"
    pool.release(slots)
    assert code_of(lambda: pool.release(slots)) == "slot-not-taken"
    assert pool.free == 64


def test_item_49_the_policy_for_a_held_array_fires_exactly_when_it_is_held():
    for policy in ("copy", "warn", "error"):
        pool, arguments = pool_of(layers=2, on_shared=policy), tokens(3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pool.append(0, *arguments, pool.slots([1, 2, 3]), **BASE)
            mx.eval(pool.arrays(0))
            pool.append(0, *arguments, pool.slots([4, 5, 6]), **BASE)
        held = pool.arrays(0)[1]
        before = bits(held).copy()
        if policy == "error":
            with pytest.raises(RopeguardError, match=r"keys|values"):
                pool.append(0, *arguments, pool.slots([7, 8, 9]), **BASE)
            continue
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            pool.append(0, *arguments, pool.slots([7, 8, 9]), **BASE)
        assert [str(it.message)[-8:] for it in told] == ["[RG2424]"] * (policy == "warn")
        mx.eval(pool.arrays(0))
        np.testing.assert_array_equal(bits(held), before)


@pytest.mark.parametrize("holder", ["handle", "view", "slice", "words", "graph"])
def test_items_45_and_46_holders_keep_what_they_had(holder):
    pool, arguments = pool_of(), tokens(3)
    pool.append(0, *arguments, pool.slots([1, 2, 3]), **BASE)
    keys = pool.arrays(0)[0]
    look = {
        "handle": keys,
        "view": keys[...],
        "slice": keys[:9],
        "words": keys.view(mx.uint32),
        "graph": keys.astype(mx.float32),
    }[holder]
    if holder != "graph":
        mx.eval(look)
    before = np.array(keys[:9].astype(mx.float32))
    del keys
    for rows in ([4, 5, 6], [2, 8, 30]):
        pool.append(0, *tokens(3, seed=5), pool.slots(rows), **BASE)
        mx.eval(pool.arrays(0))
    seen = look.view(mx.float16) if holder == "words" else look
    np.testing.assert_array_equal(np.array(seen[:9].astype(mx.float32)), before)


@pytest.mark.parametrize("rows", [[3], [5, 9], list(range(0, 140, 2)), mx.array([9, 2], mx.int32)])
def test_item_48_a_pool_with_one_owner_is_never_copied(rows):
    pool = KVPool(1, 16_384, kv_heads=8, head_dim=128)
    count = len(rows)
    arguments = list(Case(count, 8, 8, 8, 128, mx.bfloat16).arrays.values())[:4]
    for _ in range(3):
        with pool.probe() as copies:
            pool.append(0, *arguments, pool.slots(rows), **BASE)
        assert copies == []


def test_the_probe_says_what_was_copied_and_why():
    pool, arguments = pool_of(rows=4096), tokens(2)
    held = pool.arrays(0)[0]
    with pool.probe() as copies:
        pool.append(0, *arguments, pool.slots([1, 9]), **BASE)
    assert [(it.layer, it.array, it.bytes) for it in copies] == [(0, "keys", held.nbytes)]
    assert "handle" in copies[0].why
    held = pool.arrays(0)[1][...]
    with pool.probe() as copies:
        pool.append(0, *arguments, pool.slots([1, 9]), **BASE)
    assert [it.array for it in copies] == ["values"]
    assert "view" in copies[0].why


def test_deferred_rows_are_pending_until_they_are_committed():
    now, later = pool_of(layers=2), pool_of(layers=2)
    for step, rows in enumerate(([3, 4], mx.array([9, 3], mx.int32), [4, 50], [51, 52])):
        for layer in range(2):
            arguments = tokens(2, seed=10 * step + layer)
            now.append(layer, *arguments, now.slots(rows), **BASE)
            _, k = later.append(layer, *arguments, later.slots(rows), **BASE, defer=True)
            assert same_bits(later.pending(layer)[0][2 * step :], k)
            assert same_bits(later.pending(layer)[1][2 * step :], arguments[2])
    assert not later.arrays(0)[0].any()
    later.commit()
    for layer in range(2):
        assert later.pending(layer)[0].shape == (0, 2, 8)
        for x, y in zip(both(now, layer), both(later, layer), strict=True):
            assert same_bits(x, y)


def test_deferred_numbers_are_committed_in_one_write_the_last_of_a_slot_winning(monkeypatch):
    pool, calls = pool_of(), []
    monkeypatch.setattr(kv_pool, "write", lambda *args: calls.append(1) or writes.write(*args))
    for step, rows in enumerate(([3, 4], [4, 5])):
        _, k = pool.append(0, *tokens(2, seed=step), pool.slots(rows), **BASE, defer=True)
    pool.commit()
    assert len(calls) == 2
    assert same_bits(pool.arrays(0)[0][4:6], k)


def test_item_48_memory_is_flat_over_a_thousand_steps():
    pool, active = pool_of(rows=256), []
    arguments = tokens(2)
    for step in range(1000):
        slots = pool.slots([step % 256, (7 * step + 1) % 256])
        pool.append(0, *arguments, slots, **BASE)
        mx.eval(pool.arrays(0))
        active.append(mx.get_active_memory())
    assert max(active[100:]) - min(active[100:]) < 2**20


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ([0, 1, -1], [-1, -1, 8]),
        ([0, 8, 9], [1, 8, 8]),
        ([INT_MAX], [0, INT_MAX, 8]),
        ([], [-1, -1, 8]),
        ([-5], [-1, -1, 8]),
    ],
)
def test_item_26_the_fault_report_says_token_slot_and_pool_size(slots, expected):
    assert slot_fault(mx.array(slots, dtype=mx.int32), 8).tolist() == expected


def test_a_pool_reports_the_fault_of_its_arrays_once():
    pool, arguments = pool_of(), tokens(2)
    pool.append(0, *arguments, pool.slots(mx.array([3, 4], mx.int32)), **BASE)
    pool.append(0, *arguments, pool.slots(mx.array([5, 64], mx.int32)), **BASE)
    assert pool.fault().tolist() == [3, 64, 64]
    assert pool.fault().tolist() == [-1, -1, 64]


def test_item_63_serving_against_a_dictionary():
    pool, choose = pool_of(rows=40, layers=2), random.Random(1)
    live, expected = {}, [{}, {}]
    for step in range(200):
        if live and choose.random() < 0.4:
            pool.release(live.pop(choose.choice(list(live))))
        count = choose.randint(1, 4)
        if count > pool.free:
            continue
        slots = live[step] = pool.allocate(count)
        for layer in range(2):
            arguments = tokens(count, seed=2 * step + layer)
            _, k = pool.append(layer, *arguments, slots, **BASE)
            expected[layer].update(zip(slots.given.tolist(), bits(k), strict=True))
    for layer in range(2):
        keys = bits(pool.arrays(layer)[0])
        assert all(np.array_equal(keys[row], k) for row, k in expected[layer].items())


def test_an_unavailable_backend_is_told_once_and_plain_operations_run(monkeypatch):
    monkeypatch.setattr(choosing, "_told", set())
    case = Case()
    with mx.stream(mx.cpu), ropeguard.backend("metal"):
        with pytest.warns(RuntimeWarning, match=r"metal kernel cannot run on .* \[RG9320\]"):
            case.call()
        assert same_bits(case.call()[0], case.call()[0])
    assert code_of(lambda: ropeguard.set_backend("gpu")) == "backend-unknown"
