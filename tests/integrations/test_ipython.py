"""The extension in a real IPython: what a cell that fails shows, and what one that passes pays."""

import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

import ropeguard


CELL = """
import mlx.core as mx
queries, keys = mx.zeros((3, 2, 16)), mx.zeros((3, 5, 16))
queries @ keys
"""


@pytest.fixture(name="shell")
def _shell(capsys):
    """A shell with the extension."""
    shell = InteractiveShell()
    shell.history_manager.enabled = False
    shell.run_line_magic("colors", "nocolor")
    shell.run_line_magic("load_ext", "ropeguard")
    capsys.readouterr()
    yield shell
    shell.run_line_magic("unload_ext", "ropeguard")
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


def _shown(shell, cell, capsys):
    result = shell.run_cell(cell)
    printed = capsys.readouterr()
    return result, printed.out + printed.err


def test_a_failing_cell_shows_what_the_catalogue_says_under_its_traceback(shell, capsys):
    result, shown = _shown(shell, CELL, capsys)
    assert type(result.error_in_exec) is ValueError
    assert result.error_in_exec.__ropeguard__.slug == "matmul-inner-sizes-differ"
    lines = shown.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("ValueError: [matmul]"))
    assert any("queries @ keys" in line for line in lines[:at])
    assert "  fits: queries @ keys.swapaxes(-1, -2)" in lines[at:]


def test_an_exception_that_nobody_knows_is_shown_as_ever(shell, capsys):
    result, shown = _shown(shell, "raise RuntimeError('out of cheese')", capsys)
    assert not hasattr(result.error_in_exec, "__notes__")
    shell.run_line_magic("unload_ext", "ropeguard")
    plain = _shown(shell, "raise RuntimeError('out of cheese')", capsys)[1]
    assert shown.splitlines()[2:] == plain.splitlines()[2:]


def test_syntax_errors_and_interrupts_pass(shell, capsys):
    assert "SyntaxError" in _shown(shell, "x = = 1", capsys)[1]
    assert "KeyboardInterrupt" in _shown(shell, "raise KeyboardInterrupt", capsys)[1]


def test_the_extension_goes_as_it_came(shell, capsys):
    shell.run_line_magic("unload_ext", "ropeguard")
    assert "showtraceback" not in vars(shell)
    result, shown = _shown(shell, CELL, capsys)
    assert "ropeguard" not in shown
    assert not hasattr(result.error_in_exec, "__notes__")
    shell.run_line_magic("load_ext", "ropeguard")
    assert "fits: queries" in _shown(shell, CELL, capsys)[1]


def test_loading_twice_annotates_once(shell, capsys):
    ropeguard.load_ipython_extension(shell)
    assert _shown(shell, CELL, capsys)[1].count("  fits: queries") == 1


def test_what_was_put_over_the_extension_stays(shell):
    mine = shell.showtraceback
    shell.showtraceback = lambda *args, **options: mine(*args, **options)
    over = shell.showtraceback
    ropeguard.unload_ipython_extension(shell)
    assert shell.showtraceback is over
    shell.showtraceback = mine


def test_what_was_there_before_the_extension_is_there_after_it(shell):
    ropeguard.unload_ipython_extension(shell)
    theirs = shell.showtraceback = lambda *args, **options: None
    ropeguard.load_ipython_extension(shell)
    ropeguard.unload_ipython_extension(shell)
    assert shell.showtraceback is theirs
    del shell.showtraceback


def _calls(function):
    """Return the functions of ropeguard that are entered while another one runs."""
    entered = []

    def note(frame, event, _):
        if event == "call" and frame.f_globals.get("__name__", "").startswith("ropeguard"):
            entered.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return entered


def test_a_cell_that_passes_enters_no_function_of_ropeguard(shell):
    assert _calls(lambda: shell.run_cell("x = sum(range(10))")) == []
    assert "annotate" in _calls(lambda: shell.run_cell("1 / 0"))


def test_a_block_that_passes_enters_nothing_but_the_block():
    translate = ropeguard.translate

    def guarded():
        with translate():
            sum(range(10))

    assert set(_calls(guarded)) == {"translate"}
    uninstall = ropeguard.install_excepthook()
    assert _calls(lambda: sum(range(10))) == []
    uninstall()


def test_loading_imports_neither_mlx_nor_the_matcher():
    program = (
        "import sys, ropeguard\n"
        "class Shell:\n    def showtraceback(self): pass\n"
        "ropeguard.load_ipython_extension(Shell())\n"
        "print([it for it in sys.modules if it == 'mlx' or it.endswith('.matcher')])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"
