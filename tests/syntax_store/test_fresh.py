"""What moved on disk is seen, whatever was stored; a store that cannot be used is done without."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.core.sites import Scan
from surefoot.core.text import TextFile
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.rows import rows_of, tidy
from surefoot.workspace.listing import stamp_of
from surefoot.workspace.session import Session
from surefoot.workspace.watching import LONGEST, Watching
from tests.syntax_store.support import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    root = Root(tmp_path).write(core__py="def total(): ...\n", use__py="from core import total\ntotal()\n", other__py="x = 1\n")
    root.build()
    root.find("total")
    assert root.ground.stale == 0
    return root


def told(scan: Scan) -> list[tuple[str, int, str]]:
    return [(site.place.path.name, site.place.line, site.tier.value) for site in scan.sites]


def same(root: Root, *buffers: TextFile) -> list[tuple[str, int, str]]:
    """What is found, which is what somebody finds who has stored nothing."""
    found = told(root.find("total", *buffers))
    assert found == told(root.plain("total", *buffers))
    return found


CORE, USE = ("core.py", 1, "exact"), [("use.py", 1, "exact"), ("use.py", 2, "exact")]


def test_a_changed_file_is_read(root: Root) -> None:
    root.write(other__py="from core import total\n")
    assert same(root) == [CORE, ("other.py", 1, "exact"), *USE]


def test_a_change_that_keeps_size_and_time_is_seen(root: Root) -> None:
    path = root.path / "use.py"
    held, text = path.stat(), path.read_text()
    path.write_text(text.replace("total", "wrong"))
    os.utime(path, ns=(held.st_atime_ns, held.st_mtime_ns))
    assert path.stat().st_size == held.st_size
    assert same(root) == [CORE]


def test_files_come_and_go(root: Root) -> None:
    (root.path / "use.py").unlink()
    root.write(new__py="from core import total\n")
    assert same(root) == [CORE, ("new.py", 1, "exact")]
    root.build()
    assert same(root) == [CORE, ("new.py", 1, "exact")]
    assert {row.name for row in root.rows().files()} == {"core.py", "other.py", "new.py"}


def test_a_buffer_stands_over_its_file_and_its_stored_words(root: Root) -> None:
    gone = TextFile.of(root.path / "use.py", b"pass\n", 2)
    new = TextFile.of(root.path / "other.py", b"import core\ncore.total()\n", 2)
    assert same(root, gone, new) == [CORE, ("other.py", 2, "exact")]


def test_a_file_that_was_just_written_is_not_taken_at_its_stamp(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    root.build(later=0)
    root.ground.refresh()
    assert root.ground.stale == 1
    root.build()
    root.ground.refresh()
    assert root.ground.stale == 0


def test_only_what_moved_is_looked_at_where_somebody_watches(root: Root) -> None:
    root.write(other__py="from core import total\n")
    root.ground.refresh(())
    assert [path.name for path in root.ground.holding("total").files] == ["core.py", "use.py"]
    root.ground.refresh([root.path / "other.py"])
    assert [path.name for path in root.ground.holding("total").files] == ["core.py", "other.py", "use.py"]
    (root.path / "use.py").unlink()
    root.write(new__py="total\n")
    root.ground.refresh([root.path / "use.py", root.path / "new.py", root.path / "never.py"])
    assert [path.name for path in root.ground.holding("total").files] == ["core.py", "new.py", "other.py"]


def test_a_rule_that_changes_changes_the_files(root: Root) -> None:
    root.write(**{"__gitignore": "use.py\n"})
    root.ground.refresh([root.path / ".gitignore"])
    assert [path.name for path in root.ground.holding("total").files] == ["core.py"]


def test_moves_are_remembered_from_one_mark_to_the_next(tmp_path: Path) -> None:
    session = Session([tmp_path])
    watching = Watching(session)
    session.touched([tmp_path / "a"])
    assert watching.since(tmp_path, 0) is None
    session.watched = True
    mark = watching.mark
    session.touched([tmp_path / "b", tmp_path / "b", tmp_path.parent / "c"])
    assert watching.since(tmp_path, mark) == (tmp_path / "b",)
    assert watching.since(tmp_path, watching.mark) == ()
    session.touched([tmp_path / "d"] * LONGEST)
    assert watching.since(tmp_path, mark) is None


# A cache


@pytest.mark.parametrize("broken", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 8192], ids=["empty", "text", "torn"])
def test_a_file_of_facts_that_cannot_be_read_is_made_again(root: Root, broken: bytes) -> None:
    path = root.rows().path
    root.ground.close()
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        name.unlink(missing_ok=True)
    path.write_bytes(broken)
    root.ground = Ground(root.path, root.folder)
    assert same(root) == [CORE, *USE]
    root.build()
    root.ground = Ground(root.path, root.folder)
    assert same(root) == [CORE, *USE]
    assert root.ground.stale == 0


def test_facts_that_are_torn_are_parsed_again(root: Root) -> None:
    db = sqlite3.connect(root.rows().path)
    db.execute("UPDATE facts SET outline = x'00', uses = x'00'")
    db.commit()
    db.close()
    assert same(root) == [CORE, *USE]


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    root.folder.write_text("a file where a folder should be")
    assert rows_of(root.path, root.folder, make=True) is None
    assert same(root) == [CORE]


def test_facts_of_roots_that_are_gone_are_deleted(root: Root, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = rows_of(tmp_path / "other", root.folder, make=True)
    assert other is not None
    other.close()
    rows = root.rows()
    tidy(rows, 0)
    assert other.path.exists()
    (tmp_path / "other").rmdir()
    tidy(rows, 0)
    assert (other.path.exists(), rows.path.exists()) == (False, True)


def test_small_segments_are_merged_and_nothing_is_lost(root: Root) -> None:
    for number in range(6):
        root.write(**{f"more{number}__py": f"from core import total as t{number}\n"})
        root.build()
    rows = root.rows()
    assert len(rows.segments()) == 1
    assert len(same(root)) == 3 + 2 * 6
    assert root.ground.stale == 0


def test_rows_outlive_the_process(root: Root) -> None:
    code = "import sys; from pathlib import Path; from surefoot.syntax.store.ground import Ground\n"
    code += "ground = Ground(Path(sys.argv[1]), Path(sys.argv[2])); ground.refresh()\n"
    code += "print(ground.stale, [path.name for path in ground.holding('total').files])"
    done = subprocess.run([sys.executable, "-c", code, root.path, root.folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0 ['core.py', 'use.py']"


def test_a_name_of_other_letters_is_found(tmp_path: Path) -> None:
    root = Root(tmp_path).write(a__py="größe = 1\n价格 = 2\n", b__js="const $total = 1;\n", c__py="gr = e = 1\n")
    root.build()
    for name, files in {"größe": ["a.py"], "价格": ["a.py"], "$total": ["b.js"]}.items():
        assert sorted({site.place.path.name for site in root.find(name).sites}) == files


def test_a_stamp_tells_a_file_from_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    assert stamp_of(str(tmp_path / "a")) != 0
    assert (stamp_of(str(tmp_path)), stamp_of(str(tmp_path / "b"))) == (0, 0)
