"""Every `raise` in the package is one of a record, with exactly its fields: read on the AST."""

import ast
from pathlib import Path

import pytest

import ropeguard
from ropeguard.catalogue import entries
from ropeguard.catalogue.vocabulary import OURS


PACKAGE = Path(ropeguard.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
ENTRIES = {entry["slug"]: entry for entry in entries()}
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def _dotted(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _calls(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            yield node


def _is_allowed(node):
    called = getattr(getattr(node.exc, "func", None), "id", None)
    return node.exc is None or called in ("error", "contract_error")


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_every_raise_is_of_a_record(path):
    bare = [
        node.lineno
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.Raise) and not _is_allowed(node)
    ]
    assert bare == []


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_every_error_names_a_record_and_gives_its_fields(path):
    for call in _calls(TREES[path], "error"):
        slug = call.args[0]
        where = f"line {call.lineno}"
        assert isinstance(slug, ast.Constant), where
        assert slug.value in ENTRIES, f"{slug.value}, {where}"
        given = {keyword.arg for keyword in call.keywords} - {"details"}
        assert given == set(ENTRIES[slug.value]["fields"]), f"{slug.value}, {where}"


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_no_assert_statement_decides_anything(path):
    assert [it.lineno for it in ast.walk(TREES[path]) if isinstance(it, ast.Assert)] == []


def _functions(tree, name):
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
    ]


def _raises(tree, entry):
    own = any(
        isinstance(it.args[0], ast.Constant) and it.args[0].value == entry["slug"]
        for it in _calls(tree, "error")
    )
    return own or (bool(entry["violations"]) and any(_calls(tree, "contract_error")))


@pytest.mark.parametrize("slug", ENTRIES)
def test_a_record_is_raised_where_it_says(slug):
    entry = ENTRIES[slug]
    for site in entry["raise_sites"]:
        if entry["origin"] not in OURS:
            continue  # Raised by another package, whose files are not here.
        trees = {_dotted(path): tree for path, tree in TREES.items()}
        inside = [
            tree
            for name, tree in trees.items()
            if name == site["module"]
            or (entry["violations"] and name.startswith(site["module"] + "."))
        ]
        assert inside, site
        if site["function"] is not None:
            inside = [it for tree in inside for it in _functions(tree, site["function"])]
        assert any(_raises(tree, entry) for tree in inside), site


@pytest.mark.parametrize("slug", ENTRIES)
def test_a_record_says_every_place_that_raises_it(slug):
    sites = {site["module"] for site in ENTRIES[slug]["raise_sites"]}
    for path, tree in TREES.items():
        for call in _calls(tree, "error"):
            if isinstance(call.args[0], ast.Constant) and call.args[0].value == slug:
                assert _dotted(path) in sites, f"{_dotted(path)}, line {call.lineno}"


@pytest.mark.parametrize(
    "code",
    [
        "raise ValueError('x')",
        "raise wrong",
        "raise errors.error('x')",
        "raise error",
    ],
)
def test_the_check_of_raises_can_fail(code):
    raising = next(it for it in ast.walk(ast.parse(code)) if isinstance(it, ast.Raise))
    assert not _is_allowed(raising)
