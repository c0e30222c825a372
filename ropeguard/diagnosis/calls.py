"""Where the refused call is written: its file, its line, and what it calls its arguments."""

import ast
import builtins
import inspect
import itertools
import linecache
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FrameType

import attrs

from ropeguard.catalogue.templates import clean
from ropeguard.contracts.backend import mx


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_MOST_LINES = 40
_MOST_TEXT = 60


@attrs.frozen
class CallSite:
    """A call in somebody's source.

    Attributes:
        file: The file's path.
        line: The call's first line.
        function: The function that the call stands in.
        source: The call's source, or its line.
        names: What each parameter is written as in the call, where that is known.
    """

    file: str
    line: int
    function: str
    source: str
    names: Mapping[str, str] = attrs.field(factory=dict)

    def in_its_names(self, pairs: Sequence[tuple[str, str]]) -> str:
        """Write assignments to parameters in the names of the call.

        Where the call passes an expression, the argument is written as it should be passed,
        `q=self.q_proj(x).reshape(2, 8)`; where it passes one name twice, nothing is written.
        """
        written = []
        for target, value in pairs:
            roots = [it.partition("[")[0] for it in target.split(", ")]
            if not all(root in self.names for root in roots):
                return ""
            places = [self.names[root] for root in roots]
            if list(self.names.values()).count(places[0]) > 1:
                return ""
            simple = all(_is_target(place) for place in places)
            if not simple and (len(roots) > 1 or "[" in target):
                return ""
            left = _renamed(target, self.names) if simple else target
            right = _renamed(value, self.names)
            written.append(f"{left} = {right}" if simple else f"{left}={right}")
        return "\n".join(written)


def call_site(function: str, signature: inspect.Signature | None) -> CallSite | None:
    """Return where the call is written that the package is just refusing.

    Args:
        function: The qualified name of the callable.
        signature: Its signature, by which the call's arguments are told apart.
    """
    frame = _outer_frame()
    if frame is None:
        return None
    code = frame.f_code
    first, last, begin, end = _position(code, frame.f_lasti)
    line = first or frame.f_lineno
    text = _segment(code.co_filename, first, last, begin, end, frame)
    names = _names(text, function, signature, frame) if text and signature else {}
    shown = text or linecache.getline(code.co_filename, line, frame.f_globals)
    return CallSite(clean(code.co_filename), line, code.co_name, clean(_one_line(shown)), names)


def _outer_frame() -> FrameType | None:
    """Return the frame of the nearest caller outside the package and what it generates."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(("<ropeguard ", _PACKAGE)):
            return frame
        frame = frame.f_back
    return None


def _position(code: CodeType, at: int) -> tuple[int | None, int | None, int | None, int | None]:
    nowhere = None, None, None, None
    return next(itertools.islice(code.co_positions(), at // 2, None), nowhere)


def _segment(
    file: str,
    first: int | None,
    last: int | None,
    begin: int | None,
    end: int | None,
    frame: FrameType,
) -> str:
    """Return the source between two positions, which are counted in bytes."""
    if first is None or last is None or begin is None or end is None:
        return ""
    if last - first > _MOST_LINES:
        return ""
    lines = [linecache.getline(file, i, frame.f_globals).encode() for i in range(first, last + 1)]
    if not all(lines):
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    return b"".join(lines).decode("utf-8", "replace")


def _one_line(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= 200 else f"{joined[:197]}..."


def _names(
    text: str, function: str, signature: inspect.Signature, frame: FrameType
) -> Mapping[str, str]:
    """Return what a call's source writes for each parameter."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    call = tree.value if isinstance(tree, ast.Await) else tree
    if not isinstance(call, ast.Call) or not _is_of(call.func, function, frame):
        return {}
    plain = _until_starred(call.args)
    given = {it.arg: it.value for it in call.keywords if it.arg is not None}
    found: dict[str, str] = {}
    for name, node in (*_positional(plain, signature), *given.items()):
        if name in signature.parameters:
            written = ast.unparse(node)
            if len(written) <= _MOST_TEXT:
                found[name] = written
    return found


def _is_of(called: ast.expr, function: str, frame: FrameType) -> bool:
    """Say whether what is called is the callable itself, and not what calls it in turn.

    `map(attend, queries)` calls `attend` with other arguments than it is written with.
    """
    owner, _, name = function.rpartition(".")
    if isinstance(called, ast.Name):
        # Not `f_locals`: reading it would keep the caller's arrays alive in its frame.
        value = frame.f_globals.get(called.id, getattr(builtins, called.id, None))
        if name == "__call__":
            return value is None or type(value).__name__ == owner
        return called.id == name or getattr(value, "__name__", None) == name
    if isinstance(called, ast.Attribute):
        return called.attr == name or (name == "__call__" and not hasattr(mx, called.attr))
    return isinstance(called, ast.Subscript) and name == "__call__"


def _until_starred(arguments: Sequence[ast.expr]) -> list[ast.expr]:
    """Return the arguments before the first that is unpacked."""
    plain: list[ast.expr] = []
    for argument in arguments:
        if isinstance(argument, ast.Starred):
            break
        plain.append(argument)
    return plain


def _positional(
    arguments: Sequence[ast.expr], signature: inspect.Signature
) -> Iterator[tuple[str, ast.expr]]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, it in signature.parameters.items() if it.kind in kinds]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    yield from zip(names, arguments, strict=False)


def _is_target(text: str) -> bool:
    """Say whether something can be assigned to."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Attribute) and hasattr(mx.array, node.attr):
        return False  # `weight.T` can't be.
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        written = self._names.get(node.id)
        return node if written is None else ast.parse(written, mode="eval").body


def _renamed(text: str, names: Mapping[str, str]) -> str:
    tree = _Renamer(names).visit(ast.parse(text, mode="eval")).body
    if isinstance(tree, ast.Tuple) and not text.startswith("("):
        return ", ".join(ast.unparse(item) for item in tree.elts)
    return ast.unparse(tree)
