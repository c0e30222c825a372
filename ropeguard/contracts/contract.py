"""The contract of a callable or of a class's fields: compiled annotations."""

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ropeguard.catalogue import RopeguardError, error
from ropeguard.contracts.annotations import (
    UNDEFINED,
    Namespace,
    namespace_of,
    raw_annotations,
    resolve,
)
from ropeguard.contracts.bindings import Bindings
from ropeguard.contracts.checks import check
from ropeguard.contracts.describing import describe
from ropeguard.contracts.hints import compile_hint, text_of
from ropeguard.contracts.mismatch import Mismatch
from ropeguard.contracts.names import check_names
from ropeguard.contracts.nodes import Anything, Node, Valued
from ropeguard.contracts.relations import Valuation, check_relation
from ropeguard.contracts.values import Distinct, SameDtype


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
    try:
        return _compiled(source, final)
    except RopeguardError as wrong:
        wrong.add_note(f"  in the annotations of {source.name}")
        raise


def _compiled(source: Source, final: bool) -> Contract | None:
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
        mismatch = mismatch or _wrong_value(node, parameter.default, name)
        if mismatch is not None and mismatch.kind not in _NEEDS_OTHERS:
            raise error(
                "default-contradiction",
                function=contract.function,
                argument=name,
                hint=node.text,
                default=describe(parameter.default),
            )


def _wrong_value(node: Node, default: object, name: str) -> Mismatch | None:
    """Check the contracts on a default that is a number, as far as they need nothing else."""
    if not isinstance(node, Valued):
        return None
    valuation = Valuation(name, node.text, default, {}, Bindings())
    alone = (item for item in node.contracts if not isinstance(item, (SameDtype, Distinct)))
    mismatches = (check_relation(item, valuation) for item in alone)
    return next((mismatch for mismatch in mismatches if mismatch is not None), None)


# What can only be known of a default beside the other arguments of a call.
_NEEDS_OTHERS = ("expression", "parameter", "unbound")


def display_name(function: Any) -> str:
    """Return a callable's qualified name without the functions that it was defined in."""
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return str(name).rpartition("<locals>.")[2]
