"""mypy: types for Python as the project's own settings of mypy want them."""

import re
from collections.abc import Sequence
from pathlib import Path

from surefoot.checks.checker import CheckKind, Missing, Proof, Tool
from surefoot.checks.command import Command, Found, Said, Scratch
from surefoot.checks.command_output import severity_of
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import find_python_tool, folders_up, has_table, python_environment, version_of
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile, Texts

_OWN = ("mypy.ini", ".mypy.ini")
_SECTION = re.compile(r"^\[mypy\]", re.MULTILINE)
_LINE = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+):(?P<end_line>\d+):(?P<end_column>\d+): (?P<severity>error|note|warning): "
    r"(?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)
_BROAD = re.compile(r"[^:]+(?::\d+)?: (?:error|note): (?P<message>.+)$")
_OPTIONS = (
    *("--no-pretty", "--show-column-numbers", "--show-error-end", "--no-error-summary", "--hide-error-context", "--no-color-output"),
    *("--show-error-codes", "--show-absolute-path"),
)
_SCRATCH = "surefoot_scratch"


def _uses(path: Path, texts: Texts) -> Path | None:
    """The folder whose settings of mypy govern the file."""
    for folder in folders_up(path, texts.root):
        if any((folder / name).is_file() for name in _OWN) or has_table(folder / "pyproject.toml", texts, "tool", "mypy"):
            return folder
        held = texts.read(folder / "setup.cfg") if (folder / "setup.cfg").is_file() else None
        if isinstance(held, TextFile) and _SECTION.search(held.text):
            return folder
    return None


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    found = find_python_tool("mypy", path, root, settings)
    if isinstance(found, Missing):
        return Missing("mypy is not installed in the project's .venv; its settings ask for it: pip install mypy")
    return Tool(found.path, version_of("mypy", found.path), found.home)


def _tell(tool: Path, place: Path, files: Sequence[Path], cache: Path) -> tuple[str, ...]:
    """Without an environment of its own a project has the packages of whoever installed mypy."""
    own = python_environment(place)
    inside = own is not None and tool.is_relative_to(own)
    python = () if own is None or inside else ("--python-executable", str(own / "bin" / "python"))
    return (str(tool), *_OPTIONS, *python, "--cache-dir", str(cache), *map(str, files))


def _read(said: Said) -> tuple[Found, ...]:
    out: list[Found] = []
    for text in filter(str.strip, said.text.splitlines()):
        match = _LINE.match(text)
        if match is None:
            broad = _BROAD.match(text)
            if broad is None:
                raise ValueError("a line that is none of mypy's")
            if said.code > 1:
                raise CheckerUnavailable(f"mypy could not look: {broad['message']}")
            continue
        line, column, end_line, last = (int(match[name]) for name in ("line", "column", "end_line", "end_column"))
        severity, code = severity_of(match["severity"]), match["code"] or ""
        out.append(Found(match["file"], line, column, end_line, last + 1, severity, code, match["message"]))
    return tuple(out)


def _proof(path: Path, texts: Texts) -> Proof:
    return Proof(
        "surefoot_missing_name\n",
        "surefoot_missing_name",
        f"mypy reports nothing in {path.name}: the project's settings turn it off there, or the file says so",
        early=True,
    )


def _scratch(path: Path, texts: Texts) -> Scratch:
    """A module beside the file, named as one that stands there would be."""
    package = isinstance(texts.read(path.parent / "__init__.py"), TextFile)
    file = TextFile.of(path.parent / f"{_SCRATCH}.py", b"surefoot_made: str = surefoot_missing_name\n")
    name = f".{_SCRATCH}" if package else _SCRATCH
    return Scratch(file, f"from {name} import surefoot_made\nsurefoot_made.surefoot_absent\n", "surefoot_absent")


COMMAND = Command(
    name="mypy",
    kind=CheckKind.TYPES,
    suffixes=frozenset({".py", ".pyi"}),
    alone=False,
    required=False,
    uses=_uses,
    find=_find,
    tell=_tell,
    read=_read,
    proof=_proof,
    good=frozenset({0, 1, 2}),
    masks=True,
    seconds=120.0,
    scratch=_scratch,
)
