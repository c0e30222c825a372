"""Documents of the public error schema, version 2: read to look up, written to export.

Documents that were read are kept as text, so that exporting them changes nothing. Fields map so:

| document                    | record                                                        |
|-----------------------------|---------------------------------------------------------------|
| `id`                        | `id` (theirs: hexadecimal digits)                             |
| `repo`                      | `ropeguard`; theirs is shown as the origin                    |
| `slug`                      | `slug`                                                        |
| `errorCode`                 | `id`                                                          |
| `errorMessage`              | `message`; theirs is also the title                           |
| `messagePattern`            | `message`; theirs, `{...}` and `%s` standing for any text     |
| `errorType`                 | what a caller of that `exception` does: validation, lookup... |
| `errorClass`, `severity`    | `exception`, `severity`                                       |
| `filePath`                  | the first of `raise_sites`                                    |
| `documentation`             | `documentation`                                               |
| `triggerScenarios`          | `trigger_scenarios`, joined                                   |
| `commonSituations`          | the texts of `common_situations`, joined                      |
| `solutions`                 | the texts of `solutions`                                      |
| `exampleFix`                | `before.py` and `after.py` under `# before` and `# after`     |
| `handlingStrategy`, `tags`  | `handling_strategy`, `tags`                                   |
| `validationCode`            | `validation_code`                                             |
| `typeGuard`                 | `type_guard`                                                  |
| `tryCatchPattern`           | `try_catch_pattern`                                           |
| `preventionTips`            | `prevention.tips`                                             |
| `backgroundTag`             | the first of `tags`                                           |
| `schemaVersion`             | 2                                                             |
| `datasetVersion`            | `ropeguard` and its version                                   |

`httpStatus`, `lineNumber`, `sourceCode`, `sourceCodeStart`, `sourceCodeEnd`, `githubUrl`,
`analyzedSha` and `analyzedAt` are null in ours: a record is no snapshot of a file. `errorClass` is
null for a mistake that raises nothing. `document.schema.json` says the same as a JSON Schema.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.raising import error
from ropeguard.catalogue.vocabulary import NOTHING


_TOKEN = re.compile(r'("(?:[^"\\]++|\\.)*+")|\s++', re.DOTALL)
_PLACEHOLDER = re.compile(r"\$?\{[^{}]*\}|%[sdrfi]")
_HALVES = re.compile(r"^(?:#|//) (before|after)[^\n]*\n", re.MULTILINE)
_ERROR_TYPES = {
    NOTHING: "silent",
    "AttributeError": "lookup",
    "ImportError": "dependency",
    "LookupError": "lookup",
    "OSError": "io",
    "TypeError": "validation",
    "ValueError": "validation",
}


def documents_of(text: str, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each document in a file, as compact text and as data.

    Args:
        text: One JSON value, a list of them, or one on each line.
        path: The file, for the errors.
    """
    decoder = json.JSONDecoder()
    at = _skip(text, 0, "")
    listed = text.startswith("[", at)
    at = _skip(text, at + listed, "")
    number = 0
    while at < len(text) and not (listed and text[at] == "]"):
        try:
            data, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as cause:
            raise error("json-syntax", path=path, problem=str(cause)) from cause
        number += 1
        yield compact(text[at:end]), _checked(data, path, number)
        at = _skip(text, end, "," if listed else "")


def _skip(text: str, at: int, extra: str) -> int:
    blanks = " \t\r\n" + extra
    while at < len(text) and text[at] in blanks:
        at += 1
    return at


def compact(text: str) -> str:
    """Return JSON without the blanks between its tokens, and else unchanged."""
    return _TOKEN.sub(lambda found: found[1] or "", text)


def _checked(data: Any, path: str, number: int) -> dict[str, Any]:
    record = data.get("record") if isinstance(data, dict) else None
    if not isinstance(record, dict):
        raise error("document-key-missing", path=path, number=number, key="record")
    for key in ("id", "slug", "errorMessage"):
        if not isinstance(record.get(key), str) or not record[key].strip():
            raise error("document-key-missing", path=path, number=number, key=f"record.{key}")
    return data  # type: ignore[no-any-return]


def entry_of_document(document: Mapping[str, Any]) -> Entry:
    """Return the entry that shows a document of the schema as a page."""
    record = document["record"]
    before, after = _halves(_text(record, "exampleFix"))
    message = _text(record, "errorMessage")
    template, fields = _template(_text(record, "messagePattern") or message)
    ways = {"applicability": "manual", "fixer": None}
    situations = _text(record, "commonSituations")
    return {
        "code": record["id"].lower(),
        "slug": record["slug"].lower(),
        "aliases": [],
        "title": message,
        "status": "stable",
        "deprecated": None,
        "since": None,
        "origin": _text(record, "repo"),
        "exception": _text(record, "errorClass"),
        "severity": _text(record, "severity"),
        "message": message.replace("{", "{{").replace("}", "}}"),
        "documentation": _text(record, "documentation"),
        "trigger_scenarios": [it for it in [_text(record, "triggerScenarios")] if it],
        "common_situations": [{"text": it, "link": None} for it in [situations] if it],
        "solutions": [{"text": it, **ways} for it in _list(record, "solutions")],
        "validation_code": _text(record, "validationCode"),
        "type_guard": _text(record, "typeGuard") or None,
        "try_catch_pattern": _text(record, "tryCatchPattern") or None,
        "prevention": {"tips": _list(record, "preventionTips"), "code": ""},
        "device": None,
        "versions": [],
        "handling_strategy": _text(record, "handlingStrategy"),
        "tags": _list(record, "tags"),
        "ops": [],
        "related": [],
        "links": _links(record),
        "needs": [],
        "violations": [],
        "raise_sites": [],
        "fields": fields,
        "patterns": [{"template": template, "package": _text(record, "repo"), "versions": []}],
        "context": [],
        "readings": [],
        "repair": None,
        "before": before,
        "after": after,
        "expected": "",
        "page": {"fails": _marked(before), "works": _marked(after)},
    }


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _list(record: Mapping[str, Any], key: str) -> list[str]:
    value = record.get(key)
    return [it for it in value if isinstance(it, str)] if isinstance(value, list) else []


def _links(record: Mapping[str, Any]) -> list[dict[str, str]]:
    url = _text(record, "githubUrl")
    return [{"title": _text(record, "filePath") or url, "url": url}] if url else []


def _halves(example: str) -> tuple[str, str]:
    pieces = _HALVES.split(example)
    halves = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return halves.get("before", example).strip("\n"), halves.get("after", "").strip("\n")


def _marked(code: str) -> list[str]:
    return [f"  {line}" for line in code.splitlines()]


def _template(pattern: str) -> tuple[str, dict[str, Any]]:
    literals = _PLACEHOLDER.split(pattern)
    if max(map(len, literals)) < 8 or not all(literals[1:-1]):
        literals = [pattern]
    names = [f"value{number}" for number in range(1, len(literals))]
    escaped = [literal.replace("{", "{{").replace("}", "}}") for literal in literals]
    slots = [f"{{{name}}}" for name in names]
    template = "".join(it for pair in zip(escaped, [*slots, ""], strict=True) for it in pair)
    return template, {name: {"type": "Text", "doc": "", "value": None} for name in names}


def _unwrapped(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def document_of_entry(entry: Entry, version: str) -> dict[str, Any]:
    """Return one of our records as a document of the schema."""
    module = entry["raise_sites"][0]["module"]
    record = {
        "id": entry["code"],
        "repo": "ropeguard",
        "slug": entry["slug"],
        "errorCode": entry["code"],
        "errorMessage": entry["message"],
        "messagePattern": entry["message"],
        "errorType": _ERROR_TYPES.get(entry["exception"], "runtime"),
        "errorClass": None if entry["exception"] == NOTHING else entry["exception"],
        "httpStatus": None,
        "severity": entry["severity"],
        "filePath": module if "/" in module else module.replace(".", "/"),
        "lineNumber": None,
        "sourceCode": None,
        "sourceCodeStart": None,
        "sourceCodeEnd": None,
        "githubUrl": None,
        "documentation": _unwrapped(entry["documentation"]),
        "triggerScenarios": " ".join(entry["trigger_scenarios"]),
        "commonSituations": " ".join(it["text"] for it in entry["common_situations"]),
        "solutions": [it["text"] for it in entry["solutions"]],
        "exampleFix": f"# before\n{entry['before']}\n# after\n{entry['after']}",
        "handlingStrategy": entry["handling_strategy"],
        "validationCode": entry["validation_code"],
        "typeGuard": entry["type_guard"],
        "tryCatchPattern": entry["try_catch_pattern"],
        "preventionTips": entry["prevention"]["tips"],
        "tags": entry["tags"],
        "backgroundTag": entry["tags"][0],
        "analyzedSha": None,
        "analyzedAt": None,
        "schemaVersion": 2,
    }
    return {"record": record, "datasetVersion": f"ropeguard {version}"}
