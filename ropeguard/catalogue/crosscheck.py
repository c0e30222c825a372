"""What must hold between records: ids and slugs that are used once, and names that exist."""

from collections.abc import Iterable, Iterator

from ropeguard.catalogue.model import Source, Tombstone
from ropeguard.catalogue.raising import RopeguardError, error


def cross_checks(
    sources: Iterable[Source], tombstones: Iterable[Tombstone]
) -> Iterator[RopeguardError]:
    """Return one error for each id, slug or reference that clashes or leads nowhere."""
    sources, tombstones = tuple(sources), tuple(tombstones)
    yield from _ids(sources, {it.id: it.slug for it in tombstones})
    yield from _slugs(sources, {it.slug: f"tombstones.toml, {it.id}" for it in tombstones})
    yield from _references(sources, tombstones)


def _ids(sources: Iterable[Source], removed: dict[str, str]) -> Iterator[RopeguardError]:
    seen: dict[str, str] = {}
    for source in sources:
        code, folder = source.record.id, source.folder
        if code in removed:
            yield error("id-reused", id=code, folder=folder, slug=removed[code])
        elif code in seen:
            yield error("id-duplicate", id=code, first=seen[code], second=folder)
        seen.setdefault(code, folder)


def _slugs(sources: Iterable[Source], seen: dict[str, str]) -> Iterator[RopeguardError]:
    for source in sources:
        for slug in (source.record.slug, *source.record.aliases):
            if slug in seen:
                yield error("slug-duplicate", slug=slug, first=seen[slug], second=source.folder)
            seen.setdefault(slug, source.folder)


def _references(
    sources: Iterable[Source], tombstones: Iterable[Tombstone]
) -> Iterator[RopeguardError]:
    known = {source.record.slug for source in sources}
    references = [(it.folder, it.record.related) for it in sources]
    references += [("tombstones.toml", it.replaced_by) for it in tombstones]
    for place, slugs in references:
        for slug in slugs:
            if slug not in known:
                yield error("related-unknown", slug=slug, place=place)
