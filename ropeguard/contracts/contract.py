"""The contract of a callable: its compiled annotations, and one call's check against them."""

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ropeguard.catalogue import error
from ropeguard.contracts.annotations import (
    UNDEFINED,
    Namespace,
    namespace_of,
    raw_annotations,
    resolve,
)
from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.blame import reassign, supporters
from ropeguard.contracts.checks import check, reason
from ropeguard.contracts.describing import describe, key_text, summary
from ropeguard.contracts.hints import Anything, Node, Valued, compile_hint, text_of
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.names import check_names
from ropeguard.contracts.relations import (
    Valuation,
    check_elements,
    check_relation,
    reads_elements,
)
from ropeguard.contracts.violation import Violation


Part = tuple[Node, object, str]


@attrs.frozen
class Items:
    """What passes through a generator."""

    yielded: Node
    sent: Node
    returned: Node


@attrs.frozen
class Contract:
    """What a callable promises about its arguments and its result.

    Attributes:
        function: The callable's qualified name, as messages give it.
        signature: Its signature.
        parameters: The compiled hint of each parameter, in order of declaration.
        result: The compiled hint of the result.
        items: What a generator yields, is sent and returns.
    """

    function: str
    signature: inspect.Signature = attrs.field(repr=False)
    parameters: Mapping[str, Node]
    result: Node
    items: Items

    @property
    def checks_result(self) -> bool:
        """Whether the result has an annotation."""
        return not isinstance(self.result, Anything)

    def open(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> "Call | None":
        """Bind a call's arguments.

        Returns:
            The call, or `None` if the arguments do not fit the signature: then the callable
            itself is to say so, in Python's words.
        """
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        return Call(self, bound.arguments)

    def open_partly(self, arguments: Mapping[str, Any]) -> "Call":
        """Open a call of which only some arguments are there: an object's fields set so far."""
        return Call(self, arguments)


@attrs.frozen
class Source:
    """Where a contract is written.

    Attributes:
        name: The qualified name of the function or class.
        signature: Its parameters; for a class, one for each field.
        annotations: The annotation of each, and of the result as `"return"`, with the namespace
            in which its strings are resolved.
        generator: Whether it is a generator function.
    """

    name: str
    signature: inspect.Signature
    annotations: Mapping[str, tuple[Any, Namespace]]
    generator: bool = False

    def within(self, owner: type) -> "Source":
        """Return the same, where annotations may name the class that the method is called on.

        A class that is made inside a function is among nobody's names while its body runs.
        """
        classes = {base.__name__: base for base in owner.__mro__[:-1]}
        annotations = {
            name: (annotation, attrs.evolve(place, locals={**classes, **place.locals}))
            for name, (annotation, place) in self.annotations.items()
        }
        return attrs.evolve(self, annotations=annotations)


def source_of_function(function: Any, frame: types.FrameType | None) -> Source:
    """Describe a function's contract.

    Args:
        function: The function.
        frame: The frame that decorates it, whose names its string annotations may use.
    """
    namespace = namespace_of(function, frame)
    annotations = {
        name: (annotation, namespace) for name, annotation in raw_annotations(function).items()
    }
    generator = inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
    return Source(display_name(function), _bare_signature(function), annotations, generator)


def source_of_fields(target: type, names: Sequence[str], frame: types.FrameType | None) -> Source:
    """Describe the contract of a class's fields, inherited ones by the class that wrote them.

    Args:
        target: The class.
        names: Its fields, in order.
        frame: The frame that decorates it.
    """
    annotations: dict[str, tuple[Any, Namespace]] = {}
    for base in reversed(target.__mro__):
        namespace = namespace_of(base, frame)
        for name, annotation in raw_annotations(base).items():
            annotations[name] = annotation, namespace
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    fields = {name: annotations[name] for name in names if name in annotations}
    return Source(display_name(target), inspect.Signature(parameters), fields)


def contract_of(source: Source, *, final: bool) -> Contract | None:
    """Compile a contract.

    Args:
        source: Where it is written.
        final: Whether a name that is not defined is an error.

    Returns:
        The contract; `None` if a name is not defined yet and `final` is false.

    Raises:
        RopeguardError: An annotation is not a hint (`annotation-unresolvable`), can't be
            checked (`contract-invalid`), or is contradicted by its default
            (`default-contradiction`).
    """
    hints: dict[str, Any] = {}
    for name in (*source.signature.parameters, "return"):
        if name in source.annotations:
            hint = resolve(name, *source.annotations[name], final=final)
            if hint is UNDEFINED:
                return None
            hints[name] = hint
    result = hints.pop("return", inspect.Signature.empty)
    parameters = {
        name: compile_hint(hints.get(name, inspect.Parameter.empty))
        for name in source.signature.parameters
    }
    node, items = _compiled_result(result, source.generator)
    contract = Contract(source.name, source.signature, parameters, node, items)
    check_names(parameters, (node, items.yielded, items.sent, items.returned))
    _check_defaults(contract)
    return contract


def _compiled_result(hint: Any, generator: bool) -> tuple[Node, Items]:
    nothing = Items(Anything(), Anything(), Anything())
    if not generator:
        return compile_hint(hint), nothing
    if hint is inspect.Signature.empty or hint is Any or hint is object:
        return Anything(), nothing
    origin, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin not in _GENERATOR_HINTS:
        reason = "a generator's result is annotated `Iterator[item]` or `Generator[...]`"
        raise error("contract-invalid", hint=text_of(hint), reason=reason)
    nodes = [compile_hint(argument) for argument in arguments[:3]]
    return Anything(), Items(*(nodes + [Anything()] * (3 - len(nodes))))


_GENERATOR_HINTS = (
    collections.abc.Iterator,
    collections.abc.Iterable,
    collections.abc.Generator,
    collections.abc.AsyncIterator,
    collections.abc.AsyncIterable,
    collections.abc.AsyncGenerator,
)


def _bare_signature(function: Any) -> inspect.Signature:
    """Return a callable's signature without annotations, which may not resolve yet."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        signature = inspect.signature(function, annotation_format=Format.FORWARDREF)
    else:
        signature = inspect.signature(function)
    empty = inspect.Parameter.empty
    return inspect.Signature([it.replace(annotation=empty) for it in signature.parameters.values()])


def _check_defaults(contract: Contract) -> None:
    """Refuse a default that no call could leave as it is."""
    for name, parameter in contract.signature.parameters.items():
        if parameter.default is inspect.Parameter.empty:
            continue
        node = contract.parameters[name]
        mismatch = check(node, parameter.default, Bindings(), name)
        if mismatch is not None and mismatch.kind not in _NEEDS_OTHERS:
            raise error(
                "default-contradiction",
                function=contract.function,
                argument=name,
                hint=node.text,
                default=describe(parameter.default),
            )


# What can only be known of a default beside the other arguments of a call.
_NEEDS_OTHERS = ("expression", "parameter", "unbound")


def display_name(function: Any) -> str:
    """Return a callable's qualified name without the functions that it was defined in."""
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return str(name).rpartition("<locals>.")[2]


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
                blamed = reassign(blamed, self._parts(), suspect)
                return self._violation(stage, blamed)
        mismatch = self._check_values(list(self._parts()), self.bindings, values)
        return None if mismatch is None else self._violation(stage, mismatch)

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
        return self._check_output(node, value, "yield", name, self.bindings.copy(), values)

    def _check_output(
        self, node: Node, value: object, stage: str, name: str, bindings: Bindings, values: bool
    ) -> Violation | None:
        before = frozenset(bindings.sizes)
        mismatch = check(node, value, bindings, name)
        if mismatch is not None:
            return self._violation(
                stage, self._blamed_output(mismatch, (node, value, name), before)
            )
        mismatch = self._check_values([(node, value, name)], bindings, values)
        return None if mismatch is None else self._violation(stage, mismatch)

    def _blamed_output(self, mismatch: Mismatch, part: Part, before: frozenset[str]) -> Mismatch:
        """Blame an output: by majority among its own parts, never against the arguments."""
        if mismatch.name is None or mismatch.name not in before:
            return reassign(mismatch, [part])
        origin = supporters(mismatch.name, self._parts()) or mismatch.origin
        return attrs.evolve(mismatch, origin=origin)

    def _blamed_parameter(self, mismatch: Mismatch) -> Mismatch:
        """Blame a parameter whose own hint it breaks before the axis that reads it."""
        if mismatch.kind != "parameter":
            return mismatch
        name = str(mismatch.expected)
        node = self.contract.parameters.get(name, Anything())
        return check(node, self.arguments.get(name), self.bindings, name) or mismatch

    def _changed_argument(self) -> Mismatch | None:
        for node, value, name in self._parts():
            mismatch = check(node, value, self.bindings, name)
            if mismatch is not None:
                return attrs.evolve(mismatch, kind="mutated", reasons=(reason(mismatch),))
        return None

    def _check_values(self, parts: list[Part], bindings: Bindings, values: bool) -> Mismatch | None:
        """Check the contracts beside the types: first those that evaluate nothing."""
        valued = [
            (contract, Valuation(name, node.text, value, self.arguments, bindings))
            for node, value, name in parts
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

    def _violation(self, stage: str, mismatch: Mismatch) -> Violation:
        found = attrs.asdict(mismatch, recurse=False)
        del found["name"]
        arguments = tuple(summary(value, name, node.text) for node, value, name in self._parts())
        return Violation(function=self.contract.function, stage=stage, arguments=arguments, **found)


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
