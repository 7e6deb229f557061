"""Which tool is used, what is said when there is none, and how a person sees it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from surefoot.__main__ import main
from surefoot.checks import ty, typescript
from surefoot.checks.checker import Missing, Tool
from surefoot.checks.install import install_typescript
from surefoot.checks.settings import CheckSettings
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.findings import Verdict
from tests.checks.support import evidence_of
from tests.support.fixture import parse

CASE = """One line in each language.

-- shop.py --
A = 1
-- shop.ts --
export const a = 1;
-- @after/shop.py --
A = 2
-- @after/shop.ts --
export const a = 2;
"""


async def test_a_missing_tool_is_not_validated_and_says_how_to_get_it(tmp_path: Path) -> None:
    root, empty = tmp_path / "p", tmp_path / "empty"
    root.mkdir()
    empty.mkdir()
    evidence, _ = await evidence_of(parse(CASE), root, CheckSettings(tools=empty, typescript=empty))
    assert evidence.verdict is Verdict.UNAVAILABLE
    details = {run.tool: run.detail for run in evidence.checks}
    assert details["ty"] == "ty is not installed; it comes with Surefoot, or install it in the project's .venv: pip install ty"
    assert details["ruff"].startswith("ruff is not installed")
    assert details["typescript"] == "TypeScript 7 is not installed (the project has none); run: surefoot doctor --install"


def test_the_projects_own_tool_comes_first(tmp_path: Path, settings: CheckSettings) -> None:
    inner = tmp_path / "apps" / "shop"
    own = tmp_path / "apps" / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "ty"
    own.parent.mkdir(parents=True)
    own.touch()
    assert ty.CHECKER.find(inner / "a.py", tmp_path, settings) == Tool(own, "", "project")
    found = ty.CHECKER.find(tmp_path / "a.py", tmp_path, settings)
    assert isinstance(found, Tool)
    assert found.home == "surefoot"


def test_a_projects_older_typescript_gives_way_to_our_copy(tmp_path: Path, settings: CheckSettings) -> None:
    package = tmp_path / "node_modules" / "typescript"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "typescript", "version": "5.9.3"}')
    found = typescript.CHECKER.find(tmp_path / "a.ts", tmp_path, settings)
    assert isinstance(found, Tool)
    assert found.home == "surefoot"
    missing = typescript.CHECKER.find(tmp_path / "a.ts", tmp_path, CheckSettings(typescript=tmp_path / "nowhere"))
    assert missing == Missing(
        "TypeScript 7 is not installed (the project's own is 5.9.3, which has no native server); run: surefoot doctor --install"
    )


def test_a_projects_own_typescript_seven_is_used(tmp_path: Path, settings: CheckSettings) -> None:
    (tmp_path / "node_modules").symlink_to(settings.typescript_folder / "node_modules")
    found = typescript.CHECKER.find(tmp_path / "src" / "a.ts", tmp_path, settings)
    assert isinstance(found, Tool)
    assert (found.home, found.version.split(".")[0]) == ("project", "7")


def test_typescript_is_installed_once_into_a_folder(tmp_path: Path) -> None:
    settings = CheckSettings(typescript=tmp_path / "typescript")
    made = install_typescript(settings)
    assert made.version == "7.0.2"
    assert made.path.is_file()
    state = made.path.stat().st_mtime_ns
    assert install_typescript(settings).path.stat().st_mtime_ns == state


def test_without_npm_the_reason_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CheckerUnavailable, match="npm was not found; install Node"):
        install_typescript(CheckSettings(typescript=tmp_path / "typescript"))


def test_an_install_that_fails_says_what_npm_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shutil.which("npm")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(CheckerUnavailable, match=r"npm could not install typescript@7\.0\.2: npm"):
        install_typescript(CheckSettings(typescript=tmp_path / "typescript"))


def test_doctor_lists_what_there_is(tmp_path: Path, settings: CheckSettings, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"baseUrl": "."}}')
    assert main(("doctor", "--root", str(tmp_path), "--json")) == 0
    tools = {row["tool"]: row for row in json.loads(capsys.readouterr().out)["tools"]}
    assert {name: row["status"] for name, row in tools.items()} == {"ruff": "found", "ty": "found", "typescript": "found"}
    assert tools["ty"]["version"][:2] == "0."
    assert "Option 'baseUrl' has been removed" in tools["typescript"]["detail"]


def test_doctor_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(("doctor", "--root", str(tmp_path))) == 1
    assert (
        "typescript   missing    TypeScript 7 is not installed (the project has none); run: surefoot doctor --install"
        in capsys.readouterr().out
    )


def test_doctor_wants_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("doctor", "--root", str(tmp_path / "nowhere"))) == 2
    assert "is not a folder" in capsys.readouterr().err
