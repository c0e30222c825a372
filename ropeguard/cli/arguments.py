"""The command line: its sub-commands, their options, and the functions that carry them out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from ropeguard.catalogue.raising import error


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeAlias

    Action: TypeAlias = Callable[[argparse.Namespace], int]
    _Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"

Options = argparse.Namespace


def _formatter(prog: str) -> argparse.HelpFormatter:
    # A given width keeps argparse from importing `shutil` to ask for it.
    return argparse.HelpFormatter(prog, width=78)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_formatter, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        help_ = f"  `{self.prog} --help` lists what it takes"
        raise error("usage-wrong", details=help_, problem=message)


def parse(arguments: Sequence[str]) -> Options:
    """Return the options of the command line, of which `action` is the function to call."""
    from ropeguard import __version__

    parser = _Parser(prog="ropeguard", description=_ABOUT)
    parser.add_argument("--version", action="version", version=f"ropeguard {__version__}")
    commands = parser.add_subparsers(prog="ropeguard", metavar="COMMAND", parser_class=_Parser)
    # Each parser costs time, so that only the one in question is made, where it is known.
    asked = _COMMANDS.get(arguments[0] if arguments else "")
    for add in _COMMANDS.values() if asked is None else [asked]:
        add(commands)
    options = parser.parse_args(arguments)
    if getattr(options, "action", None) is None:
        parser.error("a command is missing: explain, list, doctor or catalogue")
    return options


_ABOUT = "Explain the errors of guarded MLX code, and keep the catalogue of them."


def _add(commands: _Commands, name: str, action: str, about: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=about)
    parser.set_defaults(action=_lazily(*action.split(":")))
    return parser


def _lazily(module: str, function: str) -> Action:
    def act(options: Options) -> int:
        from importlib import import_module

        action: Action = getattr(import_module(f"ropeguard.cli.{module}"), function)
        return action(options)

    return act


def _add_explain(commands: _Commands) -> None:
    add = _add(commands, "explain", "explain:explain", "say what an error means and what to do")
    add.add_argument(
        "query",
        nargs="*",
        metavar="CODE|SLUG|TEXT|-",
        help="a code (RG4217, 4217), a slug, a pasted message or traceback, or - for stdin",
    )
    shape = add.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="one line of JSON for each record")
    shape.add_argument("--full", action="store_true", help="everything that the record holds")
    shape.add_argument("--example", choices=("before", "after"), help="only that program")
    shape.add_argument("--list", action="store_true", help="list all records")
    shape.add_argument("--verify", action="store_true", help="run the record's programs here")
    _add_catalogue_option(add)
    _add_output_options(add)


def _add_list(commands: _Commands) -> None:
    add = _add(commands, "list", "listing:list_records", "list all records")
    add.add_argument("--json", action="store_true", help="one line of JSON for each record")
    add.add_argument("--origin", help="only records of this origin")
    add.add_argument("--tag", help="only records with this tag")
    add.add_argument("--op", help="only records of this operation")
    add.add_argument("--status", help="only records of this status")
    _add_catalogue_option(add)
    _add_output_options(add)


def _add_catalogue_option(add: argparse.ArgumentParser) -> None:
    add.add_argument("--catalogue", metavar="PATH", help="a further catalogue: file or folder")


def _add_output_options(add: argparse.ArgumentParser) -> None:
    add.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add.add_argument("--no-pager", action="store_true", help="never page the output")


def _add_catalogue(commands: _Commands) -> None:
    parser = commands.add_parser("catalogue", help="write, check, build and export records")
    inner = parser.add_subparsers(
        prog="ropeguard catalogue", metavar="TASK", required=True, parser_class=_Parser
    )
    new = _add(inner, "new", "authoring:new", "begin a record: allot an id, write its files")
    new.add_argument("origin", metavar="ORIGIN", help="whose error it is: the folder")
    new.add_argument("slug", metavar="SLUG", help="its name: subject-defect")
    new.add_argument("--title", required=True, help="what went wrong, in 60 characters")
    check = _add(inner, "check", "authoring:check", "check all records")
    check.add_argument("--prove", action="store_true", help="also run their programs")
    check.add_argument("--bless", action="store_true", help="write each expected.txt")
    check.add_argument("--only", metavar="SLUG", action="append", help="prove or bless only this")
    check.add_argument("--fresh", action="store_true", help="start a new Python for each program")
    build = _add(inner, "build", "authoring:build", "build the file that explain reads")
    build.add_argument("--check", action="store_true", help="only say whether it is stale")
    build.add_argument("--partial", action="store_true", help="leave faulty records out")
    about = "the folder of the records, by default ropeguard's own"
    new.add_argument("--folder", metavar="PATH", help=about)
    for add in (check, build):
        add.add_argument("folder", nargs="?", metavar="PATH", help=about)
    matrix = _add(inner, "matrix", "releasing:matrix", "run the records on several releases")
    matrix.add_argument("--package", choices=("mlx", "mlx-lm"), default="mlx")
    matrix.add_argument("--releases", metavar="VERSION", nargs="+", required=True)
    matrix.add_argument("--cache", metavar="PATH", help="where the environments are kept")
    matrix.add_argument("--only", metavar="SLUG", action="append", help="run only this record")
    matrix.add_argument("--bless", action="store_true", help="write what was raised in which")
    matrix.add_argument("--json", action="store_true", help="one line of JSON for each record")
    matrix.add_argument("folder", nargs="?", metavar="PATH", help=about)
    _add_site_tasks(inner)
    export = _add(inner, "export", "exporting:export", "write documents of the public schema")
    _add_catalogue_option(export)
    _add(inner, "schema", "exporting:print_schema", "print the JSON Schema of such documents")


def _add_site_tasks(inner: _Commands) -> None:
    sites = _add(inner, "sites", "raise_sites:sites", "list where another package raises")
    sites.add_argument("path", metavar="PATH", help="a source tree, or the installed package")
    sites.add_argument("--reasons", metavar="FILE", help="another list, for who can reach what")
    sites.add_argument("--out", metavar="FILE", help="where to write the list, if not to stdout")
    coverage = _add(inner, "coverage", "raise_sites:coverage", "count raise sites with a record")
    coverage.add_argument("--sites", metavar="FILE", help="a list, by default the one kept here")
    coverage.add_argument("--missing", action="store_true", help="list those without a record")
    compare = _add(inner, "compare", "raise_sites:compare", "list messages that have changed")
    compare.add_argument("old", metavar="OLD", help="a list of raise sites, or a source tree")
    compare.add_argument("new", metavar="NEW", help="the same of another release")
    for add in (sites, coverage, compare):
        add.add_argument("--package", choices=("mlx", "mlx-lm"), default="mlx")


def _add_doctor(commands: _Commands) -> None:
    commands.add_parser("doctor", help="check the installation, the device and the kernel")


_COMMANDS: dict[str, Callable[[_Commands], None]] = {
    "explain": _add_explain,
    "list": _add_list,
    "doctor": _add_doctor,
    "catalogue": _add_catalogue,
}
