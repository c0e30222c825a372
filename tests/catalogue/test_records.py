import attrs
import pytest

from ropeguard.catalogue import entries, load, records_folder
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.build import artefact_bytes, entry_of
from ropeguard.catalogue.model import Record
from ropeguard.catalogue.rules import changed_lines, problems


REQUIRED = [it.name for it in attrs.fields(Record) if it.default is attrs.NOTHING]
SOURCES = load(records_folder()).sources


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.record.slug)
def test_a_record_keeps_every_rule(source):
    assert problems(source) == ()


def test_no_record_clashes_with_another():
    assert [str(wrong) for wrong in load(records_folder()).errors] == []


def test_the_built_file_is_what_the_records_build_to():
    with open(f"{records_folder()}/catalogue.jsonl", "rb") as stream:
        built = stream.read()
    assert built == artefact_bytes(load(records_folder()))


def test_the_fix_is_one_line_as_a_rule():
    changed = sorted(changed_lines(it.before, it.after) for it in SOURCES)
    assert changed[len(changed) // 2] == 1


def test_building_depends_on_the_records_only(sample):
    copies = sample.parent.parent
    assert artefact_bytes(load(str(copies))) == artefact_bytes(load(f"{copies}/../errors/"))


def test_every_entry_is_read_by_its_offset():
    shelf = ours()
    assert [shelf.entry(it["code"]) for it in entries()] == list(entries())
    assert [it["slug"] for it in entries()] == sorted(it["slug"] for it in entries())


def test_an_entry_holds_the_whole_record():
    for source, entry in zip(SOURCES, entries(), strict=True):
        fields = attrs.asdict(source.record)
        fields["code"] = fields.pop("id")
        assert {name: entry[name] for name in fields} == _listed(fields)
        assert (entry["before"], entry["after"]) == (source.before, source.after)
        assert entry == _listed(entry_of(source))


def _listed(value):
    if isinstance(value, dict):
        return {name: _listed(inner) for name, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, list | tuple) else value


def test_the_excerpts_of_a_page_are_lines_of_the_programs():
    for entry in entries():
        for key, program in (("fails", "before"), ("works", "after")):
            lines = entry[program].splitlines()
            shown = [it[2:] for it in entry["page"][key] if it != "  ..."]
            assert set(shown) <= set(lines)
            assert any(
                it.startswith(("- ", "+ ")) for side in entry["page"].values() for it in side
            )


@pytest.mark.parametrize("key", REQUIRED)
def test_a_missing_key_is_named(key, sample):
    record = load(str(sample.parent.parent)).sources[0].record
    table = attrs.asdict(record)
    del table[key]
    from ropeguard.catalogue.structure import read_table

    read, wrong = read_table(_listed(table), Record, "record.toml")
    assert read is None
    assert [(it.slug, it.fields["key"]) for it in wrong] == [("record-key-missing", key)]


WRONG = [
    ('id = "RG5278"', 'id = "RG0278"', "id"),
    ('id = "RG5278"', 'id = "rg5278"', "id"),
    ('title = "The catalogue has no such record"', f'title = "{"x" * 61}"', "title"),
    ("no such record", "no such record.", "title"),
    ("no such record", "no such record, please", "title"),
    ("It means", "We say it means", "documentation"),
    ('status = "stable"', 'status = "final"', "status"),
    ('status = "stable"', 'status = "deprecated"', "deprecated"),
    ('since = "0.1.0"', 'since = "soon"', "since"),
    ("ops = []", 'ops = []\nversions = ["new"]', "versions"),
    ('exception = "LookupError"', 'exception = "SomeError"', "exception"),
    ('exception = "LookupError"', 'exception = "KeyboardInterrupt"', "exception"),
    ("no record `{slug}`", "no record `{name}`", "message"),
    ("the catalogue has no record `{slug}`", "{slug}", "message"),
    ("the catalogue has no record `{slug}`", "no record `{slug.name}`", "message"),
    ("the catalogue has no record `{slug}`", "the catalogue failed to find `{slug}`", "message"),
    ("the catalogue has no record `{slug}`", "no record of that name: {slug}!", "message"),
    ('type = "Name"', 'type = "Slug"', "fields.slug.type"),
    ('tags = ["catalogue", "api"]', 'tags = ["catalogue", "cheese"]', "tags"),
    ('tags = ["catalogue", "api"]', "tags = []", "tags"),
    ("ops = []", 'ops = ["frobnicate"]', "ops"),
    ("links = []", 'links = [{ title = "x", url = "http://x" }]', "links.url"),
    ("related = []", 'related = ["Record"]', "related"),
    ('applicability = "likely"', 'applicability = "certain"', "solutions.applicability"),
    ('handling_strategy = "report"', 'handling_strategy = "panic"', "handling_strategy"),
    ('severity = "error"', 'severity = ""', "severity"),
    ('severity = "error"', "severity = 3", "severity"),
    ("ops = []", 'ops = "reshape"', "ops"),
    ("links = []", 'links = ["x"]', "links[0]"),
    ('module = "ropeguard.catalogue.raising"', 'module = "elsewhere"', "raise_sites.module"),
    (
        "[fields.slug]",
        '[fields.details]\ntype = "Int"\ndoc = "x"\n\n[fields.slug]',
        "fields.details",
    ),
    ("validation_code = '''", "validation_code = '''\nif", "validation_code"),
]


@pytest.mark.parametrize(("old", "new", "key"), WRONG)
def test_a_wrong_value_is_named_with_file_and_key(old, new, key, edited, sample):
    wrong = load(edited(old, new)).errors
    assert key in [it.fields.get("key") for it in wrong]
    assert all(it.slug == "record-value-wrong" for it in wrong if it.fields.get("key") == key)
    assert {it.fields.get("path", str(sample / "record.toml")) for it in wrong} == {
        str(sample / "record.toml")
    }


def test_a_message_of_another_package_was_executed_in_some_release():
    source = next(it for it in SOURCES if it.record.origin == "mlx")
    bare = attrs.evolve(source, record=attrs.evolve(source.record, versions=()))
    assert [(it.key, it.found) for it in problems(bare)] == [("versions", "0 entries")]
    assert problems(attrs.evolve(bare, record=attrs.evolve(bare.record, device="metal"))) == ()


def _with_shapes(edited, tables):
    """Return the keys that are wrong in the sample with two fields of shapes and those tables."""
    fields = "".join(f'[fields.{name}]\ntype = "Shape"\ndoc = "a shape"\n' for name in "ab")
    folder = edited("\n[fields.slug]", f"\n{fields}{tables}\n[fields.slug]")
    return [it.fields.get("key") for it in load(folder).errors]


OPERANDS = "".join(
    f'[repair.operands.{name}]\nname = "{name}"\naxes = "*batch n"\n' for name in "ab"
)


def test_a_sound_repair_is_no_fault(edited):
    assert (
        _with_shapes(edited, f'[repair]\nkind = "axes"\ncall = "{{a}} + {{b}}"\n{OPERANDS}') == []
    )


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('kind = "axes"', 'kind = "magic"', "repair.kind"),
        ('kind = "axes"', 'kind = "product"\ncall = "x"', "repair.operands"),
        ('axes = "*batch n"', 'axes = "*batch *n"', "repair.operands.a.axes"),
        ('axes = "*batch n"', 'axes = "n-1"', "repair.operands.a.axes"),
        ('axes = "*batch n"', 'axes = "n"\ndoubtful = "N"', "repair.operands.a.doubtful"),
        ('axes = "*batch n"', 'axes = "n"\nonly = ["fly"]', "repair.operands.a.only"),
        ("operands.a]", "operands.slug]", "repair"),
    ],
)
def test_a_repair_that_no_search_can_read_is_refused(old, new, key, edited):
    tables = f'[repair]\nkind = "axes"\n{OPERANDS}'
    assert old in tables
    assert key in _with_shapes(edited, tables.replace(old, new))


@pytest.mark.parametrize("place", ["slug[0]", "len(slug)", "open(slug)", "nowhere", "slug.x", ""])
def test_a_sentence_that_no_values_fill_is_refused(place, edited):
    folder = edited("ops = []", f'ops = []\nreadings = ["the slug is {{{place}}}"]')
    assert "readings[0]" in [it.fields.get("key") for it in load(folder).errors]


def test_a_loose_pattern_is_refused(edited):
    pattern = (
        '\n[[patterns]]\ntemplate = "{slug}"\npackage = "x"\nversions = ["1"]\n\n[fields.slug]'
    )
    wrong = load(edited("\n[fields.slug]", pattern)).errors
    assert [it.fields["key"] for it in wrong] == ["patterns[0].template"]


@pytest.mark.parametrize(
    ("old", "new", "slug", "key"),
    [
        ("ops = []", "ops = []\nowner = 1", "record-key-unknown", "owner"),
        ("[prevention]", "[prevention]\nhint = 1", "record-key-unknown", "prevention.hint"),
        ('doc = "', 'words = "', "record-key-missing", "fields.slug.doc"),
        ('applicability = "likely"\n', "", "record-key-missing", "solutions[1].applicability"),
        ("ops = []", "ops = [", "toml-syntax", None),
    ],
)
def test_a_record_that_does_not_fit_the_model_is_refused(old, new, slug, key, edited):
    catalogue = load(edited(old, new))
    assert catalogue.sources == ()
    assert (slug, key) in [(it.slug, it.fields.get("key")) for it in catalogue.errors]


def test_programs_are_checked_too(edited, sample):
    path = edited("unknwon", "unknown", "before.py")
    assert [it.fields["key"] for it in load(path).errors] == ["after.py"]
    (sample / "before.py").write_text("if")
    assert "before.py" in [it.fields["key"] for it in load(path).errors]


def test_a_missing_file_is_named(sample):
    (sample / "expected.txt").unlink()
    wrong = load(str(sample.parent.parent)).errors
    assert [(it.slug, it.fields["path"]) for it in wrong] == [
        ("catalogue-unreadable", str(sample / "expected.txt"))
    ]


def test_bytes_that_are_no_utf8_are_named(sample):
    (sample / "record.toml").write_bytes(b'id = "\xff"')
    wrong = load(str(sample.parent.parent)).errors
    assert [it.slug for it in wrong] == ["catalogue-unreadable"]
    assert "UTF-8" in str(wrong[0])
