import os
from pathlib import Path

import pytest

from ropeguard.catalogue import load, open_catalogue
from ropeguard.catalogue.files import write_atomically


def _files(folder):
    return {str(it): it.read_bytes() for it in Path(folder).rglob("*") if it.is_file()}


def _new(command, folder, slug="pool-full", title="The pool is full"):
    return command("catalogue", "new", "serving", slug, "--title", title, "--folder", folder)


def test_a_new_record_has_every_file_and_an_id_of_its_own(errors, command):
    ended = _new(command, errors)
    assert ended.status == 0
    place = errors / "serving" / "pool-full"
    assert ended.out == f"{place}\n"
    assert sorted(os.listdir(place)) == ["after.py", "before.py", "expected.txt", "record.toml"]
    assert sorted(os.listdir(errors / "serving")) == ["pool-full"]
    text = (place / "record.toml").read_text()
    assert 'title = "The pool is full"' in text
    code = text.partition('id = "')[2][:6]
    assert code.startswith("RG")
    assert code != "RG5278"


def test_check_names_every_gap_of_a_new_record(errors, command):
    _new(command, errors)
    ended = command("catalogue", "check", errors)
    assert ended.status == 1
    for gap in (
        "message",
        "documentation",
        "solutions[0].text",
        "before.py",
        "expected.txt",
        "tags",
    ):
        assert f"`{gap}` in " in ended.err
    assert ended.out.startswith("2 records, ")


@pytest.mark.parametrize("title", ['Say "no" \\ here', "ünïcode", "tab\there", "a\nb"])
def test_any_title_is_written_so_that_it_reads_back(title, errors, command):
    _new(command, errors, title=title)
    catalogue = load(str(errors))
    assert title in [it.record.title for it in catalogue.sources]


def test_a_record_is_never_written_over(errors, command):
    _new(command, errors)
    (errors / "serving" / "pool-full" / "before.py").write_text("print('mine')\n")
    before = _files(errors)
    ended = _new(command, errors, title="Another one")
    assert ended.status == 2
    assert "[RG1758]" in ended.err
    assert _files(errors) == before


@pytest.mark.parametrize(
    ("slug", "title"),
    [
        ("Pool-Full", "x"),
        ("pool", "x"),
        ("../pool-full", "x"),
        ("pool-" + "x" * 40, "x"),
        ("pool-full", ""),
        ("pool-full", "x" * 61),
        ("pool-full/a-b", "x"),
    ],
)
def test_names_that_break_the_rules_are_refused(slug, title, errors, command):
    before = _files(errors)
    ended = _new(command, errors, slug=slug, title=title)
    assert ended.status == 2
    assert "[RG6653]" in ended.err
    assert _files(errors) == before


@pytest.mark.parametrize("fails", ["open", "os.rename", "os.chmod"])
def test_a_write_that_fails_leaves_nothing_behind(fails, errors, command, monkeypatch):
    before = _files(errors)

    def refuse(*args, **options):
        raise OSError(28, "No space left on device")

    name = "builtins.open" if fails == "open" else f"ropeguard.catalogue.skeleton.{fails}"
    with monkeypatch.context() as patch:
        if fails == "open":
            patch.setattr("ropeguard.catalogue.skeleton._used", lambda path: [])
            patch.setattr("ropeguard.catalogue.skeleton.open", refuse, raising=False)
        else:
            patch.setattr(name, refuse)
        ended = _new(command, errors)
    assert ended.status == 2
    assert "[RG6307]" in ended.err
    assert _files(errors) == before
    assert os.listdir(errors / "serving") == []


def test_ids_are_random(errors, command):
    codes = set()
    for number in range(5):
        _new(command, errors, slug=f"pool-{'abcde'[number]}")
    for source in load(str(errors)).sources:
        codes.add(source.record.id)
    assert len(codes) == 6
    assert sorted(codes) != sorted(f"RG{n}" for n in range(1000, 1006))


def test_an_artefact_is_built_checked_and_noticed_when_stale(errors, command):
    built = errors / "catalogue.jsonl"
    assert command("catalogue", "build", errors, "--check").status == 1
    assert not built.exists()
    assert command("catalogue", "build", errors).status == 0
    data = built.read_bytes()
    assert command("catalogue", "build", errors, "--check").status == 0
    path = errors / "catalogue" / "record-missing" / "record.toml"
    path.write_text(path.read_text().replace('severity = "error"', 'severity = "warning"'))
    for task in (["build", errors, "--check"], ["check", errors]):
        ended = command("catalogue", *task)
        assert ended.status == 1
        assert "[RG2918]" in ended.err
    assert built.read_bytes() == data


def test_a_faulty_catalogue_is_not_built(errors, command):
    command("catalogue", "build", errors)
    data = (errors / "catalogue.jsonl").read_bytes()
    _new(command, errors)
    ended = command("catalogue", "build", errors)
    assert ended.status == 1
    assert "[RG8899]" in ended.err
    assert (errors / "catalogue.jsonl").read_bytes() == data


def test_a_partial_build_leaves_faulty_records_out(errors, command):
    _new(command, errors)
    _new(command, errors, slug="record-missing-too")
    assert command("catalogue", "build", errors, "--partial").status == 0
    from ropeguard.catalogue.artefact import opened

    assert list(opened(str(errors / "catalogue.jsonl")).slugs) == ["record-missing"]


def test_blessing_writes_what_the_program_says(errors, command):
    path = errors / "catalogue" / "record-missing" / "expected.txt"
    text = path.read_text()
    path.write_text("")
    assert command("catalogue", "check", errors).status == 1
    ended = command("catalogue", "check", errors, "--bless")
    assert ended.status == 0
    assert ended.out.splitlines()[0] == "blessed record-missing"
    assert path.read_text() == text
    assert "blessed" not in command("catalogue", "check", errors, "--bless").out


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("from", "raise SystemExit\nfrom", "RG4280"),
        ("from", "raise KeyError(1)\nfrom", "RG3403"),
    ],
)
def test_nothing_else_is_blessed(old, new, code, errors, command):
    place = errors / "catalogue" / "record-missing"
    (place / "before.py").write_text((place / "before.py").read_text().replace(old, new, 1))
    text = (place / "expected.txt").read_text()
    ended = command("catalogue", "check", errors, "--bless")
    assert ended.status == 4
    assert f"[{code}]" in ended.err.splitlines()[0]
    assert (place / "expected.txt").read_text() == text


def test_check_proves_on_demand(errors, command):
    assert command("catalogue", "check", errors, "--prove").status == 0
    place = errors / "catalogue" / "record-missing"
    (place / "expected.txt").write_text("something else\n")
    assert command("catalogue", "check", errors).status == 0
    ended = command("catalogue", "check", errors, "--prove")
    assert ended.status == 1
    assert "[RG3403]" in ended.err
    assert command("catalogue", "check", errors, "--prove", "--only", "another").status == 0


def test_checking_changes_no_file(errors, command):
    before = _files(errors)
    command("catalogue", "check", errors, "--prove")
    open_catalogue(str(errors))
    assert _files(errors) == before


def test_an_atomic_write_keeps_the_old_content_on_failure(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def refuse(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ropeguard.catalogue.files.os.replace", refuse)
        with pytest.raises(OSError, match=r"No space left on device \[RG6307\]"):
            write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]
    write_atomically(str(path), b"new")
    assert path.read_bytes() == b"new"
