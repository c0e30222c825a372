"""Numbers among the arguments that should be what the arrays say."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ropeguard.contracts.dims import Expression
from ropeguard.contracts.shapes import Subject, check_rank, placed
from ropeguard.diagnosis.edits import Edit, integer
from ropeguard.diagnosis.places import Place
from ropeguard.diagnosis.wants import Sizes, expression_size


_MOST_GUESSES = 4


def integer_edits(
    places: Sequence[Place], parameters: Mapping[str, Any], sizes: Sizes
) -> Iterator[Edit]:
    """Yield other values for the numbers that axes of arrays are computed from."""
    for place in places:
        if type(place.value) is int and not place.keys:
            guesses = _guesses(place, places, parameters, sizes)
            for value, count in guesses.most_common(_MOST_GUESSES):
                if value != place.value and value >= 0:
                    axes = (
                        "the axis that it sizes is"
                        if count == 1
                        else (f"{count} of the axes that it sizes are")
                    )
                    yield integer(place, value, f"{axes} made for {value}")


def _guesses(
    place: Place, places: Sequence[Place], parameters: Mapping[str, Any], sizes: Sizes
) -> Counter[int]:
    found: Counter[int] = Counter()
    for array in places:
        for dim, size in _expressions(array):
            if any(it.text == place.root for it in dim.parameters):
                found.update(_solved(dim, size, place, parameters, sizes))
    return found


def _expressions(place: Place) -> Iterator[tuple[Expression, int]]:
    """Yield each computed axis with the size that the array has there."""
    shape = tuple(getattr(place.value, "shape", ()))
    for node in place.arrays:
        if check_rank(node.axes, shape, Subject("", "")) is None:
            for axis, dim in placed(node.axes, len(shape)):
                if isinstance(dim, Expression):
                    yield dim, shape[axis]


def _solved(
    dim: Expression, size: int, place: Place, parameters: Mapping[str, Any], sizes: Sizes
) -> Iterator[int]:
    """Yield values of a parameter that give an axis the size that it has."""
    if dim.sole_parameter == place.root:
        yield size
        return
    numbers = [it for it in parameters.values() if type(it) is int and it > 0]
    factors = dict.fromkeys([1, 2, 3, 4, 8, *numbers, *sizes.sizes.values()])
    guesses = [guess for it in factors if it for guess in (size // it, size * it, size - it)]
    for guess in dict.fromkeys(guesses):
        trial = Sizes(sizes.sizes, sizes.shapes, {**parameters, place.root: guess})
        if guess > 0 and expression_size(dim, trial) == size:
            yield guess
            return
