"""Further warm servers, each on a small project that has it: they see callers in files that nobody opened, and one that cannot look is
stood in for."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.checks.checker import Checker, Missing, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.table import CHECKERS
from surefoot.checks.typescript import CHECKER as SEVEN
from surefoot.checks.validate import Validator
from surefoot.core.findings import CheckStatus, Evidence, Severity, Verdict
from surefoot.run.limits import STRIKES
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import replaced, state_of

REPOSITORY = Path(__file__).parent.parent.parent
BIN = "Scripts" if os.name == "nt" else "bin"
PYTHON = {
    "pricing.py": "def discount(price: int, percent: int) -> int:\n    return price - price * percent // 100\n",
    "shop.py": "from pricing import discount\n\n\ndef pay(price: int) -> int:\n    return discount(price, 3)\n",
}
TYPESCRIPT = {
    "pricing.ts": "export function discount(price: number, percent: number): number {\n    return price - (price * percent) / 100;\n}\n",
    "shop.ts": 'import { discount } from "./pricing";\n\nexport function pay(price: number): number {\n    return discount(price, 3);\n}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "moduleResolution": "node10", "module": "commonjs", "types": []}}',
}


def project(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).write_text(text)
    return root


def with_program(root: Path, name: str) -> None:
    """Put the environment's own `name` where a project's virtual environment has it."""
    held = shutil.which(name, path=str(REPOSITORY / ".venv" / BIN)) or shutil.which(name, path=str(REPOSITORY / "node_modules" / ".bin"))
    assert held is not None, f"{name} is not installed: npm ci, and the dev group of pyproject.toml"
    folder = root / ".venv" / BIN
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).symlink_to(held)


def with_package(root: Path, name: str) -> None:
    """Lend the project a package of this repository's node_modules, with its program."""
    modules = root / "node_modules"
    (modules / name).parent.mkdir(parents=True, exist_ok=True)
    (modules / name).symlink_to(REPOSITORY / "node_modules" / name)


async def verdict(root: Path, after: dict[str, str], also: tuple[str, ...] = (), typescript: Path | None = None) -> Evidence:
    texts = Snapshot(root)
    validator = Validator(root, CheckSettings(typescript=typescript))
    try:
        return await validator.validate(replaced(texts, after), texts, [root / name for name in also])
    finally:
        await validator.close()


def statuses(evidence: Evidence) -> dict[str, CheckStatus]:
    return {run.tool: run.status for run in evidence.checks}


@pytest.fixture(params=["basedpyright", "pyright"])
def python_server(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    name: str = request.param
    with_program(project(tmp_path, PYTHON), f"{name}-langserver")
    return name, tmp_path


async def test_a_projects_own_python_server_takes_the_place_of_the_default(python_server: tuple[str, Path]) -> None:
    name, root = python_server
    before = state_of(root)
    evidence = await verdict(root, {"pricing.py": PYTHON["pricing.py"].replace("// 100", "// 10")}, ("shop.py",))
    assert evidence.verdict is Verdict.CLEAN, evidence
    assert statuses(evidence) == {"syntax": CheckStatus.CLEAN, "ruff": CheckStatus.CLEAN, name: CheckStatus.CLEAN}
    run = next(run for run in evidence.checks if run.tool == name)
    assert [path.name for path in run.scope] == ["pricing.py", "shop.py"]
    assert state_of(root) == before


async def test_it_sees_a_caller_in_a_file_that_nobody_opened(python_server: tuple[str, Path]) -> None:
    name, root = python_server
    after = PYTHON["pricing.py"].replace("percent: int)", "percent: int, floor: int)")
    evidence = await verdict(root, {"pricing.py": after}, ("shop.py",))
    assert evidence.verdict is Verdict.NEW
    shown = [found for found in evidence.new if found.severity is Severity.ERROR]
    assert [(found.tool, found.place.path.name, found.place.line) for found in shown] == [(name, "shop.py", 5)]
    assert shown[0].admissible == ("(price: int, percent: int, floor: int)",)


async def test_it_sees_what_is_wrong_where_it_is_edited(python_server: tuple[str, Path]) -> None:
    name, root = python_server
    evidence = await verdict(root, {"shop.py": PYTHON["shop.py"].replace("discount(price, 3)", "discount(price, 3).amount")})
    assert {found.tool for found in evidence.new} == {name}


async def test_where_types_are_turned_off_the_default_looks_instead(tmp_path: Path) -> None:
    with_program(project(tmp_path, PYTHON), "pyright-langserver")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "off"}')
    evidence = await verdict(tmp_path, {"pricing.py": PYTHON["pricing.py"].replace("percent: int)", "percent: int, f: int)")}, ("shop.py",))
    assert [(found.tool, found.place.path.name) for found in evidence.new] == [("ty", "shop.py")]
    assert any("ty looked instead" in note for note in evidence.not_run)


async def test_a_server_that_reads_other_files_from_disk_alone_is_not_believed(tmp_path: Path) -> None:
    """Pyrefly 1.5 answers about a caller by what the file that it calls into holds on disk, whatever that was edited to."""
    with_program(project(tmp_path, PYTHON), "pyrefly")
    after = PYTHON["pricing.py"].replace("percent: int)", "percent: int, floor: int)")
    evidence = await verdict(tmp_path, {"pricing.py": after}, ("shop.py",))
    assert [(found.tool, found.place.path.name) for found in evidence.new] == [("ty", "shop.py")]
    assert any(
        note.startswith("pyrefly of ") and note.endswith("does not see in one file what is edited in another; ty looked instead")
        for note in evidence.not_run
    )


async def test_a_project_that_seven_does_not_run_on_is_looked_at_by_its_own_tsserver(tmp_path: Path, settings: CheckSettings) -> None:
    with_package(project(tmp_path, TYPESCRIPT), "typescript")
    good = await verdict(tmp_path, {"pricing.ts": TYPESCRIPT["pricing.ts"].replace("/ 100", "/ 10")}, ("shop.ts",))
    assert good.verdict is Verdict.CLEAN
    run = next(run for run in good.checks if run.tool == "tsserver")
    assert (run.version.split(".")[0], [path.name for path in run.scope]) == ("5", ["pricing.ts", "shop.ts"])
    assert any("TS510" in note and "tsserver looked instead" in note for note in good.not_run)
    bad = await verdict(tmp_path, {"pricing.ts": TYPESCRIPT["pricing.ts"].replace("percent: number)", "percent: string)")}, ("shop.ts",))
    assert [(found.tool, found.code, found.place.path.name) for found in bad.new if found.place.path.name == "shop.ts"] == [
        ("tsserver", "2345", "shop.ts")
    ]


async def test_without_seven_a_projects_own_tsserver_is_enough(tmp_path: Path) -> None:
    root, empty = tmp_path / "p", tmp_path / "empty"
    root.mkdir()
    empty.mkdir()
    with_package(project(root, TYPESCRIPT), "typescript")
    evidence = await verdict(root, {"shop.ts": TYPESCRIPT["shop.ts"].replace("discount(price, 3)", "discount(price)")}, typescript=empty)
    assert [(found.tool, found.code) for found in evidence.new] == [("tsserver", "2554")]
    assert evidence.new[0].admissible == ("(price: number, percent: number)",)


async def test_files_that_move_on_disk_reach_tsserver(tmp_path: Path) -> None:
    root, empty = tmp_path / "p", tmp_path / "empty"
    root.mkdir()
    empty.mkdir()
    with_package(project(root, TYPESCRIPT), "typescript")
    validator = Validator(root, CheckSettings(typescript=empty))

    async def seen(text: str) -> list[str]:
        texts = Snapshot(root)
        evidence = await validator.validate(replaced(texts, {"shop.ts": text}), texts)
        return [found.code for found in evidence.new]

    assert await seen(TYPESCRIPT["shop.ts"] + "// one\n") == []
    (root / "pricing.ts").write_text(TYPESCRIPT["pricing.ts"].replace("percent: number)", "percent: number, floor: number)"))
    assert await seen(TYPESCRIPT["shop.ts"].replace("price, 3", "price, 3, 4")) == []
    (root / "pricing.ts").write_text(TYPESCRIPT["pricing.ts"])
    assert await seen(TYPESCRIPT["shop.ts"].replace("price, 3", "price, 3, 4")) == ["2554"]
    await validator.close()


async def test_tsserver_knows_fixes(tmp_path: Path) -> None:
    with_package(project(tmp_path, TYPESCRIPT), "typescript")
    (tmp_path / "shop.ts").write_text(TYPESCRIPT["shop.ts"].replace('import { discount } from "./pricing";\n', ""))
    texts = Snapshot(tmp_path)
    at = (tmp_path / "shop.ts").read_bytes().index(b"discount")
    validator = Validator(tmp_path, CheckSettings())
    fixes = await validator.fixes(texts, tmp_path / "shop.ts", at, at + 1)
    await validator.close()
    assert any("pricing" in fix.title and fix.origin == "tsserver" for fix in fixes)


async def test_biome_is_heard_where_a_project_has_it(tmp_path: Path) -> None:
    with_package(project(tmp_path, {"app.ts": "export const a = 1;\n", "biome.json": "{}"}), "@biomejs")
    with_package(tmp_path, ".bin")
    good = await verdict(tmp_path, {"app.ts": "export const a = 2;\n"})
    assert statuses(good)["biome"] is CheckStatus.CLEAN
    bad = await verdict(tmp_path, {"app.ts": "export const a = 1;\ndebugger;\n"})
    assert [(found.tool, found.code) for found in bad.new] == [("biome", "lint/suspicious/noDebugger")]


async def test_a_file_that_biome_leaves_out_is_not_said_to_be_clean(tmp_path: Path) -> None:
    settings = '{"files": {"includes": ["**", "!app.ts"]}}'
    with_package(project(tmp_path, {"app.ts": "export const a = 1;\n", "biome.json": settings}), "@biomejs")
    with_package(tmp_path, ".bin")
    evidence = await verdict(tmp_path, {"app.ts": "export const a = 2;\n"})
    assert "biome" not in statuses(evidence)
    assert any(note.startswith("biome of app.ts: ") for note in evidence.not_run)


def chain_of(checker: Checker) -> list[str]:
    named = {one.name: one for one in CHECKERS}
    out = [checker.name]
    while checker.instead:
        checker = named[checker.instead]
        assert checker.name not in out, "a chain of checkers goes in a circle"
        out.append(checker.name)
    return out


def test_every_chain_of_checkers_ends() -> None:
    assert {tuple(chain_of(checker)) for checker in CHECKERS if checker.instead} == {
        ("basedpyright", "ty"),
        ("pyright", "ty"),
        ("pyrefly", "ty"),
        ("typescript", "tsserver"),
    }


async def test_three_strikes_then_fallback(tmp_path: Path) -> None:
    """A tool that fails is unavailable; after three failures in a row another one looks, and it is said."""
    program = tmp_path / ".venv" / BIN / "pyright-langserver"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho out of memory >&2\nexit 3\n")
    program.chmod(0o755)
    project(tmp_path, PYTHON)
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, CheckSettings())
    change = replaced(texts, {"pricing.py": PYTHON["pricing.py"].replace("// 100", "// 10")})
    said = [await validator.validate(change, texts) for _ in range(STRIKES + 1)]
    await validator.close()
    assert [evidence.verdict for evidence in said] == [Verdict.UNAVAILABLE] * STRIKES + [Verdict.CLEAN]
    assert statuses(said[-1])["ty"] is CheckStatus.CLEAN
    assert any("left alone after 3 failures in a row" in note and "out of memory" in note for note in said[-1].not_run)


async def test_a_chain_that_ends_says_so(tmp_path: Path) -> None:
    gone = replace(SEVEN, find=lambda path, root, settings: Missing("it is gone"))
    texts = Snapshot(project(tmp_path, TYPESCRIPT))
    validator = Validator(tmp_path, CheckSettings(), (gone, *(one for one in CHECKERS if one.name == "tsserver")))
    evidence = await validator.validate(replaced(texts, {"shop.ts": TYPESCRIPT["shop.ts"] + "// one\n"}), texts)
    await validator.close()
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert [(run.tool, run.detail) for run in evidence.checks if run.tool != "syntax"] == [("typescript", "it is gone")]
    assert not isinstance(gone.find(tmp_path, tmp_path, CheckSettings()), Tool)
