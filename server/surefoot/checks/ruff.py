"""ruff: lint for Python, by the project's own selection of rules."""

import os
import re
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
_BROKEN = re.compile(r"F\d|E9|invalid-syntax")
"""Rules about what is broken; the others that ruff has on by itself are a matter of taste."""


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    return find_python_tool("ruff", path, root, settings)


def _launch(tool: Tool, texts: Texts) -> Launch:
    settings: dict[str, JsonValue] = {"configurationPreference": "filesystemFirst"}
    env = {**os.environ, "RUFF_NO_CACHE": "true"}
    return Launch((str(tool.path), "server"), env, {"settings": settings}, MappingProxyType({"ruff": settings}))


def _keeps(path: Path, code: str, texts: Texts) -> bool:
    """A file that no settings of ruff govern is held to what is broken (E9, F), not to somebody's style; settings further down, or beside
    it, say nothing about it."""
    return _BROKEN.match(code) is not None or _governed(path, texts)


def _governed(path: Path, texts: Texts) -> bool:
    for folder in path.parents:
        if any((folder / name).is_file() for name in _OWN) or has_table(folder / "pyproject.toml", texts, "tool", "ruff"):
            return True
    return False


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
    keeps=_keeps,
    governs=lambda path, root: (),
    fingerprint=lambda config: "",
    obstacle=lambda tool, config, root: "",
)
