import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from ropeguard.catalogue import RopeguardError, entries, look_up, open_catalogue
from ropeguard.catalogue.seed_schema import compact, document_of_entry, documents_of


OWN = Path(__file__).with_name("pool-full.json")
SEEDS = sorted((Path(__file__).parents[3] / "shared" / "seeds").glob("*.txt"))
FILES = [OWN, *SEEDS]
NAMES = [path.name for path in FILES]


def _strict(text):
    """Parse JSON keeping what Python would otherwise change: order, repeats, digits."""
    return json.loads(text, object_pairs_hook=tuple, parse_float=str, parse_int=str)


def _record(path):
    return json.loads(path.read_text(encoding="utf-8"))["record"]


@pytest.mark.skipif(not SEEDS, reason="the documents are not beside this checkout")
def test_both_documents_are_there():
    assert len(SEEDS) == 2


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_document_comes_out_as_it_went_in(path):
    (document,) = open_catalogue(str(path)).documents
    assert _strict(document) == _strict(path.read_text(encoding="utf-8"))
    assert "\n" not in document
    assert compact(document) == document


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_document_is_found_by_id_slug_and_message(path):
    record = _record(path)
    message = record["errorMessage"].replace("{tokens}", "512")
    traceback = (
        "Traceback (most recent call last):\n"
        '  File "serve.py", line 3, in <module>\n    step()\n'
        f"{record['errorClass']}: {message}\n"
    )
    for query in (record["id"], record["id"].upper(), record["slug"], message, traceback):
        answer = look_up(query, catalogue=str(path))
        assert answer.hits[0].entry["code"] == record["id"]
    assert answer.hits[0].values in ({}, {"value1": "512"})


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_the_given_catalogue_is_shown_first_and_ours_is_mentioned(path):
    message = _record(path)["errorMessage"]
    if not any(message in it["template"] for entry in entries() for it in entry["patterns"]):
        pytest.skip("no record of ours tells of it yet")
    answer = look_up(message, catalogue=str(path))
    assert [hit.shelf.path for hit in answer.hits] == [str(path)]
    assert len(answer.others) == 1
    assert answer.others[0].entry["origin"] == "rope_pool"


def test_a_tie_of_slugs_shows_the_given_one_and_mentions_ours(tmp_path):
    document = {"record": {"id": "3f1a", "slug": "record-missing", "errorMessage": "no record"}}
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(document))
    answer = look_up("record-missing", catalogue=str(path))
    assert [hit.entry["code"] for hit in (*answer.hits, *answer.others)] == ["3f1a", "RG5278"]


def test_what_the_given_catalogue_lacks_ours_answers():
    assert look_up("RG5278", catalogue=str(OWN)).hits[0].entry["slug"] == "record-missing"


def test_every_key_of_the_schema_is_in_our_documents():
    keys = list(_record(OWN))[: list(_record(OWN)).index("schemaVersion") + 1]
    for entry in entries():
        document = document_of_entry(entry, "0.1.0")
        assert list(document) == ["record", "datasetVersion"]
        assert list(document["record"]) == keys
        assert document["record"]["errorCode"] == entry["code"]
        assert document["record"]["solutions"] == [it["text"] for it in entry["solutions"]]


def test_our_documents_are_found_like_any_others(tmp_path):
    path = tmp_path / "ours.jsonl"
    lines = [json.dumps(document_of_entry(entry, "0.1.0")) for entry in entries()]
    path.write_text("\n".join(lines))
    foreign = open_catalogue(str(path))
    assert list(foreign.documents) == [compact(line) for line in lines]
    for entry in entries():
        assert foreign.code_of(entry["code"]) == entry["code"].lower()
        assert foreign.entry(entry["code"].lower())["slug"] == entry["slug"]


@pytest.mark.parametrize("layout", ["lines", "list", "pretty", "folder"])
def test_documents_lie_in_files_and_folders(layout, tmp_path):
    documents = [
        {"record": {"id": f"{n:04x}", "slug": f"pool-{n}", "errorMessage": f"pool {n} has no room"}}
        for n in range(3)
    ]
    path = tmp_path / "all.json"
    if layout == "folder":
        path = tmp_path / "all"
        path.mkdir()
        for number, document in enumerate(documents):
            (path / f"{number}.json").write_text(json.dumps(document))
        (path / "notes.md").write_text("not a document")
    else:
        text = {
            "lines": "\r\n\r\n".join(map(json.dumps, documents)) + "\n",
            "list": json.dumps(documents),
            "pretty": json.dumps(documents, indent=4),
        }
        path.write_text("\ufeff" + text[layout], encoding="utf-8")
    assert [json.loads(it) for it in open_catalogue(str(path)).documents] == documents


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("", "catalogue-empty"),
        ("[]", "catalogue-empty"),
        ("{", "json-syntax"),
        ("[" * 100_000, "json-syntax"),
        ('{"record": {}}', "document-key-missing"),
        ('{"record": {"id": "1", "slug": "", "errorMessage": "x"}}', "document-key-missing"),
        ('{"record": {"id": 1, "slug": "x", "errorMessage": "x"}}', "document-key-missing"),
        ("3", "document-key-missing"),
        ("null", "document-key-missing"),
        ("<html>", "json-syntax"),
    ],
)
def test_what_is_no_document_is_refused(text, slug, tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text(text)
    with pytest.raises(RopeguardError) as caught:
        open_catalogue(str(path))
    assert caught.value.slug == slug


@pytest.mark.parametrize("key", ["solutions", "tags", "documentation", "exampleFix", "githubUrl"])
@pytest.mark.parametrize("value", [None, 3, "text", ["a", 3, None], {"a": 1}])
def test_values_of_other_types_neither_fail_nor_get_lost(key, value, tmp_path):
    record = {"id": "1f", "slug": "pool-full", "errorMessage": "the pool is full", key: value}
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps({"record": record}))
    foreign = open_catalogue(str(path))
    assert json.loads(foreign.documents[0]) == {"record": record}
    from ropeguard.catalogue.pages import Style, page

    assert "the pool is full" in page(foreign.entry("1f"), {}, Style(full=True))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_compact_text_is_the_same_value(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert compact(text) == json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)


def test_documents_of_a_list_keep_their_text():
    text = '[ {"record": {"id":"1", "slug":"a","errorMessage":"b c","n":1.50}} , '
    text += '{"record":{"id":"2","slug":"b","errorMessage":"d  e"}} ]'
    assert [it for it, _ in documents_of(text, "x")] == [
        '{"record":{"id":"1","slug":"a","errorMessage":"b c","n":1.50}}',
        '{"record":{"id":"2","slug":"b","errorMessage":"d  e"}}',
    ]
