"""Files that nobody would write by hand, and folders that nobody can look into: bounded work, and the truth about what was left out."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tree_sitter import Tree

from surefoot.core.sites import Target, Tier
from surefoot.core.text import TextFile
from surefoot.syntax.index import Index
from surefoot.syntax.languages import LANGUAGES, Language
from surefoot.syntax.parse import Grammars
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Abandoned, Ground
from surefoot.workspace.listing import list_stamped
from surefoot.workspace.snapshot import Snapshot
from tests.syntax_store.support import Root

CPU_SECONDS = 20.0
"""What an answer may cost; the slowest of these takes a fifth of it. Work that grows with the square of a text takes minutes."""

OPENING: Mapping[str, str] = {"php": "<?php "}
HOSTILE: Mapping[str, str] = {
    "lines.py": "def total(): ...\n" + "total()\n" * 40_000,
    "long.py": "x = [" + f"total, {'y' * 40}, " * 22_000 + "]\n",
    "long.js": "x=[" + f"total,{'y' * 40}," * 22_000 + "];",
    "deep.py": "x = " + "[" * 3000 + "total" + "]" * 3000 + "\n",
    "deep.ts": "x = " + "(" * 3000 + "total" + ")" * 3000 + ";\n",
    "nested.js": "function total() {" * 1000 + "}" * 1000,
    "open.ts": "class A { total(" + "{" * 3000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_every_word_of_a_hostile_text_is_found_with_and_without_facts(tmp_path: Path, name: str) -> None:
    root = Root(tmp_path)
    (root.path / name).write_text(HOSTILE[name], "utf-8")
    counting, began = Counting(), time.process_time()
    plain = root.find("total", index=Index(counting))
    assert counting.parsed == 1
    assert len(plain.sites) == HOSTILE[name].count("total")
    root.build()
    counting = Counting()
    assert root.find("total", index=Index(counting)) == plain
    assert counting.parsed == 0
    assert time.process_time() - began < CPU_SECONDS


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_brackets_that_are_nested_deeply_or_never_closed(tmp_path: Path, language: Language) -> None:
    root, (suffix, *_) = Root(tmp_path), language.suffixes
    (root.path / f"deep{suffix}").write_text(f"{OPENING.get(language.name, '')}x = {'(' * 3000}total{')' * 3000};\n")
    (root.path / f"open{suffix}").write_text(f"{OPENING.get(language.name, '')}class A {{ total({'{[(' * 1000}")
    began = time.process_time()
    plain = root.find("total")
    assert [(site.place.path.stem, site.tier is Tier.EXCLUDED) for site in plain.sites] == [("deep", False), ("open", False)]
    assert "open" in {held.path.stem for held in plain.not_scanned}
    root.build()
    assert root.find("total") == plain
    assert time.process_time() - began < CPU_SECONDS


def test_a_site_deep_inside_of_a_line_is_quoted_from_a_little_before_it(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py=f"{'🧺' * 300} = total({'y, ' * 300})\n", near__py=f"    x = 1{' ' * 100}; total = {'y' * 300}\n")
    far, near = root.find("total").sites
    assert far.text == f"…{'🧺' * 57} = total({'y, ' * 300})"[:200]
    assert near.text == f"x = 1{' ' * 100}; total = {'y' * 300}"[:200]


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


VERSIONS = ("def total(): ...\n" + "total()\n" * 400, "# 🧺\n" * 300 + "total = 1\n" * 100, "x = 1\n", "")


def test_files_that_change_while_they_are_searched_are_each_seen_as_they_were_once(tmp_path: Path) -> None:
    root = Root(tmp_path).write(**{f"m{number}__py": VERSIONS[0] for number in range(8)})
    seen = {tuple(i for i, line in enumerate(text.splitlines(), 1) if "total" in line) for text in VERSIONS}
    ended = threading.Event()
    writer = threading.Thread(target=_rewrite, args=(root.path, ended))
    writer.start()
    try:
        for turn in range(12):
            lines: dict[Path, list[int]] = {}
            for site in root.find("total").sites:
                assert site.text.startswith(("def total", "total"))
                lines.setdefault(site.place.path, []).append(site.place.line)
            assert {tuple(found) for found in lines.values()} <= seen
            if turn % 4 == 1:
                root.build(later=0)
    finally:
        ended.set()
        writer.join()
    assert root.find("total") == root.plain("total")


def _rewrite(folder: Path, ended: threading.Event) -> None:
    """Put other versions in the place of files, at times take a file away, until somebody says so."""
    for turn in range(1_000_000):
        if ended.wait(0.0005):
            return
        path, text = folder / f"m{turn % 8}.py", VERSIONS[turn * 7 % len(VERSIONS)]
        if turn % 11 == 0:
            path.unlink(missing_ok=True)
        else:
            (folder.parent / "next").write_text(text, "utf-8")
            (folder.parent / "next").replace(path)


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


@pytest.mark.parametrize("git", ["folder", "no git", "repository"])
def test_100_000_ignored_files_cost_next_to_nothing(ignored: Path, tmp_path: Path, git: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if git == "repository":
        subprocess.run(["git", "init", "-q", ignored], check=True)
    elif git == "no git":
        monkeypatch.setenv("PATH", str(tmp_path))
    ground, began = Ground(ignored), sum(os.times()[:4])
    ground.refresh()
    assert [path.name for path in ground.files] == [".gitignore", "core.py"]
    assert find_sites(Snapshot(ignored), Target(name="total"), ground=ground).not_scanned == ()
    assert sum(os.times()[:4]) - began < CPU_SECONDS / 4


@pytest.fixture(scope="module")
def ignored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with 100,000 files that a rule ignores: half by their folder, half by their names beside what counts."""
    root = tmp_path_factory.mktemp("ignored")
    (root / "out").mkdir()
    (root / ".gitignore").write_text("out/\n*.gen.py\n")
    (root / "core.py").write_text("def total(): ...\n")
    for number in range(50_000):
        os.close(os.open(root / "out" / f"m{number}.py", os.O_CREAT))
        os.close(os.open(root / f"m{number}.gen.py", os.O_CREAT))
    yield root
    shutil.rmtree(root)


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
def closed() -> Iterator[Path]:
    """A root with a folder that nobody may look into."""
    home = Path(tempfile.mkdtemp(prefix="surefoot-test-"))  # pytest's own folders are closed to others, again and again
    home.chmod(0o755)
    root = home / "root"
    (root / "shut").mkdir(parents=True)
    (root / "core.py").write_text("def total(): ...\n")
    (root / "shut" / "use.py").write_text("from core import total\n")
    (root / "shut").chmod(0)
    yield root
    (root / "shut").chmod(0o755)
    shutil.rmtree(home)


@pytest.mark.parametrize("path", [os.environ.get("PATH", ""), "/nowhere"], ids=["git", "no git"])
def test_a_folder_that_cannot_be_opened_is_told(closed: Path, path: str) -> None:
    code = "import sys, os; from pathlib import Path; from surefoot.syntax.store.ground import Ground\n"
    code += "import tempfile, pathspec, surefoot.workspace.listing, surefoot.lsp.publish\n"
    code += "os.setegid(65534) or os.seteuid(65534) if os.geteuid() == 0 else None\n"
    code += "ground = Ground(Path(sys.argv[1])); ground.refresh(); hits = ground.holding('total')\n"
    code += "from surefoot.workspace.session import Session; from surefoot.lsp.publish import matters\n"
    code += "ground.refresh([held := ground.root / 'shut' / 'other.txt'])\n"
    code += "assert Session((ground.root,)).named(held) == held and not matters(held)\n"
    code += "print([p.name for p in hits.files], [(t.path.name, t.reason) for t in hits.troubles])"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run([sys.executable, "-c", code, closed], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.strip() == "['core.py'] [('shut', 'the folder cannot be opened: Permission denied')]", done.stderr


def test_an_open_buffer_that_is_no_text_is_told(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    root.build()
    ground = Ground(root.path, root.folder)
    ground.refresh()
    assert [path.name for path in ground.holding("total").files] == ["core.py"]
    assert root.find("total", TextFile.of(root.path / "core.py", b"", 1)).sites == ()
