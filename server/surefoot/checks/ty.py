"""ty: types for Python, warm, across files."""

import os
import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from surefoot.checks.checker import Checker, CheckKind, Launch, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import bare_environment, find_python_tool, has_table, own_python_tool, python_environment
from surefoot.core.findings import Diagnostic
from surefoot.core.text import Texts

if TYPE_CHECKING:
    from pydantic import JsonValue


OTHERS = ("basedpyright-langserver", "pyright-langserver", "pyrefly")
"""Programs of type checkers that a project may have in ty's place."""
_UNRESOLVED = frozenset({"import-not-found", "unresolved-import"})
_MODULE = re.compile(r"`([A-Za-z_][\w.]*)`")


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    return find_python_tool("ty", path, root, settings)


def _launch(tool: Tool, texts: Texts) -> Launch:
    """A project without an environment of its own gets one without packages: left alone, ty would take those of the environment that it is
    installed in, and what Surefoot happens to have would count as the project's."""
    settings: dict[str, JsonValue] = {"diagnosticMode": "workspace"}
    env = {k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"}
    if (venv := python_environment(texts.root)) is not None:
        env["VIRTUAL_ENV"] = str(venv)
    elif not _has_environment(texts):
        settings["configuration"] = {"environment": {"python": str(bare_environment())}}
    return Launch((str(tool.path), "server"), env, settings, MappingProxyType({"ty": settings}))


def _has_environment(texts: Texts) -> bool:
    root = texts.root
    return has_table(root / "ty.toml", texts, "environment") or has_table(root / "pyproject.toml", texts, "tool", "ty", "environment")


def _proof(path: Path, texts: Texts) -> Proof:
    """Two planted faults, so that a project which turned one rule off still shows the other."""
    return Proof(
        'surefoot_planted: int = "surefoot_planted"\nsurefoot_missing_name\n',
        "surefoot_",
        f"ty reports nothing in {path.name}: it is excluded, its rules are turned off, or it says `type: ignore` for the whole file",
        early=True,
    )


def _wanted(path: Path, root: Path) -> bool:
    """Where the project has no type checker of its own, or has this one."""
    return own_python_tool("ty", path, root) is not None or not any(own_python_tool(name, path, root) for name in OTHERS)


def _noise(found: Diagnostic, texts: Texts) -> bool:
    """A package that is not found where the project has no environment to find it in: nobody but the user knows what is installed there."""
    module = _MODULE.search(found.message)
    if found.code not in _UNRESOLVED or module is None or python_environment(texts.root) is not None or _has_environment(texts):
        return False
    top = module[1].split(".")[0]
    return not any((folder / top).exists() or (folder / f"{top}.py").exists() for folder in (texts.root, texts.root / "src"))


CHECKER = Checker(
    name="ty",
    kind=CheckKind.TYPES,
    languages=MappingProxyType({".py": "python", ".pyi": "python"}),
    alone=False,
    required=True,
    find=_find,
    launch=_launch,
    proof=_proof,
    kin=MappingProxyType({}),
    is_syntax=lambda code: code == "invalid-syntax",
    unresolved=_UNRESOLVED,
    stubs=lambda path: (path.with_suffix(".pyi"),) if path.suffix == ".py" else (),
    keeps=lambda path, code, texts: True,
    governs=lambda path, root: (),
    fingerprint=lambda config: "",
    obstacle=lambda tool, config, root: "",
    noise=_noise,
    wanted=_wanted,
)
