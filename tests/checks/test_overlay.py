"""Checks look at texts, not at files: nothing in the project is written, and what moves on disk is noticed."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from surefoot.checks.runner import MOST_ASKED
from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.errors import TextError
from surefoot.core.findings import CheckStatus, Verdict
from surefoot.core.text import TextFile, digest
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import all_end, children_of, replaced, smallest, state_of

FILES = {
    "pyproject.toml": "[tool.ruff.lint]\nselect = ['F']\n",
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext", "incremental": true, "outDir": "out" } }\n',
    "shop.py": "def total() -> int:\n    return 1\n",
    "cart.py": "from shop import total\n\nSUM = total()\n",
    "shop.ts": "export const total = 1;\n",
    "cart.ts": 'import { total } from "./shop";\nexport const sum = total;\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


@pytest.fixture
async def validator(root: Path, settings: CheckSettings) -> AsyncIterator[Validator]:
    made = Validator(root, settings)
    yield made
    await made.close()


async def test_nothing_is_written_in_the_project(root: Path, validator: Validator) -> None:
    before = state_of(root)
    texts = Snapshot(root)
    change = replaced(texts, {"shop.py": "def amount() -> int:\n    return 1\n", "shop.ts": "export const amount = 1;\n"})
    evidence = await validator.validate(change, texts, [root / "cart.py", root / "cart.ts"])
    await validator.diagnose(texts, texts.files())
    await validator.fixes(texts, root / "cart.py", 0, 10)
    await validator.close()
    assert evidence.verdict is Verdict.NEW
    assert state_of(root) == before


async def test_evidence_names_the_texts_it_hangs_on_as_they_are_before_the_change(root: Path, validator: Validator) -> None:
    buffer = TextFile.of(root / "cart.ts", b"export {};\n", 3)
    texts = Snapshot(root, {root / "cart.ts": buffer})
    change = replaced(texts, {"shop.py": "def total() -> int:\n    return 2\n"})
    evidence = await validator.validate(change, texts, [root / "cart.py"])
    want = {name: digest(text.encode()) for name, text in FILES.items() if name in {"pyproject.toml", "shop.py", "cart.py"}}
    got = {i.path.name: i.digest for i in evidence.inputs}
    assert got == {**want, "tsconfig.json": digest(FILES["tsconfig.json"].encode()), "cart.ts": buffer.digest}
    assert evidence.change == change.digest
    assert evidence.verdict is Verdict.CLEAN


async def test_evidence_hangs_on_what_the_checked_files_import(root: Path, validator: Validator) -> None:
    files = {
        "helper.py": "from deep.er import total\n\n__all__ = ['total']\n",
        "deep/__init__.py": "",
        "deep/er.py": "def total() -> int: ...\n",
        "other.py": "A = 1\n",
        "lib/index.ts": 'export { total } from "../shop";\n',
        "far.ts": "export const far = 1;\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    texts = Snapshot(root)
    change = {
        "cart.py": "from helper import total\n\nSUM = total()\n",
        "cart.ts": 'export * from "./lib";\n',
    }
    evidence = await validator.validate(replaced(texts, change), texts)
    assert evidence.verdict is Verdict.CLEAN
    got = {i.path.relative_to(root).as_posix(): i.digest for i in evidence.inputs}
    assert got.keys() == {*files, *FILES} - {"other.py", "far.ts"}
    assert got["helper.py"] == digest(files["helper.py"].encode())


async def test_a_step_is_compared_with_the_step_before_it(root: Path, validator: Validator) -> None:
    texts = Snapshot(root)
    first = replaced(texts, {"shop.py": 'def total() -> int:\n    return "a"\n'})
    assert (await validator.validate(first, texts)).verdict is Verdict.NEW
    then = texts.with_change(first)
    second = replaced(then, {"shop.py": 'def total() -> int:\n    # Why?\n    return "a"\n'})
    evidence = await validator.validate(second, then)
    assert evidence.verdict is Verdict.CLEAN
    third = replaced(then, {"shop.py": "def total() -> int:\n    return 1\n"})
    assert len((await validator.validate(third, then)).fixed) == 1


async def test_what_moves_on_disk_is_noticed(root: Path, validator: Validator) -> None:
    change = {"cart.py": "from shop import total\n\nSUM = total()\nMORE = SUM\n"}
    texts = Snapshot(root)
    assert (await validator.validate(replaced(texts, change), texts)).verdict is Verdict.CLEAN
    (root / "shop.py").write_text("def amount() -> int:\n    return 1\n")
    texts = Snapshot(root)
    evidence = await validator.validate(replaced(texts, {"cart.py": "from shop import amount\n\nSUM = amount()\n"}), texts)
    assert evidence.verdict is Verdict.CLEAN
    assert [d.code for d in evidence.fixed] == ["missing-module-member"]


async def test_settings_that_move_count_from_the_next_check_on(root: Path, validator: Validator) -> None:
    texts = Snapshot(root)
    change = {"shop.py": "def total() -> int:\n    print(1)\n    return 1\n"}
    assert (await validator.validate(replaced(texts, change), texts)).verdict is Verdict.CLEAN
    (root / "pyproject.toml").write_text("[tool.ruff.lint]\nselect = ['T20']\n")
    texts = Snapshot(root)
    evidence = await validator.validate(replaced(texts, change), texts)
    assert [d.code for d in evidence.new] == ["T201"]


async def test_a_disk_change_is_not_lost_with_a_look_that_is_cancelled(root: Path, validator: Validator) -> None:
    await validator.diagnose(Snapshot(root), [root / "cart.py"])
    for turns in range(0, 60, 3):
        name = f"total{turns}"
        (root / "shop.py").write_text(f"def {name}() -> int:\n    return 1\n")
        look = asyncio.create_task(validator.diagnose(Snapshot(root), [root / "cart.py"]))
        for _ in range(turns):
            await asyncio.sleep(0)
        look.cancel()
        await asyncio.wait([look])
        buffer = TextFile.of(root / "cart.py", f"from shop import {name}\n\nSUM = {name}()\n".encode(), turns)
        found = await validator.diagnose(Snapshot(root, {root / "cart.py": buffer}), [root / "cart.py"])
        assert found.diagnostics == (), turns


async def test_no_child_is_forgotten_when_a_restart_is_cancelled(root: Path, validator: Validator) -> None:
    before = children_of(os.getpid())
    await validator.diagnose(Snapshot(root), [root / "cart.py"])
    for turns in range(0, 60, 6):
        (root / "pyproject.toml").write_text(f"[project]\nname = 'shop'\nversion = '{turns}.0'\n")
        look = asyncio.create_task(validator.diagnose(Snapshot(root), [root / "cart.py"]))
        for _ in range(turns):
            await asyncio.sleep(0)
        look.cancel()
        await asyncio.wait([look])
    await validator.close()
    assert children_of(os.getpid()) <= before


async def test_a_generated_module_that_git_ignores_is_noticed(root: Path, validator: Validator) -> None:
    (root / ".gitignore").write_text("gen.py\n")
    (root / "gen.py").write_text("def f() -> int:\n    return 1\n")
    (root / "use.py").write_text("from gen import f\n\nprint(f())\n")
    assert (await validator.diagnose(Snapshot(root), [root / "use.py"])).diagnostics == ()
    (root / "gen.py").write_text("def g() -> int:\n    return 1\n")
    assert [d.code for d in (await validator.diagnose(Snapshot(root), [root / "use.py"])).diagnostics] == ["missing-module-member"]


async def test_settings_under_any_name_count_from_the_next_check_on(root: Path, validator: Validator) -> None:
    (root / "base").mkdir()
    (root / "base" / "web.json").write_text('{ "compilerOptions": { "strict": true } }')
    (root / "tsconfig.json").write_text('{ "extends": ["./base/web.json"], "compilerOptions": { "module": "esnext" } }')
    change = {"shop.ts": "export const total = 2;\n"}
    texts = Snapshot(root)
    evidence = await validator.validate(replaced(texts, change), texts)
    assert evidence.verdict is Verdict.CLEAN
    assert root / "base" / "web.json" in {i.path for i in evidence.inputs}
    (root / "base" / "web.json").write_text('{ "compilerOptions": { "baseUrl": "." } }')
    texts = Snapshot(root)
    assert (await validator.validate(replaced(texts, change), texts)).verdict is Verdict.UNAVAILABLE


async def test_the_checks_are_told_one_after_another(root: Path, validator: Validator) -> None:
    texts = Snapshot(root)
    heard: list[str] = []
    change = replaced(texts, {"shop.py": "def total() -> int:\n    return 2\n", "shop.ts": "export const total = 2;\n"})
    await validator.validate(change, texts, on_check=heard.append)
    assert heard == ["syntax", "ruff", "ty", "typescript"]


async def test_a_change_for_other_texts_is_refused(root: Path, validator: Validator) -> None:
    texts = Snapshot(root)
    change = replaced(texts, {"shop.py": "A = 1\n"})
    moved = Snapshot(root, {root / "shop.py": TextFile.of(root / "shop.py", b"B = 1\n", 2)})
    with pytest.raises(TextError):
        await validator.validate(change, moved)


async def test_what_cannot_be_read_is_reported(root: Path, validator: Validator) -> None:
    (root / "latin.py").write_bytes(b"# caf\xe9\n")
    texts = Snapshot(root)
    change = replaced(texts, {"shop.py": "def total() -> int:\n    return 2\n"})
    evidence = await validator.validate(change, texts, [root / "latin.py"])
    assert [(u.path.name, u.reason) for u in evidence.not_scanned] == [("latin.py", "not UTF-8 (byte 5)")]


async def test_bytes_of_windows_lines_are_placed_right(root: Path, validator: Validator) -> None:
    (root / "win.py").write_bytes(b"A = 1\r\nB: int = 1\r\n")
    texts = Snapshot(root)
    edit = smallest(texts, root / "win.py", 'A = 1\r\nB: int = "1"\r\n')
    assert (edit.start, edit.end) == (16, 17) or edit.text == '"1"'
    evidence = await validator.validate(replaced(texts, {"win.py": 'A = 1\r\nB: int = "1"\r\n'}), texts)
    assert [(d.place.line, d.place.column, d.place.start, d.place.end) for d in evidence.new] == [(2, 10, 16, 19)]


async def test_findings_of_open_buffers(root: Path, validator: Validator) -> None:
    buffer = TextFile.of(root / "cart.py", b"import os\n\nfrom shop import nothing\n\nprint(nothing)\n", 4)
    texts = Snapshot(root, {root / "cart.py": buffer})
    found = await validator.diagnose(texts, [root / "cart.py", root / "cart.ts"])
    assert [(d.tool, d.code, d.symbol) for d in found.diagnostics] == [("ruff", "F401", "os"), ("ty", "missing-module-member", "nothing")]
    assert [(c.tool, c.status) for c in found.checks] == [(name, CheckStatus.CLEAN) for name in ("ruff", "ty", "typescript")]


async def test_files_under_settings_that_the_tool_does_not_run_on_show_no_findings(root: Path, validator: Validator) -> None:
    (root / "tsconfig.json").write_text('{ "compilerOptions": { "baseUrl": ".", "module": "esnext" } }')
    (root / "cart.ts").write_text('import { total } from "shop";\nexport const sum = total;\n')
    found = await validator.diagnose(Snapshot(root), [root / "cart.ts"])
    assert found.diagnostics == ()
    assert [(c.status, c.scope, c.detail[:28]) for c in found.checks] == [
        (CheckStatus.UNAVAILABLE, (root / "cart.ts",), "tsconfig.json does not run o")
    ]


async def test_only_the_nearest_findings_are_asked_about(root: Path, validator: Validator) -> None:
    text = "".join(f"import m{n}\n" for n in range(40))
    (root / "cart.py").write_text(text)
    fixes = await validator.fixes(Snapshot(root), root / "cart.py", text.index("import m20"), len(text))
    assert {fix.answers.place.line for fix in fixes if fix.origin == "ruff"} == set(range(21, 21 + MOST_ASKED))


async def test_no_process_is_left(root: Path, validator: Validator) -> None:
    texts, before = Snapshot(root), children_of(os.getpid())
    await validator.diagnose(texts, [root / "cart.py", root / "cart.ts"])
    ours = children_of(os.getpid()) - before
    assert len(ours) >= 3
    await validator.close()
    assert not ours & children_of(os.getpid())


async def test_closing_while_a_check_runs_ends_both(root: Path, validator: Validator) -> None:
    texts = Snapshot(root)
    begun = asyncio.Event()
    change = replaced(texts, {"shop.ts": "export const total = 2;\n"})
    running = asyncio.create_task(validator.validate(change, texts, on_check=lambda name: begun.set()))
    await begun.wait()
    await validator.close()
    assert (await running).verdict in {Verdict.UNAVAILABLE, Verdict.CLEAN}


async def test_the_packages_of_the_projects_own_environment_are_seen(root: Path, validator: Validator) -> None:
    packages = root / ".venv" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages" / "parcel"
    packages.mkdir(parents=True)
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3.{sys.version_info.minor}\n")
    (packages / "__init__.py").write_text("def weigh(grams: int) -> int: ...\n")
    (root / ".gitignore").write_text(".venv\n")
    texts = Snapshot(root)
    change = {"cart.py": "from parcel import weigh\n\nSUM = weigh('heavy')\n"}
    evidence = await validator.validate(replaced(texts, change), texts)
    assert [d.code for d in evidence.new] == ["invalid-argument-type"]


async def test_packages_of_surefoots_own_python_are_not_the_projects(root: Path, validator: Validator) -> None:
    (root / "cart.py").write_text("import json\n\nprint(json)\n")
    texts = Snapshot(root)
    change = {"cart.py": "import json\n\nimport pip\nimport pydantic\n\nprint(json, pip, pydantic)\n"}
    evidence = await validator.validate(replaced(texts, change), texts)
    assert [d.symbol for d in evidence.new if d.tool == "ty"] == ["pip", "pydantic"]


async def test_checkers_end_with_a_server_that_is_killed(root: Path) -> None:
    script = "\n".join(
        (
            "import asyncio, os, sys",
            "from pathlib import Path",
            "from surefoot.checks.validate import Validator",
            "from surefoot.workspace.snapshot import Snapshot",
            "async def main(root):",
            "    await Validator(root).diagnose(Snapshot(root), [root / 'shop.py', root / 'shop.ts'])",
            "    print('ready', flush=True)",
            "    await asyncio.Event().wait()",
            "asyncio.run(main(Path(sys.argv[1])))",
        )
    )
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", script, str(root), stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    assert await server.stdout.readline() == b"ready\n"
    checkers = children_of(server.pid)
    assert len(checkers) >= 2
    server.kill()
    await server.wait()
    await all_end(checkers)
