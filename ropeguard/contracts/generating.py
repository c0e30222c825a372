"""Write a check as Python source: it may only conclude that a call surely fits.

Whatever is not understood here, or not seen to fit, is for the authoritative check to judge
(`call.py`), so that nothing may be accepted that it refuses. The source reads each shape and each
dtype once and compares locals; docs/performance.md tells why, and what was measured.
"""

import builtins
import copy
import inspect
from collections.abc import Iterable
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.contract import Contract
from ropeguard.contracts.dims import Fixed, Named, Unchecked
from ropeguard.contracts.handing import bindable, part_of, read_by
from ropeguard.contracts.nodes import (
    Anything,
    Array,
    FixedTuple,
    Node,
    Plain,
    Union,
    Valued,
    all_inside,
    has_values,
)
from ropeguard.contracts.relating import terms_of
from ropeguard.contracts.scope import Step
from ropeguard.contracts.values import SameDtype
from ropeguard.contracts.writing import ArrayWriter


# What the source calls its own things; a parameter of such a name is left to the slow way.
RESERVED = frozenset(
    {
        *(
            "mode_",
            "function_",
            "slow_",
            "judge_",
            "subclasses_",
            "result_",
            "outcome_",
            "Refusal_",
        ),
        *("contract_error_", "bound_", "nothing_", "shape_of", "dtype_of", "hash_of", "array_"),
        *("Exception", "int", "isinstance", "len", "tuple", "type"),
    }
)


@attrs.define
class Generator(ArrayWriter):
    """Writes the checks of one contract."""

    def arguments(self) -> list[Step]:
        """Write the check of the arguments, a step for each and one for what they have to share."""
        self._look_ahead()
        for name in self.contract.parameters:
            if name in RESERVED:
                self.give_up(f"`{name}` is a name that the generated source uses")
        values = self.contract.parameters.items()
        steps = [self._whole(node, name) for name, node in values]
        return [*steps, self._last(values)]

    def result(self) -> list[Step]:
        """Write the check of the result, after that of the arguments."""
        unchanged = Step(terms=list(self.again))
        node = self.contract.result
        return [unchanged, self._whole(node, "result_"), self._last([("result_", node)])]

    def _look_ahead(self) -> None:
        """Note what decides which dtypes have to be kept in locals."""
        nodes = [*self.contract.parameters.values(), self.contract.result]
        inside = [part for node in nodes for part in all_inside(node)]
        self._several = sum(isinstance(part, Array) for part in inside) > 1
        self._compared = {
            contract.argument
            for part in inside
            if isinstance(part, Valued)
            for contract in part.contracts
            if isinstance(contract, SameDtype)
        }

    def _last(self, values: Iterable[tuple[str, Node]]) -> Step:
        """Write what is checked once all shapes are: exact classes, contracts on values.

        MLX's getters read what a subclass may have overridden, so a subclass is left to the
        authoritative check. As long as there is none anywhere, one call tells that of many
        arrays.
        """
        self.check = Step()
        if self._exact:
            exact = " and ".join(self._exact)
            many = len(self._exact) > 3
            self.check.terms.append(f"(not subclasses_() or ({exact}))" if many else exact)
            self._exact = []
        for name, node in values:
            self._relations(node, name)
        return self.check

    def _whole(self, node: Node, local: str) -> Step:
        """Write the check of an argument or the result, or hand it to the authoritative check."""
        self.check = Step()
        if self._is_everyday(node):
            self._value(node, local)
            return self.check
        before = {name: copy.copy(getattr(self, name)) for name in _STATE}
        gathers = local in self.contract.parameters and _gathers(self.contract, local)
        if gathers and not isinstance(node, Anything):
            self.odd("several arguments")
        else:
            self._value(node, local)
        if self._odd is not None:
            self._odd = None
            for name, value in before.items():
                setattr(self, name, value)
            self.check = Step()
            self._part(node, local, gathers)
        return self.check

    def _is_everyday(self, node: Node) -> bool:
        """Say whether a value is surely compared by source of its own, so that none is undone."""
        if isinstance(node, Valued):
            node = node.inner
        if isinstance(node, Array) and node.array_type is not Any:
            return isinstance(node.array_type, type) and all(
                isinstance(dim, (Fixed, Unchecked))
                or (isinstance(dim, Named) and not dim.broadcast and dim.name not in self._maybe)
                for dim in node.axes
            )
        return isinstance(node, Anything)

    def _part(self, node: Node, local: str, gathers: bool) -> None:
        """Hand one value to the authoritative check, with all that is bound so far."""
        known = tuple(self.origins.values())
        if not self.parts:
            self.check.statements.append(f"bound_ = {self.constant('nothing_', Bindings())}")
        self.parts += 1
        name = self.constant(f"part_{self.parts}", part_of(node, local, known, gathers))
        sizes = "".join(f"{size}, " for size in self.origins)
        reads = ", ".join(f"'{it}': {it}" for it in read_by(node, self.contract))
        call = f"{name}({local}, bound_, ({sizes}), {{{reads}}})"
        self.check.statements.append(f"bound_ = {call}")
        self.check.terms.append("bound_ is not None")
        self.again.append(f"{call} is not None")
        self._maybe |= bindable(node) - self.sizes.keys() - self.runs.keys()

    def _value(self, node: Node, local: str) -> None:
        if isinstance(node, Anything):
            return
        if isinstance(node, Valued):
            self._value(node.inner, local)
        elif isinstance(node, Array):
            self._array(node, local)
        elif isinstance(node, Plain):
            if node.hint is not int or local not in self._locals:  # Else it is one already.
                self.check.terms.append(self._plain(node, local))
        elif isinstance(node, Union):
            self._union(node, local)
        elif isinstance(node, FixedTuple) and local == "result_":
            self._tuple(node, local)
        else:
            self.odd(node.text)

    def _plain(self, node: Plain, local: str) -> str:
        """Return the condition for a hint without arrays."""
        if node.hint is None or node.hint is type(None):
            return f"{local} is None"
        values = getattr(node.hint, "__args__", ())
        if str(node.hint).startswith("typing.Literal") and all(type(it) is str for it in values):
            return f"type({local}) is str and {local} in {values!r}"
        if isinstance(node.hint, type) and not hasattr(node.hint, "__origin__"):
            return f"isinstance({local}, {self._class(node.hint)})"
        return f"{self.constant(f'fits_{len(self.constants)}', node.check)}({local})"

    def _class(self, kind: type) -> str:
        name: str = kind.__name__
        if getattr(builtins, name, None) is kind and name not in self.contract.parameters:
            return name
        return self.constant(f"{kind.__name__}_{len(self.constants)}", kind)

    def _union(self, node: Union, local: str) -> None:
        plain = [part for part in node.alternatives if isinstance(part, Plain)]
        others = [part for part in node.alternatives if not isinstance(part, Plain)]
        if not others:
            either = " or ".join(f"({self._plain(part, local)})" for part in plain)
            self.check.terms.append(f"({either})")
        elif len(others) == 1 and isinstance(others[0], Array) and _is_none(plain):
            self._optional(others[0], local)
        else:
            self.odd(node.text)

    def _optional(self, node: Array, local: str) -> None:
        """Write the check of an array or `None`; the names that it binds may stay unbound."""
        outer, known, again = self.check, dict(self.sizes), self.again
        runs, parameters = dict(self.runs), dict(self._locals)
        exact, self._exact = self._exact, []
        self.check, self.again = Step(), []
        self._array(node, local)
        inner = self.check
        fresh = [self.sizes[name] for name in self.sizes.keys() - known.keys()]
        fresh += [self.runs[name] for name in self.runs.keys() - runs.keys()]
        self._maybe |= (self.sizes.keys() - known.keys()) | (self.runs.keys() - runs.keys())
        self.sizes, self.runs, self._locals = known, runs, parameters
        self.dtypes.pop(local, None)
        absent = " = ".join([*sorted(fresh), "None"]) if fresh else "pass"
        outer.statements += [f"if {local} is None:", f"    {absent}", "else:"]
        outer.statements += [f"    {line}" for line in inner.statements or ["pass"]]
        terms = " and ".join(inner.terms or ["True"])
        outer.terms.append(f"({local} is None or ({terms}))")
        self._exact = [*exact, *(f"({local} is None or {term})" for term in self._exact)]
        if self.again:
            again = [*again, f"({local} is None or ({' and '.join(self.again)}))"]
        self.check, self.again = outer, again

    def _tuple(self, node: FixedTuple, local: str) -> None:
        names = [f"{local}{i}" for i in range(len(node.items))]
        self.check.terms.append(f"type({local}) is tuple")
        if names:
            self.check.statements.append(f"{', '.join(names)}{',' * (len(names) == 1)} = {local}")
        else:
            self.check.terms.append(f"not {local}")
        for item, name in zip(node.items, names, strict=True):
            self._value(item, name)

    def _relations(self, node: Node, local: str) -> None:
        """Write the contracts on values that evaluate nothing, after all shapes."""
        if not isinstance(node, Valued):
            if has_values(node):
                self.give_up(f"{node.text} has contracts on values inside")
            return
        if any(has_values(part) for part in node.inside):
            self.give_up(f"{node.text} has contracts on values inside")
        for contract in node.contracts:
            terms = terms_of(contract, node, local, self)
            if terms is None:
                self.give_up(f"{contract} of `{local}` is not compared by generated source")
            else:
                self.check.terms += terms


_STATE = (
    *("constants", "sizes", "runs", "origins", "dtypes", "same", "again"),
    *("_maybe", "_locals", "_exact"),
)


def _gathers(contract: Contract, name: str) -> bool:
    kind = contract.signature.parameters[name].kind
    return kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _is_none(parts: list[Plain]) -> bool:
    return len(parts) == 1 and parts[0].hint in (None, type(None))
