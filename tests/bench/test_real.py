"""The bench on real code bases, as far as it needs no network: the shop as a local folder, and everything that must make it fail."""

import json
import sys
import tarfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bench.real.fetch import fetch, unpack
from bench.real.measure import Site, lines_of, renamed, strayed
from bench.real.project import Health, Project
from bench.real.run import main, run_all
from bench.real.targets import Target, Unfit, read_targets

SHOP = Path(__file__).parents[2] / "examples" / "shop"
TESTS = f"{sys.executable} -m unittest"
SMALL = Target("small", "python", ("rename total to add_up",))


def _rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return json.loads(capsys.readouterr().out)["rows"]


def _project(folder: Path, tmp_path: Path, text: str = "def total(items):\n    return sum(items)\n") -> Project:
    folder.mkdir()
    (folder / "m.py").write_text(text)
    project = Project(replace(SMALL, folder=folder), tmp_path / "copy")
    project.prepare(tmp_path / "cache")
    return project


def test_renames_in_a_local_folder(capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in SHOP.rglob("*") if path.is_file()}
    options = ["--repo", str(SHOP), "--rename", "get_stock to free_stock", "--rename", "getPrice to priceFor", "--tests", TESTS, "--json"]
    assert main(options) == 0
    python, typescript = _rows(capsys)
    assert (python["good"], python["steps"], python["updated"], python["fits"]) == (True, 1, 8, 2)
    assert (python["found"], python["left"], python["tests"]) == ({"exact": 10, "mention": 1}, {"mention": 1}, ["clean", "clean"])
    assert (typescript["good"], typescript["steps"], typescript["strayed"]) == (True, 1, [])
    assert {path: path.read_bytes() for path in before} == before


def test_a_rename_that_is_refused_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--repo", str(SHOP), "--rename", "nothing_like_this to other", "--json"]) == 1
    (row,) = _rows(capsys)
    assert "nothing called `nothing_like_this` was found" in str(row["trouble"])
    assert (row["changed"], row["updated"], row["good"]) == (0, 0, False)


def test_tests_that_turn_red_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "blind"
    folder.mkdir()
    (folder / "m.py").write_text("def total(items):\n    return sum(items)\n")
    (folder / "test_m.py").write_text("import m\n\nassert getattr(m, 'to' + 'tal')([1]) == 1\n")
    assert main(["--repo", str(folder), "--rename", "total to add_up", "--tests", f"{sys.executable} test_m.py"]) == 1
    printed = capsys.readouterr().out
    assert "own tests clean before, exit 1 after" in printed
    assert printed.splitlines()[1].endswith("NO")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--repo", "no/such/folder", "--rename", "a to b"], "no/such/folder is no folder"),
        (["--repo", str(SHOP)], '--repo needs --rename "OLD to NEW"'),
        (["--only", "nobody"], "no target is called nobody"),
    ],
)
def test_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_an_archive_is_believed_by_its_hash_alone(tmp_path: Path) -> None:
    target = Target("thing", "python", (), registry="pypi", version="1.0", sha256="0" * 64)
    inside = tmp_path / "thing-1.0"
    inside.mkdir()
    (inside / "m.py").write_text("x = 1\n")
    (tmp_path / "thing-1.0.cache").mkdir()
    home = tmp_path / "cache" / "thing-1.0"
    home.mkdir(parents=True)
    with tarfile.open(home / "thing-1.0.tar.gz", "w:gz") as archive:
        archive.add(inside, "thing-1.0")
    with pytest.raises(Unfit, match=r"targets\.toml says 0000"):
        fetch(target, tmp_path / "cache")
    unpack(home / "thing-1.0.tar.gz", tmp_path / "work" / "thing")
    assert (tmp_path / "work" / "thing" / "m.py").read_text() == "x = 1\n"


def test_what_cannot_be_fetched_is_missing(tmp_path: Path) -> None:
    target = Target("thing", "python", ("rename a to b",), registry="nowhere", version="1.0", sha256="0")
    rows, missing = run_all([target], tmp_path / "work", tmp_path / "cache")
    assert rows == []
    assert missing == ["thing 1.0: thing: 'nowhere' is neither pypi nor npm"]


def test_every_target_names_what_it_is() -> None:
    targets = read_targets()
    assert {(t.registry, t.language) for t in targets} == {("pypi", "python"), ("npm", "typescript")}
    assert all(len(t.sha256) == 64 and t.version and t.tasks and t.typecheck for t in targets)


def test_changes_that_nobody_asked_for_are_listed(tmp_path: Path) -> None:
    project = _project(tmp_path / "small", tmp_path)
    path = project.root / "m.py"
    path.write_text("def add_up(items):\n    return sum(items)\n")
    assert strayed(project, {path}, "total", "add_up") == []
    assert strayed(project, set(), "total", "add_up") == ["m.py: changed, and no edit asked for it"]
    path.write_text("def add_up(items):\n    return 0\n")
    (project.root / "new.py").write_text("")
    assert strayed(project, {path}, "total", "add_up") == ["m.py: more than the name changed", "new.py: is new"]


def test_a_site_is_followed_to_where_its_line_went(tmp_path: Path) -> None:
    text = "from a import b\nfrom a import total\nx = [total, 'total', add_up]\n"
    project = _project(tmp_path / "small", tmp_path, text)
    (project.root / "m.py").write_text("from a import add_up\nfrom a import b\nx = [add_up, 'total', add_up]\n")
    sites = [Site("m.py", line, column, "exact") for line, column in ((2, 15), (3, 6), (3, 14))]
    assert [renamed(project, site, "total", "add_up") for site in sites] == [True, True, False]
    assert lines_of(project.committed("m.py"), "total", "add_up") == lines_of(project.now("m.py"), "total", "add_up")


def test_what_a_project_says_of_itself_is_counted(tmp_path: Path) -> None:
    project = _project(tmp_path / "small", tmp_path)
    said = (
        "m.py:3:4: error: Bad [a]\nsrc/x.ts(1,2): error TS2304: No\\n\nTest Files 1 failed | 2 passed (3)\nTests 3 failed | 40 passed (43)"
    )
    (project.root / "say.py").write_text(f"import sys\nprint('''{said}''')\nsys.exit(2)\n")
    health = Project(replace(project.target, tests=f"{sys.executable} say.py"), project.root).tests()
    assert health is not None
    findings = Counter({"m.py: error: Bad [a]": 1, "src/x.ts: error TS2304: No": 1})
    assert replace(health, seconds=0.0) == Health(2, findings, Counter(failed=3, passed=40), 0.0)
