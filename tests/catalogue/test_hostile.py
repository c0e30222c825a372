import time

import pytest
from hypothesis import given, settings, strategies as st

from ropeguard.catalogue import RopeguardError, look_up, matcher as module
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.intake import LIMIT, decode, read_stream
from ropeguard.catalogue.pasted import LINE_LIMIT, lines_of, views


ERROR = "ropeguard has no public name `gaurd`"
HOSTILE = {
    "one line": "x" * LIMIT,
    "many lines": "x\n" * (LIMIT // 2),
    "blanks": " " * LIMIT,
    "blank lines": "\n" * LIMIT,
    "escapes": "\x1b[" * (LIMIT // 2),
    "titles": "\x1b]0;" * (LIMIT // 4),
    "a title without end": "\x1b]0;" + "x" * (LIMIT - 4),
    "prefixes": "E   " * (LIMIT // 4),
    "bars": "| " * (LIMIT // 2),
    "dates": "2026-03-01 12:00:00 " * (LIMIT // 20),
    "brackets": "[" * LIMIT,
    "codes": "[RG5278]" * (LIMIT // 8),
    "code lines": "[RG5278]\n[RG2114]\n" * (LIMIT // 18),
    "beginnings": "ropeguard has no public name " * (LIMIT // 29),
    "beginnings in lines": "ropeguard has no public name `\n" * (LIMIT // 31),
    "messages": f"{ERROR}\n" * (LIMIT // (len(ERROR) + 1)),
    "words": "catalogue record folder template binary refers\n" * (LIMIT // 47),
    "digits": "9" * LIMIT,
    "shapes": "(1, " * (LIMIT // 4),
    "wide characters": "界" * (LIMIT // 3),
}


@pytest.fixture(name="matcher", scope="module")
def _matcher():
    return ours().matcher()


@pytest.mark.parametrize("name", HOSTILE)
def test_the_characters_searched_grow_with_the_input_only(name, matcher, monkeypatch):
    """Counts: a bound by templates a line would pass for a search that is linear, and no other."""
    real = module.read
    work = []

    def read(parts, kinds, text):
        work.append(len(text))
        return real(parts, kinds, text)

    monkeypatch.setattr(module, "read", read)
    text = HOSTILE[name][: LIMIT // 4]
    matcher.matches(text)
    assert sum(work) <= 40 * len(text)


@pytest.mark.parametrize("name", HOSTILE)
def test_eight_times_the_input_takes_no_sixty_times_as_long(name, matcher):
    text = HOSTILE[name]
    small, large = (_least(matcher, text[: LIMIT // part]) for part in (32, 4))
    assert large < 30 * max(small, 0.002)


def _least(matcher, text):
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        matcher.matches(text)
        best = min(best, time.process_time() - start)
    return best


@given(st.text(max_size=300))
def test_any_text_can_be_looked_up(text):
    slugs = ["code-unknown", "text-unknown", "text-ambiguous"]
    try:
        assert look_up(text)
    except RopeguardError as wrong:
        slug = wrong.slug
        assert slug in (["input-binary"] if "\0" in text else slugs)


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(data):
    try:
        assert isinstance(decode(data), str)
    except RopeguardError as wrong:
        assert wrong.slug == "input-binary"  # noqa: PT017


@given(st.text("ab \x1b[]\x07\r\n\x9b;m08K│|E>", max_size=120))
def test_no_line_keeps_what_a_terminal_acts_on(text):
    for view in views(text):
        for line in view:
            assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in line.text)


class _Endless:
    def __init__(self):
        self.given = 0

    def read(self, size):
        size = min(size, 65_536)
        self.given += size
        return b"a" * size


def test_no_more_than_the_limit_is_ever_read():
    stream = _Endless()
    with pytest.raises(ValueError, match=r"\[RG4544\]"):
        read_stream(stream)
    assert stream.given <= LIMIT + 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_texts_of_other_encodings_are_read(encoding):
    data = f"AttributeError: {ERROR}".encode(encoding)
    assert ERROR in decode(data)


def test_a_line_of_any_length_is_cut_and_still_searched(matcher):
    text = "x" * 100_000 + f" {ERROR} " + "y" * 100_000
    assert [it.code for it in matcher.matches(text)] == ["RG4270"]
    assert max(len(line.text) for line in lines_of(text)) <= LINE_LIMIT


def test_nothing_pasted_is_executed_or_imported(matcher, tmp_path):
    trap = tmp_path / "trap"
    for text in (
        f"ropeguard has no public name `__import__('os').mkdir({str(trap)!r})`",
        f"ropeguard has no public name `$(mkdir {trap})`",
        f"ropeguard has no public name `{{os.mkdir({str(trap)!r})}}`",
    ):
        matcher.matches(text)
    assert not trap.exists()
