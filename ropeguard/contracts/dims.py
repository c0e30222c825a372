"""The axes of a jaxtyping shape string, parsed into data.

The grammar and its meaning are jaxtyping's (its documentation, "Array annotations"); jaxtyping
has accepted the string before it comes here. What differs on purpose is `{...}`: its expression
is evaluated over the call's arguments and must give an `int`; the value's text never becomes
code.
"""

import ast
import builtins
import re
import string
from collections.abc import Iterator, Mapping
from types import CodeType

import attrs

from ropeguard.catalogue import error


_PREFIXES = "#*_?"
_PLACEHOLDER = "_ropeguard_parameter_{}"


@attrs.frozen
class Fixed:
    """An axis of a given size, `3` or `name=3`."""

    size: int
    broadcast: bool
    text: str


@attrs.frozen
class Named:
    """An axis whose size is bound at its first use, `n`."""

    name: str
    broadcast: bool
    text: str


@attrs.frozen
class Unchecked:
    """An axis of any size, `_`."""

    text: str


@attrs.frozen
class Parameter:
    """An expression over the call's arguments inside `{...}`."""

    text: str
    code: CodeType = attrs.field(eq=False, repr=False)
    placeholder: str


@attrs.frozen
class Expression:
    """An axis whose size is computed from bound axes and parameters, `n-1`, `{heads}*2`."""

    text: str
    broadcast: bool
    source: str
    code: CodeType = attrs.field(eq=False, repr=False)
    names: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @property
    def sole_parameter(self) -> str | None:
        """The parameter that this axis is, if it is nothing else: `heads` of `{heads}`."""
        if len(self.parameters) == 1 and self.text.lstrip("#") == f"{{{self.parameters[0].text}}}":
            return self.parameters[0].text
        return None

    def size(self, sizes: Mapping[str, int], parameters: Mapping[str, int]) -> object:
        """Evaluate the expression: the author's code, over integers alone."""
        return eval(self.code, {"__builtins__": vars(builtins), **sizes, **parameters})


@attrs.frozen
class Variadic:
    """Any number of axes, `...` (no name) or `*name`."""

    name: str | None
    broadcast: bool
    text: str


Dim = Fixed | Named | Unchecked | Expression
Axes = tuple[Dim | Variadic, ...]


def parse(dim_str: str, hint: str) -> Axes:
    """Parse the shape string of a jaxtyping annotation.

    Args:
        dim_str: The string, as `annotation.dim_str` gives it.
        hint: The annotation as the author wrote it, for the error.

    Returns:
        One item an axis, in order.

    Raises:
        RopeguardError: The string asks for what a guard can't check (`contract-invalid`).
    """
    return tuple(_parse_axis(element, hint) for element in dim_str.split())


def _parse_axis(text: str, hint: str) -> Dim | Variadic:
    if text == "...":
        return Variadic(None, False, text)
    flags, body = _split_prefixes(text)
    broadcast, variadic, anonymous = "#" in flags, "*" in flags, "_" in flags
    if "?" in flags:
        reason = f"`{text}` names an axis per leaf of a PyTree, and a guard has no PyTree"
        raise error("contract-invalid", hint=hint, reason=reason)
    if not body or body.isidentifier():
        if variadic:
            return Variadic(None if anonymous else body, broadcast, text)
        return Unchecked(text) if anonymous else Named(body, broadcast, text)
    if re.fullmatch(r"[+-]?\d[\d_]*", body):
        return Fixed(int(body), broadcast, text)
    return _parse_expression(body, broadcast, text, hint)


def _split_prefixes(text: str) -> tuple[str, str]:
    """Split `*#name=3` into its marks and `3`; `name=` is dropped, as jaxtyping does."""
    flags = ""
    while text:
        if text[0] in _PREFIXES:
            flags, text = flags + text[0], text[1:]
        elif text.count("=") == 1:
            text = text.split("=")[1]
        else:
            break
    return flags, text


def _parse_expression(body: str, broadcast: bool, text: str, hint: str) -> Expression:
    source = ""
    parameters: list[Parameter] = []
    for literal, field, spec, conversion in _fields(body, text, hint):
        source += literal
        if field is None:
            continue
        if spec or conversion:
            reason = f"`{text}` formats a parameter; write the bare name in braces"
            raise error("contract-invalid", hint=hint, reason=reason)
        placeholder = _PLACEHOLDER.format(len(parameters))
        parameters.append(Parameter(field, _compile(field, text, hint), placeholder))
        source += f"\0{placeholder}\0"
    if re.search(r"\w\0|\0\w|\0\0", re.sub("\0\\w+\0", "\0", source)):
        reason = f"`{text}` glues a parameter's text to other text; write an expression"
        raise error("contract-invalid", hint=hint, reason=reason)
    source = source.replace("\0", "")
    placeholders = {parameter.placeholder for parameter in parameters}
    names = tuple(name for name in _names(source, text, hint) if name not in placeholders)
    code = _compile(source, text, hint)
    return Expression(text, broadcast, source, code, names, tuple(parameters))


def _fields(
    body: str, text: str, hint: str
) -> Iterator[tuple[str, str | None, str | None, str | None]]:
    try:
        yield from list(string.Formatter().parse(body))
    except ValueError:
        reason = f"the braces in `{text}` are not balanced"
        raise error("contract-invalid", hint=hint, reason=reason) from None


def _compile(source: str, text: str, hint: str) -> CodeType:
    try:
        return compile(source, f"<axis {text}>", "eval")
    except SyntaxError:
        reason = f"`{text}` is not an expression"
        raise error("contract-invalid", hint=hint, reason=reason) from None


def _names(source: str, text: str, hint: str) -> Iterator[str]:
    """Yield the axis names that an expression reads: what is not a builtin."""
    try:
        tree = ast.parse(source, mode="eval")
    except SyntaxError:
        reason = f"`{text}` is not an expression"
        raise error("contract-invalid", hint=hint, reason=reason) from None
    return free_names(tree)


def free_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that an expression reads and does not bind itself, builtins apart."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    for node in names:
        if node.id not in own and not hasattr(builtins, node.id):
            yield node.id
