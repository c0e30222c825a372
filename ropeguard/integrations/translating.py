"""Add to an exception of MLX or another package what the catalogue says of it.

The exception keeps its type, message and traceback: it gains one note (PEP 678) and an attribute.
Nothing is evaluated. The arrays named are those of the innermost frame that is not the package's
own, read by shape and dtype.
"""

import contextlib
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ropeguard.catalogue import RopeguardError
from ropeguard.catalogue.artefact import Entry, ours
from ropeguard.catalogue.yours import sentence, suggestions
from ropeguard.contracts import Argument
from ropeguard.contracts.describing import summary


ATTRIBUTE = "__ropeguard__"
_MOST_ARRAYS = 12
# Frames of these are not where a user's arrays have names.
_LIBRARIES = ("mlx", "mlx_lm", "ropeguard", "beartype", "jaxtyping")


@attrs.frozen
class Translation:
    """What the catalogue says of an exception.

    Attributes:
        code: The record's code.
        slug: Its slug.
        values: What the message says of the record's fields.
        arrays: The arrays of the frame that made the call, by their names there.
        reading: What the values mean, in words, if the record says so.
        suggestions: What to write so that the shapes fit; each was tried on the shapes.
    """

    code: str
    slug: str
    values: dict[str, object]
    arrays: tuple[Argument, ...]
    reading: str | None = None
    suggestions: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """The record."""
        return ours().entry(self.code)

    def __str__(self) -> str:
        lines = [f"{self.code} {self.slug}: ropeguard explain {self.code}"]
        lines += [f"  {self.reading}"] if self.reading else []
        lines += [f"  fits: {code}" for code in self.suggestions]
        lines += [f"  {array.name}: {array}" for array in self.arrays]
        return "\n".join(lines)


def annotate(failure: BaseException) -> None:
    """Add a note to an exception, and to those in its chain and group, that the catalogue knows.

    Args:
        failure: The exception. Errors of ropeguard say for themselves what they are, and one that
            has a note already gets no second.
    """
    for one in chain(failure):
        if isinstance(one, RopeguardError) or hasattr(one, ATTRIBUTE):
            continue
        known = translation(one)
        if known is not None:
            setattr(one, ATTRIBUTE, known)
            one.add_note(str(known))


def chain(failure: BaseException) -> Iterator[BaseException]:
    """Yield an exception, then its cause, its context and the members of its group, each once."""
    seen: set[int] = set()
    left: list[BaseException | None] = [failure]
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        left += reversed([one.__cause__, one.__context__, *getattr(one, "exceptions", ())])


def translation(failure: BaseException) -> Translation | None:
    """Return what the catalogue says of an exception of others, if it knows it."""
    # An exception's text may render what it was made of; only one made of text is read.
    if not failure.args or not all(isinstance(argument, str) for argument in failure.args):
        return None
    matches = ours().matcher().matches(f"{type(failure).__name__}: {failure.args[0]}")
    if len(matches) != 1:
        return None
    [match] = matches
    entry = ours().entry(match.code)
    arrays = tuple(_arrays(failure.__traceback__))
    found = suggestions(entry, match.values, names_in(entry, match.values, arrays))
    return Translation(
        match.code,
        entry["slug"],
        dict(match.values),
        arrays,
        sentence(entry, match.values),
        tuple(fit.code for fit in found),
    )


def names_in(
    entry: Entry, values: Mapping[str, object], arrays: Sequence[Argument]
) -> dict[str, str]:
    """Return what a message's arrays are called, where no other array has that shape."""
    names = {}
    for field in (entry["repair"] or {}).get("operands", ()):
        alike = [array.name for array in arrays if array.shape == values.get(field)]
        if len(alike) == 1:
            names[field] = alike[0]
    return names


def _arrays(traceback: types.TracebackType | None) -> Iterator[Argument]:
    """Yield the arrays in the innermost frame that belongs to none of the libraries."""
    frame = None
    while traceback is not None:
        package = traceback.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        if package not in _LIBRARIES:
            frame = traceback.tb_frame
        traceback = traceback.tb_next
    found = 0
    for name, value in (frame.f_locals if frame is not None else {}).items():
        if hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, type):
            yield summary(value, name, "")
            found += 1
            if found == _MOST_ARRAYS:
                return


@contextlib.contextmanager
def translate() -> Iterator[None]:
    """Add notes to exceptions that leave a block.

    `with ropeguard.translate():` costs nothing where nothing fails. The exception passes on with
    its type, message and traceback.
    """
    try:
        yield
    except BaseException as failure:
        annotate(failure)
        raise


def install_excepthook() -> Callable[[], None]:
    """Add notes to exceptions that end the program, before they are printed.

    Returns:
        A function that takes the hook away, unless another was installed over it.
    """
    before = sys.excepthook

    def hook(
        kind: type[BaseException], failure: BaseException, traceback: types.TracebackType | None
    ) -> Any:
        annotate(failure)
        return before(kind, failure, traceback)

    def uninstall() -> None:
        if sys.excepthook is hook:
            sys.excepthook = before

    sys.excepthook = hook
    return uninstall
