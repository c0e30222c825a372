"""Check at decoration that every name which a contract reads is one that it can know."""

import ast
from collections.abc import Iterable, Iterator, Mapping

from ropeguard.catalogue import error
from ropeguard.contracts.dims import Expression, Named, free_names
from ropeguard.contracts.nodes import Array, Node, Valued, all_inside
from ropeguard.contracts.shapes import placed, variadic_index
from ropeguard.contracts.values import (
    Distinct,
    InRange,
    MultipleOf,
    SameDtype,
    Unique,
    ValueContract,
)


def check_names(parameters: Mapping[str, Node], outputs: Iterable[Node]) -> None:
    """Check the names in axis expressions and value contracts.

    An expression may read an axis that something before it can bind, in order of declaration
    (jaxtyping raises its `AnnotationError` at the call otherwise), and `{...}` the parameters.

    Args:
        parameters: The compiled hint of each parameter, in order of declaration.
        outputs: Those of what comes out.

    Raises:
        RopeguardError: A name that nothing binds (`contract-invalid`).
    """
    bound: set[str] = set()
    nodes = (*parameters.items(), *(("return", node) for node in outputs))
    for name, node in nodes:
        for part in all_inside(node):
            if isinstance(part, Array):
                _check_array(part, name, bound, parameters)
    for name, node in nodes:
        for part in all_inside(node):
            if isinstance(part, Valued):
                for contract in part.contracts:
                    _check_contract(contract, part, name, bound, parameters)


def _check_array(array: Array, owner: str, bound: set[str], parameters: Mapping[str, Node]) -> None:
    rank = len(array.axes) if variadic_index(array.axes) is None else len(array.axes) - 1
    for _, dim in placed(array.axes, rank):
        if isinstance(dim, Named):
            bound.add(dim.name)
        elif isinstance(dim, Expression):
            _check_expression(dim, array, owner, bound, parameters)


def _check_expression(
    dim: Expression, array: Array, owner: str, bound: set[str], parameters: Mapping[str, Node]
) -> None:
    where = f"`{dim.text}` of `{owner}` reads"
    for name in dim.names:
        if name not in bound:
            reason = f"{where} axis `{name}`, which nothing before it binds"
            raise error("contract-invalid", hint=array.text, reason=reason)
    for name in (name for parameter in dim.parameters for name in _free_names(parameter.text)):
        if name not in parameters:
            reason = f"{where} `{name}`, which is no parameter"
            raise error("contract-invalid", hint=array.text, reason=reason)


def _free_names(source: str) -> Iterator[str]:
    return free_names(ast.parse(source, mode="eval"))


def _check_contract(
    contract: ValueContract,
    node: Valued,
    owner: str,
    bound: set[str],
    parameters: Mapping[str, Node],
) -> None:
    if not _speaks_of(contract, node):
        reason = f"{contract} of `{owner}` speaks of an array, and there is none"
        raise error("contract-invalid", hint=node.text, reason=reason)
    for name in _names(contract):
        axes_count = not isinstance(contract, (SameDtype, Distinct))
        if name not in parameters and not (axes_count and name in bound):
            reason = (
                f"{contract} of `{owner}` reads `{name}`, which is neither an axis nor a parameter"
            )
            raise error("contract-invalid", hint=node.text, reason=reason)


def _speaks_of(contract: ValueContract, node: Valued) -> bool:
    """Say whether what a contract reads, a dtype or elements, is there to be read."""
    needs_array = isinstance(contract, (SameDtype, Unique))
    return not needs_array or any(isinstance(part, Array) for part in all_inside(node))


def _names(contract: ValueContract) -> Iterator[str]:
    if isinstance(contract, InRange):
        yield from (bound for bound in (contract.low, contract.high) if isinstance(bound, str))
    elif isinstance(contract, (SameDtype, Distinct)):
        yield contract.argument
    elif isinstance(contract, MultipleOf) and isinstance(contract.divisor, str):
        yield contract.divisor
