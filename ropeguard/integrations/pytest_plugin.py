"""The pytest plugin: `pytest --ropeguard` adds notes to exceptions that the catalogue knows."""

from collections.abc import Generator
from typing import Any

import pytest


def pytest_addoption(parser: Any) -> None:
    """Add the option, off by default, so that nobody pays who does not ask."""
    group = parser.getgroup("ropeguard")
    help_text = "add to exceptions of MLX what ropeguard's catalogue says of them"
    group.addoption("--ropeguard", action="store_true", default=False, help=help_text)


def pytest_configure(config: Any) -> None:
    """Register the part that looks at failures, if it was asked for."""
    if config.getoption("--ropeguard"):
        config.pluginmanager.register(_Notes(), "ropeguard-notes")


class _Notes:
    """Annotates the exception of a test that failed, before pytest writes it down."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        """Run the test, and annotate what it raises."""
        from ropeguard.integrations.translating import annotate

        try:
            return (yield)
        except BaseException as failure:
            annotate(failure)
            raise
