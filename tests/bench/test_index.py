"""The bench of the index, as far as it needs no network: a small folder, and what must make it fail."""

import tarfile
from pathlib import Path

import pytest
from bench.index import ours, run
from bench.index.inputs import drawn, workspaces
from bench.index.rivals import Rival
from bench.real.targets import Unfit


def _folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "core.py").write_text("def total(items): ...\n\n\ndef other(): ...\n" + "# filler\n" * 1000)
    (root / "use.py").write_text("from core import other, total\ntotal(other())\n")
    (root / "core.ts").write_text("export function pay() {}\n")
    return root


def test_the_draw_is_the_same_every_time(tmp_path: Path) -> None:
    root = _folder(tmp_path)
    assert [(each.name, each.path, each.line, each.column) for each in drawn(root, 9, 1)] == [
        (each.name, each.path, each.line, each.column) for each in drawn(root, 9, 1)
    ]
    assert {(each.name, each.path, each.line, each.column) for each in drawn(root, 9)} == {
        ("total", "core.py", 1, 5),
        ("other", "core.py", 4, 5),
        ("pay", "core.ts", 1, 17),
    }


def test_a_small_folder_is_measured(tmp_path: Path) -> None:
    root = _folder(tmp_path)
    symbols = drawn(root, 9)
    figures = ours.measure(root, symbols)
    assert (figures.files, figures.sites) == (3, 3 + 3 + 1)
    assert figures.code == figures.every == sum(path.stat().st_size for path in root.iterdir())
    assert (len(figures.warm), len(figures.dirty), len(figures.cold), len(figures.unwatched)) == (3, 3, 3, 3)
    assert min(figures.keys) > 0
    assert run.as_text("small", figures, [Rival("other", 1.5, [0.1, 0.2])]).splitlines()[1].startswith("small: 3 files, 0 MB")


def test_a_bench_without_its_input_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--only", "nothing"]) == 3
    assert "no workspace is called nothing" in capsys.readouterr().err
    home = tmp_path / "cache" / "bench-real" / "typeorm-1.1.1"
    home.mkdir(parents=True)
    with tarfile.open(home / "typeorm-1.1.1.tgz", "w:gz"):
        pass
    with pytest.raises(Unfit, match="has the hash"):
        workspaces(["typeorm"], tmp_path / "cache" / "bench-real")
