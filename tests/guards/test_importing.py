"""The import hook: a package is guarded as it is imported, and its files stay as they are."""

import importlib
import sys

import mlx.core as mx
import pytest

import ropeguard
from ropeguard import ContractError, RopeguardError


MODEL = '''"""A model."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, no_type_check, overload

import mlx.core as mx
from jaxtyping import Float

if TYPE_CHECKING:
    from elsewhere import Missing


def scaled(x: Float[mx.array, "n"], by: float = 2.0) -> Float[mx.array, "n"]:
    def inner(y: Float[mx.array, "n n"]):
        return y

    return x * by if by < 100 else inner(x)


@no_type_check
def unchecked(x: Float[mx.array, "n"]):
    return x


def unannotated(x):
    return x


def missing(x: Missing):
    return x


class Layer:
    @property
    def width(self) -> int:
        return 3

    @staticmethod
    def static(x: Float[mx.array, "n"]) -> Float[mx.array, "n"]:
        return x

    def __call__(self, x: Float[mx.array, "n {self.width}"]) -> Float[mx.array, "n"]:
        return x[:, 0]


@dataclasses.dataclass
class Cache:
    keys: Float[mx.array, "n d"]
    values: Float[mx.array, "n d"]
'''


@pytest.fixture(name="package")
def _package(tmp_path, monkeypatch):
    folder = tmp_path / "guarded_model"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "model.py").write_text(MODEL)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.startswith("guarded_model")]:
        del sys.modules[name]


def test_a_package_is_guarded_without_being_touched(package):
    with ropeguard.install_import_hook("guarded_model"):
        model = importlib.import_module("guarded_model.model")
    x = mx.zeros(3)
    assert model.scaled(x).shape == (3,)
    assert model.Layer()(mx.zeros((2, 3))).shape == (2,)
    assert (model.unchecked(3), model.unannotated(3)) == (3, 3)
    made = model.Cache(mx.zeros((2, 3)), mx.zeros((2, 3)))
    wrong = (
        lambda: model.scaled(3),
        lambda: model.scaled(x, 100.0),
        lambda: model.Layer()(mx.zeros((2, 4))),
        lambda: model.Layer.static(3),
        lambda: model.Cache(mx.zeros((2, 3)), mx.zeros((3, 3))),
        lambda: setattr(made, "keys", mx.zeros((3, 3))),
    )
    for call in wrong:
        with pytest.raises(ContractError):
            call()
    with pytest.raises(RopeguardError, match="Missing"):
        model.missing(3)
    assert (package / "model.py").read_text() == MODEL


def test_the_hook_leaves_no_guarded_bytecode_behind(package):
    with ropeguard.install_import_hook("guarded_model"):
        importlib.import_module("guarded_model.model")
    for name in ("guarded_model.model", "guarded_model"):
        del sys.modules[name]
    model = importlib.import_module("guarded_model.model")
    assert model.unannotated(model.Layer.static(3)) == 3


def test_the_lines_of_tracebacks_are_those_of_the_file(package):
    with ropeguard.install_import_hook("guarded_model"):
        model = importlib.import_module("guarded_model.model")
    lines = MODEL.splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.startswith("def scaled"))
    assert model.scaled.__wrapped__.__code__.co_firstlineno == line


def test_uninstalling_twice_is_uninstalling_once(package):
    hook = ropeguard.install_import_hook("guarded_model")
    hook.uninstall()
    hook.uninstall()
    assert importlib.import_module("guarded_model.model").scaled("x", 2) == "xx"
