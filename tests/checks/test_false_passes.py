"""Ways in which a tool's silence means nothing, each measured on a real tool: none of them passes with a tick.

Others of the list have tests of their own. A caller in a file that nobody opened, settings that take errors away, files that are left out,
and syntax errors that mask the rest are cases in `fixtures/checks/cases` and in test_servers.py; programs that are run to their end are
in test_commands.py, the shadow in test_shadow.py.
"""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.checks import ty, typescript
from surefoot.checks.checker import Checker, Tool
from surefoot.checks.child import Child
from surefoot.checks.pyrefly import CHECKER as PYREFLY
from surefoot.checks.selftest import blindness
from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.findings import Evidence, Verdict
from surefoot.core.text import TextFile
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import children_of, replaced
from tests.checks.test_servers import PYTHON, project, with_program

BREAKING = PYTHON["pricing.py"].replace("percent: int)", "percent: int, floor: int)")


async def checked(root: Path, checkers: tuple[Checker, ...], after: dict[str, str], also: tuple[str, ...] = ()) -> Evidence:
    texts = Snapshot(root)
    validator = Validator(root, CheckSettings(), checkers, lambda: ())
    try:
        return await validator.validate(replaced(texts, after), texts, [root / name for name in also])
    finally:
        await validator.close()


def found(checker: Checker, root: Path, settings: CheckSettings) -> Tool:
    tool = checker.find(root / f"a{next(iter(checker.languages))}", root, settings)
    assert isinstance(tool, Tool)
    return tool


@pytest.mark.parametrize("checker", [ty.CHECKER, typescript.CHECKER], ids=lambda checker: checker.name)
async def test_a_tool_shows_once_that_it_sees_callers_of_what_is_edited(
    checker: Checker, tmp_path: Path, settings: CheckSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = found(checker, tmp_path, settings)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert await blindness(checker, tool, settings) == ""
    (mark,) = (tmp_path / "cache" / "surefoot" / "sees-callers").iterdir()
    broken = replace(checker, launch=lambda tool, texts: pytest.fail("it was tried again"))
    assert await blindness(broken, tool, settings) == ""
    assert mark.read_bytes() == b""


async def test_one_that_does_not_see_them_is_tried_again_and_never_marked(
    tmp_path: Path, settings: CheckSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_program(tmp_path, "pyrefly")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    said = await blindness(PYREFLY, found(PYREFLY, tmp_path, settings), settings)
    assert said == "pyrefly does not see in one file what is edited in another"
    assert not (tmp_path / "cache" / "surefoot" / "sees-callers").exists()


async def test_what_was_blind_stays_unavailable_where_nobody_stands_in(tmp_path: Path) -> None:
    with_program(project(tmp_path, PYTHON), "pyrefly")
    evidence = await checked(tmp_path, (PYREFLY,), {"pricing.py": BREAKING}, ("shop.py",))
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert [run.detail for run in evidence.checks if run.tool == "pyrefly"] == [
        "pyrefly does not see in one file what is edited in another"
    ]


async def test_a_self_test_leaves_no_process_and_no_file(tmp_path: Path, settings: CheckSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    tool, before = found(ty.CHECKER, tmp_path, settings), children_of(os.getpid())
    assert await blindness(ty.CHECKER, tool, settings) == ""
    assert children_of(os.getpid()) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("surefoot-")] == []


async def test_only_files_that_are_open_are_asked_about(tmp_path: Path, settings: CheckSettings) -> None:
    """In its mode for open files ty says `[]` of one that is not: what it is asked about is opened first, callers too."""
    project(tmp_path, PYTHON)
    opened: list[set[Path]] = []

    class Watched(Child):
        async def pull(self, path: Path, *, quiet: bool = False) -> tuple[object, ...]:
            opened.append({path} - set(self._open))
            return await super().pull(path, quiet=quiet)

    launch = ty.CHECKER.launch(found(ty.CHECKER, tmp_path, settings), Snapshot(tmp_path))
    child = await Watched.start("ty", tmp_path, launch, ty.CHECKER.languages, 30, 30)
    texts = {tmp_path / name: TextFile.of(tmp_path / name, text.encode()) for name, text in {**PYTHON, "pricing.py": BREAKING}.items()}
    child.mirror(texts)
    assert [item.code for item in await child.pull(tmp_path / "shop.py")] == ["missing-argument"]
    await child.close()
    assert opened == [set()]


async def test_a_new_file_that_is_not_saved_does_not_pass_and_does_not_lie(tmp_path: Path) -> None:
    """Few servers resolve an import of a buffer that is not on disk: what they say then is new, or nothing was validated."""
    project(tmp_path, PYTHON)
    tariffs = tmp_path / "tariffs.py"
    texts = Snapshot(tmp_path, {tariffs: TextFile.of(tariffs, b"def rate(kind: str) -> int:\n    return 7\n", 1)})
    after = "from tariffs import rate\n\nRATE = rate(7)\n"
    validator = Validator(tmp_path, CheckSettings(), (ty.CHECKER,), lambda: ())
    evidence = await validator.validate(replaced(texts, {"shop.py": after}), texts)
    await validator.close()
    assert evidence.verdict is not Verdict.CLEAN


async def test_answers_that_are_raced_are_about_their_own_text(tmp_path: Path, settings: CheckSettings) -> None:
    """Ten candidates at once, each with a fault of its own: a server that is asked while it is told of another text says -32802, or answers
    for the older one."""
    project(tmp_path, PYTHON)
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, CheckSettings(), (ty.CHECKER,), lambda: ())
    wanted = [PYTHON["shop.py"] + f"\n\nwrong_{n}: int = missing_{n}\n" for n in range(10)]
    got = await asyncio.gather(*(validator.validate(replaced(texts, {"shop.py": text}), texts) for text in wanted))
    await validator.close()
    assert [[one.symbol for one in evidence.new] for evidence in got] == [[f"missing_{n}"] for n in range(10)]


async def test_nobody_waits_for_a_report_on_the_whole_workspace() -> None:
    """`workspace/diagnostic` is held until something changes, or never ends: it is not asked."""
    folder = Path(__file__).parents[2] / "server" / "surefoot"
    assert [path.name for path in folder.rglob("*.py") if '"workspace/diagnostic"' in path.read_text()] == []
