"""What `tests/benchmarks/matching.py` prints, as claims that hold."""

import pytest
from matching import SLOW, false_matches, growth, look_up_cost, unrelated

from ropeguard.catalogue.artefact import ours


def test_the_errors_of_other_packages_are_many_and_of_every_source():
    records = unrelated()
    assert len(records) >= 1000
    assert {record["source"] for record in records} == {"stdlib", "numpy", "torch", "jax", "einops"}
    assert len({(record["exception"], record["message"]) for record in records}) > 1500


def test_hardly_an_error_of_another_package_matches():
    assert [(it["call"], codes) for it, codes in false_matches()][len(unrelated()) // 1000 :] == []


def test_a_paste_of_200_lines_is_looked_up_among_10_000_records_in_5_ms():
    _, looking, right = look_up_cost()
    assert right
    assert looking <= 5


@pytest.fixture(name="matcher", scope="module")
def _matcher():
    return ours().matcher()


@pytest.mark.parametrize("name", SLOW)
def test_eight_times_the_text_takes_about_eight_times_as_long(name, matcher):
    small, large = growth(name, matcher, (2**16, 2**19))
    assert large < 24 * max(small, 1)
