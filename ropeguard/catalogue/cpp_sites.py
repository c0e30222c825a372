"""The `throw` expressions of C++ files, with the templates of their messages.

A message is a sum of literals and values, a call of `fmt::format`, or a stream to which it was
written before. Whatever is not a literal becomes a hole: this reads tokens, not C++.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ropeguard.catalogue.python_sites import escaped, with_holes
from ropeguard.catalogue.sites import HOLE, Site


_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*"
    r'|(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")'
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<char>'(?:[^'\\\n]|\\.)+')"
    r"|(?P<word>[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)"
    r"|(?P<other><<|::|->|\d[\w.]*|[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
# What the bindings turn an exception of C++ into.
_EXCEPTIONS = {
    "bad_alloc": "MemoryError",
    "domain_error": "ValueError",
    "import_error": "ImportError",
    "index_error": "IndexError",
    "invalid_argument": "ValueError",
    "key_error": "KeyError",
    "length_error": "ValueError",
    "out_of_range": "IndexError",
    "overflow_error": "OverflowError",
    "range_error": "ValueError",
    "stop_iteration": "StopIteration",
    "type_error": "TypeError",
    "value_error": "ValueError",
}
_OPEN, _CLOSED = "([{", ")]}"
_WRAPPERS = ("std::string", "string", "std::move")
_STR = [".", "str", "(", ")"]
# Between the texts of a message of which one is chosen.
_OR = "\0"


class Token(NamedTuple):
    """A token: its kind, and its text, which of a literal is what it stands for."""

    kind: str
    text: str


def sites_of_cpp(text: str, file: str) -> Iterator[Site]:
    """Return the sites of a C++ file.

    Args:
        text: The file.
        file: Its name in the package's repository.
    """
    tokens = [*_tokens(text)]
    for at, token in enumerate(tokens):
        if token != ("word", "throw"):
            continue
        thrown = _until(tokens, at + 1, ";")
        name = thrown.pop(0).text.rpartition("::")[2] if thrown and thrown[0].kind == "word" else ""
        if thrown:  # else a variable: the error was made, and is counted, elsewhere
            exception = _EXCEPTIONS.get(name, "RuntimeError")
            for template in _message(thrown[1:-1], tokens, at).split(_OR):
                yield Site(file, template, exception)


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind in ("raw", "mark"):
            body = found["raw"]
            yield Token("text", body[body.index("(") + 1 : body.rindex(")")])
        elif kind in ("text", "char"):
            yield Token("text", _unquoted(found[kind]))
        elif kind is not None:
            yield Token(kind, re.sub(r"\s", "", found[kind]))


def _unquoted(literal: str) -> str:
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):
        return literal[1:-1]


def _until(tokens: Sequence[Token], start: int, end: str) -> list[Token]:
    """Return the tokens from `start` to the first `end` outside of brackets."""
    depth = 0
    for at in range(start, len(tokens)):
        text = tokens[at].text if tokens[at].kind == "other" else ""
        if text and text == end and depth == 0:
            return list(tokens[start:at])
        depth += (text in _OPEN) - (text in _CLOSED) if text else 0
    return list(tokens[start:])


def _split(tokens: Sequence[Token], separator: str) -> list[list[Token]]:
    """Split tokens at the separators outside of brackets."""
    parts = [[*_until(tokens, 0, separator)]]
    at = len(parts[0]) + 1
    while at <= len(tokens):
        parts.append(_until(tokens, at, separator))
        at += len(parts[-1]) + 1
    return parts


def _message(argument: Sequence[Token], tokens: Sequence[Token], at: int) -> str:
    """Return the template of a `throw` at place `at`, from its first argument."""
    first = _split(argument, ",")[0]
    template = "".join(_operand(part, tokens, at) for part in _split(first, "+"))
    return re.sub(r"(?:(?<!\{)\{\}){2,}", HOLE, template)


def _operand(part: Sequence[Token], tokens: Sequence[Token], at: int) -> str:
    words = [token.text for token in part]
    if all(token.kind == "text" for token in part):
        return escaped("".join(words))
    if words[1:2] in (["("], ["{"]) and words[0] in _WRAPPERS:
        return _message(part[2:-1], tokens, at)
    if words[:2] == ["fmt::format", "("] and part[2].kind == "text":
        literals = _split(part[2:-1], ",")[0]
        return with_holes("".join(token.text for token in literals))
    if words == ["std::endl"]:
        return "\n"
    if (
        words
        and part[0].kind == "word"
        and words[1:] in ([], _STR, [*_STR, ".", "c_str", "(", ")"])
    ):
        return _written(words[0], tokens, at)
    return HOLE


def _written(name: str, tokens: Sequence[Token], at: int) -> str:
    """Return what was written to a stream or a string of that name before place `at`.

    What is written in one of several branches at the beginning is one of several messages; later,
    it is a hole.
    """
    certain = ""
    choices: list[str] = []
    for start in range(_declaration(name, tokens, at), at):
        if tokens[start] != ("word", name) or tokens[start - 1].text in _INSIDE:
            continue
        piece, sets = _piece(tokens, start)
        if piece is None:
            continue
        if not _leads_to(tokens, start, at):
            choices += [] if certain else [piece]
            certain += HOLE if certain else ""
        else:
            certain = piece if sets else certain + piece
    if choices:
        return _OR.join(choice + certain for choice in choices)
    return certain or HOLE


_INSIDE = (".", "->", "<<", "+", "(", ",")


def _piece(tokens: Sequence[Token], start: int) -> tuple[str | None, bool]:
    """Return what the statement at `start` writes to its first name, and whether it sets it."""
    operator = "".join(token.text for token in tokens[start + 1 : start + 3])
    statement = _until(tokens, start, ";")
    if operator.startswith("<<"):
        return "".join(_operand(it, tokens, start) for it in _split(statement[2:], "<<")), False
    if operator.startswith("+="):
        return _message(statement[3:], tokens, start), False
    if operator.startswith("=") and operator != "==":
        return _message(statement[2:], tokens, start), True
    if operator.startswith(("(", "{")):
        return _message(statement[2:-1], tokens, start), True
    return None, False


def _declaration(name: str, tokens: Sequence[Token], at: int) -> int:
    """Return where a text or stream was declared last before place `at`, or that place itself."""
    for start in range(at - 1, 0, -1):
        if tokens[start] == ("word", name) and tokens[start - 1].kind == "word":
            return start if tokens[start - 1].text in _TEXTS else at
    return at


_TEXTS = ("auto", "std::string", "std::ostringstream", "std::stringstream", "string")


def _leads_to(tokens: Sequence[Token], start: int, at: int) -> bool:
    """Return whether place `at` is in the block of `start` or one within it."""
    depth = 0
    for token in tokens[start:at]:
        if token.kind == "other":
            depth += (token.text == "{") - (token.text == "}")
        if depth < 0:
            return False
    return True
