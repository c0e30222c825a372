"""What has become of the raise sites of one release in another."""

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from ropeguard.catalogue.sites import Site


# How much of two templates is the same where one is the other in new words.
_ALIKE_HERE, _ALIKE_ELSEWHERE = 0.7, 0.9
_KEPT = 16


class Change(NamedTuple):
    """A difference between two releases.

    Attributes:
        kind: `new`, `gone`, `reworded`, `moved` to another file, or `exception` for another one.
        old: The site in the old release.
        new: The site in the new one.
        code: The record that the old message leads to.
        kept: The record that the new message leads to.
    """

    kind: str
    old: Site | None
    new: Site | None
    code: str | None = None
    kept: str | None = None

    @property
    def matters(self) -> bool:
        """Whether a record said something that is not so any more."""
        return self.code is not None and (self.code != self.kept or self.kind == "exception")


def changes(
    old: Iterable[Site], new: Iterable[Site], code_of: Callable[[Site], str | None]
) -> Iterator[Change]:
    """Return the differences between two releases, in the order of the files.

    Args:
        old: The sites of one release.
        new: The sites of the other.
        code_of: Says which record the message of a site leads to.
    """
    before = {site.key: site for site in old}
    after = {site.key: site for site in new}
    gone = [site for key, site in sorted(before.items()) if key not in after]
    come = [site for key, site in sorted(after.items()) if key not in before]
    for site in gone:
        follower = _follower(site, come)
        if follower is None:
            yield Change("gone", site, None, code_of(site))
            continue
        come.remove(follower)
        kind = _kind(site, follower)
        yield Change(kind, site, follower, code_of(site), code_of(follower))
    for site in come:
        yield Change("new", None, site, None, code_of(site))


def _follower(site: Site, come: Iterable[Site]) -> Site | None:
    """Return the new site that an old one became, or nothing."""
    matcher = SequenceMatcher(None, b=site.template, autojunk=False)
    best: tuple[float, bool, Site] | None = None
    for other in come:
        here = other.file == site.file
        rank = (_alike(matcher, site.template, other.template), here)
        least = _ALIKE_HERE if here else _ALIKE_ELSEWHERE
        if rank[0] >= least and (best is None or rank > best[:2]):
            best = (*rank, other)
    return best[2] if best else None


def _alike(matcher: SequenceMatcher[str], old: str, new: str) -> float:
    """Return how much of two templates is the same; a beginning that was kept is much."""
    matcher.set_seq1(new)
    if matcher.real_quick_ratio() >= _ALIKE_HERE and matcher.quick_ratio() >= _ALIKE_HERE:
        alike = matcher.ratio()
    else:
        alike = 0.0
    kept = old.rstrip(".")
    return max(alike, _ALIKE_HERE if len(kept) > _KEPT and new.startswith(kept) else 0.0)


def _kind(old: Site, new: Site) -> str:
    if old.template != new.template:
        return "reworded"
    return "exception" if old.exception != new.exception else "moved"
