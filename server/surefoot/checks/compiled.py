"""`compile()` of the project's own Python: whether its version of the language can read a file at all."""

import sys
from collections.abc import Sequence
from pathlib import Path

from surefoot.checks import compile_files
from surefoot.checks.checker import CheckKind, Missing, Proof, Tool
from surefoot.checks.command import Command
from surefoot.checks.command_output import Fields, json_lines
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import environment_version, own_python_tool
from surefoot.core.text import Texts

_FIELDS = Fields(file="file", line="line", column="column", end_line="end_line", end_column="end_column", message="message", code="code")


def _uses(path: Path, texts: Texts) -> Path | None:
    """Where the project has a Python of its own, of another version than the one that runs this: that one compiles at the syntax gate."""
    own = own_python_tool("python", path, texts.root)
    ours = f"{sys.version_info.major}.{sys.version_info.minor}."
    return texts.root if own is not None and not environment_version(own).startswith(ours) else None


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    own = own_python_tool("python", path, root)
    return Tool(own, environment_version(own), "project") if own is not None else Missing("the project has no Python of its own")


def _tell(tool: Path, place: Path, files: Sequence[Path], cache: Path) -> tuple[str, ...]:
    return (str(tool), "-I", "-S", "-B", "-W", "ignore", str(compile_files.__file__), *map(str, files))


def _proof(path: Path, texts: Texts) -> Proof:
    return Proof("def (\n", "", f"Python does not compile {path.name}", early=True)


COMMAND = Command(
    name="compile",
    kind=CheckKind.SYNTAX,
    suffixes=frozenset({".py"}),
    alone=True,
    required=False,
    uses=_uses,
    find=_find,
    tell=_tell,
    read=lambda said: json_lines(said, _FIELDS),
    proof=_proof,
    good=frozenset({0}),
)
