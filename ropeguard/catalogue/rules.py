"""What must hold of a record beyond its types: formats, closed lists, prose, programs."""

import builtins
import difflib
import re
from collections.abc import Callable, Iterator

import attrs

from ropeguard.catalogue.model import Record, Source
from ropeguard.catalogue.problem import Problem
from ropeguard.catalogue.raising import RopeguardError
from ropeguard.catalogue.reading_rules import readings
from ropeguard.catalogue.templates import TYPES, parse
from ropeguard.catalogue.vocabulary import (
    APPLICABILITIES,
    DEVICES,
    NOTHING,
    OPS,
    OURS,
    PACKAGES,
    SEVERITIES,
    STAGES,
    STATUSES,
    STRATEGIES,
    TAGS,
)


LITERAL = 8
CHANGED_LINES = 3
PROGRAM_LINES = 40
ID = re.compile(r"RG[1-9]\d{3}")
SLUG = re.compile(r"(?=.{1,40}\Z)[a-z0-9]+(-[a-z0-9]+)+")
_VERSION = re.compile(r"\d+\.\d+(\.\d+)?")
_MODULE = re.compile(r"ropeguard(\.\w+)*")
_WORDS = re.compile(r"\b(?:I(?!/)|[Ww]e|[Oo]urs?|[Mm]y|[Pp]lease|[Ss]imply)\b")
_SENTENCE_END = re.compile(r"[.:?](?=\s|$)")


def problems(source: Source) -> tuple[Problem, ...]:
    """Return all that is wrong with a record and its programs."""
    found: list[Problem] = []
    for rule in _RECORD_RULES:
        found += rule(source.record)
    return (*found, *_programs(source))


def _formats(record: Record) -> Iterator[Problem]:
    if not ID.fullmatch(record.id):
        yield Problem("id", record.id, "`RG` and four digits, the first not 0")
    names = [("slug", record.slug), *(("aliases", alias) for alias in record.aliases)]
    names += [("related", slug) for slug in record.related]
    for key, slug in names:
        if not SLUG.fullmatch(slug):
            yield Problem(key, slug, "two or more words in kebab case, 40 characters at most")
    if len(record.title) > 60 or record.title.endswith("."):
        yield Problem("title", record.title, "at most 60 characters, without a full stop")
    for key, version in [("since", record.since), *(("versions", it) for it in record.versions)]:
        if not _VERSION.fullmatch(version):
            yield Problem(key, version, "a version such as 0.1.0")
    for site in record.raise_sites:
        if record.origin in OURS and not _MODULE.fullmatch(site.module):
            yield Problem("raise_sites.module", site.module, "a dotted module of ropeguard")
    for link in (*record.links, *record.common_situations):
        url = getattr(link, "url", None) or getattr(link, "link", None)
        if url and not url.startswith("https://"):
            yield Problem("links.url", url, "an address that begins with https://")


def _choices(record: Record) -> Iterator[Problem]:
    values = [
        ("status", record.status, STATUSES),
        ("severity", record.severity, SEVERITIES),
        ("handling_strategy", record.handling_strategy, STRATEGIES),
        *(("tags", tag, TAGS) for tag in record.tags),
        *(("ops", op, OPS) for op in record.ops),
        *(
            ("solutions.applicability", it.applicability, APPLICABILITIES)
            for it in record.solutions
        ),
        *((f"fields.{name}.type", it.type, TYPES) for name, it in record.fields.items()),
        *(("violations.stage", it.stage, STAGES) for it in record.violations),
        *(("device", device, DEVICES) for device in [record.device] if device),
    ]
    for key, value, allowed in values:
        if value not in allowed:
            yield Problem(key, value, "one of " + ", ".join(allowed))
    if (record.status == "deprecated") != (record.deprecated is not None):
        yield Problem("deprecated", record.status, "a table exactly when the status is deprecated")
    yield from _ending(record)


def _ending(record: Record) -> Iterator[Problem]:
    base = getattr(builtins, record.exception, None)
    if record.exception == NOTHING:
        return
    if not (isinstance(base, type) and issubclass(base, Exception)):
        yield Problem("exception", record.exception, f"a builtin exception, or `{NOTHING}`")
    if record.prevention.code is None:
        yield Problem("prevention.code", "nothing", "a program that a guard stops")


def _counts(record: Record) -> Iterator[Problem]:
    least = [
        ("trigger_scenarios", record.trigger_scenarios, 1),
        ("common_situations", record.common_situations, 2),
        ("solutions", record.solutions, 1),
        ("prevention.tips", record.prevention.tips, 1),
        ("tags", record.tags, 1),
        ("raise_sites", record.raise_sites, 1),
        ("documentation", _SENTENCE_END.findall(record.documentation), 2),
    ]
    for key, values, number in least:
        if len(values) < number:
            unit = "sentences" if key == "documentation" else "entries"
            yield Problem(key, f"{len(values)} {unit}", f"{number} or more")
    # A text that could not be executed claims no release, and its note says why.
    claims = [
        (f"patterns[{at}].versions", it.versions)
        for at, it in enumerate(record.patterns)
        if it.note is None
    ]
    if record.origin in PACKAGES and record.device is None:
        claims.append(("versions", record.versions))
    for key, versions in claims:
        if not versions:
            yield Problem(key, "0 entries", "1 or more")


def _templates(record: Record) -> Iterator[Problem]:
    if len(record.message) > 100 or "\n" in record.message:
        yield Problem("message", record.message, "one line of at most 100 characters")
    if "details" in record.fields:
        yield Problem("fields.details", "details", "another name: it means the lines below")
    templates = [("message", record.message)]
    templates += [
        (f"patterns[{at}].template", it.template) for at, it in enumerate(record.patterns)
    ]
    for key, template in templates:
        yield from _template(key, template, record)


def _template(key: str, template: str, record: Record) -> Iterator[Problem]:
    try:
        parts = parse(template)
    except RopeguardError:
        yield Problem(key, template, "a template whose braces hold names of fields")
        return
    for name in parts[1::2]:
        if name not in record.fields:
            yield Problem(key, name, "a template of declared fields: add a table to `fields`")
    if max(len(literal) for literal in parts[::2]) < LITERAL:
        yield Problem(key, template, f"a template with a literal of {LITERAL} characters or more")
    if not all(parts[2:-1:2]):
        yield Problem(key, template, "a template with text between any two fields")


def _prose(record: Record) -> Iterator[Problem]:
    for key, text in _strings(attrs.asdict(record)):
        if not text.strip():
            yield Problem(key, text, "something")
        elif _is_prose(key, record):
            for found in _WORDS.finditer(text):
                yield Problem(key, found[0], "impersonal and free of filler words")
    if "!" in record.message.replace("!=", "") or "failed to" in record.message:
        yield Problem("message", record.message, "what, the values, what to do; no alarm")


def _is_prose(key: str, record: Record) -> bool:
    """Say whether a text is ours to word: a message of another package is quoted."""
    first = re.split(r"[.\[]", key)[0]
    quoted = first == "message" and record.origin not in OURS
    return first in _PROSE and key != "prevention.code" and not quoted


_PROSE = (
    "title",
    "message",
    "documentation",
    "trigger_scenarios",
    "common_situations",
    "solutions",
    "prevention",
    "readings",
)


def _strings(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _strings(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            yield from _strings(inner, f"{key}[{at}]")


def _snippets(record: Record) -> Iterator[Problem]:
    snippets = {
        "validation_code": record.validation_code,
        "type_guard": record.type_guard,
        "try_catch_pattern": record.try_catch_pattern,
        "prevention.code": record.prevention.code,
    }
    for key, code in snippets.items():
        yield from _compiles(key, code or "")


def _compiles(key: str, code: str) -> Iterator[Problem]:
    try:
        compile(code, key, "exec")
    except (SyntaxError, ValueError) as wrong:
        yield Problem(key, str(wrong), "Python that compiles")


_RECORD_RULES: tuple[Callable[[Record], Iterator[Problem]], ...] = (
    _formats,
    _choices,
    _counts,
    _templates,
    _prose,
    _snippets,
    readings,
)


def _programs(source: Source) -> Iterator[Problem]:
    for name, code in (("before.py", source.before), ("after.py", source.after)):
        yield from _compiles(name, code)
        if not code.strip():
            yield Problem(name, "nothing", "a program")
        if len(code.splitlines()) > PROGRAM_LINES:
            yield Problem(name, f"{len(code.splitlines())} lines", f"at most {PROGRAM_LINES}")
    changed = changed_lines(source.before, source.after)
    if not 0 < changed <= CHANGED_LINES:
        allowed = f"before.py with 1 to {CHANGED_LINES} lines changed"
        yield Problem("after.py", f"{changed} lines changed", allowed)
    if not source.expected.strip():
        yield Problem("expected.txt", "nothing", "the error that before.py ends in")


def changed_lines(before: str, after: str) -> int:
    """Return how many lines the fix touches: the longer side of each change, added up."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), False)
    changes = (it for it in matcher.get_opcodes() if it[0] != "equal")
    return sum(max(b - a, d - c) for _, a, b, c, d in changes)
