"""The IPython extension: `%load_ext ropeguard` annotates exceptions that the catalogue knows."""

from typing import Any


_ORIGINAL = "__ropeguard_original__"


def load_ipython_extension(shell: Any) -> None:
    """Annotate what ends a cell, before IPython shows its traceback; nothing else changes.

    Args:
        shell: The running `InteractiveShell`.
    """
    original = shell.showtraceback
    if hasattr(original, _ORIGINAL):
        return

    def showtraceback(exc_tuple: Any = None, *args: Any, **options: Any) -> Any:
        import sys

        from ropeguard.integrations.translating import annotate

        failure = (exc_tuple or sys.exc_info())[1]
        if isinstance(failure, BaseException):
            annotate(failure)
        return original(exc_tuple, *args, **options)

    setattr(showtraceback, _ORIGINAL, original)
    shell.showtraceback = showtraceback


def unload_ipython_extension(shell: Any) -> None:
    """Show tracebacks as before, unless something else was put over the extension.

    Args:
        shell: The running `InteractiveShell`.
    """
    original = getattr(shell.showtraceback, _ORIGINAL, None)
    if original is not None:
        # The method of the class is there again once nothing hides it.
        del shell.showtraceback
        if shell.showtraceback != original:
            shell.showtraceback = original
