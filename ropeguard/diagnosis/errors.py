"""The error that a violated contract raises.

- RopeguardError
  - ContractError
    - ContractValueError, also a ValueError
    - ContractTypeError, also a TypeError
"""

import json
from typing import Any

from ropeguard.catalogue import Entry, RopeguardError
from ropeguard.contracts import Violation
from ropeguard.diagnosis.choosing import record_for
from ropeguard.diagnosis.filling import fields_of
from ropeguard.diagnosis.rendering import details


class ContractError(RopeguardError):
    """Raised when a guarded call broke its contract.

    It holds no array and pickles. It is also a `ValueError` (shapes, dtypes, values) or a
    `TypeError` (not an array, not of the type), whichever its record names.

    Attributes:
        violation: What is wrong, as data.
    """

    violation: Violation

    def __init__(self, entry: Entry, violation: Violation) -> None:
        self.violation = violation
        super().__init__(entry, fields_of(entry, violation), details(entry, violation))

    def __reduce__(self) -> tuple[Any, ...]:
        return _blank, (type(self).__name__,), self.__dict__ | {"args": self.args}

    def to_json(self) -> str:
        """Return the error as one line of JSON, for logs."""
        data = json.loads(super().to_json())
        del data["details"]
        return json.dumps(data | {"violation": self.violation.to_json()})


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
    """Return the error for a violation, to be raised.

    Nothing is evaluated and no array is rendered or kept.
    """
    entry = record_for(violation)
    return _CLASSES[entry["exception"]](entry, violation)


def _blank(name: str) -> ContractError:
    kind = next(kind for kind in _CLASSES.values() if kind.__name__ == name)
    return kind.__new__(kind)
