"""What a user sees of generated source: `show`, tracebacks, one function before and after."""

import inspect
import linecache
import subprocess
import sys
import threading
import traceback
from typing import Annotated

import mlx.core as mx
import pytest
from jaxtyping import Float

import ropeguard
from ropeguard import ContractError, InRange, MultipleOf, RopeguardError, guard


Z = mx.zeros
F_n = Float[mx.array, "n"]


def made():
    @guard
    def scaled(x: Float[mx.array, "n d"], *, by: float = 2.0) -> Float[mx.array, "n d"]:
        """Return x, scaled."""
        return x * by

    return scaled


def test_show_prints_the_source_that_runs(capsys):
    scaled = made()
    ropeguard.show(scaled)
    source = capsys.readouterr().out
    assert source.startswith("def guarded(x, *, by=default_by):")
    assert "x_0, x_1 = x_shape" in source
    file = scaled.__code__.co_filename
    assert "".join(linecache.getlines(file)) == source
    scaled(Z((2, 3)))
    assert scaled.__code__.co_filename == file


def test_show_says_why_nothing_is_generated(capsys):
    @guard
    async def later(x: Float[mx.array, "n"]) -> int:
        return 1

    ropeguard.show(later)
    assert "async" in capsys.readouterr().out
    with pytest.raises(RopeguardError, match="unguarded"):
        ropeguard.show(len)


def test_a_function_stays_itself_when_its_source_is_written():
    scaled = made()
    same, signature = scaled, inspect.signature(scaled)
    for _ in range(3):
        assert scaled(Z((2, 3)), by=3.0).shape == (2, 3)
    assert scaled is same
    assert inspect.signature(scaled) == signature
    assert (scaled.__name__, scaled.__doc__) == ("scaled", "Return x, scaled.")
    with pytest.raises(TypeError, match=r"scaled\(\) missing 1 required positional argument: 'x'"):
        scaled()


def test_a_traceback_ends_in_one_frame_of_ours_without_a_context():
    for scaled in (made(), made()):
        for _ in range(2):
            with pytest.raises(ContractError) as caught:
                scaled(Z(3))
            frames = traceback.extract_tb(caught.value.__traceback__)
            assert [frame.name for frame in frames][1:] == ["guarded"]
            assert frames[-1].line == "raise contract_error_(outcome_.violation)"
            assert caught.value.__context__ is None
            assert caught.value.__cause__ is None


def test_threads_may_make_the_first_call_together():
    scaled, failures = made(), []

    def work():
        try:
            assert scaled(Z((2, 3))).shape == (2, 3)
            with pytest.raises(ContractError):
                scaled(Z(2))
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_names_of_the_generated_source_are_free_for_parameters():
    @guard
    def f(
        type: Float[mx.array, "n"], mode_, x_shape: Float[mx.array, "n"], x: Float[mx.array, "n"]
    ):
        return x

    for _ in range(2):
        assert f(Z(2), 1, Z(2), Z(2)).shape == (2,)
        with pytest.raises(ContractError):
            f(Z(2), 1, Z(2), Z(3))


def test_the_kernels_own_contract_is_all_in_generated_source(capsys):
    ropeguard.show(ropeguard.rope_pool_fused)
    source = capsys.readouterr().out
    assert source.startswith("def guarded(q, k, v, positions, slots, k_pool, v_pool, *, head_dim")
    assert "part_" not in source


def test_a_number_that_may_be_absent_is_compared_in_generated_source(capsys):
    @guard
    def f(
        x: Float[mx.array, "n"], row: Annotated[int | None, InRange(0, "n"), MultipleOf(2)] = None
    ):
        return row

    for _ in range(2):
        assert (f(Z(5)), f(Z(5), None), f(Z(5), 4), f(Z(5), True - 1)) == (None, None, 4, 0)
        for wrong in (-2, 3, 6, 4.0, "0"):
            with pytest.raises(ContractError, match="row"):
                f(Z(5), wrong)
    ropeguard.show(f)
    source = capsys.readouterr().out
    assert "row is None or (row >= 0 and row < x_0)" in source


def test_arrays_of_numpy_go_the_same_way(capsys):
    numpy = pytest.importorskip("numpy")

    @guard
    def f(
        x: Float[numpy.ndarray, "n d"], y: Float[numpy.ndarray, "n"]
    ) -> Float[numpy.ndarray, "n"]:
        return y

    for _ in range(2):
        assert f(numpy.zeros((2, 3)), numpy.zeros(2, "float32")).shape == (2,)
        for wrong in (numpy.zeros(3), numpy.zeros(2, int), Z(2), None):
            with pytest.raises(ContractError):
                f(numpy.zeros((2, 3)), wrong)
    ropeguard.show(f)
    assert "part_" not in capsys.readouterr().out


def test_compiled_functions_cost_nothing_after_the_first_call():
    runs = []

    @guard
    def body(x: Float[mx.array, "n"]) -> Float[mx.array, "n"]:
        runs.append(1)
        return x + 1

    compiled = mx.compile(body)
    for _ in range(5):
        compiled(Z(3))
    assert runs == [1]


def test_a_shapeless_compiled_function_is_never_checked_again():
    """MLX traces it once; docs/guards.md says so."""

    @guard
    def body(x: Float[mx.array, "n n"]) -> Float[mx.array, "n n"]:
        return x + 1

    compiled = mx.compile(body, shapeless=True)
    compiled(Z((2, 2)))
    assert compiled(Z((2, 3))).shape == (2, 3)


def test_beartype_is_not_imported_before_a_hint_needs_it():
    program = (
        "import sys, mlx.core as mx\nfrom jaxtyping import Float\nfrom ropeguard import guard\n"
        "@guard\ndef f(x: Float[mx.array, 'n'], k: int, m: Float[mx.array, 'n'] | None = None,"
        " s: str | None = None) -> tuple[Float[mx.array, 'n'], int]: return x, k\n"
        "f(mx.zeros(3), 1); f(mx.zeros(3), 1, s='s')\nprint('beartype' in sys.modules)\n"
        "@guard\ndef g(x: dict[str, list[int] | None] | type[int]): return x\n"
        "g(int)\nprint('beartype' in sys.modules)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["False", "True"]
