"""ruff: lint for Python, by the project's own selection of rules."""

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from surefoot.checks.checker import Checker, CheckKind, Launch, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import find_python_tool, has_table
from surefoot.core.text import Texts

if TYPE_CHECKING:
    from pydantic import JsonValue

_OWN = ("ruff.toml", ".ruff.toml")


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    return find_python_tool("ruff", path, root, settings)


def _launch(tool: Tool, texts: Texts) -> Launch:
    """A project that never chose rules is held to what is broken (E9, F), not to somebody's style."""
    settings: dict[str, JsonValue] = {"configurationPreference": "filesystemFirst"}
    if not _has_settings(texts):
        settings["lint"] = {"select": ["E9", "F"]}
    env = {**os.environ, "RUFF_NO_CACHE": "true"}
    return Launch((str(tool.path), "server"), env, {"settings": settings}, MappingProxyType({"ruff": settings}))


def _has_settings(texts: Texts) -> bool:
    near = [folder / name for folder in (texts.root, *texts.root.parents) for name in (*_OWN, "pyproject.toml")]
    listed = [p for p in texts.files() if p.name in _OWN or p.name == "pyproject.toml"]
    return any(path.is_file() if path.name in _OWN else has_table(path, texts, "tool", "ruff") for path in dict.fromkeys((*near, *listed)))


def _proof(path: Path, texts: Texts) -> Proof:
    """A syntax error is reported whatever rules are selected, so silence means that the file is excluded."""
    return Proof("def (\n", "", f"ruff does not look at {path.name}: the project's settings exclude it", early=True)


CHECKER = Checker(
    name="ruff",
    kind=CheckKind.LINT,
    languages=MappingProxyType({".py": "python", ".pyi": "python"}),
    alone=True,
    required=False,
    find=_find,
    launch=_launch,
    proof=_proof,
    kin=MappingProxyType({}),
    is_syntax=lambda code: code == "invalid-syntax",
    unresolved=frozenset(),
    stubs=lambda path: (),
    governs=lambda path, root: (),
    fingerprint=lambda config: "",
    obstacle=lambda tool, config, root: "",
)
