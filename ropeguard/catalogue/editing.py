"""Changes to a `record.toml` that leave the rest of its text as somebody wrote it."""

import json
import re
from collections.abc import Iterable


_LONG = re.compile(r'"""(?s:.*?)"""' + r"|'''(?s:.*?)'''")
_TABLE = re.compile(r"^\[\[?[\w.\"-]+\]\]?\s*$", re.MULTILINE)
_VERSIONS = re.compile(r"^versions\s*=\s*\[[^\]]*\]", re.MULTILINE)
_MESSAGE = re.compile(r"^message\s*=.*\n", re.MULTILINE)


def with_versions(text: str, versions: Iterable[str], pattern: int | None = None) -> str:
    """Return a `record.toml` with other versions of its message or of one of its patterns.

    Args:
        text: The file.
        versions: What is to stand there.
        pattern: The number of the pattern, from 0, or nothing for the record's own message.
    """
    line = f"versions = {json.dumps(list(versions))}"
    # Text between three quotes may look like tables and keys, but is none.
    bare = _LONG.sub(lambda found: " " * len(found[0]), text)
    start, end = _span(bare, pattern)
    known = _VERSIONS.search(bare, start, end)
    if known:
        return text[: known.start()] + line + text[known.end() :]
    message = _MESSAGE.search(bare, start, end)
    at = message.end() if message else end
    return f"{text[:at]}{line}\n{text[at:]}"


def _span(bare: str, pattern: int | None) -> tuple[int, int]:
    """Return where the keys of the record itself stand, or those of one of its patterns."""
    tables = [*_TABLE.finditer(bare)]
    starts = [it for it in tables if it[0].strip() == "[[patterns]]"]
    start = 0 if pattern is None else starts[pattern].end()
    return start, next((it.start() for it in tables if it.start() >= start), len(bare))
