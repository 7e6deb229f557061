"""The one check of arity: every call of a case is marked with what becomes of it under the new signature."""

from pathlib import Path

from surefoot.core.sites import SiteKind, Target, Tier
from surefoot.syntax.arity import compare
from surefoot.syntax.arity_read import Reader
from surefoot.syntax.index import Index
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.support.fixture import parse


def check_arity(case: Path, folder: Path, index: Index) -> None:
    """Run one case: the definition at the cursor becomes that in `@new`, code of the same language; labels of calls are verdicts.

    Without `@new` the definition stays. `@why` says at `path:line:column` the reason or the proof of a verdict.
    """
    fixture = parse(case.read_text("utf-8"))
    root = fixture.write_to(folder / "old").resolve()
    reader, texts = _reader(root, index)
    scan = find_sites(texts, Target(path=fixture.cursor.path, offset=fixture.cursor.offset), index)
    before = after = reader.signatures(scan)
    if "new" in fixture.sections:
        other = (folder / "new").resolve()
        path = other / fixture.cursor.path
        path.parent.mkdir(parents=True)
        path.write_text(fixture.sections["new"], "utf-8")
        rereader, retexts = _reader(other, index)
        after = rereader.signatures(find_sites(retexts, Target(name=scan.name), index))
        assert after, "the new definition was not found"
    told: dict[tuple[str, int], str] = {}
    why: set[str] = set()
    for site in scan.sites:
        place, called = site.place, site.kind is SiteKind.CALL and site.tier in (Tier.EXACT, Tier.FAMILY)
        given = reader.given(place.path, place.start, place.end) if called else None
        if given is not None:
            found = compare(before, after, given)
            name = place.path.relative_to(root).as_posix()
            told[name, place.start] = found.fit
            why.add(f"{name}:{place.line}:{place.column}: {found.why}")
    assert told == {(mark.path, mark.start): mark.label for mark in fixture.marks}, sorted(why)
    assert set(fixture.sections.get("why", "").splitlines()) <= why, sorted(why)


def _reader(root: Path, index: Index) -> tuple[Reader, Snapshot]:
    texts, ground = Snapshot(root), Ground(root)
    ground.refresh()
    return Reader(Resolver(View(texts, ground), index), index), texts
