"""What is for a model's provider alone reaches no program that is started: a project may bring its own."""

import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from surefoot.checks.checker import Tool
from surefoot.checks.imports import with_sorted_imports
from surefoot.checks.outcome import Ran
from surefoot.checks.process import ChildProcess
from surefoot.checks.program import run_program
from surefoot.checks.servers import GOPLS
from surefoot.checks.settings import CheckSettings
from surefoot.checks.shadow import Asked, Shadow
from surefoot.checks.shadow_copy import CopyShadow
from surefoot.checks.shadow_overlay import OverlayShadow
from surefoot.cli.doctor import look
from surefoot.core.errors import CheckerUnavailable
from surefoot.workspace.environment import SECRETS, for_programs
from surefoot.workspace.listing import list_files
from surefoot.workspace.snapshot import Snapshot

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the spying program is a script with a #! line")

KEPT = "SUREFOOT_TEST_KEPT"


@dataclass(frozen=True)
class Spy:
    """A program that writes its environment into a file and says nothing."""

    folder: Path

    def at(self, *path: str) -> Path:
        """The program under this name."""
        place = self.folder.joinpath(*path)
        place.parent.mkdir(parents=True, exist_ok=True)
        told = self.folder / "told"
        place.write_text(f"#!{sys.executable} -IS\nimport json, os\nopen({str(told)!r}, 'w').write(json.dumps(dict(os.environ)))\n")
        place.chmod(0o755)
        return place

    @property
    def told(self) -> dict[str, str]:
        return json.loads((self.folder / "told").read_text())


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spy:
    for name in SECRETS:
        monkeypatch.setenv(name, "sk-for-the-provider-alone")
    monkeypatch.setenv(KEPT, "kept")
    return Spy(tmp_path)


async def a_child(spy: Spy) -> None:
    """Warm checkers and language servers."""
    launch = GOPLS.launch(Tool(spy.at("gopls"), "", "user"), Snapshot(spy.folder))
    child = await ChildProcess.start(launch.argv, spy.folder, launch.env)
    await child.end(patience=30)


async def a_program(spy: Spy) -> None:
    assert isinstance(run_program("spy", (str(spy.at("spy")),), spy.folder, 30, bytes.decode), Ran)


async def an_import_sorter(spy: Spy) -> None:
    spy.at(".venv", "bin", "ruff")
    assert await with_sorted_imports(spy.folder / "a.py", spy.folder, b"import os\n", CheckSettings()) == b"import os\n"


async def git(spy: Spy) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{spy.at('bin', 'git').parent}{os.pathsep}{os.environ['PATH']}")
        list_files(spy.folder)


async def doctor(spy: Spy) -> None:
    spy.at(".venv", "bin", "ruff")
    look(spy.folder)


async def a_copy(spy: Spy) -> None:
    await _shadowed(spy, await CopyShadow.open(_root(spy), spy.folder / "state", "asked for"))


async def an_overlay(spy: Spy) -> None:
    """The helper that holds the mounts is in sight of what runs in them."""
    try:
        shadow = await OverlayShadow.open(_root(spy))
    except CheckerUnavailable as error:
        pytest.skip(str(error))
    assert SECRETS.isdisjoint(entry.partition("=")[0] for entry in Path(f"/proc/{shadow.pid}/environ").read_text().split("\0"))
    await _shadowed(spy, shadow)


def _root(spy: Spy) -> Path:
    root = spy.folder / "root"
    root.mkdir()
    return root


async def _shadowed(spy: Spy, shadow: Shadow) -> None:
    """What the commands of a project are told."""
    say = (sys.executable, "-IS", "-c", "import json, os; print(json.dumps(dict(os.environ)))")
    try:
        ended = await shadow.run(Asked("spy", say, dict(os.environ), spy.folder / "root", 60))
    finally:
        await shadow.close()
    (spy.folder / "told").write_bytes(ended.stdout)


@pytest.mark.parametrize("start", [a_child, a_program, an_import_sorter, git, doctor, a_copy, an_overlay], ids=lambda start: start.__name__)
async def test_no_program_is_told(start: Callable[[Spy], Awaitable[None]], spy: Spy) -> None:
    await start(spy)
    assert SECRETS.isdisjoint(spy.told)
    assert "sk-for-the-provider-alone" not in "".join(spy.told.values())
    assert spy.told[KEPT] == "kept"


def test_a_name_counts_in_any_case() -> None:
    assert for_programs({"Anthropic_Api_Key": "k", "HOME": "h"}) == {"HOME": "h"}
