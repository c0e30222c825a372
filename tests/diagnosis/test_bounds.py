"""However odd the call, the search is bounded, evaluates nothing, and a diagnostic comes out."""

import gc
import time
import weakref

import mlx.core as mx
import pytest
from jaxtyping import Float, Shaped

from ropeguard import ContractError, guard
from ropeguard.contracts import Call
from ropeguard.diagnosis import search


Z = mx.zeros


class Duck:
    """What has a shape and a dtype, and sizes that no real array has."""

    def __init__(self, *shape):
        self.shape, self.dtype = shape, "float32"


@guard
def eight(x: Float[mx.array, "a b c d e f g h"], y: Float[mx.array, "h g f e d c b a"]):
    return x


@guard
def huge(x: Shaped[Duck, "a b c"], y: Shaped[Duck, "c b"]):
    return x


@guard
def zero(x: Float[mx.array, "a b"], y: Float[mx.array, "b c"], z: Float[mx.array, "a b c"]):
    return x


HINT = Float[mx.array, "n m"]
namespace = {"HINT": HINT}
exec(f"def many({', '.join(f'x{i}: HINT' for i in range(20))}): return x0", namespace)
many = guard(namespace["many"])

ODD = {
    "eight axes": lambda: eight(Z((2, 3, 4, 5, 1, 2, 3, 2)), Z((2, 3, 4, 5, 1, 2, 3, 2))),
    "nine axes": lambda: eight(Z((1,) * 9), Z((2,) * 8)),
    "eight equal axes": lambda: eight(Z((2,) * 8), Z((2,) * 7)),
    "twenty arguments": lambda: many(*[Z((4, 3))] * 10, *[Z((3, 4))] * 10),
    "one of twenty": lambda: many(*[Z((4, 3))] * 19, Z((3, 4))),
    "twenty lists": lambda: many(*[[[0.0] * 40] * 40] * 20),
    "64-bit sizes": lambda: huge(Duck(2**62, 3, 2**61), Duck(3, 2**61)),
    "more than 64 bits": lambda: huge(Duck(2**62, 2**62), Duck(2**62, 2**62 + 1)),
    "zero-size axes": lambda: zero(Z((0, 3)), Z((3, 0)), Z((0, 0, 3))),
    "zero against some": lambda: zero(Z((4, 3)), Z((0, 5)), Z((0, 3, 5))),
    "no axes": lambda: zero(Z(()), Z(()), Z(())),
}


def refusal(call):
    with pytest.raises(ContractError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("what", ODD)
def test_odd_calls_get_a_diagnostic_in_bounded_time(what, monkeypatch):
    checks = []
    fits = Call.fits
    monkeypatch.setattr(Call, "fits", lambda self: checks.append(1) or fits(self))
    refusal(ODD[what])
    checks.clear()
    start = time.thread_time()
    error = refusal(ODD[what])
    assert time.thread_time() - start < 0.25
    assert len(checks) <= search.MOST_CHECKS
    assert error.render(width=60, color=False)
    assert error.render(narrated=True)


def test_a_passing_call_searches_nothing(monkeypatch):
    monkeypatch.setattr(search, "search", None)
    monkeypatch.setattr("ropeguard.diagnosis.suggesting.search", None)
    zero(Z((4, 3)), Z((3, 5)), Z((4, 3, 5)))


TRANSFORMS = {
    "eager": lambda body: body,
    "compile": mx.compile,
    "grad": mx.grad,
    "checkpoint": mx.checkpoint,
    "vmap": lambda body: lambda x: mx.vmap(body)(mx.stack([x, x])),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_suggestions_are_the_same_in_every_transformation(name):
    def body(x):
        return zero(x, Z((3, 5)), Z((4, 3, 5))).sum()

    error = refusal(lambda: TRANSFORMS[name](body)(Z((3, 4))))
    assert [it.code for it in error.suggestions][:1] == ["x = x.swapaxes(-2, -1)"]


def test_a_search_evaluates_nothing_and_keeps_nothing():
    class Tracked(mx.array):
        """An array of which a weak reference can be had."""

    class Model:
        """What an axis reads."""

        width = 3

        @guard
        def __call__(self, x: Float[mx.array, "n {self.width}"], y: Float[mx.array, "n"]):
            return x

    big = mx.random.normal((2000, 2000))
    mx.eval(big)
    mx.synchronize()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    model, array = Model(), Tracked(mx.broadcast_to((big @ big)[0, 0], (3, 4)))
    kept = weakref.ref(model), weakref.ref(array)
    error = refusal(lambda: model(array, Z((4,))))
    assert error.suggestions[0].code == "x = x.swapaxes(-2, -1)"
    mx.synchronize()
    assert mx.get_peak_memory() - before < 1e6
    error.__traceback__ = None
    del model, array
    gc.collect()
    assert [it() for it in kept] == [None, None]


def test_what_is_too_much_to_copy_is_not_searched():
    @guard
    def f(layers: list[Float[mx.array, "n m"]], x: Float[mx.array, "m"]):
        return x

    assert refusal(lambda: f([Z((4, 3))] * 40 + [Z((3, 4))], Z((3,)))).suggestions
    # What is left out of a copy must not make a trial pass.
    assert refusal(lambda: f([Z((4, 3)) for _ in range(600)] + [Z((3, 4))], Z((3,)))) is not None


def test_what_holds_itself_is_no_trap():
    @guard
    def f(x: Float[mx.array, "n"], more: object):
        return x

    loop: list[object] = []
    loop.append(loop)
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    for odd in (loop, deep):
        assert refusal(lambda odd=odd: f(Z((2, 1)), odd)).slug == "argument-rank-mismatch"


def test_keys_that_would_have_to_be_rendered_are_left_alone():
    class Key:
        """A key that must not be rendered."""

        def __repr__(self):
            pytest.fail("rendered")

    @guard
    def f(cache: dict[object, Float[mx.array, "n"]]):
        return cache

    assert refusal(lambda: f({Key(): Z((1, 2))})).suggestions == ()
    assert refusal(lambda: f({"k": Z((1, 2))})).suggestions[0].code == (
        "cache['k'] = cache['k'].squeeze(0)"
    )
