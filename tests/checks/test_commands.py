"""Real programs that are run to their end in the shadow: what they say of a candidate, and that nothing of the project is written."""

import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from surefoot.checks import compile_files, compiled, eslint, mypy, tsc
from surefoot.checks.command import Command, Gate
from surefoot.checks.settings import CheckSettings
from surefoot.checks.shadow_copy import CopyShadow
from surefoot.checks.validate import Validator
from surefoot.core.change import Change
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Verdict
from surefoot.core.text import TextFile
from surefoot.report.titles import checks_words
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import replaced, state_of

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = {
    "mypy.ini": "[mypy]\nstrict = True\n",
    "shop/__init__.py": "",
    "shop/price.py": "def total(items: list[int]) -> int:\n    return sum(items)\n",
    "shop/cart.py": "from shop.price import total\n\nSUM: int = total([1])\n",
    "old.py": "COUNT: int = 'wrong before'\n",
}
NODE = {
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "eslint.config.js": 'export default [{ rules: { "no-debugger": "error" }, ignores: ["left/**"] }];\n',
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext", "declaration": true, "outDir": "out" } }\n',
    "price.ts": "export function total(items: number[]): number {\n  return items.length;\n}\n",
    "cart.ts": 'import { total } from "./price.js";\n\nexport const sum: number = total([1]);\n',
    "page.js": "export const page = 1;\n",
    "left/out.js": "export const out = 1;\n",
}


@pytest.fixture(autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(params=["overlay", "copy"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both kinds of shadow, the second as where there are no namespaces."""
    if request.param == "copy":

        async def copied(root: Path, state: Path) -> CopyShadow:
            return await CopyShadow.open(root, state, "no namespaces")

        monkeypatch.setattr("surefoot.checks.commands.open_shadow", copied)
    return request.param


def made(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A project with an environment of its own, in which mypy is installed."""
    root = made(tmp_path / "project", PYTHON)
    binaries = root / ".venv" / "bin"
    binaries.mkdir(parents=True)
    for name in ("mypy", "python"):
        (binaries / name).symlink_to(Path(sys.prefix) / "bin" / name)
    version = ".".join(map(str, sys.version_info[:3]))
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\nversion = {version}\n")
    return root


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A project with TypeScript 5 and ESLint in its own node_modules."""
    root = made(tmp_path / "project", NODE)
    (root / "node_modules").mkdir()
    for package in (REPOSITORY / "node_modules").iterdir():
        if package.name in {"typescript", "eslint", "@eslint", "@types"}:
            (root / "node_modules" / package.name).symlink_to(package)
    return root


class Asker:
    """Asks one command alone, at the gate that it belongs to."""

    def __init__(self, root: Path, *commands: Command) -> None:
        self.root, self.commands = root, commands
        self.validator = Validator(root, CheckSettings(), (), lambda: self.commands)

    async def ask(self, after: Mapping[str, str], *also: str, opened: Mapping[str, str] | None = None) -> Evidence:
        buffers = {self.root / name: TextFile.of(self.root / name, text.encode(), 1) for name, text in (opened or {}).items()}
        texts = Snapshot(self.root, buffers)
        change = replaced(texts, after)
        return await self.judged(change, texts, [self.root / name for name in also])

    async def judged(self, change: Change, texts: Snapshot, also: list[Path]) -> Evidence:
        if self.commands[0].gate is Gate.RUN:
            return await self.validator.run_gate(change, texts, also)
        return await self.validator.validate(change, texts, also)


@pytest.fixture
async def asker(request: pytest.FixtureRequest) -> AsyncIterator[Asker]:
    root_name, *commands = request.param
    held = Asker(request.getfixturevalue(root_name), *commands)
    yield held
    await held.validator.close()


def run_of(evidence: Evidence, tool: str) -> CheckRun:
    [run] = [run for run in evidence.checks if run.tool == tool]
    return run


def told(evidence: Evidence) -> list[tuple[str, int, int, str]]:
    return [(d.place.path.name, d.place.line, d.place.column, d.code) for d in sorted(evidence.new, key=lambda d: str(d.place.path))]


MYPY = pytest.mark.parametrize("asker", [("python", mypy.COMMAND)], indirect=True)
ESLINT = pytest.mark.parametrize("asker", [("node", eslint.COMMAND)], indirect=True)
TSC = pytest.mark.parametrize("asker", [("node", tsc.COMMAND)], indirect=True)


@MYPY
async def test_mypy_finds_what_a_candidate_breaks_in_files_that_nobody_opened(kind: str, asker: Asker) -> None:
    before = state_of(asker.root)
    evidence = await asker.ask({"shop/price.py": "def amount(items: list[int]) -> int:\n    return sum(items)\n"}, "shop/cart.py")
    assert evidence.verdict is Verdict.NEW
    assert told(evidence) == [("cart.py", 1, 1, "attr-defined")]
    run = run_of(evidence, "mypy")
    assert {path.name for path in run.scope} == {"price.py", "cart.py"}
    assert run.version.startswith("2.")
    fine = await asker.ask({"shop/price.py": "def total(items: list[int]) -> int:\n    return sum(items) + 1\n"}, "shop/cart.py")
    assert fine.verdict is Verdict.CLEAN
    assert run_of(fine, "mypy").detail == {"overlay": "in an overlay", "copy": "in a copy (no namespaces)"}[kind]
    assert state_of(asker.root) == before


@MYPY
async def test_mypy_sees_unsaved_and_new_buffers(asker: Asker) -> None:
    opened = {"shop/price.py": "def amount() -> str: ...\n", "shop/new.py": "NAME: str = 'new'\n"}
    text = "from shop.new import NAME\nfrom shop.price import amount\n\nSUM: int = amount()\nNAMES: int = NAME\n"
    evidence = await asker.ask({"shop/cart.py": text}, opened=opened)
    assert [row[:2] for row in told(evidence)] == [("cart.py", 4), ("cart.py", 5)]


@MYPY
async def test_what_was_wrong_before_is_not_new_and_what_is_gone_is_fixed(asker: Asker) -> None:
    evidence = await asker.ask({"old.py": "# Counted.\nCOUNT: int = 'wrong before'\n"})
    assert (evidence.verdict, evidence.new, evidence.fixed) == (Verdict.CLEAN, (), ())
    evidence = await asker.ask({"old.py": "COUNT: int = 1\n"})
    assert (evidence.verdict, [d.code for d in evidence.fixed]) == (Verdict.CLEAN, ["assignment"])
    evidence = await asker.ask({"old.py": "COUNT: int = 1\nNAME: str = 1\n"})
    assert (evidence.verdict, told(evidence), len(evidence.fixed)) == (Verdict.NEW, [("old.py", 2, 13, "assignment")], 1)


@MYPY
async def test_a_syntax_error_elsewhere_hides_the_rest_and_is_said(asker: Asker) -> None:
    """Either the candidate is not clean, or what there was before cannot be compared."""
    opened = {"shop/price.py": "def total(:\n"}
    evidence = await asker.ask({"shop/cart.py": "from shop.price import total\n\nSUM: int = total('x')\n"}, opened=opened)
    assert evidence.verdict is Verdict.MASKED
    evidence = await asker.ask({"shop/price.py": PYTHON["shop/price.py"]}, opened=opened)
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert run_of(evidence, "mypy").detail == "a syntax error in price.py hides what mypy would find before the change"


@MYPY
async def test_a_file_that_mypy_is_told_to_leave_alone_has_no_tick(asker: Asker) -> None:
    (asker.root / "mypy.ini").write_text("[mypy]\n[mypy-old]\nignore_errors = True\n")
    evidence = await asker.ask({"old.py": "COUNT: int = 'x'\nMORE: int = 'x'\n"})
    assert not [run for run in evidence.checks if run.tool == "mypy"]
    assert any(note.startswith("mypy of old.py: mypy reports nothing in old.py") for note in evidence.not_run)


@MYPY
async def test_a_line_that_silences_is_noticed(asker: Asker) -> None:
    assert (await asker.ask({"old.py": "COUNT: int = 1\n"})).verdict is Verdict.CLEAN
    evidence = await asker.ask({"old.py": "# mypy: ignore-errors\nCOUNT: int = 1\nMORE: int = 'x'\n"})
    assert not [run for run in evidence.checks if run.tool == "mypy"]


@MYPY
async def test_settings_that_mypy_does_not_take_are_told(asker: Asker) -> None:
    (asker.root / "mypy.ini").write_text("[mypy]\nplugins = no_such_plugin\n")
    evidence = await asker.ask({"old.py": "COUNT: int = 1\n"})
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert "no_such_plugin" in run_of(evidence, "mypy").detail


async def test_a_project_without_settings_of_mypy_is_not_asked_about_it(python: Path) -> None:
    (python / "mypy.ini").unlink()
    held = Asker(python, mypy.COMMAND)
    evidence = await held.ask({"old.py": "COUNT: int = 1\n"})
    await held.validator.close()
    assert [run.tool for run in evidence.checks] == ["syntax"]


@pytest.mark.parametrize("asker", [("python", compiled.COMMAND)], indirect=True)
async def test_the_projects_own_python_compiles(kind: str, asker: Asker) -> None:
    evidence = await asker.ask({"old.py": "COUNT = 1\n"})
    assert [run.tool for run in evidence.checks] == ["syntax"], "the syntax gate knows this version"
    settings = asker.root / ".venv" / "pyvenv.cfg"
    settings.write_text(f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3.9.1\n")
    evidence = await asker.ask({"old.py": "COUNT = 1\n"})
    run = run_of(evidence, "compile")
    assert (evidence.verdict, run.status, run.version) == (Verdict.CLEAN, CheckStatus.CLEAN, "3.9.1")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"COUNT = 1\n", None),
        (b"def f():\n    x = 1\n    nonlocal x\n", (3, 5, "name 'x' is assigned to before nonlocal declaration")),
        (b"return 1\n", (1, 1, "'return' outside function")),
        (b"\xff\n", (1, 1, "(unicode error) 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte")),
        (b"x = 1\0\n", (1, 1, "source code string cannot contain null bytes")),
    ],
)
def test_what_keeps_a_file_from_being_compiled(text: bytes, fault: tuple[int, int, str] | None, tmp_path: Path) -> None:
    (tmp_path / "file.py").write_bytes(text)
    found = compile_files.faults([str(tmp_path / "file.py")])
    assert [(one["line"], one["column"], one["message"]) for one in found] == ([fault] if fault else [])


@ESLINT
async def test_eslint_with_the_projects_own_rules(kind: str, asker: Asker) -> None:
    before = state_of(asker.root)
    evidence = await asker.ask({"page.js": 'export const page = "😀"; debugger;\n'})
    assert (evidence.verdict, told(evidence)) == (Verdict.NEW, [("page.js", 1, 26, "no-debugger")])
    run = run_of(evidence, "eslint")
    assert (run.status, run.version.split(".")[0]) == (CheckStatus.NEW, "10")
    assert (await asker.ask({"page.js": "export const page = 2;\n"})).verdict is Verdict.CLEAN
    assert state_of(asker.root) == before


@ESLINT
async def test_a_file_that_eslint_ignores_has_no_tick(asker: Asker) -> None:
    (asker.root / "eslint.config.js").write_text('export default [{ ignores: ["left/**"] }, { rules: { "no-debugger": "error" } }];\n')
    evidence = await asker.ask({"left/out.js": "export const out = 2;\n"})
    assert [run.tool for run in evidence.checks] == ["syntax"]
    assert "eslint of out.js: ESLint does not look at out.js: the project's settings leave it out" in evidence.not_run


@ESLINT
async def test_settings_that_eslint_does_not_take_are_told(asker: Asker) -> None:
    (asker.root / "eslint.config.js").write_text('import nothing from "no-such-plugin";\nexport default [nothing];\n')
    evidence = await asker.ask({"page.js": "export const page = 2;\n"})
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert run_of(evidence, "eslint").detail.startswith("eslint ended with exit code 2")


@TSC
async def test_tsc_finds_what_a_candidate_breaks_anywhere_in_the_program(kind: str, asker: Asker) -> None:
    before = state_of(asker.root)
    evidence = await asker.ask({"price.ts": "export function amount(items: number[]): number {\n  return items.length;\n}\n"})
    assert (evidence.verdict, told(evidence)) == (Verdict.NEW, [("cart.ts", 1, 10, "2305")])
    run = run_of(evidence, "tsc")
    assert ({path.name for path in run.scope}, run.version.split(".")[0]) == ({"price.ts", "cart.ts"}, "5")
    fine = await asker.ask({"price.ts": "export function total(items: number[]): number {\n  return items.length + 1;\n}\n"})
    assert fine.verdict is Verdict.CLEAN
    assert state_of(asker.root) == before


@TSC
async def test_tsc_masked_by_a_syntax_error_says_so(asker: Asker) -> None:
    evidence = await asker.ask({"cart.ts": 'import { none } from "./price.js";\n'}, opened={"price.ts": "export function (\n"})
    assert evidence.verdict is Verdict.MASKED


@TSC
async def test_settings_that_tsc_does_not_take_are_told(asker: Asker) -> None:
    (asker.root / "tsconfig.json").write_text('{ "extends": "./none.json" }')
    evidence = await asker.ask({"cart.ts": "export const sum = 1;\n"})
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert "none.json" in run_of(evidence, "tsc").detail


async def test_what_belongs_to_the_run_gate_is_named_and_not_run(node: Path) -> None:
    validator = Validator(node, CheckSettings(), (), lambda: (tsc.COMMAND,))
    texts = Snapshot(node)
    heard: list[str] = []
    evidence = await validator.validate(replaced(texts, {"cart.ts": "export const sum = 1;\n"}), texts, on_check=heard.append)
    await validator.close()
    assert "tsc: not run, it belongs to the run gate" in evidence.not_run
    assert heard == ["syntax"]


@ESLINT
async def test_a_check_that_takes_too_long_moves_to_the_run_gate_and_the_title_says_so(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surefoot.checks.commands.OFFER_GATE_SECONDS", 0.0)
    first = await asker.ask({"page.js": "export const page = 2;\n"})
    assert checks_words(first) == "eslint ✓"
    texts = Snapshot(asker.root)
    change = replaced(texts, {"page.js": "debugger;\n"})
    second = await asker.validator.validate(change, texts)
    assert checks_words(second) == "eslint later"
    assert "moved to the run gate" in run_of(second, "eslint").detail
    last = await asker.validator.run_gate(change, texts)
    assert (last.verdict, told(last)) == (Verdict.NEW, [("page.js", 1, 1, "no-debugger")])


async def test_what_is_not_installed_is_said(python: Path) -> None:
    shutil.rmtree(python / ".venv")
    held = Asker(python, mypy.COMMAND)
    held.validator = Validator(python, CheckSettings(tools=python / "none"), (), lambda: held.commands)
    evidence = await held.ask({"old.py": "COUNT: int = 1\n"})
    await held.validator.close()
    assert "mypy: not run, mypy is not installed in the project's .venv; its settings ask for it: pip install mypy" in evidence.not_run
