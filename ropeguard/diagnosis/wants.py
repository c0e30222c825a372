"""What an array's annotation wants of its shape, given what the other arguments say."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.checks import check
from ropeguard.contracts.dims import Expression, Fixed, Named, Unchecked, Variadic
from ropeguard.contracts.nodes import Array
from ropeguard.contracts.shapes import Subject, check_rank, placed, variadic_index
from ropeguard.diagnosis.places import Place


@attrs.frozen
class Want:
    """One axis as it should be.

    Attributes:
        name: The axis as the annotation writes it.
        size: Its size, if anything but the array itself says one.
        one: Whether 1 is accepted too.
    """

    name: str
    size: int | None
    one: bool = False

    def accepts(self, size: int) -> bool:
        """Say whether an axis of that size will do."""
        return self.size is None or size == self.size or (self.one and size == 1)


Wants = tuple[Want, ...]


@attrs.frozen
class Sizes:
    """What is known of names from some of the arguments: the size that most axes give."""

    sizes: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    parameters: Mapping[str, Any]


@attrs.frozen
class Look:
    """What one place says of names, and whether it fits its own annotation.

    Attributes:
        place: The place.
        fits: Whether class, dtype and rank are right, and each size that needs nothing else.
        sizes: The size of each named axis.
        shapes: The shape of each named run of axes.
        computed: The size of each axis that is computed.
    """

    place: Place
    fits: bool
    sizes: tuple[tuple[str, int], ...] = ()
    shapes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    computed: tuple[tuple[Expression, int], ...] = ()

    def like(self, other: "Look") -> bool:
        """Say whether two arrays are laid out alike: as many axes, two of them called the same."""
        mine, its = self.place, other.place
        if not (mine.arrays and its.arrays and hasattr(mine.value, "shape")):
            return False
        if len(mine.value.shape) != len(getattr(its.value, "shape", ())):
            return False
        left = [dim.text for dim in mine.arrays[0].axes]
        right = [dim.text for dim in its.arrays[0].axes]
        return len(left) == len(right) and len(set(left) & set(right)) >= min(2, len(left))


_OWN = ("rank", "dtype", "not-array", "other-library", "size", "type")


def looks_of(places: Iterable[Place], parameters: Mapping[str, Any]) -> list[Look]:
    """Look at every place once."""
    return [_look(place, parameters) for place in places]


def _look(place: Place, parameters: Mapping[str, Any]) -> Look:
    if not place.arrays:
        return Look(place, not place.plains or any(it.check(place.value) for it in place.plains))
    if any(plain.check(place.value) for plain in place.plains):
        return Look(place, True)
    best = Look(place, False)
    for node in place.arrays:
        mismatch = check(node, place.value, Bindings(parameters=parameters), place.name)
        fits = mismatch is None or mismatch.kind not in _OWN
        if fits or (mismatch is not None and mismatch.kind == "dtype" and _has_rank(node, place)):
            best = _votes(node, place, fits)
        if fits:
            break
    return best


def _has_rank(node: Array, place: Place) -> bool:
    return check_rank(node.axes, tuple(place.value.shape), Subject("", "")) is None


def _votes(node: Array, place: Place, fits: bool) -> Look:
    shape = tuple(place.value.shape)
    sizes = tuple(
        (dim.name, shape[axis])
        for axis, dim in placed(node.axes, len(shape))
        if isinstance(dim, Named) and not (dim.broadcast and shape[axis] == 1)
    )
    computed = tuple(
        (dim, shape[axis])
        for axis, dim in placed(node.axes, len(shape))
        if isinstance(dim, Expression) and dim.names
    )
    run = variadic_index(node.axes)
    dim = None if run is None else node.axes[run]
    if run is None or not isinstance(dim, Variadic) or dim.name is None:
        return Look(place, fits, sizes, computed=computed)
    part = shape[run : len(shape) - (len(node.axes) - run - 1)]
    return Look(place, fits, sizes, ((dim.name, part),), computed)


def known_sizes(
    looks: Iterable[Look], parameters: Mapping[str, Any], without: Collection[str]
) -> Sizes:
    """Return what the arguments say of the names, apart from some of them."""
    sizes: dict[str, Counter[int]] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for look in looks:
        if look.place.name not in without:
            for name, size in look.sizes:
                sizes.setdefault(name, Counter())[size] += 1
            for name, shape in look.shapes:
                shapes.setdefault(name, shape)
    best = {name: counts.most_common(1)[0][0] for name, counts in sizes.items()}
    known = Sizes(best, shapes, parameters)
    for look in looks:
        if look.place.name not in without:
            for dim, size in look.computed:
                _solve(dim, size, known, best)
    return known


def _solve(dim: Expression, size: int, known: Sizes, sizes: dict[str, int]) -> None:
    """Find the one name of an expression that nothing else binds: 16 where `dim//2` is 8."""
    missing = [name for name in dict.fromkeys(dim.names) if name not in sizes]
    if len(missing) != 1:
        return
    others = [it for it in (*sizes.values(), *range(1, 9)) if it > 0]
    guesses = (guess for it in others for guess in (size * it, size // it, size - it, size + it))
    for guess in dict.fromkeys(guesses):
        trial = Sizes({**sizes, missing[0]: guess}, known.shapes, known.parameters)
        if guess > 0 and expression_size(dim, trial) == size:
            sizes[missing[0]] = guess
            return


def wants_of(node: Array, rank: int, known: Sizes) -> list[Wants]:
    """Return what the annotation wants, once for each number of axes that its run may take."""
    run = variadic_index(node.axes)
    if run is None:
        return [tuple(_want(dim, known) for dim in node.axes if not isinstance(dim, Variadic))]
    dim, others = node.axes[run], len(node.axes) - 1
    name = dim.name if isinstance(dim, Variadic) else None
    if name is not None and name in known.shapes:
        parts = [tuple(Want(f"{dim.text}", size) for size in known.shapes[name])]
    else:
        lengths = dict.fromkeys(max(0, rank - others + more) for more in (0, 1, -1))
        parts = [(Want(dim.text, None),) * length for length in lengths]
    before = tuple(_want(it, known) for it in node.axes[:run] if not isinstance(it, Variadic))
    after = tuple(_want(it, known) for it in node.axes[run + 1 :] if not isinstance(it, Variadic))
    return [(*before, *part, *after) for part in parts]


def _want(dim: Fixed | Named | Unchecked | Expression, known: Sizes) -> Want:
    if isinstance(dim, Fixed):
        return Want(dim.text, dim.size, dim.broadcast)
    if isinstance(dim, Named):
        return Want(dim.text, known.sizes.get(dim.name), dim.broadcast)
    if isinstance(dim, Expression):
        return Want(dim.text, expression_size(dim, known), dim.broadcast)
    return Want(dim.text, None)


def expression_size(dim: Expression, known: Sizes) -> int | None:
    """Return the size that an expression gives, if everything that it reads is known."""
    try:
        given = {it.placeholder: eval(it.code, dict(known.parameters)) for it in dim.parameters}
        size = dim.size({name: known.sizes[name] for name in dim.names}, given)
    except Exception:
        return None
    return size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None
