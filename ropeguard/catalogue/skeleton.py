"""The files of a record that is yet to be written."""

import os
import random
import re
import shutil
import tempfile
from contextlib import suppress

from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.raising import RopeguardError, error
from ropeguard.catalogue.rules import SLUG
from ropeguard.catalogue.source import FILES


_ORIGIN = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r'^\s*id\s*=\s*["\'](RG\d{4})["\']', re.MULTILINE)
_TOML = '''\
id = "{id}"
slug = "{slug}"
title = {title}
status = "stable"
since = "{version}"
origin = "{origin}"
exception = "ValueError"
severity = "error"
# One line; each value as {{field}}, with a table [fields.field] below.
message = ""
# What it means and why it exists: two to six sentences.
documentation = """
"""
trigger_scenarios = [""]
validation_code = """
"""
handling_strategy = "validation"
tags = []
ops = []
related = []
links = []

[[common_situations]]
text = ""

[[common_situations]]
text = ""

[[solutions]]
text = ""
applicability = "verified"

[prevention]
tips = [""]
code = """
"""

[[raise_sites]]
module = ""
'''


def write_skeleton(path: str, origin: str, slug: str, title: str) -> str:
    """Write the files of a new record below `path`, and return its folder.

    Args:
        path: The folder of all records.
        origin: Whose error it is.
        slug: The record's name.
        title: What went wrong.
    """
    from ropeguard import __version__

    final = os.path.join(path, origin, slug)
    _require("origin", origin, bool(_ORIGIN.fullmatch(origin)), "a word in lower case")
    _require("slug", slug, bool(SLUG.fullmatch(slug)), "two or more words in kebab case")
    _require("title", title, 0 < len(title) <= 60, "1 to 60 characters")
    if os.path.exists(final):
        raise error("record-exists", path=final)
    text = _TOML.format(
        id=free_id(path), slug=slug, title=_quoted(title), version=__version__, origin=origin
    )
    try:
        os.makedirs(os.path.dirname(final), exist_ok=True)
        _write_folder(final, {name: text if name == "record.toml" else "" for name in FILES})
    except OSError as cause:
        raise error("file-unwritable", path=final, reason=cause.strerror) from cause
    return final


def _require(key: str, found: str, holds: bool, allowed: str) -> None:
    if not holds:
        path = "the command line"
        raise error("record-value-wrong", path=path, key=key, found=found, allowed=allowed)


def _quoted(text: str) -> str:
    # JSON's strings are TOML's basic strings.
    import json

    return json.dumps(text, ensure_ascii=False)


def _write_folder(final: str, files: dict[str, str]) -> None:
    partial = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(final))
    try:
        for name, text in files.items():
            with open(os.path.join(partial, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        os.chmod(partial, 0o755)
        os.rename(partial, final)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def free_id(path: str) -> str:
    """Return a random id that no record has or ever had."""
    taken = set(_used(path))
    with suppress(RopeguardError):  # nothing may have been built yet
        taken |= {*ours().codes, *ours().tombstones}
    free = [f"RG{number}" for number in range(1000, 10000) if f"RG{number}" not in taken]
    return random.SystemRandom().choice(free)


def _used(path: str) -> list[str]:
    """Return the ids in all TOML files below `path`, also of records that do not load."""
    found: list[str] = []
    for folder, _, names in os.walk(path):
        for name in names:
            if name.endswith(".toml"):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as stream:
                    found += _ID.findall(stream.read())
    return found
