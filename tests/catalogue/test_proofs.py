import functools
import os

import attrs
import pytest

from ropeguard.catalogue import forked, proof, records_folder
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.build import entry_of
from ropeguard.catalogue.model import Source
from ropeguard.catalogue.rules import OURS
from ropeguard.catalogue.source import load_record
from ropeguard.catalogue.vocabulary import NOTHING


# One process a program and session, also for the mutants that keep that program.
_run = functools.cache(forked.run)
FOLDERS = sorted(
    os.path.join(origin.path, slug)
    for origin in os.scandir(records_folder())
    if origin.is_dir() and origin.name[0] not in "._"
    for slug in os.listdir(origin.path)
    if os.path.exists(os.path.join(origin.path, slug, "record.toml"))
)
# What contracts themselves cannot be is no way to prevent another mistake.
NO_CONTRACTS = {
    *("annotation-unresolvable", "axis-expression-fails", "contract-invalid"),
    *("default-contradiction", "guard-target-unsupported"),
}


@functools.cache
def _source(folder) -> Source:
    source, errors = load_record(folder)
    assert errors == []
    return source


# A record of a device that is not here is looked up, not run.
ELSEWHERE = {it["slug"] for it in ours().entries() if not proof.runs_here(it)}
RUN_HERE = [it for it in FOLDERS if os.path.basename(it) not in ELSEWHERE]
ONE_OF_EACH_ORIGIN = list({os.path.dirname(it): it for it in RUN_HERE}.values())


@functools.cache
def _matcher():
    return ours().matcher()


def _broken(entry):
    """Return the first step of the proof that does not hold, and what came of it."""
    steps = proof.prove(entry, _matcher(), runner=_run)
    return next(((it.name, it.problem, it.output) for it in steps if not it.holds), None)


def _name(folder):
    return "/".join(folder.split(os.sep)[-2:])


def _other_digit(source):
    """Change a digit, or the last letter of a message of another package that has none."""
    text = source.expected.rstrip()
    digits = [place for place, char in enumerate(text) if char.isdigit()]
    at = digits[0] if digits else max(i for i, char in enumerate(text) if char.isalpha())
    other = str((int(text[at]) + 1) % 10) if digits else text[at].swapcase()
    return attrs.evolve(source, expected=text[:at] + other + text[at + 1 :])


def _without_last_line(source):
    return attrs.evolve(source, expected="\n".join(source.expected.splitlines()[:-1]))


@pytest.mark.parametrize("folder", FOLDERS, ids=_name)
def test_the_proof_of_a_record_holds_for_its_text_alone(folder):
    """One test a record, so that its programs run once, whoever shares the tests out."""
    source = _source(folder)
    assert _broken(entry_of(source)) is None
    for mutate in (_other_digit, _without_last_line) if folder in RUN_HERE else ():
        broken = _broken(entry_of(mutate(source)))
        assert broken is not None, mutate
        assert broken[:2] == ("message", "its message is not expected.txt")
    if source.record.origin not in OURS and source.record.prevention.code is not None:
        found = _matcher().matches(_run(source.record.prevention.code).errors)
        slugs = {ours().entry(match.code)["slug"] for match in found}
        assert slugs
        assert not slugs & NO_CONTRACTS


def _swapped(source):
    return attrs.evolve(source, before=source.after, after=source.before)


def _unmended(source):
    return attrs.evolve(source, after=source.before)


def _unvalidated(source):
    return _with(source, validation_code="raise SystemExit('not valid')")


def _unprevented(source):
    record = attrs.evolve(source.record.prevention, code="print('nothing stops this')")
    return _with(source, prevention=record)


def _with(source, **changes):
    return attrs.evolve(source, record=attrs.evolve(source.record, **changes))


@pytest.mark.parametrize(
    ("mutate", "step"),
    [
        (_swapped, ("before", "message")),
        (_unmended, ("after", "validation")),
        (_unvalidated, ("validation", "wrong")),
        (_unprevented, ("prevention", "prevention")),
    ],
)
@pytest.mark.parametrize("folder", ONE_OF_EACH_ORIGIN, ids=_name)
def test_a_record_that_its_programs_contradict_is_noticed(folder, mutate, step):
    """Of a mistake that raises nothing, what it prints and the validation tell."""
    source = _source(folder)
    broken = _broken(entry_of(mutate(source)))
    assert broken is not None
    assert broken[0] == step[source.record.exception == NOTHING]


def test_an_error_of_another_record_is_noticed():
    source = _source(os.path.join(records_folder(), "catalogue", "text-unknown"))
    other = _source(os.path.join(records_folder(), "catalogue", "code-unknown"))
    broken = _broken(entry_of(attrs.evolve(source, before=other.before)))
    assert broken is not None
    assert broken[:2] == ("message", "its output leads to RG7052")


@pytest.mark.parametrize(
    ("errors", "block"),
    [
        (
            "Traceback (most recent call last):\n"
            '  File "x.py", line 1, in <module>\n    f()\n    ^^^\n'
            "KeyError: 1\n\n"
            "During handling of the above exception, another exception occurred:\n\n"
            "Traceback (most recent call last):\n"
            '  File "x.py", line 3, in <module>\n    g()\n'
            "ropeguard.RopeguardValueError: first [RG1234]\nsecond\n\n  third\n",
            "ropeguard.RopeguardValueError: first [RG1234]\nsecond\n\n  third\n",
        ),
        ("12 records\nropeguard: a [RG1234]\n  hint\n", "ropeguard: a [RG1234]\n  hint\n"),
        ("no error at all\n", "no error at all\n"),
    ],
)
def test_the_last_block_is_what_follows_the_last_frame(errors, block):
    assert proof.last_block(errors) == block
