"""The error that a violated contract raises.

- RopeguardError
  - ContractError
    - ContractValueError, also a ValueError
    - ContractTypeError, also a TypeError
"""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from ropeguard.catalogue import Entry, RopeguardError
from ropeguard.catalogue.pages import solution_text
from ropeguard.contracts import Violation
from ropeguard.diagnosis import rendering
from ropeguard.diagnosis.calls import CallSite, call_site
from ropeguard.diagnosis.choosing import record_for
from ropeguard.diagnosis.filling import fields_of
from ropeguard.diagnosis.phrasing import favoured, phrased
from ropeguard.diagnosis.suggesting import sizes_of, suggestions_for
from ropeguard.diagnosis.suggestion import Suggestion


class ContractError(RopeguardError):
    """Raised when a guarded call broke its contract.

    It holds no array and pickles. It is also a `ValueError` (shapes, dtypes, values) or a
    `TypeError` (not an array, not of the type), whichever its record names.

    Attributes:
        violation: What is wrong, as data.
        suggestions: Changes of the arguments that repair the call, each tried on stand-ins, the
            least far-fetched first.
        call: Where the call is written, if that is known.
        sizes: What each axis name is, with the arguments that say so.
    """

    violation: Violation
    suggestions: tuple[Suggestion, ...]
    call: CallSite | None
    sizes: tuple[str, ...]

    def __init__(
        self,
        entry: Entry,
        violation: Violation,
        suggestions: Sequence[Suggestion] = (),
        call: CallSite | None = None,
        sizes: Sequence[str] = (),
    ) -> None:
        self.violation = violation
        fields = fields_of(entry, violation)
        self.suggestions = tuple(phrased(it, entry, fields) for it in suggestions)
        self.call = call
        self.sizes = tuple(sizes)
        super().__init__(entry, fields)
        self.details = rendering.details(self._report(entry))

    def __reduce__(self) -> tuple[Any, ...]:
        return _blank, (type(self).__name__,), self.__dict__ | {"args": self.args}

    def _report(self, entry: Entry | None = None) -> rendering.Report:
        headline = f"{self.message} [{self.code}]"
        entry = self.record if entry is None else entry
        advice = solution_text(entry["solutions"][0], entry, self.fields)
        return rendering.Report(
            headline, entry, self.violation, self.suggestions, self.call, self.sizes, advice
        )

    def render(
        self, *, color: bool | None = None, width: int | None = None, narrated: bool = False
    ) -> str:
        """Return the whole diagnostic, with the call and where each size comes from.

        Args:
            color: Whether escape sequences may be used; by default where stderr is a terminal and
                `NO_COLOR` is not set.
            width: The columns to keep to, 60 at least; by default those of the terminal.
            narrated: Whether to write sentences in place of a table, for a screen reader.
        """
        if narrated:
            return rendering.narrated(self._report())
        if color is None:
            color = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        columns = width or shutil.get_terminal_size().columns
        return rendering.render(self._report(), color=color, width=columns)

    def _repr_markdown_(self) -> str:
        """Return the diagnostic for a notebook."""
        return rendering.markdown(self._report())

    def to_json(self) -> str:
        """Return the error as one line of JSON, for logs."""
        data = json.loads(super().to_json())
        del data["details"]
        call = self.call
        place = None if call is None else {"file": call.file, "line": call.line}
        suggestions = [it.to_json() for it in self.suggestions]
        more = {"violation": self.violation.to_json(), "call": place, "suggestions": suggestions}
        return json.dumps(data | more)


class ContractValueError(ContractError, ValueError):
    """A contract on shapes, dtypes or values was broken."""


class ContractTypeError(ContractError, TypeError):
    """A value was no array, or not of the annotated type."""


_CLASSES: dict[str, type[ContractError]] = {
    "ValueError": ContractValueError,
    "TypeError": ContractTypeError,
}
for _kind in (ContractError, *_CLASSES.values()):
    _kind.__module__ = "ropeguard"


def contract_error(violation: Violation) -> ContractError:
    """Return the error for a violation, to be raised, with the suggestions that were tried.

    Nothing is evaluated and no array is rendered or kept; what the violation holds for the search
    is let go of.
    """
    entry = record_for(violation)
    case = violation.recheck.take()
    site = call_site(violation.function, None if case is None else case.contract.signature)
    kind = _CLASSES[entry["exception"]]
    if case is None:
        return kind(entry, violation, call=site)
    suggestions = suggestions_for(case, violation, site, favoured(entry))
    return kind(entry, violation, suggestions, site, sizes_of(case))


def _blank(name: str) -> ContractError:
    kind = next(kind for kind in _CLASSES.values() if kind.__name__ == name)
    return kind.__new__(kind)
