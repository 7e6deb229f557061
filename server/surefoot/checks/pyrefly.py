"""pyrefly, where a project has it: types for Python, by its own version and settings.

Without settings of its own, or with those of another checker, it keeps whole kinds of errors to itself: a name that is missing is told, a
wrong argument is not. So it is told to speak, and one fault of each kind has to be reported.
"""

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from surefoot.checks.checker import Checker, CheckKind, Launch, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import own_python_tool
from surefoot.core.text import Texts

if TYPE_CHECKING:
    from pydantic import JsonValue


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    own = own_python_tool("pyrefly", path, root)
    return Tool(own, "", "project") if own is not None else Missing("pyrefly is not installed in the project's environment")


def _launch(tool: Tool, texts: Texts) -> Launch:
    own: dict[str, JsonValue] = {"displayTypeErrors": "force-on"}
    return Launch(
        (str(tool.path), "lsp"), dict(os.environ), {"pyrefly": own}, MappingProxyType({"python": {"pyrefly": own}, "pyrefly": own})
    )


def _proof(path: Path, texts: Texts) -> Proof:
    return Proof(
        'from os import surefoot_import\n\nsurefoot_planted: int = "surefoot_planted"\nsurefoot_planted.surefoot_member\n',
        "surefoot_planted",
        f"pyrefly reports nothing in {path.name}: it is excluded, or kinds of errors are turned off",
        early=True,
        kinds=("surefoot_member", "surefoot_import"),
    )


CHECKER = Checker(
    name="pyrefly",
    kind=CheckKind.TYPES,
    languages=MappingProxyType({".py": "python", ".pyi": "python"}),
    alone=False,
    required=True,
    find=_find,
    launch=_launch,
    proof=_proof,
    kin=MappingProxyType({}),
    is_syntax=lambda code: code == "parse-error",
    unresolved=frozenset({"missing-import", "import-error"}),
    stubs=lambda path: (path.with_suffix(".pyi"),) if path.suffix == ".py" else (),
    keeps=lambda path, code, texts: True,
    governs=lambda path, root: (),
    fingerprint=lambda config: "",
    obstacle=lambda tool, config, root: "",
    wanted=lambda path, root: own_python_tool("pyrefly", path, root) is not None,
    instead="ty",
)
