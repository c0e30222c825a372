"""The `raise` and `assert` statements of Python files, with the templates of their messages."""

import ast
import re
from collections.abc import Callable, Iterator

from ropeguard.catalogue.sites import HOLE, Site


_PERCENT = re.compile(r"%(?:%|[-+ #0-9.*]*[a-zA-Z])")
_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def sites_of_python(text: str, file: str) -> Iterator[Site]:
    """Return the sites of a Python file; one that does not compile has none.

    Args:
        text: The file.
        file: Its name in the package's repository.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    yield from _sites(tree, file, {})


def _sites(scope: ast.AST, file: str, names: dict[str, str]) -> Iterator[Site]:
    """Return the sites of a scope, in the order of its statements.

    Args:
        scope: A module, a function, or a part of one.
        file: The file's name.
        names: What the names of the scope were last set to, as templates.
    """
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.targets[0].id] = _template(node.value, names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = names.get(node.target.id, HOLE) + _template(node.value, names)
        elif isinstance(node, ast.Raise):
            yield from _raised(node, file, names)
        elif isinstance(node, ast.Assert):
            message = _template(node.msg, names) if node.msg is not None else ""
            yield Site(file, message, "AssertionError")
        inner = dict(names) if isinstance(node, _Function) else names
        yield from _sites(node, file, inner)


def _raised(node: ast.Raise, file: str, names: dict[str, str]) -> Iterator[Site]:
    call = node.exc
    called = call.func if isinstance(call, ast.Call) else call
    name = str(getattr(called, "attr", None) or getattr(called, "id", ""))
    if name[:1].isupper():  # else a variable: the error was made, and is counted, elsewhere
        arguments = call.args if isinstance(call, ast.Call) else []
        yield Site(file, _template(arguments[0], names) if arguments else "", name)


def _template(node: ast.expr, names: dict[str, str]) -> str:
    for kind, make in _MAKERS.items():
        if isinstance(node, kind):
            return _joined(make(node, names))
    return HOLE


def _joined(template: str) -> str:
    """Return a template in which no two holes touch."""
    return re.sub(r"(?:(?<!\{)\{\}){2,}", HOLE, template)


def _constant(node: ast.Constant, _: dict[str, str]) -> str:
    return escaped(node.value) if isinstance(node.value, str) else HOLE


def _f_string(node: ast.JoinedStr, names: dict[str, str]) -> str:
    return "".join(_template(part, names) for part in node.values)


def _operation(node: ast.BinOp, names: dict[str, str]) -> str:
    left = _template(node.left, names)
    if isinstance(node.op, ast.Add):
        return left + _template(node.right, names)
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        return _PERCENT.sub(lambda found: "%" if found[0] == "%%" else HOLE, left)
    return HOLE


def _call(node: ast.Call, _: dict[str, str]) -> str:
    formats = isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    text = node.func.value if formats and isinstance(node.func, ast.Attribute) else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return with_holes(text.value)
    return HOLE


def with_holes(text: str) -> str:
    """Return a text for `format` with nothing in its holes."""
    return _BRACES.sub(lambda found: found[0] if found[0] in ("{{", "}}") else HOLE, text)


def escaped(text: str) -> str:
    """Return a text as a template without holes."""
    return text.replace("{", "{{").replace("}", "}}")


_MAKERS: dict[type[ast.expr], Callable[..., str]] = {
    ast.Constant: _constant,
    ast.JoinedStr: _f_string,
    ast.BinOp: _operation,
    ast.Call: _call,
    ast.Name: lambda node, names: names.get(node.id, HOLE),
}
