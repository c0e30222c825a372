"""Errors of MLX that no record has: the nearest record, and never for those of others."""

import json

import pytest
from matching import INSIDE, left_out, reworded

from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.lookup import nearest_to


def _slug(text):
    hit = nearest_to(text, [ours()])
    return hit and hit.entry["slug"]


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("[matmul] some new wording (3,4)", "matmul"),
        ("ValueError: [scatter] Cannot scatter updates of shape (3)", "scatter"),
        ("ValueError: [linalg::lu] is not what it was", "linalg"),
        ("RuntimeError: mx.fast.rope takes no such offset", "rope"),
        ("libc++abi: terminating due to uncaught exception of type std::x: [conv] No", "conv"),
        ("terminate called\n  what():  [reshape] Cannot do that to (3,4)", "reshape"),
        ("MLX error: [concatenate] axes are off at /x/ops.cpp:12", "concatenate"),
        (
            f"{INSIDE}ValueError: Expected shape (2, 3) but got shape (3, 2) for parameter weight",
            "load_weights",
        ),
    ],
)
def test_an_error_worded_anew_leads_to_a_record_of_its_operation(text, op):
    hit = nearest_to(text, [ours()])
    assert hit.nearest
    assert hit.values == {}
    template = hit.entry["message"].lower()
    assert op in hit.entry["ops"] or f"[{op}" in template or op == "load_weights"


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: the request failed",
        "ValueError: [load] the queue is empty",
        "ValueError: [worker] Cannot reshape the pool",
        "RuntimeError: torch.nn.Linear is not what it was",
        "ValueError: shapes (3,4) and (5,6) not aligned: 4 (dim 1) != 5 (dim 0)",
        f"{INSIDE}KeyError: 'name'",
        f'{INSIDE}  File "/srv/run.py", line 3, in step\n    raise Missing(x)\nMissingError: x',
        "[INFO] [matmul] done in 3 ms\n[INFO] [matmul] done in 4 ms",
        "RG9999",
        "",
    ],
)
def test_an_error_of_another_program_has_no_nearest_record(text):
    assert _slug(text) is None


def test_reworded_messages_lead_to_their_own_record_or_to_one_of_its_operation():
    count = reworded(step=4)
    for kind in {kind for kind, _ in count}:
        assert count[kind, "answered"] >= 0.7 * count[kind, "all"]
        assert count[kind, "same"] >= 0.9 * count[kind, "answered"]
        assert count[kind, "right"] >= 0.95 * count[kind, "answered"]


def test_a_missing_record_is_stood_in_for_by_one_of_its_operation():
    count = left_out(step=3)
    kind = "with the operation in brackets"
    assert count[kind, "right"] >= 0.85 * count[kind, "answered"]
    assert count[kind, "answered"] >= count[kind, "all"] / 2


NEW = "ValueError: [matmul] some new wording (3,4)"


def test_the_page_says_that_it_is_the_nearest(command):
    ended = command("explain", NEW)
    assert ended.status == 5
    assert ended.out.startswith("No record has this message word for word. The nearest one")
    assert "matmul-inner-sizes-differ" in ended.out
    assert ended.err == ""


def test_json_says_whether_it_is_the_nearest(command):
    ended = command("explain", "--json", NEW)
    assert ended.status == 5
    assert json.loads(ended.out)["nearest"] is True
    assert json.loads(command("explain", "--json", "RG2526").out)["nearest"] is False
