"""How tsconfig files lead from one to another, and what is noticed of them."""

from pathlib import Path

import pytest

from surefoot.checks.configs import chain, fingerprint, governing
from surefoot.checks.watch import DiskWatch

FILES = {
    "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "tools" }] }',
    "tsconfig.app.json": '{ "extends": ["./base/strict.json", "@shop/settings/web"], "include": ["src/**/*"], }',
    "base/strict.json": '{ "extends": "./loose", "compilerOptions": {} }',
    "base/loose.json": "{}",
    "tools/tsconfig.json": '{ "extends": "shop-settings" }',
    "node_modules/@shop/settings/web.json": "{}",
    "node_modules/shop-settings/package.json": '{ "tsconfig": "all.json" }',
    "node_modules/shop-settings/all.json": "{}",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(root: Path, paths: tuple[Path, ...]) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in paths)


def test_a_chain_has_everything_that_settings_come_from(root: Path) -> None:
    assert names(root, chain(root / "tsconfig.json")) == sorted(name for name in FILES if not name.endswith("package.json"))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("src/a.ts", ["tsconfig.app.json", "tsconfig.json"]),
        ("tools/a.ts", ["tools/tsconfig.json"]),
        ("other/a.ts", ["tsconfig.json"]),
    ],
)
def test_a_file_is_governed_by_those_that_claim_it(name: str, wanted: list[str], root: Path) -> None:
    assert names(root, governing(root / name, root)) == wanted


def test_a_circle_ends(root: Path) -> None:
    (root / "base" / "loose.json").write_text('{ "extends": "../tsconfig.app.json", "references": [{ "path": "../" }] }')
    assert root / "base" / "loose.json" in chain(root / "tsconfig.json")
    assert governing(root / "src" / "a.ts", root)[0] == root / "tsconfig.json"


@pytest.mark.parametrize("name", ["base/loose.json", "node_modules/@shop/settings/web.json", "tsconfig.app.json"])
def test_what_moves_in_a_chain_is_noticed(name: str, root: Path) -> None:
    watch = DiskWatch(root)
    watch.sweep()
    before = fingerprint(root / "tsconfig.json")
    assert not watch.sweep().any
    (root / name).write_text('{ "compilerOptions": { "strict": false } }')
    assert watch.sweep().settings
    assert fingerprint(root / "tsconfig.json") != before


def test_ignored_modules_and_new_folders_are_noticed_and_packages_are_not(root: Path) -> None:
    (root / ".gitignore").write_text("gen.py\n")
    (root / "gen.py").write_text("A = 1\n")
    watch = DiskWatch(root)
    watch.sweep()
    (root / "gen.py").write_text("AB = 1\n")
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "b.ts").write_text("")
    (root / "node_modules" / "shop-settings" / "index.js").write_text("")
    moves = watch.sweep()
    assert (moves.created, moves.changed, moves.settings) == ((root / "deep" / "er" / "b.ts",), (root / "gen.py",), False)
    (root / "deep" / "er" / "b.ts").unlink()
    assert watch.sweep().deleted == (root / "deep" / "er" / "b.ts",)
