"""The guard's verdict against jaxtyping with beartype, over generated signatures and calls.

The oracle is `jaxtyped(typechecker=beartype)`. Where the two differ on purpose (docs/guards.md),
the generator stays away and tests/guards/test_fails_closed.py tells the difference.
"""

import os
from typing import Literal

import mlx.core as mx
import pytest
from beartype import beartype
from hypothesis import HealthCheck, event, given, settings, strategies as st
from jaxtyping import (
    AnnotationError,
    BFloat16,
    Bool,
    Float,
    Float32,
    Inexact,
    Int,
    Int32,
    Integer,
    Num,
    Real,
    Shaped,
    TypeCheckError,
    UInt,
    jaxtyped,
)

from ropeguard import ContractError, guard


DTYPES = (mx.float32, mx.float16, mx.bfloat16, mx.int32, mx.uint8, mx.bool_, mx.complex64)
GROUPS = (Float, Float32, BFloat16, Inexact, Int, Int32, UInt, Integer, Real, Num, Shaped, Bool)
OF_GROUP = {
    group: [dtype for dtype in DTYPES if isinstance(mx.zeros((), dtype), group[mx.array, "..."])]
    for group in GROUPS
}
NAMES = ("a", "b", "c")
WORDS, NUMBERS = Literal["x", "y"], Literal[1, 2]
SCALARS = (int, float, str, bool, WORDS, NUMBERS)
VALUES = {int: (0, 3, True), float: (1.5,), str: ("x",), bool: (False,)}
VALUES |= {WORDS: ("x", "y"), NUMBERS: (1, 2)}


@st.composite
def shape_strings(draw, bound, everyday):
    """Draw axes; an expression reads only names that something before it may have bound."""
    axes, has_run = [], False
    for _ in range(draw(st.integers(0, 4))):
        kinds = ["name", "name", "name", "fixed", "any", "broadcast", "parameter", "labelled"]
        kinds += ["expression", "expression"] if bound else []
        kinds += [] if has_run else ["dots", "run"] + ["broadcast-run"] * (not everyday)
        kind = draw(st.sampled_from(kinds))
        axes.append(_axis(draw, kind, bound))
        has_run = has_run or kind in ("dots", "run", "broadcast-run")
        bound |= {axes[-1].lstrip("#")} & set(NAMES)
    return " ".join(axes)


def _axis(draw, kind, bound):
    if kind == "expression":
        known = draw(st.sampled_from(sorted(bound)))
        forms = ("{0}+1", "{0}-1", "2*{0}", "min({0},2)", "{0}//2+{{n}}")
        return draw(st.sampled_from(forms)).format(known)
    return draw(st.sampled_from(FORMS[kind]))


FORMS = {
    "name": NAMES,
    "fixed": ("0", "1", "2", "3"),
    "any": ("_", "_any"),
    "broadcast": tuple(f"#{name}" for name in (*NAMES, "2", "3")),
    "labelled": ("rows=1", "rows=2"),
    "parameter": ("{n}", "{n}+1", "{n}*2", "#{n}"),
    "dots": ("...",),
    "run": ("*s",),
    "broadcast-run": ("*#s", "#*s"),
}


@st.composite
def array_hints(draw, bound, everyday=False):
    return draw(st.sampled_from(GROUPS))[mx.array, draw(shape_strings(bound, everyday))]


@st.composite
def hints(draw, bound, depth=0, everyday=False):
    kinds = ["array"] * 6 + ["optional", "scalar", "none"]
    kinds += ["either", "tuple", "list"] * (not depth and not everyday)
    kind = draw(st.sampled_from(kinds))
    if kind == "array":
        return draw(array_hints(bound, everyday))
    if kind == "optional":
        return draw(array_hints(bound, everyday)) | None
    if kind == "scalar":
        return draw(st.sampled_from(SCALARS))
    if kind == "none":
        return None
    if kind == "either":
        return draw(array_hints(bound)) | draw(st.sampled_from(SCALARS) | array_hints(bound))
    if kind == "tuple":
        parts = tuple(draw(hints(bound, depth + 1)) for _ in range(draw(st.integers(0, 3))))
        return tuple[parts] if parts else tuple[()]
    return list[draw(array_hints(bound))]


@st.composite
def environments(draw):
    """Draw the sizes that a call means its names to have."""
    sizes = {name: draw(st.integers(0, 3)) for name in NAMES}
    run = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    return sizes, run, draw(st.integers(0, 3))


def value_for(draw, hint, environment):
    """Draw a value that mostly fits the hint in the environment."""
    arguments = getattr(hint, "__args__", None)
    if hint is None or hint is type(None):
        return draw(st.sampled_from([None, None, None, 0]))
    if hint in SCALARS:
        return draw(st.sampled_from(VALUES[hint]) if draw(st.integers(0, 9)) else st.just("odd"))
    if hasattr(hint, "dim_str"):
        return array_for(draw, hint, environment)
    if getattr(hint, "__origin__", None) is tuple:
        items = tuple(value_for(draw, part, environment) for part in arguments)
        return items if draw(st.integers(0, 9)) else [*items]
    if getattr(hint, "__origin__", None) is list:
        # Beartype looks at one item, chosen at random: all of them are alike.
        return [value_for(draw, arguments[0], environment)] * draw(st.integers(0, 2))
    return value_for(draw, draw(st.sampled_from(arguments)), environment)


def array_for(draw, hint, environment):
    shape = [size for axis in hint.dim_str.split() for size in sizes_for(draw, axis, environment)]
    change = draw(st.integers(0, 11))
    if change == 0:
        shape = [*shape, draw(st.integers(0, 2))]
    elif change == 1 and shape:
        shape[draw(st.integers(0, len(shape) - 1))] = draw(st.integers(0, 4))
    elif change == 2:
        shape = shape[:-1]
    fitting = OF_GROUP[next(g for g in GROUPS if g.__name__ == hint.dtype.__name__)]
    dtype = draw(st.sampled_from(DTYPES if draw(st.integers(0, 9)) == 0 else fitting))
    return mx.zeros(shape, dtype)


def sizes_for(draw, axis, environment):
    sizes, run, n = environment
    if axis == "...":
        return draw(st.lists(st.integers(0, 2), max_size=2))
    if axis.endswith("*s") or axis == "*#s":
        if "#" in axis and draw(st.booleans()):
            return [1 if draw(st.booleans()) else size for size in run][draw(st.integers(0, 1)) :]
        return list(run)
    if axis.startswith("_"):
        return [draw(st.integers(0, 3))]
    if axis.startswith("#") and draw(st.booleans()):
        return [1]
    expression = axis.lstrip("#").rpartition("=")[2].replace("{n}", str(n))
    return [max(0, eval(expression, dict(sizes)))]


@st.composite
def signatures_and_calls(draw, everyday=False):
    """Draw a signature, its hints in order of declaration, and a call of it.

    Everyday contracts have no containers, unions with arrays, `*args`, `**kwargs` and `*#s`.
    """
    environment = draw(environments())
    plain = [f"x{i}" for i in range(draw(st.integers(0, 3)))]
    keyword = [f"k{i}" for i in range(draw(st.integers(0, 2)))]
    gathers = [("", "")] if everyday else [("", ""), ("", ""), ("rest", ""), ("", "more")]
    rest, more = draw(st.sampled_from(gathers))
    returns = draw(st.booleans())
    bound, annotations = set(), {}
    for name in [*plain, rest, *keyword, more, "return" if returns else ""]:
        if name in (rest, more) and name:
            annotations[name] = draw(array_hints(bound))
        elif name:
            annotations[name] = draw(hints(bound, everyday=everyday))
    values = {name: value_for(draw, hint, environment) for name, hint in annotations.items()}
    many = draw(st.integers(0, 2))
    args = [values[name] for name in plain] + [values.get(rest)] * (many if rest else 0)
    absent = [name for name in keyword if takes_none(annotations[name]) and draw(st.booleans())]
    kwargs = {name: values[name] for name in keyword if name not in absent}
    kwargs |= {"n": environment[2]}
    kwargs |= {f"m{i}": values.get(more) for i in range(many if more else 0)}
    source = source_of(plain, rest, keyword, more, returns, absent)
    return source, annotations, args, kwargs, values


def takes_none(hint):
    return hint is None or type(None) in getattr(hint, "__args__", ())


def source_of(plain, rest, keyword, more, returns, absent):
    pieces = [f"{name}: H['{name}']" for name in plain]
    pieces += [f"*{rest}: H['{rest}']" if rest else "*"]
    pieces += [f"{name}: H['{name}']{' = None' * (name in absent)}" for name in keyword] + [
        "n: int"
    ]
    pieces += [f"**{more}: H['{more}']"] if more else []
    arrow = " -> H['return']" if returns else ""
    return f"def f({', '.join(pieces)}){arrow}:\n    return OUT"


def defined(source, annotations, out):
    namespace = {"H": annotations, "OUT": out}
    exec(source, namespace)
    return namespace["f"]


def oracle_verdict(function, args, kwargs):
    try:
        return "accepted", jaxtyped(function, typechecker=beartype)(*args, **kwargs)
    except (TypeCheckError, AnnotationError):
        return "refused", None


def compiled(guarded):
    return guarded.__ropeguard__


def our_verdict(function, args, kwargs):
    try:
        return "accepted", guard(function)(*args, **kwargs)
    except ContractError as refusal:
        return "refused", refusal


# More, by one command: ROPEGUARD_EXAMPLES=20000 python -m pytest tests/contracts/test_oracle.py
EXAMPLES = int(os.environ.get("ROPEGUARD_EXAMPLES", "2000"))


@given(signatures_and_calls())
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_verdict_is_the_oracles(case):
    source, annotations, args, kwargs, values = case
    out = values.get("return")
    expected, value = oracle_verdict(defined(source, annotations, out), args, kwargs)
    guarded = guard(defined(source, annotations, out))
    compiled(guarded).write(None)  # The first call would be judged without generated source.
    verdict, got = our_verdict(guarded, args, kwargs)
    event(expected)
    assert not compiled(guarded).reason
    assert verdict == expected, got
    # The generated source and the authority over it say the same, in the same words.
    authority = compiled(guarded).slow(*args, **kwargs)
    if expected == "accepted":
        assert got is value
        assert authority is value
    else:
        assert got.violation == authority.violation


def test_the_oracle_can_refuse_and_accept():
    hint = {"x": Float[mx.array, "n n"], "return": None}
    source = "def f(x: H['x']): return OUT"
    for shape, verdict in (((2, 2), "accepted"), ((2, 3), "refused")):
        function = defined(source, hint, None)
        assert oracle_verdict(function, [mx.zeros(shape)], {})[0] == verdict
        assert our_verdict(function, [mx.zeros(shape)], {})[0] == verdict


@pytest.mark.parametrize(
    "dtype",
    [
        getattr(mx, name)
        for name in (
            "bool_",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "int8",
            "int16",
            "int32",
            "int64",
            "float16",
            "bfloat16",
            "float32",
            "float64",
            "complex64",
        )
    ],
)
def test_every_dtype_in_every_group_is_judged_as_by_the_oracle(dtype):
    with mx.stream(mx.cpu):
        array = mx.zeros((1,), dtype)
    for group in GROUPS:
        hints = {"x": group[mx.array, "n"]}
        function = defined("def f(x: H['x']): return OUT", hints, None)
        assert our_verdict(function, [array], {})[0] == oracle_verdict(function, [array], {})[0]


COUNTS = []


@given(signatures_and_calls(everyday=True))
@settings(
    max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def count_inline(case):
    source, annotations, _, _, values = case
    found = compiled(guard(defined(source, annotations, values.get("return"))))
    found.write(None)
    COUNTS.append(not found.reason and "part_" not in found.source)


def test_most_everyday_contracts_are_wholly_generated_source():
    COUNTS.clear()
    count_inline()
    assert sum(COUNTS) >= 0.8 * len(COUNTS)
