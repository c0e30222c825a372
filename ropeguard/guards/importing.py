"""Guard every annotated function of a package as it is imported, without touching its files.

The way is that of jaxtyping's import hook (`jaxtyping.install_import_hook`): the syntax tree gets
a decorator before it is compiled. Functions get it innermost, so that other decorators see the
guarded one; classes outermost, so that `dataclass` has done its work.
"""

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterable, Sequence
from typing import Any


_NAME = "_ropeguard_guard_"


class _Decorator(ast.NodeTransformer):
    """Decorates what has annotations; `@no_type_check` opts out."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if not _opts_out(node):
            self.generic_visit(node)
            if any(_decorator_name(it) in _FIELD_MAKERS for it in node.decorator_list):
                node.decorator_list.insert(0, _guard_at(node))
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if not _opts_out(node):
            self.generic_visit(node)
            if _is_annotated(node) and not any(
                _decorator_name(it) in ("overload", "guard") for it in node.decorator_list
            ):
                node.decorator_list.append(_guard_at(node))
        return node


_FIELD_MAKERS = ("dataclass", "define", "frozen", "mutable", "s", "attrs")


def _guard_at(node: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(_NAME, ast.Load()), node)


def _decorator_name(decorator: ast.expr) -> str:
    """Return the last part of a decorator's name: `dataclass` of `dataclasses.dataclass()`."""
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    return inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")


def _opts_out(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(_decorator_name(it) == "no_type_check" for it in node.decorator_list)


def _is_annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    given = node.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return node.returns is not None or any(it is not None and it.annotation for it in named)


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module with its functions guarded; nothing of it is cached on disk."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        source = importlib.util.decode_source(self.get_data(path))
        tree = _Decorator().visit(ast.parse(source, path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: types.ModuleType) -> None:
        from ropeguard.guards.decorator import guard_from

        vars(module)[_NAME] = guard_from
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of some packages, for the loader above."""

    def __init__(self, packages: Iterable[str]) -> None:
        self._packages = tuple(packages)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if not any(fullname == it or fullname.startswith(f"{it}.") for it in self._packages):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
            return spec
        return None


class ImportHook:
    """An installed import hook; leaving its `with` block, or `uninstall`, takes it away."""

    def __init__(self, finder: importlib.abc.MetaPathFinder) -> None:
        self._finder = finder

    def __enter__(self) -> "ImportHook":
        return self

    def __exit__(self, *_exception: Any) -> None:
        self.uninstall()

    def uninstall(self) -> None:
        """Take the hook away; modules that were imported with it stay guarded."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)


def install_import_hook(*packages: str) -> ImportHook:
    """Guard every annotated function, dataclass and attrs class of packages imported from now on.

    Args:
        packages: Their names; their sub-packages and modules are meant too.

    Returns:
        The hook, which is also a context manager.
    """
    finder = _Finder(packages)
    sys.meta_path.insert(0, finder)
    return ImportHook(finder)
