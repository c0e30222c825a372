"""A refused call evaluates nothing, renders nothing, keeps nothing, and is the same everywhere."""

import gc
import pickle
import traceback as traceback_module
import weakref
from typing import Annotated

import mlx.core as mx
import pytest
from jaxtyping import Float, Int32

from ropeguard import ContractError, InRange, guard


Z = mx.zeros


@guard
def attend(
    q: Float[mx.array, "tokens heads dim"],
    k: Float[mx.array, "tokens kv_heads dim"],
    slots: Annotated[Int32[mx.array, "tokens"], InRange(0, 10)],
    scale: float = 1.0,
) -> Float[mx.array, "tokens heads dim"]:
    return q * scale + k.sum()


def calls(lazy):
    """Return calls that break the contract, one a kind, each with a lazy wrong argument."""
    good_q, good_k, slots = Z((4, 2, 8)), Z((4, 1, 8)), Z((4,), mx.int32)
    return {
        "argument-size-conflict": (lazy((5, 2, 8)), good_k, slots),
        "argument-rank-mismatch": (lazy((4, 16)), good_k, slots),
        "argument-dtype-mismatch": (lazy((4, 2, 8)).astype(mx.int32), good_k, slots),
        "argument-not-array": (good_q, [lazy((4, 1, 8))], slots),
        "argument-type-mismatch": (good_q, good_k, slots, lazy(())),
    }


SLUGS = tuple(calls(Z))


def traced(transform, call):
    """Run the call inside a transformation, with its first array as the traced argument."""
    place = next(i for i, value in enumerate(call) if isinstance(value, mx.array))

    def body(x):
        out = attend(*call[:place], x, *call[place + 1 :])
        return out.sum()

    return transform(body)(call[place])


TRANSFORMS = {
    "eager": lambda body: body,
    "compile": mx.compile,
    "grad": mx.grad,
    "value_and_grad": mx.value_and_grad,
    "checkpoint": mx.checkpoint,
    "vmap": lambda body: lambda x: mx.vmap(body)(mx.stack([x, x])),
}


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_wrong_call_gives_the_same_error_in_every_transformation(slug):
    messages = {}
    for name, transform in TRANSFORMS.items():
        if slug == "argument-dtype-mismatch" and "grad" in name:
            transform = mx.checkpoint  # A gradient is taken of floats alone.
        with pytest.raises(ContractError) as caught:
            traced(transform, calls(Z)[slug])
        assert caught.value.slug == slug
        messages[name] = str(caught.value)
    assert len(set(messages.values())) == 1


@pytest.mark.parametrize("slug", SLUGS)
def test_a_refused_call_evaluates_nothing(slug):
    big = mx.random.normal((2000, 2000))
    mx.eval(big)

    def lazy(shape):
        product = big @ big
        return mx.broadcast_to(product[0, 0], shape)

    mx.synchronize()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    with pytest.raises(ContractError) as caught:
        attend(*calls(lazy)[slug])
    str(caught.value), repr(caught.value), caught.value.to_json(), pickle.dumps(caught.value)
    mx.synchronize()
    # The product alone takes 16 MB.
    assert mx.get_peak_memory() - before < 1e6


def test_nothing_is_rendered():
    class Loud(mx.array):
        def __repr__(self):
            pytest.fail("rendered")

        __str__ = __format__ = __repr__

    for call in calls(lambda shape: Loud(Z(shape))).values():
        with pytest.raises(ContractError) as caught:
            attend(*call)
        assert f"{caught.value}{caught.value!r}{caught.value.to_json()}"


def holds_array(value):
    inside = value.values() if isinstance(value, dict) else value
    return isinstance(value, mx.array) or (
        isinstance(value, (tuple, list, dict)) and any(holds_array(item) for item in inside)
    )


@pytest.mark.parametrize("first", [True, False], ids=["first call", "later call"])
def test_an_error_keeps_no_array_alive(first):
    class Tracked(mx.array):
        """An array of which a weak reference can be had."""

    def failing(attend):
        array = Tracked(Z((5, 2, 8)))
        references.append(weakref.ref(array))
        try:
            attend(array, Z((4, 1, 8)), Z((4,), mx.int32))
        except ContractError as error:
            return error

    references = []
    error = failing(guard(attend.__wrapped__) if first else attend)
    names = [frame.name for frame in traceback_module.extract_tb(error.__traceback__)]
    assert names == ["failing", "guarded"]
    traceback = error.__traceback__
    while traceback is not None:
        held = [value for value in traceback.tb_frame.f_locals.values() if holds_array(value)]
        assert traceback.tb_frame.f_code.co_name == "failing" or not held
        traceback = traceback.tb_next
    error.__traceback__ = None
    gc.collect()
    assert references[0]() is None
    assert error.violation.found.shape == (5, 2, 8)


def test_a_passing_call_evaluates_nothing_either():
    def body(x):
        return attend(x, x[:, :1], Z((4,), mx.int32))

    assert mx.compile(body)(Z((4, 2, 8))).shape == (4, 2, 8)
    assert mx.vmap(body)(Z((3, 4, 2, 8))).shape == (3, 4, 2, 8)


def test_a_compiled_function_is_checked_again_for_each_new_shape():
    runs = []

    @guard
    def double(x: Float[mx.array, "n n"]) -> Float[mx.array, "n n"]:
        runs.append(x.shape)
        return x + x

    compiled = mx.compile(double)
    for _ in range(3):
        compiled(Z((2, 2)))
    compiled(Z((3, 3)))
    assert runs == [(2, 2), (3, 3)]
    with pytest.raises(ContractError):
        compiled(Z((2, 3)))
