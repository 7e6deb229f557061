"""Files that nobody would write by hand, and folders that nobody can look into: bounded work, and the truth about what was left out."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tree_sitter import Tree

from surefoot.core.text import TextFile
from surefoot.syntax.index import Index
from surefoot.syntax.languages import Language
from surefoot.syntax.parse import Grammars
from surefoot.syntax.store.ground import Abandoned, Ground
from surefoot.workspace.listing import list_stamped
from tests.syntax_store.support import Root

HOSTILE: Mapping[str, str] = {
    "lines.py": "def total(): ...\n" + "total()\n" * 40_000,
    "long.py": "x = [" + f"total, {'y' * 40}, " * 20_000 + "]\n",
    "long.js": "x=[" + f"total,{'y' * 40}," * 20_000 + "];",
    "deep.py": "x = " + "[" * 3000 + "total" + "]" * 3000 + "\n",
    "deep.ts": "x = " + "(" * 3000 + "total" + ")" * 3000 + ";\n",
    "nested.js": "function total() {" * 1000 + "}" * 1000,
    "open.ts": "class A { total(" + "{" * 3000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_every_word_of_a_hostile_text_is_found_with_and_without_facts(tmp_path: Path, name: str) -> None:
    root = Root(tmp_path)
    (root.path / name).write_text(HOSTILE[name], "utf-8")
    counting = Counting()
    plain = root.find("total", index=Index(counting))
    assert counting.parsed == 1
    assert len(plain.sites) == HOSTILE[name].count("total")
    root.build()
    counting = Counting()
    assert root.find("total", index=Index(counting)) == plain
    assert counting.parsed == 0


class Counting(Grammars):
    """Grammars that count how often a text was parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed = 0

    def parse(self, language: Language, data: bytes) -> Tree:
        self.parsed += 1
        return super().parse(language, data)


def test_what_is_no_text_is_told_and_not_read_again(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    (root.path / "binary.py").write_bytes(b"\x7fELF\0total")
    (root.path / "latin.py").write_bytes(b"# caf\xe9 total\n")
    (root.path / "wide.py").write_bytes("total".encode("utf-16"))
    (root.path / "large.py").write_bytes(b"total\n" * 2_000_000)
    (root.path / "picture.png").write_bytes(b"\x89PNG\0total")
    plain = root.find("total")
    assert {held.path.name: held.reason for held in plain.not_scanned} == {
        "binary.py": "binary",
        "large.py": "larger than 8 MiB",
        "latin.py": "not UTF-8 (byte 5)",
        "wide.py": "not UTF-8 (UTF-16)",
    }
    root.build()
    assert root.find("total") == plain
    assert root.ground.stale == 0


def test_a_file_that_changes_while_it_is_read_is_not_taken_at_its_word(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n", use__py="x = 1\n")
    listing = list_stamped(root.path)
    root.write(use__py="from core import total\n")
    assert list_stamped(root.path).stamps["use.py"] != listing.stamps["use.py"]
    root.build(slices=10_000)
    root.write(use__py="from core import total as t\nt()\n")
    assert len(root.find("total").sites) == 4


def test_a_build_that_is_broken_off_leaves_what_it_made(tmp_path: Path) -> None:
    root = Root(tmp_path).write(**{f"m{number}__py": f"def total{number}(): ...\n" for number in range(20)})
    with pytest.raises(AssertionError, match="does not end"):
        root.build(slices=25)
    assert len(root.find("total7").sites) == 1
    root.build()
    assert root.ground.stale == 0
    assert len(root.find("total7").sites) == 1


def test_a_search_that_nobody_waits_for_ends_between_two_files(tmp_path: Path) -> None:
    root = Root(tmp_path).write(a__py="total\n", b__py="total\n", c__py="total\n")
    root.ground.refresh()
    answers = iter([False, True])
    with pytest.raises(Abandoned):
        root.ground.holding("total", stopped=lambda: next(answers))


def test_ignored_files_cost_nothing(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    (root.path / ".gitignore").write_text("out/\n")
    (root.path / "out").mkdir()
    for number in range(3000):
        (root.path / "out" / f"m{number}.py").touch()
    root.build()
    root.ground.refresh()
    assert [path.name for path in root.ground.files] == [".gitignore", "core.py"]
    assert {row.name for row in root.rows().files()} == {".gitignore", "core.py"}


def test_links_in_a_circle_are_followed_once(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    (root.path / "sub").mkdir()
    (root.path / "sub" / "up").symlink_to(root.path)
    (root.path / "self").symlink_to("self")
    (root.path / "again.py").symlink_to("core.py")
    root.build()
    assert [site.place.path.name for site in root.find("total").sites] == ["core.py"]


def test_names_that_differ_in_case_are_two_files_where_the_disk_says_so(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n", Core__py="total()\n")
    root.build()
    expected = 2 if len(os.listdir(root.path)) == 2 else 1
    assert len({site.place.path for site in root.find("total").sites}) == expected


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A root with a folder that nobody may look into."""
    tmp_path.chmod(0o755)
    root = tmp_path / "root"
    (root / "shut").mkdir(parents=True)
    (root / "core.py").write_text("def total(): ...\n")
    (root / "shut" / "use.py").write_text("from core import total\n")
    (root / "shut").chmod(0)
    yield root
    (root / "shut").chmod(0o755)


@pytest.mark.parametrize("path", [os.environ.get("PATH", ""), "/nowhere"], ids=["git", "no git"])
def test_a_folder_that_cannot_be_opened_is_told(closed: Path, path: str) -> None:
    code = "import sys, os; from pathlib import Path; from surefoot.syntax.store.ground import Ground\n"
    code += "import tempfile, pathspec, surefoot.workspace.listing\n"
    code += "os.setegid(65534) or os.seteuid(65534) if os.geteuid() == 0 else None\n"
    code += "ground = Ground(Path(sys.argv[1])); ground.refresh(); hits = ground.holding('total')\n"
    code += "print([p.name for p in hits.files], [(t.path.name, t.reason) for t in hits.troubles])"
    environment = {**os.environ, "PATH": path}
    for folder in closed.parents:
        if not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    done = subprocess.run([sys.executable, "-c", code, closed], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.strip() == "['core.py'] [('shut', 'the folder cannot be opened: Permission denied')]", done.stderr


def test_an_open_buffer_that_is_no_text_is_told(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    root.build()
    ground = Ground(root.path, root.folder)
    ground.refresh()
    assert [path.name for path in ground.holding("total").files] == ["core.py"]
    assert root.find("total", TextFile.of(root.path / "core.py", b"", 1)).sites == ()
