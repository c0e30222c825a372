"""What can be guarded, and that it stays what it was."""

import asyncio
import dataclasses
import inspect
import pickle
import typing
from collections.abc import AsyncIterator, Generator, Iterator

import attrs
import mlx.core as mx
import mlx.nn as nn
import numpy
import pytest
from jaxtyping import Float

import ropeguard
from ropeguard import ContractError, RopeguardError, guard


F_n = Float[mx.array, "n"]
F_nn = Float[mx.array, "n n"]
Z = mx.zeros


@guard
def scaled(x: F_n, *, by: float = 2.0) -> F_n:
    """Return x, scaled."""
    return x * by


def test_a_guarded_function_keeps_its_name_doc_and_signature():
    assert scaled.__name__ == "scaled"
    assert scaled.__doc__ == "Return x, scaled."
    assert str(inspect.signature(scaled)).startswith(
        "(x: jaxtyping.Float[array, 'n'], *, by: float"
    )
    assert scaled.__wrapped__.__name__ == "scaled"
    assert pickle.loads(pickle.dumps(scaled)) is scaled


def test_guarding_twice_is_guarding_once():
    assert guard(scaled) is scaled


@pytest.mark.parametrize("target", [3, len, mx.add, nn.Linear(2, 2)])
def test_what_cannot_be_guarded_is_refused(target):
    with pytest.raises(RopeguardError) as caught:
        guard(target)
    assert caught.value.slug == "guard-target-unsupported"
    assert isinstance(caught.value, TypeError)


def test_no_type_check_opts_out():
    @guard
    @typing.no_type_check
    def f(x: F_n):
        return "ran"

    assert f("anything") == "ran"


def test_a_module_is_guarded_by_its_call():
    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.width = width
            self.linear = nn.Linear(width, 2 * width)

        @guard
        def __call__(
            self, x: Float[mx.array, "batch {self.width}"]
        ) -> Float[mx.array, "batch 2*{self.width}"]:
            return self.linear(x)

    assert Block(4)(Z((3, 4))).shape == (3, 8)
    with pytest.raises(ContractError, match=r"`x` axis 1 \({self.width}\) is 5, expected 4"):
        Block(4)(Z((3, 5)))


@guard
class Everything:
    """A class with every kind of method."""

    def __init__(self, x: F_n):
        self.x = x

    def plain(self, y: F_n) -> F_n:
        return y

    @staticmethod
    def static(y: F_nn) -> F_nn:
        return y

    @classmethod
    def of(cls, y: F_n) -> typing.Self:
        return cls(y)

    @property
    def size(self) -> int:
        return self.x.shape[0] if self.x.shape[0] < 5 else None

    @size.setter
    def size(self, value: int) -> None:
        self.x = Z(value)

    def unannotated(self, y):
        return y


def test_every_kind_of_method_of_a_class_is_guarded():
    thing = Everything.of(Z(2))
    assert (thing.plain(Z(3)).shape, thing.size, thing.unannotated(3)) == ((3,), 2, 3)
    assert Everything.static(Z((2, 2))).shape == (2, 2)
    thing.size = 3
    assert thing.size == 3
    wrong = (
        lambda: Everything(3),
        lambda: thing.plain(Z((2, 2))),
        lambda: Everything.static(Z((2, 3))),
        lambda: Everything.of(3),
        lambda: setattr(thing, "size", "4"),
        lambda: Everything(Z(5)).size,
    )
    for call in wrong:
        with pytest.raises(ContractError):
            call()


@guard
@dataclasses.dataclass
class Cache:
    keys: Float[mx.array, "slots dim"]
    values: Float[mx.array, "slots dim"]
    used: int = 0

    def grow(self, more: Float[mx.array, "extra dim"]) -> int:
        return self.used + more.shape[0]


@guard
@attrs.define
class Slotted:
    keys: Float[mx.array, "slots dim"]
    values: Float[mx.array, "slots dim"]
    used: int = 0


@guard
@attrs.frozen
class Frozen:
    keys: Float[mx.array, "slots dim"]
    values: Float[mx.array, "slots dim"]


@guard
@dataclasses.dataclass(frozen=True)
class FrozenData:
    keys: Float[mx.array, "slots dim"]
    values: Float[mx.array, "slots dim"]


@pytest.mark.parametrize("kind", [Cache, Slotted, Frozen, FrozenData])
def test_fields_bind_each_other_when_the_object_is_made(kind):
    made = kind(Z((4, 2)), values=Z((4, 2)))
    assert made.keys.shape == (4, 2)
    with pytest.raises(
        ContractError, match=r"`values` axis 0 \(slots\) is 5, expected 4"
    ) as caught:
        kind(Z((4, 2)), Z((5, 2)))
    assert caught.value.violation.stage == "field"
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        kind(Z((4, 2)))


@pytest.mark.parametrize("kind", [Cache, Slotted])
def test_a_later_assignment_is_checked_before_it_happens(kind):
    made = kind(Z((4, 2)), Z((4, 2)))
    made.values = mx.ones((4, 2))
    made.used = 3
    kept = made.values
    for name, wrong in (("values", Z((5, 2))), ("values", None), ("used", "3"), ("keys", Z(4))):
        with pytest.raises(ContractError) as caught:
            setattr(made, name, wrong)
        assert caught.value.violation.argument == name
    assert made.values is kept
    assert made.used == 3


@pytest.mark.parametrize("kind", [Frozen, FrozenData])
def test_a_frozen_object_stays_frozen(kind):
    made = kind(Z((4, 2)), Z((4, 2)))
    with pytest.raises((attrs.exceptions.FrozenInstanceError, dataclasses.FrozenInstanceError)):
        made.keys = Z((4, 2))


def test_the_methods_of_a_dataclass_are_guarded_too():
    with pytest.raises(ContractError):
        Cache(Z((4, 2)), Z((4, 2))).grow(Z(3))


def test_a_subclass_checks_what_it_inherits():
    @guard
    @dataclasses.dataclass
    class Quantised(Cache):
        scale: Float[mx.array, "slots"] | None = None

    assert Quantised(Z((4, 2)), Z((4, 2)), scale=Z(4)).used == 0
    with pytest.raises(ContractError, match="`scale`"):
        Quantised(Z((4, 2)), Z((4, 2)), scale=Z(5))


def test_replacing_fields_of_a_dataclass_checks_the_copy():
    made = Cache(Z((4, 2)), Z((4, 2)))
    bigger = dataclasses.replace(made, keys=Z((5, 2)), values=Z((5, 2)))
    assert bigger.keys.shape == (5, 2)
    with pytest.raises(ContractError):
        dataclasses.replace(made, keys=Z((5, 2)))


def test_a_generator_is_checked_both_ways():
    closed = []

    @guard
    def echo(x: F_n) -> Generator[F_n, float, int]:
        try:
            got = 0.0
            while got >= 0:
                got = yield x * got
            return 7 if got > -2 else "seven"
        finally:
            closed.append(1)

    def drive(*sent):
        items = echo(Z(2))
        next(items)
        for value in sent:
            items.send(value)

    with pytest.raises(ContractError):
        echo(3)
    with pytest.raises(StopIteration) as stopped:
        drive(1.0, -1.0)
    assert stopped.value.value == 7
    with pytest.raises(ContractError, match="`send` is 'x', expected float"):
        drive("x")
    with pytest.raises(ContractError, match="`return` is 'seven', expected int"):
        drive(-5.0)
    assert closed == [1, 1, 1]


def test_what_is_thrown_into_a_generator_reaches_it():
    @guard
    def patient() -> Iterator[int]:
        while True:
            try:
                yield 1
            except KeyError:
                yield 2

    items = patient()
    assert next(items) == 1
    assert items.throw(KeyError("k")) == 2
    assert next(items) == 1
    with pytest.raises(OSError, match="mine"):
        items.throw(OSError("mine"))


def test_every_item_of_a_generator_binds_free_names_anew():
    @guard
    def batches(x: Float[mx.array, "rows dim"]) -> Iterator[Float[mx.array, "batch dim"]]:
        yield x[:2]
        yield x[2:]

    assert [item.shape for item in batches(Z((3, 4)))] == [(2, 4), (1, 4)]


def test_a_generator_with_another_result_hint_is_refused():
    def f() -> int:
        yield 1

    with pytest.raises(RopeguardError) as caught:
        guard(f)
    assert caught.value.slug == "contract-invalid"


def test_async_functions_and_generators_stay_async():
    @guard
    async def one(x: F_n) -> F_n:
        return x

    @guard
    async def many(x: F_n) -> AsyncIterator[F_n]:
        yield x
        yield x[:-1]

    async def main():
        assert inspect.iscoroutinefunction(one)
        assert (await one(Z(3))).shape == (3,)
        with pytest.raises(ContractError):
            await one(3)
        items = many(Z(3))
        assert (await anext(items)).shape == (3,)
        with pytest.raises(ContractError, match="expected 3"):
            await anext(items)

    asyncio.run(main())


CLASSES = """
@guard
class Plain:
    def __init__(self, n: int):
        self.n = n

    def method(self, x: F_nn) -> F_nn:
        return x


@guard
@dataclasses.dataclass
class Fields:
    n: int

    def method(self, x: F_nn) -> F_nn:
        return x


@guard
@dataclasses.dataclass(init=False)
class OwnInit:
    n: int

    def __init__(self, n: int, name: str = "a"):
        self.n = n

    def method(self, x: F_nn) -> F_nn:
        return x


@guard
@attrs.define
class Attrs:
    n: int

    def method(self, x: F_nn) -> F_nn:
        return x


@guard
class Named(typing.NamedTuple):
    n: int

    def method(self, x: F_nn) -> F_nn:
        return x
"""


@pytest.mark.parametrize("file", ["<string>", "<stdin>", "<ipython-input-1-a>", "model.py"])
@pytest.mark.parametrize("name", ["Plain", "Fields", "OwnInit", "Attrs", "Named"])
def test_classes_are_guarded_wherever_their_code_came_from(name, file):
    """Code of `python -c`, of a session or of `exec` has no file."""
    namespace = {**globals(), "__name__": __name__}
    exec(compile(CLASSES, file, "exec"), namespace)
    made = namespace[name](3)
    assert made.method(Z((2, 2))).shape == (2, 2)
    with pytest.raises(ContractError, match="`x` axis 1"):
        made.method(Z((2, 3)))
    with pytest.raises(ContractError, match="`n` is 'three', expected int"):
        namespace[name]("three")


def test_an_array_class_in_place_of_a_value_is_named():
    @guard
    def f(dtype: mx.Dtype, sizes: dict[str, int]):
        return dtype

    for kind in (mx.array, numpy.float32, numpy.ndarray):
        with pytest.raises(ContractError, match=f"`dtype` is the class .*{kind.__name__}"):
            f(kind, {})
    with pytest.raises(ContractError, match="`key 3 of sizes` is 3, expected str"):
        f(mx.float32, {3: 4})


def test_levels_switch_the_checks():
    def wrong():
        return scaled(Z(2), by="2")

    with ropeguard.level("off"), pytest.raises(ValueError, match=r"Cannot convert|Invalid|array"):
        wrong()
    with pytest.raises(ContractError):
        wrong()
    ropeguard.set_level("off")
    try:
        assert scaled(Z((2, 2))).shape == (2, 2)
        with ropeguard.level("shapes"), pytest.raises(ContractError):
            wrong()
    finally:
        ropeguard.set_level("shapes")


def test_an_unknown_level_is_refused():
    for set_it in (ropeguard.set_level, lambda name: ropeguard.level(name).__enter__()):
        with pytest.raises(RopeguardError, match="no guard level `loud`") as caught:
            set_it("loud")
        assert isinstance(caught.value, ValueError)


def test_the_public_names_are_there():
    assert sorted(set(ropeguard.__all__)) == sorted(ropeguard.__all__)
    for name in ropeguard.__all__:
        assert getattr(ropeguard, name) is getattr(ropeguard, name)
    with pytest.raises(AttributeError, match="no public name `gaurd`"):
        ropeguard.gaurd  # noqa: B018
    assert not hasattr(ropeguard, "gaurd")
