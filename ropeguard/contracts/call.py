"""One call of a guarded callable, checked against its contract."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.blame import reassign, supporters
from ropeguard.contracts.checks import check, reason
from ropeguard.contracts.contract import Contract
from ropeguard.contracts.describing import key_text, summary
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.nodes import Node, Valued, has_values
from ropeguard.contracts.recheck import recheck
from ropeguard.contracts.relations import (
    Valuation,
    check_elements,
    check_relation,
    reads_elements,
)
from ropeguard.contracts.violation import Violation
from ropeguard.contracts.walking import Part, walk


# What passes through a generator, and as what it is told.
_STAGES = {"yield": "yield", "send": "argument", "return": "result"}


def open_call(
    contract: Contract, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> "Call | None":
    """Bind a call's arguments.

    Returns:
        The call, or `None` if the arguments do not fit the signature: then the callable itself
        is to say so, in Python's words.
    """
    try:
        bound = contract.signature.bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return Call(contract, bound.arguments)


@attrs.define
class Call:
    """One call of a guarded callable: its arguments and what they have bound."""

    contract: Contract
    arguments: Mapping[str, Any] = attrs.field(repr=False)
    bindings: Bindings = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Open bindings of this call's own."""
        self.bindings = Bindings(parameters=self.arguments)

    def check_arguments(
        self, *, values: bool, stage: str = "argument", suspect: str | None = None
    ) -> Violation | None:
        """Check the arguments.

        Args:
            values: Whether to evaluate the contracts on elements too.
            stage: What the violation says it was found in: `"argument"` or `"field"`.
            suspect: The field that is being assigned, if one is.

        Returns:
            The violation, or `None`.
        """
        for node, value, name in self._parts():
            mismatch = check(node, value, self.bindings, name)
            if mismatch is not None:
                blamed = self._blamed_parameter(mismatch)
                blamed = reassign(blamed, self._all_parts(), suspect)
                return self._violation(stage, blamed)
        mismatch = self._check_values(self._parts(), self.bindings, values)
        return None if mismatch is None else self._violation(stage, mismatch)

    def fits(self) -> bool:
        """Say whether the arguments keep the contract, elements apart, and nothing of why not."""
        parts = list(self._parts())
        if any(check(node, value, self.bindings, name) is not None for node, value, name in parts):
            return False
        return self._check_values(parts, self.bindings, values=False) is None

    def check_result(self, value: object, *, values: bool) -> Violation | None:
        """Check the result, and that the body did not change the arguments in place.

        The arguments are checked a second time because jaxtyping does: `x += y` on an MLX array
        changes the shape and the dtype of the very object that was passed.
        """
        changed = self._changed_argument()
        if changed is not None:
            return self._violation("mutation", changed)
        return self._check_output(
            self.contract.result, value, "result", "return", self.bindings, values
        )

    def check_item(self, node: Node, value: object, name: str, *, values: bool) -> Violation | None:
        """Check what a generator yields, is sent or returns: each item by itself.

        A name that no argument has bound is free in each item, so that a last, shorter batch
        passes.

        Args:
            node: The hint of what passes.
            value: What passes.
            name: `"yield"`, `"send"` or `"return"`.
            values: Whether to evaluate the contracts on elements too.
        """
        stage = _STAGES[name]
        return self._check_output(node, value, stage, name, self.bindings.copy(), values)

    def _check_output(
        self, node: Node, value: object, stage: str, name: str, bindings: Bindings, values: bool
    ) -> Violation | None:
        before = frozenset(bindings.sizes)
        output = node, value, name
        mismatch = check(node, value, bindings, name)
        if mismatch is not None:
            blamed = self._blamed_output(mismatch, output, before)
            return self._violation(stage, blamed, output)
        mismatch = self._check_values([output], bindings, values)
        return None if mismatch is None else self._violation(stage, mismatch, output)

    def _blamed_output(self, mismatch: Mismatch, part: Part, before: frozenset[str]) -> Mismatch:
        """Blame an output: by majority among its own parts, never against the arguments."""
        if mismatch.name is None or mismatch.name not in before:
            return reassign(mismatch, walk(part, self.arguments))
        origin = supporters(mismatch.name, self._all_parts()) or mismatch.origin
        return attrs.evolve(mismatch, origin=origin)

    def _blamed_parameter(self, mismatch: Mismatch) -> Mismatch:
        """Blame a parameter that breaks its own contract before the axis that reads it."""
        names = [origin.argument for origin in mismatch.origin if origin.axis is None]
        if mismatch.kind == "parameter":
            names = [str(mismatch.expected)]
        for name in names:
            if name in self.contract.parameters:
                part = self.contract.parameters[name], self.arguments.get(name), name
                own = check(part[0], part[1], self.bindings, name)
                own = own or self._check_values([part], self.bindings, values=False)
                if own is not None:
                    return own
        return mismatch

    def _changed_argument(self) -> Mismatch | None:
        for node, value, name in self._parts():
            mismatch = check(node, value, self.bindings, name)
            if mismatch is not None:
                return attrs.evolve(mismatch, kind="mutated", reasons=(reason(mismatch),))
        return None

    def _check_values(
        self, parts: Iterable[Part], bindings: Bindings, values: bool
    ) -> Mismatch | None:
        """Check the contracts beside the types: first those that evaluate nothing."""
        valued = [
            (contract, Valuation(name, node.text, value, self.arguments, bindings))
            for part in parts
            if has_values(part[0])
            for node, value, name in walk(part, self.arguments)
            if isinstance(node, Valued)
            for contract in node.contracts
        ]
        for contract, valuation in valued:
            if not reads_elements(contract, valuation.value):
                mismatch = check_relation(contract, valuation)
                if mismatch is not None:
                    return mismatch
        for contract, valuation in valued if values else ():
            if reads_elements(contract, valuation.value):
                mismatch = _unless_transformed(contract, valuation)
                if mismatch is not None:
                    return mismatch
        return None

    def _all_parts(self) -> Iterator[Part]:
        """Yield every argument and what is inside it."""
        for part in self._parts():
            yield from walk(part, self.arguments)

    def _parts(self) -> Iterator[Part]:
        """Yield every argument with its hint and name, those in `*args` and `**kwargs` singly."""
        for name, value in self.arguments.items():
            node = self.contract.parameters[name]
            kind = self.contract.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                yield from ((node, item, f"{name}[{i}]") for i, item in enumerate(value))
            elif kind is inspect.Parameter.VAR_KEYWORD:
                yield from ((node, value[key], f"{name}[{key_text(key)}]") for key in value)
            else:
                yield node, value, name

    def _violation(self, stage: str, mismatch: Mismatch, output: Part | None = None) -> Violation:
        found = attrs.asdict(mismatch, recurse=False)
        del found["name"]
        arguments = tuple(summary(value, name, node.text) for node, value, name in self._parts())
        kept = recheck(self.contract, self.arguments, stage, output)
        function = self.contract.function
        return Violation(function, stage=stage, arguments=arguments, recheck=kept, **found)


def _unless_transformed(contract: Any, valuation: Valuation) -> Mismatch | None:
    """Check elements, except inside `mx.compile` and `mx.vmap`, where there are none to read.

    MLX has no public test for being inside a transformation; it refuses the evaluation instead.
    """
    try:
        return check_elements(contract, valuation)
    except ValueError as refusal:
        if "during function transformations" not in str(refusal):
            raise
    return None
