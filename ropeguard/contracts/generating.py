"""Write a check as Python source: it may only conclude that a call surely fits.

Whatever is not understood here, or not seen to fit, is for the authoritative check to judge
(`call.py`), so that nothing may be accepted that it refuses. The source reads each shape and each
dtype once and compares locals; docs/performance.md tells why, and what was measured.
"""

import ast
import builtins
import copy
import inspect
from collections.abc import Iterable
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.contract import Contract
from ropeguard.contracts.dims import Dim, Expression, Fixed, Named, Unchecked, Variadic
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
from ropeguard.contracts.shapes import variadic_index
from ropeguard.contracts.values import SameDtype
from ropeguard.contracts.violation import Origin


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
        *("contract_error_", "bound_", "nothing_", "shape_of", "dtype_of", "array_"),
        *("Exception", "int", "isinstance", "len", "tuple", "type"),
    }
)


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
class Generator:
    """Writes the checks of one contract.

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

    def _array(self, node: Array, local: str) -> None:
        if node.array_type is Any or not isinstance(node.array_type, type):
            self.odd(node.text)
            return
        shape, dtype = self._getters(node, local)
        self._class_of(node, local)
        # A shape that is compared once more after the call, or cut into pieces, has a name.
        whole = shape
        if self._looks_again(local) or variadic_index(node.axes) is not None:
            whole = self.local(f"{local}_shape")
            self.check.statements.append(f"{whole} = {shape}")
        self._axes(node, local, whole)
        held = self._dtype(node, local, dtype)
        self.again.append(f"{shape} == {whole}")
        if held:
            self.again.append(f"{dtype} == {held}")

    def _looks_again(self, local: str) -> bool:
        return self.contract.checks_result and local in self.contract.parameters

    def _class_of(self, node: Array, local: str) -> None:
        """Write the condition on the class, which has to be the annotated one exactly."""
        kind = node.array_type
        if _is_mlx(kind):
            self.constant("array_", kind)
            self.constant("subclasses_", kind.__subclasses__)
            self._exact.append(f"type({local}) is array_")
        else:
            name = self.constant(f"{kind.__name__}_", kind)
            self.check.terms.append(f"type({local}) is {name}")

    def _getters(self, node: Array, local: str) -> tuple[str, str]:
        """Return the expressions that read a shape and a dtype: of MLX's the getters themselves."""
        kind = node.array_type
        if not _is_mlx(kind):
            return f"{local}.shape", f"{local}.dtype"
        self.constant("shape_of", kind.shape.fget)
        self.constant("dtype_of", kind.dtype.fget)
        return f"shape_of({local})", f"dtype_of({local})"

    def _axes(self, node: Array, local: str, whole: str) -> None:
        run = variadic_index(node.axes)
        names = [self.local(f"{local}_{i}") for i in range(len(node.axes))]
        if run is None:
            unpacked = f"{', '.join(names)}{',' * (len(names) == 1)}" if names else "()"
            self.check.statements.append(f"{unpacked} = {whole}")
        else:
            self.check.terms.append(f"len({whole}) >= {len(names) - 1}")
        for i, (dim, name) in enumerate(zip(node.axes, names, strict=True)):
            if isinstance(dim, Variadic):
                self._run(dim, local, name, f"{whole}[{i}:{i + 1 - len(names) or None}]")
                continue
            place = i if run is None or i < run else i - len(names)
            if run is not None:
                self.check.statements.append(f"{name} = {whole}[{place}]")
            self._axis(dim, name, Origin(local, place))

    def _axis(self, dim: Dim, name: str, origin: Origin) -> None:
        wanted: str | None = None
        if isinstance(dim, Fixed):
            wanted = str(dim.size)
        elif isinstance(dim, Expression):
            wanted = self._expression(dim)
        elif isinstance(dim, Named):
            wanted = self.sizes.get(dim.name)
            if wanted is None and (dim.broadcast or dim.name in self._maybe):
                self.odd(dim.text)
            if wanted is None:
                self.sizes[dim.name] = name
                self.origins[name] = dim.name, origin
        if wanted is not None:
            one = f"{name} == 1 or " if dim.broadcast else ""  # type: ignore[union-attr]
            self.check.terms.append(f"({one}{name} == {wanted})" if one else f"{name} == {wanted}")

    def _run(self, dim: Variadic, local: str, name: str, part: str) -> None:
        if dim.name is None:
            return
        if dim.broadcast or dim.name in self._maybe:
            self.odd(dim.text)
        bound = self.runs.get(dim.name)
        if bound is None:
            self.check.statements.append(f"{name} = {part}")
            self.runs[dim.name] = name
            self.origins[name] = dim.name, Origin(local)
        else:
            self.check.terms.append(f"{part} == {bound}")

    def _expression(self, dim: Expression) -> str:
        """Return an axis expression over locals, the parameters in it checked to be integers."""
        renamed = {it.placeholder: self._parameter(it.text) for it in dim.parameters}
        for name in dim.names:
            if name not in self.sizes:
                self.odd(dim.text)
            renamed[name] = self.sizes.get(name, name)
        tree = ast.parse(dim.source, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.NamedExpr | ast.Lambda):
                self.odd(dim.text)
            if not isinstance(node, ast.Name):
                continue
            if node.id in self.sizes and node.id not in renamed:
                renamed[node.id] = self.sizes[node.id]  # An axis with the name of a builtin.
            if node.id not in renamed and node.id in self.contract.parameters:
                self.odd(dim.text)
            node.id = renamed.get(node.id, node.id)
        text = ast.unparse(tree)
        return text if text.isidentifier() else f"({text})"

    def _parameter(self, text: str) -> str:
        """Return the local for `{...}`; what is no plain name is read again after the call."""
        if text in self._locals:
            return self._locals[text]
        local = text
        if any(isinstance(node, ast.NamedExpr | ast.Lambda) for node in ast.walk(ast.parse(text))):
            self.odd(text)
        if text not in self.contract.parameters:
            local = self.local(f"parameter_{len(self._locals)}")
            self.check.statements.append(f"{local} = {text}")
            self.again.append(f"{text} == {local}")
        self.check.terms.append(f"type({local}) is int")
        self._locals[text] = local
        return local

    def _dtype(self, node: Array, local: str, dtype: str) -> str | None:
        """Write the condition on the dtype, and return the local that holds it, if one does."""
        allowed = node.any_shape.dtypes
        if not isinstance(allowed, tuple):
            return None
        other = self._same_as(local)
        if other in self.dtypes and self.dtypes[other][1] == allowed:
            self.check.terms.append(f"{dtype} == {self.dtypes[other][0]}")
            self.same.add(local)
            return self.dtypes[other][0]
        cell = [object()]
        held = self._held_dtype(local)

        def learn(array: Any) -> bool:
            if not isinstance(array, node.any_shape):
                return False
            cell[0] = array.dtype
            return True

        seen = self.constant(f"{local}_seen", cell)
        learns = self.constant(f"{local}_learn", learn)
        likely = [it for it, group in self.dtypes.values() if group == allowed][:1]
        read = f"({held} := {dtype})" if held else dtype
        guesses = [*likely, f"{seen}[0]"]
        terms = [f"{read} == {guesses[0]}", *(f"{held or dtype} == {it}" for it in guesses[1:])]
        self.check.terms.append(f"({' or '.join(terms)} or {learns}({local}))")
        if held:
            self.dtypes[local] = held, allowed
        return held

    def _held_dtype(self, local: str) -> str | None:
        """Return a local for a dtype that is read again: after the call, or for another array."""
        compared = local in self._compared or self._same_as(local) or local.startswith("result_")
        if self._looks_again(local) or compared or (self._several and not self.dtypes):
            return self.local(f"{local}_dtype")
        return None

    def _same_as(self, local: str) -> str:
        node = self.contract.parameters.get(local)
        contracts = node.contracts if isinstance(node, Valued) else ()
        return next((it.argument for it in contracts if isinstance(it, SameDtype)), "")

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


def _is_mlx(kind: type) -> bool:
    return (kind.__module__, kind.__name__) == ("mlx.core", "array")


def _is_none(parts: list[Plain]) -> bool:
    return len(parts) == 1 and parts[0].hint in (None, type(None))
