"""Stored facts say what a tree says, for every case of every language."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Never

import pytest

from surefoot.core.sites import Target
from surefoot.core.text import TextFile
from surefoot.syntax.extract import outline_of
from surefoot.syntax.index import Index
from surefoot.syntax.languages import language_for
from surefoot.syntax.outline import Outline
from surefoot.syntax.parse import Grammars
from surefoot.syntax.roles import role_of
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.codec import pack, unpack
from surefoot.syntax.store.uses import Uses, uses_of
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_sites import scan_of
from tests.support.fixture import parse
from tests.syntax_store.support import Root

CASES = Path(__file__).parents[1] / "cases" / "sites"
FOUND = sorted(CASES.rglob("*.txt"))
WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


@pytest.fixture(scope="module")
def grammars() -> Grammars:
    return Grammars()


@pytest.mark.parametrize("case", FOUND, ids=[path.relative_to(CASES).with_suffix("").as_posix() for path in FOUND])
def test_facts_come_back_as_they_were(case: Path, grammars: Grammars) -> None:
    for name, text in parse(case.read_text("utf-8")).files.items():
        if (language := language_for(Path(name), text.encode("utf-8"))) is None:
            continue
        data = text.encode("utf-8")
        root = grammars.parse(language, data).root_node
        outline = outline_of(grammars, language, root, data)
        back = unpack(Outline, pack(outline))
        for field in (field.name for field in fields(Outline)):
            held, again = getattr(outline, field), getattr(back, field)
            assert (tuple(again) if isinstance(held, tuple) else dict(again) if isinstance(held, dict) else again) == held, field
        uses = unpack(Uses, pack(uses_of(grammars, language, outline, root, data)))
        told = outline.at.keys() | outline.imported.keys() | outline.aliases.keys() | outline.offered
        for start, end in (found.span() for found in WORD.finditer(data)):
            if start not in told:
                assert uses.role(start, end) == role_of(grammars, language, root, start, end), f"{name}: {data[start:end]!r} at {start}"


@pytest.mark.parametrize("case", FOUND[::3], ids=[path.relative_to(CASES).with_suffix("").as_posix() for path in FOUND[::3]])
def test_answers_are_the_same_with_stored_facts(case: Path, tmp_path: Path) -> None:
    fixture = parse(case.read_text("utf-8"))
    root = Root(tmp_path)
    fixture.write_to(root.path)
    plain = scan_of(fixture, root.path, Index())
    root.build()
    root.ground.refresh()
    assert root.ground.stale == 0
    index = Index()
    if "target" in fixture.sections:
        target = Target(name=fixture.sections["target"].strip())
    else:
        target = Target(path=fixture.cursor.path, offset=fixture.cursor.offset)
    assert find_sites(Snapshot(root.path), target, index, ground=root.ground) == plain


def test_what_is_stored_is_not_parsed(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n", use__py="from core import total\ntotal()\nx.total = 'total'  # total\n")
    plain = root.plain("total")
    root.build()
    index = Index(Refusing())
    assert root.find("total", index=index) == plain
    buffer = TextFile.of(root.path / "use.py", b"import core\n", 1)
    with pytest.raises(AssertionError, match="parsed"):
        root.find("core", buffer, index=index)


class Refusing(Grammars):
    """Grammars for a question that needs none."""

    def parse(self, *_: object) -> Never:
        raise AssertionError("parsed")
