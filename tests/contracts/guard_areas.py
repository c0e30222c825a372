"""Signatures and calls in the areas in which a guard and its oracle could part, D1 to D20.

Every row is a signature and calls of it; `verdict` says what a guard, or its oracle
`jaxtyped(typechecker=beartype)`, makes of one.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NewType, Optional, TypeVar

import mlx.core as mx
import numpy as np
import pytest
from beartype import beartype
from jaxtyping import (
    AbstractDtype,
    AnnotationError,
    Bool,
    Float,
    Float32,
    Int,
    Shaped,
    TypeCheckError,
    UInt8,
    jaxtyped,
)

from ropeguard import ContractError, guard


A = mx.array
Z = mx.zeros


class Named(mx.array):
    """An array of a subclass."""


class Lying(mx.array):
    """An array that says that it has another shape."""

    shape = (7,)


class Duck:
    """What has a shape and a dtype, and is no array."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


class Halves(AbstractDtype):
    dtypes = (re.compile("b?float16"),)


class Model:
    width = 3

    def __init__(self, width=3):
        self.width = width

    @property
    def broken(self):
        raise RuntimeError


Bound = TypeVar("Bound", bound=mx.array)
Either = TypeVar("Either", mx.array, np.ndarray)
Image = Float[A, "h w"]
Batch = Shaped[Image, "b"]
Row = NewType("Row", Float[A, "d"])


def case(area, hints, *calls):
    """Name a row; `hints` maps parameters to hints, in order, "return" last."""
    return pytest.param(hints, calls, id=area)


F, F_n, F_nn = Float[A, "..."], Float[A, "n"], Float[A, "n n"]
ROWS = [
    case("D1-subclass", {"x": F_n}, (Named([1.0, 2.0]),), (Lying([1.0]),)),
    case("D1-subclasses-meet", {"x": F_n, "y": F_n}, (Lying([1.0]), Z(1)), (Lying([1.0]), Z(7)),
         (Named([1.0]), Z(1)), (Named([1.0]), Z(7)), (Z(1), Lying([1.0])), (Z(7), Lying([1.0]))),
    case("D1-subclass-shape", {"x": Float[A, "7"]}, (Lying([1.0]),), (Named([1.0]),)),
    case("D1-numpy", {"x": F_n}, (np.zeros(3, np.float32),), ([1.0],), (None,), (mx.float32,)),
    case("D1-numpy-annotated", {"x": Float[np.ndarray, "n 2"]}, (np.zeros((3, 2)),), (np.zeros(3),),
         (np.zeros((3, 2), int),)),
    case("D1-any", {"x": Float[Any, "n"]}, (Z(3),), (np.zeros(3),), (Duck((3,), "float32"),),
         (Duck((3, 3), "float32"),), (Duck((3,), "int8"),), (3.0,)),
    case("D2-int", {"x": int}, (True,), (1,), (1.0,), (np.int64(1),), (mx.array(1),)),
    case("D2-float", {"x": float}, (1,), (1.0,), (True,), (np.float64(1),), (np.float32(1),)),
    case("D2-scalar-array", {"x": Float[A, ""]}, (1.0,), (Z(()),), (Z((1,)),)),
    case("D2-scalar-or-array", {"x": float | Float[A, ""]}, (1.0,), (Z(()),), (1,)),
    case("D2-jaxtyping-scalar", {"x": Float[float, "..."]}, (1.0,), (1,), (Z(()),)),
    case("D3-zero", {"x": F_n, "y": F_n}, (Z(0), Z(0)), (Z(0), Z(1)), (Z(1), Z(0))),
    case("D3-one-broadcasts", {"x": F_n, "y": Float[A, "#n"]}, (Z(3), Z(1)), (Z(3), Z(3)),
         (Z(3), Z(2)), (Z(0), Z(1))),
    case("D3-broadcast-first", {"x": Float[A, "#n"], "y": F_n, "z": Float[A, "#n"]},
         (Z(1), Z(3), Z(3)), (Z(1), Z(3), Z(2)), (Z(3), Z(1), Z(1)), (Z(3), Z(3), Z(1))),
    case("D3-rank", {"x": F_nn}, (Z(3),), (Z((3, 3, 3)),), (Z((3, 3)),), (Z(()),)),
    case("D3-rank-9", {"x": Float[A, "a b c d e f g h i"]}, (Z((1,) * 9),), (Z((1,) * 8),)),
    case("D3-dots", {"x": Float[A, "a ... b"]}, (Z((1, 2)),), (Z((1, 5, 6, 2)),), (Z(1),)),
    case("D4-twice", {"x": F_nn}, (Z((2, 2)),), (Z((2, 3)),)),
    case("D4-across", {"x": F_nn, "y": F_n}, (Z((2, 2)), Z(2)), (Z((2, 2)), Z(3))),
    case("D4-optional", {"x": F_n | None, "y": F_n}, (None, Z(3)), (Z(3), Z(3)), (Z(3), Z(2))),
    case("D4-runs-and-axes-apart", {"x": Float[A, "*s"], "y": Float[A, "s"]}, (Z((2, 3)), Z(9))),
    case("D5-keyword", {"x": F_n, "*": None, "y": Float[A, "n+1"], "z": F_n},
         ((Z(2),), {"z": Z(2), "y": Z(3)}), ((Z(2),), {"z": Z(2), "y": Z(2)})),
    case("D6-subtract", {"x": F_n, "y": Float[A, "n-1"]}, (Z(1), Z(0)), (Z(0), Z(0)), (Z(3), Z(2))),
    case("D6-floor", {"x": F_n, "y": Float[A, "6//n"]}, (Z(3), Z(2)), (Z(0), Z(2)), (Z(4), Z(1))),
    case("D6-true-division", {"x": F_n, "y": Float[A, "n/2"]}, (Z(4), Z(2)), (Z(3), Z(1))),
    case("D6-power", {"x": F_n, "y": Float[A, "n**2"]}, (Z(2), Z(4)), (Z(2), Z(2))),
    case("D6-modulo", {"x": F_n, "y": Float[A, "n%3"]}, (Z(5), Z(2)), (Z(5), Z(5))),
    case("D6-call", {"x": Float[A, "a b"], "y": Float[A, "min(a,b) max(a,b)"]},
         (Z((2, 3)), Z((2, 3))), (Z((3, 2)), Z((2, 3))), (Z((3, 2)), Z((3, 2)))),
    case("D6-builtin-name", {"x": Float[A, "len"], "y": Float[A, "len+1"]}, (Z(2), Z(3)),
         (Z(2), Z(2))),
    case("D6-parameter", {"n": int, "x": Float[A, "{n}"]}, (3, Z(3)), (2, Z(3)), (-1, Z(3)),
         (10**30, Z(3))),
    case("D6-two-parameters", {"n": int, "m": int, "x": Float[A, "{n}*{m}+1"]}, (2, 3, Z(7)),
         (2, 3, Z(6))),
    case("D6-attribute", {"m": Model, "x": Float[A, "{m.width}"]}, (Model(), Z(3)),
         (Model(2), Z(3))),
    case("D6-attribute-raises", {"m": Model, "x": Float[A, "{m.broken}"]}, (Model(), Z(3))),
    case("D6-mixed", {"n": int, "x": F_n, "y": Float[A, "{n}*n"]}, (2, Z(3), Z(6)),
         (2, Z(3), Z(5))),
    case("D6-fixed-label", {"x": Float[A, "rows=2 cols=3"]}, (Z((2, 3)),), (Z((3, 2)),)),
    case("D7-first-wins", {"x": Float[A, "n m"] | Float[A, "m n"], "y": F_n}, (Z((2, 3)), Z(2)),
         (Z((2, 3)), Z(3))),
    case("D7-no-leak", {"x": Float[A, "n 3"] | Float[A, "m 4"], "y": F_n}, (Z((2, 4)), Z(9)),
         (Z((2, 3)), Z(9))),
    case("D7-optional-list", {"x": list[F_n] | None, "y": F_n}, (None, Z(1)), ([Z(2)], Z(2)),
         ([Z(2)], Z(3)), ([], Z(3))),
    case("D7-unbound-in-an-alternative", {"x": F_n | None, "y": Float[A, "n+1"] | F},
         (None, Z(2)), (Z(1), Z(2)), (Z(1), Z(3)), (None, Z((2, 2)))),
    case("D7-no-size-in-an-alternative", {"x": F_n, "y": Float[A, "6//n"] | F}, (Z(0), Z(2)),
         (Z(2), Z(2)), (Z(0), Z((2, 2)))),
    # Beartype caches hints by their repr: this one must not look like any that was generated.
    case("D7-old-spelling", {"x": Optional[Float[A, "old"]]},  # noqa: UP045
         (None,), (Z(3),), (3,)),
    case("D9-args", {"*x": F_n, "y": F_n}, ((Z(2), Z(2)), {"y": Z(2)}), ((Z(2), Z(3)), {"y": Z(2)}),
         ((), {"y": Z(2)}), ((Z(2),), {"y": Z(3)})),
    case("D9-kwargs", {"x": F_n, "**y": F_n}, ((Z(2),), {"a": Z(2)}), ((Z(2),), {"a": Z(3)}),
         ((Z(2),), {})),
    case("D9-positional-only", {"x": F_n, "/": None, "y": F_n}, (Z(2), Z(2)), (Z(2), Z(3))),
    case("D10-tuple", {"x": tuple[F_n, ...]}, ((Z(2), Z(2)),), ((),), ((1, 1),), ([Z(2)],)),
    case("D10-tuple-length", {"x": tuple[F_n, int]}, ((Z(2), 1),), ((Z(2),),), ((Z(2), 1, 1),)),
    case("D10-empty-tuple", {"x": tuple[()]}, ((),), ((1,),)),
    case("D10-list", {"x": list[F_n]}, ([Z(2)],), ([Z(2), Z(2)],), ([3, 3],), ((Z(2),),)),
    case("D10-dict", {"x": dict[str, F_n], "y": F_n}, ({"a": Z(2)}, Z(2)), ({"a": Z(3)}, Z(2)),
         ({1: Z(2)}, Z(2)), ([], Z(2))),
    case("D10-mapping", {"x": Mapping[str, F_n]}, ({"a": Z(2)},), ({"a": 2},)),
    case("D10-sequence", {"x": Sequence[F_n]}, ([Z(2)],), ((Z(2), Z(2)),), ([1],), (Z(2),)),
    case("D10-nested", {"x": tuple[dict[str, list[F_n]], F_n]}, (({"k": [Z(2)]}, Z(2)),),
         (({"k": [Z(2)]}, Z(3)),), (({"k": [2]}, Z(3)),)),
    case("D10-callable", {"x": Callable[[F_n], F_n]}, (len,), (3,)),
    case("D10-iterator", {"x": Iterator[F_n]}, (iter([Z(2)]),), ([Z(2)],)),
    case("D10-class", {"x": type[mx.array]}, (mx.array,), (int,), (3,)),
    case("D10-queue", {"x": asyncio.Queue[list[int]]}, (asyncio.Queue(),), (3,)),
    case("D10-literal-strings", {"x": Literal["a", "b"], "y": F_n}, ("a", Z(2)), ("c", Z(2)),
         (1, Z(2)), (None, Z(2))),
    case("D10-optional-literal", {"x": Literal["a"] | None, "y": F_n}, ("a", Z(2)), (None, Z(2)),
         ("b", Z(2)), (0, Z(2))),
    case("D10-literal", {"x": Literal["a", 1]}, ("a",), (1,), ("b",), (True,)),
    case("D17-custom", {"x": Halves[A, "n"]}, (Z(2, mx.float16),), (Z(2, mx.bfloat16),), (Z(2),)),
    case("D17-bool", {"x": Bool[A, "n"]}, (Z(2, mx.bool_),), (Z(2, mx.uint8),)),
    case("D17-exact", {"x": UInt8[A, "n"], "y": Float32[A, "n"]}, (Z(2, mx.uint8), Z(2)),
         (Z(2, mx.int8), Z(2)), (Z(2, mx.uint8), Z(2, mx.float16))),
    case("D17-union", {"x": Int[A, "n"] | Bool[A, "n n"]}, (Z(2, mx.int8),), (Z((2, 2), mx.bool_),),
         (Z((2, 2), mx.int8),), (Z(2, mx.bool_),), (Z((2, 3), mx.bool_),)),
    case("D19-nested", {"x": Batch, "y": Float[A, "b w"]}, (Z((2, 3, 4)), Z((2, 4))),
         (Z((2, 3, 4)), Z((2, 3))), (Z((3, 4)), Z((2, 4)))),
    case("D19-typevar-bound", {"x": Float[Bound, "n"]}, (Z(2),), (np.zeros(2),)),
    case("D19-typevar-constraints", {"x": Float[Either, "n"]}, (Z(2),), (np.zeros(2),), (2,)),
    case("D19-union-of-libraries", {"x": Float[A | np.ndarray, "n"], "y": F_n}, (Z(2), Z(2)),
         (np.zeros(2), Z(2)), (np.zeros(2), Z(3))),
    case("D19-newtype", {"x": Row, "y": Float[A, "d"]}, (Z(2), Z(2)), (Z(2), Z(3))),
    case("runs-equal", {"x": Float[A, "*s n"], "y": Float[A, "*s"]}, (Z((2, 3, 4)), Z((2, 3))),
         (Z((2, 3, 4)), Z((2, 4))), (Z(4), Z(())), (Z((2, 4)), Z(()))),
    case("runs-grow", {"x": Float[A, "*#s"], "y": Float[A, "*#s"], "z": Float[A, "*#s"]},
         (Z((1, 3)), Z((2, 1)), Z((2, 3))), (Z((1, 3)), Z((2, 1)), Z((3, 3))),
         (Z((1, 3)), Z((2, 1)), Z((2, 4))), (Z(3), Z((2, 1)), Z(1)), (Z(3), Z(2), Z(1))),
    case("runs-broadcast-to", {"x": Float[A, "*#s"], "y": Float[A, "*s"], "z": Float[A, "*#s"]},
         (Z((1, 3)), Z((2, 3)), Z((2, 1))), (Z((1, 3)), Z((2, 1)), Z(1)),
         (Z((1, 3)), Z((2, 3)), Z((3, 3))), (Z((2, 3)), Z((2, 3)), Z((5, 2, 3)))),
    case("runs-from", {"x": Float[A, "*s"], "y": Float[A, "*#s"]}, (Z((2, 3)), Z((1, 3))),
         (Z((2, 3)), Z(3)), (Z((2, 1)), Z((2, 3))), (Z((2, 3)), Z((2, 2, 3)))),
]  # fmt: skip


RESULTS = [
    ({"x": F_n, "return": F_n}, (Z(2),), [Z(2), Z(3), None, Z((2, 2)), Z(2, mx.int32)]),
    ({"x": F_n, "return": Float[A, "2*n"]}, (Z(2),), [Z(4), Z(2)]),
    ({"x": F_n, "return": tuple[Float[A, "m"], Float[A, "m n"]]}, (Z(2),),
     [(Z(3), Z((3, 2))), (Z(3), Z((2, 2))), (Z(3), Z((3, 3))), Z(3), ()]),
    ({"x": F_n, "return": None}, (Z(2),), [None, 0]),
    ({"x": F_n, "return": F_n | int}, (Z(2),), [Z(2), 3, "s", Z(3)]),
    ({"n": int, "return": Float[A, "{n} k"]}, (2,), [Z((2, 9)), Z((3, 9))]),
]  # fmt: skip


def source_of(hints):
    pieces = [
        name if name in "*/" else f"{name}: H['{name}']" for name in hints if name != "return"
    ]
    arrow = " -> H['return']" if "return" in hints else ""
    return f"def f({', '.join(pieces)}){arrow}:\n    return OUT"


def functions(hints, out=None):
    made = []
    for _ in range(2):
        namespace = {"H": hints, "OUT": out}
        exec(source_of(hints), namespace)
        made.append(namespace["f"])
    ours = guard(made[0])
    ours.__ropeguard__.write(None)  # The first call would be judged without generated source.
    return ours, jaxtyped(made[1], typechecker=beartype)


def verdict(function, call):
    args, kwargs = call if len(call) == 2 and isinstance(call[1], dict) else (call, {})
    try:
        return "accepted", function(*args, **kwargs)
    except (ContractError, TypeCheckError, AnnotationError):
        return "refused", None
