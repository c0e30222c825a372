"""Notes on exceptions of others: what they gain, what they keep, and that nothing is evaluated."""

import subprocess
import sys
import traceback

import mlx.core as mx
import pytest

import ropeguard
from ropeguard import ContractError, rope_pool_fused


# The text of sglang's wrapper, which the catalogue knows as a pattern of its record.
KNOWN = "v shape must match k shape, got (5, 2, 64) vs (4, 2, 64)"


def failing(message=KNOWN, kind=ValueError):
    keys = mx.zeros((4, 2, 64))
    values = mx.zeros((5, 2, 64), mx.float16)
    raise kind(message) if keys is not values else None


def caught(call=failing):
    with pytest.raises(BaseException) as info, ropeguard.translate():  # noqa: PT011
        call()
    return info.value


def test_a_known_exception_gains_one_note_and_the_data():
    error = caught()
    assert type(error) is ValueError
    assert error.args == (KNOWN,)
    assert len(error.__notes__) == 1
    translation = error.__ropeguard__
    assert translation.slug == "v-shape-mismatch"
    assert translation.values == {"shape": (5, 2, 64), "k_shape": (4, 2, 64)}
    assert [str(array) for array in translation.arrays] == [
        "float32 (4, 2, 64)",
        "float16 (5, 2, 64)",
    ]
    text = "".join(traceback.format_exception(error))
    assert f"ropeguard explain {translation.code}" in text
    assert "values: float16 (5, 2, 64)" in text


def test_an_unknown_exception_stays_as_it_is():
    error = caught(lambda: failing("out of cheese", RuntimeError))
    assert not hasattr(error, "__notes__")
    assert not hasattr(error, "__ropeguard__")


def test_errors_of_ropeguard_get_no_note():
    def misuse():
        z = mx.zeros
        rope_pool_fused(
            z((1, 4, 4, 64)), z((4, 2, 64)), z((4, 2, 64)), z(4, mx.int32), z(4, mx.int32),
            z((8, 2, 64)), z((8, 2, 64)), head_dim=64, num_qo_heads=4, num_kv_heads=2,
            rope_base=1e4,
        )  # fmt: skip

    error = caught(misuse)
    assert isinstance(error, ContractError)
    assert not hasattr(error, "__ropeguard__")


def test_a_note_says_what_the_shapes_are_and_what_would_fit():
    def scores():
        queries, keys = mx.zeros((3, 2, 16)), mx.zeros((3, 5, 16))
        return queries @ keys

    error = caught(scores)
    assert error.__ropeguard__.suggestions == ("queries @ keys.swapaxes(-1, -2)",)
    [note] = error.__notes__
    assert "  axis -1 of the first is 16 and axis -2 of the second is 5" in note
    assert "  fits: queries @ keys.swapaxes(-1, -2)\n" in note


def test_arrays_that_cannot_be_told_apart_keep_the_names_of_the_record():
    def scores():
        q, k, other = (mx.zeros((3, 2, 16)) for _ in range(3))
        return q @ k if other is not None else None

    assert caught(scores).__ropeguard__.suggestions[0] == "a @ b.swapaxes(-1, -2)"


def test_nested_blocks_add_one_note():
    def nested():
        with ropeguard.translate():
            failing()

    assert len(caught(nested).__notes__) == 1


def test_causes_contexts_and_groups_are_looked_through():
    def chained():
        try:
            failing()
        except ValueError as known:
            raise RuntimeError("the request failed") from known

    def grouped():
        raise ExceptionGroup("two", [ValueError(KNOWN), KeyError("k")])

    assert caught(chained).__cause__.__ropeguard__.slug == "v-shape-mismatch"
    assert caught(grouped).exceptions[0].__ropeguard__.slug == "v-shape-mismatch"


def test_an_exception_made_of_an_array_is_not_rendered():
    def odd():
        raise ValueError(mx.zeros((2, 2)) @ mx.zeros((2, 2)))

    assert not hasattr(caught(odd), "__ropeguard__")
    assert not hasattr(caught(lambda: mx.vmap(lambda x: failing(x))(mx.zeros(3))), "__notes__")


def test_a_note_keeps_no_array_alive_and_evaluates_none():
    def lazy():
        big = mx.random.normal((2000, 2000))
        product = big @ big
        raise ValueError(KNOWN) if product is not None else None

    mx.synchronize()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    error = caught(lazy)
    assert str(error.__ropeguard__.arrays[1]) == "float32 (2000, 2000)"
    assert mx.get_peak_memory() - before < 1e6


def test_the_excepthook_adds_the_note_before_the_traceback_is_printed():
    program = (
        "import ropeguard\nuninstall = ropeguard.install_excepthook()\n"
        f"def f(): raise ValueError({KNOWN!r})\nf()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "v-shape-mismatch: ropeguard explain" in ended.stderr


def test_the_excepthook_can_be_taken_away():
    before = sys.excepthook
    uninstall = ropeguard.install_excepthook()
    assert sys.excepthook is not before
    uninstall()
    assert sys.excepthook is before


TEST = f"""
def test_known():
    raise ValueError({KNOWN!r})
"""


@pytest.mark.parametrize(("option", "noted"), [((), False), (("--ropeguard",), True)])
def test_the_pytest_plugin_adds_notes_when_it_is_asked_to(tmp_path, option, noted):
    (tmp_path / "test_it.py").write_text(TEST)
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-p", "ropeguard.integrations.pytest_plugin", *option, str(tmp_path)),
        ],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert ended.returncode == 1
    assert ("v-shape-mismatch: ropeguard explain" in ended.stdout) is noted
