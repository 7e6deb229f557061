"""A root's files by git's own rules, in a repository, beside one, and without git."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.workspace.listing import list_files, list_stamped

TREE = {
    "a.py": "",
    "src/b.py": "",
    "src/.gitignore": "*.log\n!keep.log\n",
    "src/x.log": "",
    "src/keep.log": "",
    ".gitignore": "out/\n/only_here.py\n*.tmp\n",
    "out/c.py": "",
    "only_here.py": "",
    "src/only_here.py": "",
    "src/d.tmp": "",
    "node_modules/dep/index.js": "",
    "src/node_modules/dep/index.js": "",
    "env/pyvenv.cfg": "",
    "env/lib/site.py": "",
    "sp ace/é\u2028.py": "",
}
LISTED = [".gitignore", "a.py", "sp ace/é\u2028.py", "src/.gitignore", "src/b.py", "src/keep.log", "src/only_here.py"]


def grow(root: Path, tree: dict[str, str]) -> Path:
    for name, text in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@localhost"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def check_listing(root: Path, *expected: str) -> None:
    found = list_files(root)
    assert sorted(p.relative_to(root).as_posix() for p in found) == sorted(expected)
    assert len(set(found)) == len(found)


@pytest.fixture(params=["repository", "folder", "no git"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = os.environ["PATH"]
    if request.param == "repository":
        git(tmp_path, "init", "-q")
    if request.param == "no git":
        os.environ["PATH"] = str(tmp_path / "nowhere")
    yield tmp_path
    os.environ["PATH"] = path


def test_ignore_rules_hold_whoever_reads_them(root: Path) -> None:
    check_listing(grow(root, TREE), *LISTED)


def test_links_do_not_lead_in_circles_or_list_a_file_twice(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = grow(tmp_path_factory.mktemp("outside"), {"far.py": ""})
    grow(root, {"a.py": "", "src/b.py": "", ".gitignore": "hidden/\n", "hidden/h.py": ""})
    for link, target in {
        "again.py": "a.py",
        "src/up": "..",
        "loop": "loop",
        "nowhere": "gone.py",
        "far.py": str(outside / "far.py"),
        "src/away": str(outside),
        "shown.py": "hidden/h.py",
        "shown2.py": "hidden/h.py",
    }.items():
        (root / link).symlink_to(target)
    found = {p.relative_to(root).as_posix() for p in list_files(root)}
    assert found - {"shown.py", "shown2.py"} == {".gitignore", "a.py", "src/b.py"}
    assert len(found & {"shown.py", "shown2.py"}) == 1
    assert list_stamped(root).outward == ["far.py", "src/away"]


def test_a_link_out_of_a_repository_in_the_root_is_looked_at_from_the_root(tmp_path: Path) -> None:
    grow(tmp_path, {"a.py": "", "inner/b.py": ""})
    (tmp_path / "inner" / "up.py").symlink_to("../a.py")
    (tmp_path / "inner" / "out").symlink_to("../..")
    git(tmp_path / "inner", "init", "-q")
    check_listing(tmp_path, "a.py", "inner/b.py")
    assert list_stamped(tmp_path).outward == ["inner/out"]


def test_tracked_files_count_even_where_a_rule_ignores_them_and_deleted_ones_do_not(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    grow(tmp_path, {".gitignore": "*.gen.py\n", "a.gen.py": "", "gone.py": "", "node_modules/own/index.js": "", "node_modules/x.js": ""})
    git(tmp_path, "add", "-f", "a.gen.py", "gone.py", "node_modules/own/index.js")
    (tmp_path / "gone.py").unlink()
    check_listing(tmp_path, ".gitignore", "a.gen.py", "node_modules/own/index.js")


def test_a_repository_in_the_root_is_part_of_it(tmp_path: Path) -> None:
    grow(tmp_path, {"a.py": "", "inner/b.py": "", "inner/.gitignore": "c.py\n", "inner/c.py": ""})
    git(tmp_path / "inner", "init", "-q")
    check_listing(tmp_path, "a.py", "inner/.gitignore", "inner/b.py")
    git(tmp_path, "init", "-q")
    check_listing(tmp_path, "a.py", "inner/.gitignore", "inner/b.py")


def test_a_folder_of_a_repository_lists_itself_only(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    grow(tmp_path, {"a.py": "", ".gitignore": "*.tmp\nwork/\n", "src/b.py": "", "src/c.tmp": "", "work/d.py": "", "work/e.tmp": ""})
    check_listing(tmp_path / "src", "b.py")
    check_listing(tmp_path / "work", "d.py", "e.tmp")


def test_listing_runs_nothing_that_a_repository_names(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    grow(tmp_path, {"a.py": "", "hook.sh": "#!/bin/sh\ntouch ran\n"})
    (tmp_path / "hook.sh").chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(tmp_path / "hook.sh"))
    check_listing(tmp_path, "a.py", "hook.sh")
