import tomllib

import pytest

from ropeguard.catalogue import load, records_folder
from ropeguard.catalogue.editing import with_versions


TEXT = '''id = "RG1000"
message = "a [b] {c}"
documentation = """
[[patterns]]
versions = ["0.1"]
message = "no key"
"""

[fields.c]
type = "Int"

[[patterns]]
template = "x"
versions = ["0.1"]

[[patterns]]
template = """
[links]
"""
package = "p"
versions = [
  "0.1", # first
  "0.2",
]

[[links]]
title = "t"
'''


@pytest.mark.parametrize("pattern", [None, 0, 1])
def test_only_the_versions_change(pattern):
    edited = with_versions(TEXT, ["1.0", "2.0"], pattern)
    table = tomllib.loads(edited)
    place = table if pattern is None else table["patterns"][pattern]
    assert place["versions"] == ["1.0", "2.0"]
    again = with_versions(edited, ["3.0"], pattern)
    assert again == edited.replace('["1.0", "2.0"]', '["3.0"]')
    place["versions"] = tomllib.loads(TEXT)["patterns"][pattern or 0]["versions"]
    if pattern is None:
        del table["versions"]
    assert table == tomllib.loads(TEXT)


def test_every_record_can_be_edited():
    for source in load(records_folder()).sources:
        with open(f"{source.folder}/record.toml", encoding="utf-8") as stream:
            text = stream.read()
        places = [None, *range(len(source.record.patterns))]
        for place in places:
            table, edited = tomllib.loads(text), tomllib.loads(with_versions(text, ["9.9"], place))
            old, new = (it if place is None else it["patterns"][place] for it in (table, edited))
            old.pop("versions", None)
            assert new.pop("versions") == ["9.9"]
            assert edited == table
