"""Where the tools are: the project's own first, then the copies that come with Surefoot."""

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from surefoot.checks.checker import Missing, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value

_BIN = "Scripts" if os.name == "nt" else "bin"
_EXE = ".exe" if os.name == "nt" else ""
_VENVS = (".venv", "venv")


def folders_up(path: Path, root: Path) -> Iterator[Path]:
    """The folder of `path`, its parents, up to and including `root`."""
    for folder in path.parents:
        if not folder.is_relative_to(root):
            return
        yield folder


def find_python_tool(name: str, path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    """The project's own `name` from its virtual environment, else the one that came with Surefoot."""
    if (own := own_python_tool(name, path, root)) is not None:
        return Tool(own, "", "project")
    ours = settings.tools_folder / f"{name}{_EXE}"
    if ours.is_file():
        return Tool(ours, "", "surefoot")
    return Missing(f"{name} is not installed; it comes with Surefoot, or install it in the project's .venv: pip install {name}")


def own_python_tool(name: str, path: Path, root: Path) -> Path | None:
    """The project's own `name`, from a virtual environment at `path` or above it."""
    tries = (folder / venv / _BIN / f"{name}{_EXE}" for folder in folders_up(path, root) for venv in _VENVS)
    return next((own for own in tries if own.is_file()), None)


def own_node_tool(name: str, path: Path, root: Path) -> Path | None:
    """The project's own `name`, from the node_modules at `path` or above it."""
    tries = (folder / "node_modules" / ".bin" / (f"{name}.cmd" if os.name == "nt" else name) for folder in folders_up(path, root))
    return next((own for own in tries if own.is_file()), None)


def python_environment(root: Path) -> Path | None:
    """The environment whose packages the project imports: its own .venv or venv, else an activated one that is not Surefoot's."""
    for venv in _VENVS:
        if (root / venv / "pyvenv.cfg").is_file():
            return root / venv
    active = os.environ.get("VIRTUAL_ENV")
    return Path(active) if active and Path(active).resolve() != Path(sys.prefix).resolve() else None


def bare_environment() -> Path:
    """A Python environment without any package, of the running Python's version, in Surefoot's cache folder; made where it is missing.

    Raises CheckerUnavailable where it cannot be made.
    """
    from platformdirs import user_cache_path

    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = user_cache_path("surefoot") / "bare-python" / version
    packages = folder / ("Lib/site-packages" if os.name == "nt" else f"lib/python{version}/site-packages")
    home = sys.base_prefix if os.name == "nt" else str(Path(sys.base_prefix) / "bin")
    try:
        packages.mkdir(parents=True, exist_ok=True)
        (folder / "pyvenv.cfg").write_text(f"home = {home}\nversion = {version}\ninclude-system-site-packages = false\n", "utf-8")
    except OSError as error:
        raise CheckerUnavailable(f"an empty Python environment could not be made in {folder}: {error.strerror or error}") from error
    return folder


def has_table(path: Path, texts: Texts, *keys: str) -> bool:
    """Whether a TOML file is there and has a table under these keys."""
    held = texts.read(path) if path.is_file() else None
    if not isinstance(held, TextFile):
        return False
    try:
        table: object = tomllib.loads(held.text)
    except tomllib.TOMLDecodeError:
        return False
    for key in keys:
        table = cast(dict[str, object], table).get(key) if isinstance(table, dict) else None
    return table is not None


@value
class NodePackage:
    """A package in a node_modules folder."""

    path: Path
    version: str


def node_package(name: str, path: Path, root: Path) -> NodePackage | None:
    """The package that a file of the project gets by its name, None where it is not installed."""
    for folder in folders_up(path, root):
        package = folder / "node_modules" / name
        try:
            said: object = json.loads((package / "package.json").read_bytes())
        except (OSError, ValueError):
            continue
        version = cast("dict[str, object]", said).get("version") if isinstance(said, dict) else None
        return NodePackage(package, version if isinstance(version, str) else "")
    return None


def version_of(name: str, tool: Path) -> str:
    """The version of a Python package by what its installer left in the environment of one of its programs, "" if nothing tells."""
    pattern = f"Lib/site-packages/{name}-*.dist-info" if os.name == "nt" else f"lib/python3*/site-packages/{name}-*.dist-info"
    found = next(tool.parent.parent.glob(pattern), None) or next(tool.resolve().parent.parent.glob(pattern), None)
    return found.name.removeprefix(f"{name}-").removesuffix(".dist-info") if found else ""


def environment_version(python: Path) -> str:
    """The version of the Python of an environment, "" if nothing tells."""
    try:
        text = (python.parent.parent / "pyvenv.cfg").read_text("utf-8", "replace")
    except OSError:
        return ""
    lines = (line.partition("=") for line in text.splitlines())
    return next((said.strip() for key, _, said in lines if key.strip() in {"version", "version_info"}), "")
