"""Faults sown into the generator of source: the cases of the areas must find each of them.

A mutant makes generated source accept more, or bind something else. It is killed when generated
source and the authoritative check under it part on one of the calls.
"""

import re
from typing import Annotated

import mlx.core as mx
import pytest
from guard_areas import RESULTS, ROWS, A, Model, Z, functions, guard
from jaxtyping import Float, Inexact

from ropeguard import ContractError, Distinct, MultipleOf, Positive, SameDtype
from ropeguard.contracts import generating, relating
from ropeguard.contracts.dims import Named
from ropeguard.guards import compiled


def both_verdicts(guarded, args, kwargs):
    """Return whether generated source accepts a call, and whether the authority does."""
    guarded.__ropeguard__.write(None)
    try:
        guarded(*args, **kwargs)
        accepted = True
    except ContractError:
        accepted = False
    outcome = guarded.__ropeguard__.slow(*args, **kwargs)
    return accepted, not isinstance(outcome, compiled.Refusal)


def cases():
    for row in ROWS:
        hints, calls = row.values
        for call in calls:
            split = len(call) == 2 and isinstance(call[1], dict) and len(hints) > 2
            yield hints, None, call[0] if split else call, call[1] if split else {}
    for hints, call, results in RESULTS:
        for out in results:
            yield hints, out, call, {}
    yield {"n": int, "x": Float[A, "{n}"]}, None, (True, Z(1)), {}
    yield {"n": int, "x": Float[A, "{n}"]}, None, (1.0, Z(1)), {}
    yield {"x": Float[A, "n"], "y": Float[A, "n"] | None}, None, (Z(3), Z(4)), {}
    yield {"x": Float[A, "#n"], "y": Float[A, "n+1"]}, None, (Z(1), Z(2)), {}


def parts():
    """Return whether generated source and the authority part on some case."""
    for hints, out, args, kwargs in cases():
        guarded, _ = functions(hints, out)
        try:
            accepted, rightly = both_verdicts(guarded, args, kwargs)
        except TypeError:
            continue  # The call does not fit the signature.
        if accepted != rightly:
            return True
    return parts_in_place() or parts_on_values()


def parts_in_place():
    """Try a body that changes its argument, or what its hint reads."""

    @guard
    def grow(x: Float[A, "1 n"], y: Float[A, "m n"]) -> Float[A, "m n"]:
        x += y
        return x

    @guard
    def cast(x: Float[A, "n"]) -> Float[A, "n"]:
        out = x + 0
        x -= mx.zeros(x.shape, mx.complex64)
        return out

    @guard
    def resize(model: Model, x: Float[A, "{model.width}"]) -> Float[A, "n"]:
        model.width += 1
        return x

    for function, call in (
        (grow, lambda: (Z((1, 3)), Z((4, 3)))),
        (cast, lambda: (Z(3),)),
        (resize, lambda: (Model(3), Z(3))),
    ):
        function.__ropeguard__.write(None)
        try:
            function(*call())
        except ContractError:
            continue
        return True
    return False


def parts_on_values():
    @guard
    def f(
        x: Float[A, "n"],
        y: Annotated[Float[A, "n"], SameDtype("x"), Distinct("x")],
        k: Annotated[int, Positive(), MultipleOf(2)],
    ):
        return x

    @guard
    def g(x: Float[A, "n"], y: Annotated[Inexact[A, "n"], SameDtype("x")]):
        return x

    x, half = Z(3), Z(3, mx.float16)
    calls = [(f, (x, x, 2)), (f, (x, half, 2)), (f, (x, Z(3), 3)), (f, (x, Z(3), 0))]
    for function, call in [*calls, (g, (x, half))]:
        accepted, rightly = both_verdicts(function, call, {})
        if accepted != rightly:
            return True
    return False


def without(method, term):
    """Return a mutant of a method of Generator that forgets the conditions with that text."""
    original = getattr(generating.Generator, method)

    def mutant(self, *args):
        before = len(self.check.terms)
        value = original(self, *args)
        self.check.terms[before:] = [it for it in self.check.terms[before:] if term not in it]
        return value

    return generating.Generator, method, mutant


def replacing(old, new):
    """Return a mutant that writes something else into the whole source."""
    original = compiled._source

    def mutant(contract, generator):
        return original(contract, generator).replace(old, new)

    return compiled, "_source", mutant


def without_parentheses():
    """Return a mutant that negates the first part of a condition alone."""
    original = compiled._source

    def mutant(contract, generator):
        return re.sub(r"if not \((.*)\):\n", r"if not \1:\n", original(contract, generator))

    return compiled, "_source", mutant


def binding_broadcasts(self, dim, name, origin):
    if isinstance(dim, Named) and dim.broadcast and dim.name not in self.sizes:
        self.sizes[dim.name] = name
        self.origins[name] = dim.name, origin
        return
    ORIGINAL_AXIS(self, dim, name, origin)


ORIGINAL_AXIS = generating.Generator._axis


def careless_optional(self, node, local):
    """Take whatever is passed for an optional array."""
    before = len(self.check.terms)
    ORIGINAL_OPTIONAL(self, node, local)
    del self.check.terms[before:]


ORIGINAL_OPTIONAL = generating.Generator._optional


def forgetful(self, node, local):
    held = ORIGINAL_VALUE(self, node, local)
    self.again.clear()
    return held


ORIGINAL_VALUE = generating.Generator._value

MUTANTS = {
    "a dtype is skipped": without("_dtype", "dtype"),
    "an axis is skipped": without("_axis", "=="),
    "a class is skipped": without("_array", "type("),
    "a run is skipped": without("_run", "=="),
    "a scalar is skipped": without("_value", "isinstance"),
    "a bool is an integer": replacing("type(n) is int", "isinstance(n, int)"),
    "a float is an integer": replacing("type(n) is int", "True"),
    "too few axes fit": replacing("len(x_shape) >=", "0 <="),
    "`#n` binds": (generating.Generator, "_axis", binding_broadcasts),
    "an optional is not looked at": (generating.Generator, "_optional", careless_optional),
    "arguments are not looked at again": (generating.Generator, "_value", forgetful),
    "a subclass goes for its base": replacing("type(x) is array_", "True"),
    "a dtype is not compared": (relating, "_same_dtype", lambda *_: []),
    "values are skipped": (generating.Generator, "_relations", lambda *_: None),
    "a condition is negated in part": without_parentheses(),
    "a result always fits": replacing("result_)", "x)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_in_the_generator_is_found(name, monkeypatch):
    owner, attribute, mutant = MUTANTS[name]
    if not hasattr(owner, attribute):
        pytest.fail(f"there is no {attribute} to break any more")
    monkeypatch.setattr(owner, attribute, mutant)
    assert parts()


def test_without_a_fault_nothing_parts():
    assert not parts()
