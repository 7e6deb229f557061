"""The one check of sites: every hit of a case is marked, and every mark is a hit."""

from pathlib import Path

from surefoot.core.sites import Scan, Site, Target
from surefoot.syntax.index import Index
from surefoot.syntax.sites import find_sites
from surefoot.workspace.snapshot import Snapshot
from tests.support.fixture import Fixture, parse

Found = tuple[str, int, int, str]


def check_sites(case: Path, folder: Path, index: Index) -> None:
    """Run one case: the target is the cursor, or the name in `@target`; labels are `tier.kind`, with `.shorthand` where it is one.

    `@not_scanned` lists files with the reason; `@reasons` says at `path:line:column` why a site has its tier.
    """
    fixture = parse(case.read_text("utf-8"))
    scan = scan_of(fixture, fixture.write_to(folder), index)
    marked = sorted((m.path, m.start, m.end, m.label) for m in fixture.marks)
    assert sorted(_seen(site, folder) for site in scan.sites) == marked, _difference(fixture, scan, folder)
    told = [f"{held.path.relative_to(folder).as_posix()}: {held.reason}" for held in scan.not_scanned]
    assert told == fixture.sections.get("not_scanned", "").splitlines()
    reasons = {f"{_name(site, folder)}:{site.place.line}:{site.place.column}: {site.reason}" for site in scan.sites}
    assert set(fixture.sections.get("reasons", "").splitlines()) <= reasons


def scan_of(fixture: Fixture, folder: Path, index: Index) -> Scan:
    """What is found for the target of a case that was written to `folder`."""
    texts = Snapshot(folder)
    if "target" in fixture.sections:
        return find_sites(texts, Target(name=fixture.sections["target"].strip()), index)
    return find_sites(texts, Target(path=fixture.cursor.path, offset=fixture.cursor.offset), index)


def label_of(site: Site) -> str:
    """The label that a case gives to a site."""
    return f"{site.tier}.{site.kind}{'.shorthand' if site.shorthand else ''}"


def _seen(site: Site, folder: Path) -> Found:
    return _name(site, folder), site.place.start, site.place.end, label_of(site)


def _name(site: Site, folder: Path) -> str:
    return site.place.path.relative_to(folder).as_posix()


def _difference(fixture: Fixture, scan: Scan, folder: Path) -> str:
    marked = {(m.path, m.start, m.end, m.label): f"{m.path}:{m.line}:{m.column} @{m.label}" for m in fixture.marks}
    found = {_seen(s, folder): f"{_name(s, folder)}:{s.place.line}:{s.place.column} @{label_of(s)} ({s.reason})" for s in scan.sites}
    missing = [f"not found: {text}" for key, text in marked.items() if key not in found]
    return "\n".join([*missing, *(f"not marked: {text}" for key, text in found.items() if key not in marked)])
