import shutil
import sys
from pathlib import Path

import pytest

from ropeguard.catalogue import records_folder
from ropeguard.catalogue.artefact import forget


# Makes the forms of pasted errors importable.
sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

SAMPLE = "record-missing"


@pytest.fixture(name="sample")
def _sample(tmp_path):
    """A folder of records with a sound one in it, and the path of that one."""
    place = tmp_path / "errors" / "catalogue" / SAMPLE
    shutil.copytree(Path(records_folder(), "catalogue", SAMPLE), place)
    return place


@pytest.fixture(name="edited")
def _edited(sample):
    """A function that replaces text in a file of the sample, and returns the folder of records."""

    def edit(old, new, file="record.toml"):
        path = sample / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return str(sample.parent.parent)

    return edit


@pytest.fixture(autouse=True)
def _fresh_headers():
    forget()
    yield
    forget()
