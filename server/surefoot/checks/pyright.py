"""basedpyright and pyright, where a project has one of them: types for Python, by its own version and settings."""

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from surefoot.checks.checker import Checker, CheckKind, Launch, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import own_node_tool, own_python_tool, python_environment
from surefoot.core.text import Texts

if TYPE_CHECKING:
    from pydantic import JsonValue

_BIN = "Scripts/python.exe" if os.name == "nt" else "bin/python"


def _proof(name: str, path: Path) -> Proof:
    """A fault of each of two kinds: with types turned off, names that are missing are still told."""
    return Proof(
        'surefoot_planted: int = "surefoot_planted"\nsurefoot_planted.surefoot_member\n',
        "surefoot_planted",
        f"{name} reports nothing in {path.name}: it is excluded, its rules are turned off, or it says `type: ignore` for the whole file",
        early=True,
        kinds=("surefoot_member",),
    )


def _launch(tool: Tool, texts: Texts) -> Launch:
    """Only what is open is checked: all that matters is opened. What it would look up on the net it is told to leave."""
    analysis: dict[str, JsonValue] = {"diagnosticMode": "openFilesOnly", "useLibraryCodeForTypes": True, "autoSearchPaths": True}
    venv = python_environment(texts.root)
    python: dict[str, JsonValue] = {"analysis": analysis, **({"pythonPath": str(venv / _BIN)} if venv is not None else {})}
    own: dict[str, JsonValue] = {"analysis": analysis, "disableOrganizeImports": True}
    sections: dict[str, JsonValue] = {"python": python, "pyright": own, "basedpyright": own}
    sections |= {f"{name}.analysis": analysis for name in ("python", "pyright", "basedpyright")}
    env = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    return Launch((str(tool.path), "--stdio"), env, None, MappingProxyType(sections))


def _checker(name: str) -> Checker:
    program = f"{name}-langserver"

    def own(path: Path, root: Path) -> Path | None:
        return own_python_tool(program, path, root) or own_node_tool(program, path, root)

    def find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
        held = own(path, root)
        return Tool(held, "", "project") if held is not None else Missing(f"{name} is not installed in the project's environment")

    return Checker(
        name=name,
        kind=CheckKind.TYPES,
        languages=MappingProxyType({".py": "python", ".pyi": "python"}),
        alone=False,
        required=True,
        find=find,
        launch=_launch,
        proof=lambda path, texts: _proof(name, path),
        kin=MappingProxyType({}),
        is_syntax=lambda code: code == "",
        unresolved=frozenset({"reportMissingImports"}),
        stubs=lambda path: (path.with_suffix(".pyi"),) if path.suffix == ".py" else (),
        keeps=lambda path, code, texts: True,
        governs=lambda path, root: (),
        fingerprint=lambda config: "",
        obstacle=lambda tool, config, root: "",
        wanted=lambda path, root: own(path, root) is not None,
        instead="ty",
    )


BASEDPYRIGHT = _checker("basedpyright")
PYRIGHT = _checker("pyright")
