"""`ropeguard explain --verify`: the record's own proof, on the versions installed here."""

import platform
import sys
from collections.abc import Sequence

from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.lookup import Hit
from ropeguard.catalogue.proof import Step, last_block, prove, quoted, runs_here
from ropeguard.catalogue.raising import error
from ropeguard.cli.output import write


def verify(hits: Sequence[Hit]) -> None:
    """Run the programs of each record, and say that all of it holds."""
    for hit in hits:
        if hit.removed:
            raise error("record-removed", slug=hit.entry["slug"])
        if not hit.entry["expected"]:
            raise error("proof-absent", slug=hit.entry["slug"])
        steps = []
        for step in prove(hit.entry, hit.shelf.matcher(), ours().matcher()):
            require(step, hit.entry["slug"])
            steps.append(step.name)
        code, slug = hit.entry["code"], hit.entry["slug"]
        needed = "" if runs_here(hit.entry) else f"; the rest needs {hit.entry['device']}, not here"
        write(sys.stdout, f"{code}  {slug}: {', '.join(steps)} hold on {_versions()}{needed}\n")


def require(step: Step, slug: str) -> None:
    """Let a step of a proof pass if it holds."""
    if step.holds:
        return
    details = quoted(last_block(step.output))
    if step.name == "before":
        raise error("before-passes", details=details, slug=slug, problem=step.problem)
    raise error("proof-failed", details=details, slug=slug, step=step.name, problem=step.problem)


def _versions() -> str:
    from importlib.metadata import PackageNotFoundError, version

    found = [f"Python {platform.python_version()}"]
    for package in ("ropeguard", "mlx", "jaxtyping", "beartype"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
