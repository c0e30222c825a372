"""What is known while a check is written as source: names, locals, and what can't be written."""

from typing import Any

import attrs

from ropeguard.contracts.contract import Contract
from ropeguard.contracts.violation import Origin


@attrs.define
class Step:
    """The source that checks one value.

    Attributes:
        statements: Lines that come first; one that raises says that the value may not fit.
        terms: Conditions that all hold where it fits.
    """

    statements: list[str] = attrs.field(factory=list)
    terms: list[str] = attrs.field(factory=list)


@attrs.define
class Scope:
    """What is known while the checks of one contract are written.

    Attributes:
        contract: The contract.
        constants: The objects that the source names.
        check: The step that is being written.
        sizes: Names of axes that are surely bound so far, and the local that holds the size.
        runs: The same for runs of axes.
        origins: For each local that a name may be bound in: the name and where it was bound.
        dtypes: Parameters whose dtype a local holds, with that local and the dtypes allowed.
        same: Parameters whose `SameDtype` is checked in place of their own dtypes.
        again: Conditions under which the arguments are what they were before the call.
        reason: Why no source can be written, if it can't.
        parts: How many values are handed to the authoritative check one by one.
    """

    contract: Contract
    constants: dict[str, Any] = attrs.field(factory=dict)
    check: Step = attrs.field(factory=Step)
    sizes: dict[str, str] = attrs.field(factory=dict)
    runs: dict[str, str] = attrs.field(factory=dict)
    origins: dict[str, tuple[str, Origin]] = attrs.field(factory=dict)
    dtypes: dict[str, tuple[str, Any]] = attrs.field(factory=dict)
    same: set[str] = attrs.field(factory=set)
    again: list[str] = attrs.field(factory=list)
    reason: str | None = None
    parts: int = 0
    _odd: str | None = None
    _exact: list[str] = attrs.field(factory=list)
    _several: bool = False
    _compared: set[str] = attrs.field(factory=set)
    _maybe: set[str] = attrs.field(factory=set)
    _locals: dict[str, str] = attrs.field(factory=dict)

    def give_up(self, reason: str) -> None:
        """Say that no source can be written."""
        self.reason = self.reason or reason

    def odd(self, what: str) -> None:
        """Say that the value at hand can't be compared by source of its own."""
        self._odd = what

    def constant(self, name: str, value: object) -> str:
        """Name an object in the source."""
        self.constants[self.local(name)] = value
        return name

    def local(self, name: str) -> str:
        """Return the name of a local of the source's own."""
        if name in self.contract.parameters:
            self.give_up(f"`{name}` is a name that the generated source uses")
        return name
