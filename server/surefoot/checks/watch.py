"""What moved on disk since the checkers last looked, found by comparing file states: no watcher has to be trusted."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from surefoot.checks.configs import chain, is_config
from surefoot.core.value import value

SETTINGS = frozenset(
    {
        *("pyproject.toml", "ty.toml", "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", "setup.cfg", "setup.py", "surefoot.toml"),
        *("package.json", "tsconfig.json", "jsconfig.json"),
        *(f"eslint.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts", "mts", "cts")),
        *(f".eslintrc{suffix}" for suffix in (".js", ".cjs", ".yaml", ".yml", ".json", "")),
    }
)
LOCKS = frozenset(
    {
        "uv.lock",
        "poetry.lock",
        "pdm.lock",
        "Pipfile.lock",
        "requirements.txt",
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
    }
)
_MARKERS = (
    ".venv/pyvenv.cfg",
    "venv/pyvenv.cfg",
    "node_modules/.package-lock.json",
    "node_modules/.modules.yaml",
    "node_modules/.yarn-state.yml",
)
_PACKAGES = (".venv/lib/python3*/site-packages", "venv/lib/python3*/site-packages")
_CODE = frozenset({".py", ".pyi", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"})
"""What a checker may read while it checks another file."""
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".tox", ".nox"})
State = tuple[int, int, int]


def is_settings(path: Path) -> bool:
    """Whether a checker's behaviour hangs on this file by its name alone."""
    return path.name in SETTINGS or path.name in LOCKS or is_config(path)


@value
class Moves:
    """Files by what happened to them; `settings` is set when a checker has to be started anew."""

    created: tuple[Path, ...] = ()
    changed: tuple[Path, ...] = ()
    deleted: tuple[Path, ...] = ()
    settings: bool = False

    @property
    def any(self) -> bool:
        return bool(self.created or self.changed or self.deleted or self.settings)


class DiskWatch:
    """Remembers the state (time, size, inode) of the files of one root that a checker may read, and of their folders, so that files are
    looked for anew only when a folder has changed.

    Ignored files count: a generated module is imported like any other. Packages do not, one by one; what installs them leaves a mark.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: Mapping[Path, State] | None = None
        self._folders: Mapping[Path, State] = {}
        self._marks: Mapping[Path, State] = {}

    def sweep(self) -> Moves:
        """What differs from the sweep before; the first sweep finds nothing. Takes one `stat` a file: call it from a thread."""
        seen, marks = self._seen, self._marks
        if seen is not None and _states(self._folders) == self._folders:
            now = _states(seen)
        else:
            files, folders = _listed(self._root)
            now, self._folders = _states(files), _states(folders)
        self._seen, self._marks = now, _states((*self._markers(), *_chains(now)))
        if seen is None:
            return Moves()
        created = tuple(p for p in now if p not in seen)
        deleted = tuple(p for p in seen if p not in now)
        changed = tuple(p for p, state in now.items() if p in seen and seen[p] != state)
        settings = marks != self._marks or any(map(is_settings, (*created, *changed, *deleted)))
        return Moves(created, changed, deleted, settings)

    def _markers(self) -> Iterable[Path]:
        yield from (self._root / name for name in _MARKERS)
        for pattern in _PACKAGES:
            yield from self._root.glob(pattern)


def _chains(files: Iterable[Path]) -> Iterator[Path]:
    """What TypeScript's settings come from, under whatever name and wherever it is."""
    for path in files:
        if is_config(path):
            yield from chain(path)


def _listed(root: Path) -> tuple[list[Path], list[Path]]:
    """Files that a checker may read, and every folder that may come to hold one."""
    files: list[Path] = []
    folders: list[Path] = []
    for here, inner, names in os.walk(root):
        if "pyvenv.cfg" in names and Path(here) != root:
            inner.clear()
            continue
        inner[:] = [name for name in inner if name not in _NEVER]
        folder = Path(here)
        folders.append(folder)
        files += (folder / name for name in names if os.path.splitext(name)[1] in _CODE or is_settings(folder / name))
    return files, folders


def _states(files: Iterable[Path]) -> dict[Path, State]:
    out: dict[Path, State] = {}
    for path in files:
        try:
            held = os.stat(path)
        except OSError:
            continue
        out[path] = (held.st_mtime_ns, held.st_size, held.st_ino)
    return out
