import json
import os
import pty
import signal
import subprocess
import sys

import pytest

from ropeguard.catalogue import entries, entry
from ropeguard.cli import main


CODE, SLUG = "RG4270", "public-name-unknown"
MESSAGE = "ropeguard has no public name `gaurd`"
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "serve.py", line 3, in <module>\n    ropeguard.gaurd\n'
    f"ropeguard.RopeguardAttributeError: {MESSAGE} [{CODE}]\n"
)


@pytest.mark.parametrize(
    "query",
    [
        [CODE],
        ["rg4270"],
        ["4270"],
        ["rg-4270"],
        [SLUG],
        ["PUBLIC-NAME-UNKNOWN"],
        ["public", "name", "unknown"],
        [MESSAGE],
        MESSAGE.split(),
        [TRACEBACK],
        [TRACEBACK.replace(f" [{CODE}]", "")],
        [f" {CODE} "],
    ],
)
def test_every_way_of_asking_leads_to_the_page(query, command):
    ended = command("explain", *query)
    assert ended.status == 0
    assert ended.err == ""
    assert ended.out.startswith(f"{CODE}  {SLUG}")


@pytest.mark.parametrize("arguments", [["explain", "-"], ["explain"]])
def test_a_text_on_stdin_is_explained(arguments, process):
    ended = process(*arguments, stdin=TRACEBACK.encode())
    assert ended.returncode == 0
    assert "name = gaurd" in ended.stdout.decode()


def _prose(page, record):
    """Return the lines of a page that are no code of the record's."""
    code = json.dumps(record)
    lines = (line[10:].lstrip("+- ").rstrip() for line in page.splitlines())
    return [line for line in lines if json.dumps(line)[1:-1] not in code]


@pytest.mark.parametrize("slug", [it["slug"] for it in entries()])
def test_every_record_has_a_page_of_facts(slug, command):
    record = entry(slug)
    for options in ([], ["--full"]):
        ended = command("explain", slug, *options)
        assert ended.status == 0
        words = ended.out.split()
        for text in (record["title"], record["solutions"][0]["text"], record["documentation"]):
            assert all(word in words for word in text.split())
        fails = "WRONG" if record["exception"] == "nothing" else "FAILS"
        for label in ("Why", "Do", fails, "WORKS", "Prevent"):
            assert f"\n{label} " in ended.out
        assert not [line for line in _prose(ended.out, record) if "{'" in line]
    for key in ("before", "after"):
        for line in record[key].splitlines():
            assert line in ended.out


@pytest.mark.parametrize("which", ["before", "after"])
def test_a_program_is_printed_as_it_is(which, command):
    assert command("explain", CODE, "--example", which).out == entry(CODE)[which]


def test_json_is_one_line_a_record_with_the_values(command):
    both = TRACEBACK + "\n\n" + TRACEBACK.replace(f"{MESSAGE} [{CODE}]", "x [RG2114]")
    ended = command("explain", "--json", both)
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert [it["code"] for it in lines] == [CODE, "RG2114"]
    assert lines[0]["values"] == {"name": "gaurd"}
    assert lines[0]["v"] == 1
    assert lines[0]["solutions"] == entry(CODE)["solutions"]


def test_several_errors_of_a_chain_have_a_page_each(command):
    chain = TRACEBACK + "\n" + TRACEBACK.replace(f"{MESSAGE} [{CODE}]", "x [RG2114]")
    out = command("explain", chain).out
    assert out.index(f"{CODE}  ") < out.index("RG2114  ")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("RG0000", "RG7052"),
        ("public-name-unknwon", "RG7052"),
        ("Segmentation fault (core)", "RG2950"),
    ],
)
def test_what_is_unknown_ends_with_one_and_three_near_records(query, code, command):
    ended = command("explain", query)
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err.startswith("ropeguard: ")
    assert f"[{code}]" in ended.err
    assert sum(line.startswith("    RG") for line in ended.err.splitlines()) == 3


def test_a_slip_in_a_slug_has_the_slug_among_the_near_ones(command):
    assert SLUG in command("explain", "public-name-unknwon").err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["explian", CODE],
        ["explain", CODE, "--ful"],
        ["explain", CODE, "--full", "--json"],
        ["explain", CODE, "--example", "middle"],
        ["explain", "   "],
        ["catalogue"],
        ["catalogue", "new", "serving"],
        ["list", "--colour"],
    ],
)
def test_a_wrong_command_line_ends_with_two(arguments, command):
    ended = command(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert "[RG8425]" in ended.err.splitlines()[0]


def test_nothing_to_explain_at_a_terminal_ends_with_two(command, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert command("explain").status == 2


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"\x7fELF\x02\0\0", "RG2114"), (b"a" * (2 << 20), "RG4544"), (b"", "RG8425")],
)
def test_what_is_no_text_ends_with_two(data, code, process):
    ended = process("explain", "-", stdin=data)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert f"[{code}]" in ended.stderr.decode().splitlines()[0]


def test_a_hundred_megabytes_are_not_read():
    """The writer is stopped by a closed pipe long before it is done."""
    read_end, write_end = os.pipe()
    reader = [sys.executable, "-m", "ropeguard", "explain", "-"]
    with subprocess.Popen(reader, stdin=read_end, stderr=subprocess.PIPE) as process:
        os.close(read_end)
        written = 0
        try:
            while written < 100_000_000:
                written += os.write(write_end, b"step loss 0.7\n" * 4000)
        except BrokenPipeError:
            os.close(write_end)
        assert written < 10_000_000
        assert b"[RG4544]" in process.stderr.read()
        assert process.wait() == 2


def _rivals(tmp_path):
    path = tmp_path / "rivals.jsonl"
    lines = [
        {"record": {"id": code, "slug": f"pool-{code}", "errorMessage": "no free block in it"}}
        for code in ("3f1a", "3f1b")
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_records_that_fit_equally_end_with_three_and_a_list(tmp_path, command):
    ended = command("explain", "no free block in it", "--catalogue", _rivals(tmp_path))
    assert ended.status == 3
    assert [line.split("\t")[0] for line in ended.out.splitlines()] == ["3f1a", "3f1b"]
    assert "[RG8821]" in ended.err


def test_the_beginning_of_a_message_is_enough_where_one_has_it(command):
    assert command("explain", "ropeguard has no public").status == 0
    several = command("explain", "cannot be read: ")
    assert several.status == 3
    assert len(several.out.splitlines()) >= 2


def test_the_other_catalogue_that_knows_it_is_mentioned(tmp_path, command):
    path = tmp_path / "theirs.json"
    record = {"id": "3f1a", "slug": SLUG, "errorMessage": "another thing"}
    path.write_text(json.dumps({"record": record}))
    out = command("explain", SLUG, "--catalogue", path).out
    assert out.startswith(f"3f1a  {SLUG}")
    assert f"{CODE}  {SLUG}" in out.splitlines()[-1]


STONE = '[[tombstones]]\nid = "RG1002"\nslug = "record-old"\nversion = "0.2.0"\nreason = "merged"\n'


@pytest.mark.parametrize("name", ["RG1002", "record-old", "something [RG1002]"])
def test_a_removed_record_is_answered(name, errors, command):
    (errors / "tombstones.toml").write_text(STONE + 'replaced_by = ["record-missing"]\n')
    ended = command("explain", name, "--catalogue", errors)
    assert ended.status == 0
    for fact in ("RG1002", "record-old", "0.2.0", "merged", "record-missing"):
        assert fact in ended.out
    found = json.loads(command("explain", name, "--json", "--catalogue", errors).out)
    assert found["removed"]["reason"] == "merged"
    for option in (["--verify"], ["--example", "after"]):
        refused = command("explain", name, *option, "--catalogue", errors)
        assert refused.status == 2
        assert "[RG6163]" in refused.err


def test_a_proof_that_holds_is_confirmed(command):
    ended = command("explain", "code-unknown", "--verify")
    assert ended.status == 0
    assert "before, message, after, validation, prevention hold on Python" in ended.out


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("expected.txt", "catalogue", "cupboard", "RG3403"),
        ("before.py", "from", "raise SystemExit\nfrom", "RG4280"),
        ("after.py", "print", "exit(3)  # ", "RG3403"),
    ],
)
def test_a_proof_that_fails_ends_with_four(file, old, new, code, errors, command):
    path = errors / "catalogue" / "record-missing" / file
    path.write_text(path.read_text().replace(old, new, 1))
    ended = command("explain", "RG5278", "--verify", "--catalogue", errors)
    assert ended.status == 4
    assert f"[{code}]" in ended.err.splitlines()[0]


def test_programs_of_documents_are_never_run(tmp_path, command):
    trap = tmp_path / "trap"
    code = f"import os\nos.mkdir({str(trap)!r})\n"
    record = {
        "id": "3f1a",
        "slug": "pool-full",
        "errorMessage": "no free block",
        "exampleFix": f"# before\n{code}\n# after\n{code}",
        "validationCode": code,
    }
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps({"record": record}))
    ended = command("explain", "pool-full", "--verify", "--catalogue", path)
    assert ended.status == 2
    assert "[RG5011]" in ended.err
    command("explain", "pool-full", "--full", "--catalogue", path)
    assert not trap.exists()


HARM = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\r\x08\x7f"


def _is_harmless(text):
    return not any(char != "\n" and not char.isprintable() for char in text)


@pytest.mark.parametrize("options", [[], ["--full"], ["--json"], ["--example", "before"]])
def test_nothing_of_a_catalogue_acts_on_the_terminal(options, tmp_path, command):
    record = {
        "id": "3f1a",
        "slug": "pool-full",
        "errorMessage": f"no free block {HARM}",
        "documentation": HARM,
        "repo": HARM,
        "errorClass": HARM,
        "solutions": [HARM],
        "exampleFix": f"# before\n{HARM}\n# after\n{HARM}",
        "validationCode": HARM,
        "preventionTips": [HARM],
        "tags": [HARM],
        "githubUrl": HARM,
    }
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps({"record": record}))
    ended = command("explain", "pool-full", *options, "--catalogue", path)
    assert ended.status == 0
    assert _is_harmless(ended.out)
    assert _is_harmless(command("list", "--catalogue", path).out.replace("\t", ""))


@pytest.mark.parametrize(
    "text",
    [f"{MESSAGE[:-1]}{HARM}`", f"{HARM}{MESSAGE}{HARM}", f"Something else {HARM}", f"RG{HARM}"],
)
def test_nothing_of_a_pasted_text_acts_on_the_terminal(text, command):
    for options in ([], ["--json"]):
        ended = command("explain", *options, text)
        assert _is_harmless(ended.out)
        assert _is_harmless(ended.err)


def test_a_reader_that_stops_early_is_no_error():
    command = [sys.executable, "-m", "ropeguard", "explain", CODE, "--full"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 141)


def test_an_interrupt_ends_without_a_traceback(monkeypatch):
    def interrupt(options):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("ropeguard.cli.explain.explain", interrupt)
    # A process that a shell started in the background ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["explain", CODE]) == 130
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_other_encodings_get_ascii(encoding, process):
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    ended = process("explain", CODE, env=environment)
    assert ended.returncode == 0
    assert ended.stdout.isascii() == (encoding != "utf-8")


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("20", 60), ("300", 100), ("x", 80)])
def test_prose_keeps_to_the_width(columns, width, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    out = command("explain", "record-value-wrong").out
    why = out.partition("\nWhy")[2].partition("\nFAILS")[0]
    assert width - 12 <= max(len(line) for line in why.splitlines()) <= width


def _on_terminal(arguments, rows=200, **environment):
    """Run the command with a terminal as stdout and stdin, and return what it shows."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 90, 0, 0))
    kept = {name: it for name, it in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-m", "ropeguard", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=kept | {"TERM": "xterm"} | environment,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(timeout=30) == 0
    return shown.decode()


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        ([], {"TERM": "dumb"}, False),
        ([], {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_colours_are_for_terminals_that_want_them(arguments, environment, coloured):
    shown = _on_terminal(["explain", CODE, *arguments], **environment)
    assert ("\x1b[" in shown) == coloured
    assert "FAILS" in shown


def test_a_pipe_gets_colours_only_when_forced(process):
    assert b"\x1b[" not in process("explain", CODE).stdout
    forced = process("explain", CODE, env=os.environ | {"FORCE_COLOR": "1"})
    assert b"\x1b[" in forced.stdout


@pytest.mark.parametrize(
    ("arguments", "rows", "environment", "paged"),
    [
        ([], 10, {}, True),
        ([], 200, {}, False),
        (["--no-pager"], 10, {}, False),
        ([], 10, {"TERM": "dumb"}, False),
        (["--json"], 1, {}, False),
    ],
)
def test_long_pages_are_paged_on_a_terminal(arguments, rows, environment, paged):
    pager = f"{sys.executable} -c \"import sys; print('PAGED', len(sys.stdin.read()) > 99)\""
    shown = _on_terminal(["explain", CODE, *arguments], rows=rows, PAGER=pager, **environment)
    assert ("PAGED True" in shown) == paged


@pytest.mark.parametrize("pager", ["", "/nowhere/pager"])
def test_without_a_pager_the_page_is_printed(pager):
    assert "FAILS" in _on_terminal(["explain", CODE], rows=10, PAGER=pager)
