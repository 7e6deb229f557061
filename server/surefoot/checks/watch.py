"""What moved on disk since the checkers last looked, found by comparing file states: no watcher has to be trusted."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from surefoot.core.text import Texts
from surefoot.core.value import value

SETTINGS = frozenset(
    {"pyproject.toml", "ty.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "setup.py", "package.json", "tsconfig.json", "jsconfig.json"}
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
State = tuple[int, int, int]


def is_settings(path: Path) -> bool:
    """Whether a checker's behaviour hangs on this file."""
    return path.name in SETTINGS or path.name in LOCKS or (path.name.startswith(("tsconfig.", "jsconfig.")) and path.suffix == ".json")


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
    """Remembers the state (time, size, inode) of the files of one root, and of their folders, so that files are listed anew only when a
    folder has changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: Mapping[Path, State] | None = None
        self._folders: Mapping[Path, State] = {}
        self._environment: Mapping[Path, State] = {}

    def sweep(self, texts: Texts) -> Moves:
        """What differs from the sweep before; the first sweep finds nothing. Takes one `stat` a file: call it from a thread."""
        seen, environment = self._seen, self._environment
        folders = _states(self._folders)
        now = _states(texts.files() if seen is None or folders != self._folders else seen)
        self._folders = _states({self._root, *(path.parent for path in now)})
        self._seen, self._environment = now, _states(self._markers())
        if seen is None:
            return Moves()
        created = tuple(p for p in now if p not in seen)
        deleted = tuple(p for p in seen if p not in now)
        changed = tuple(p for p, state in now.items() if p in seen and seen[p] != state)
        settings = environment != self._environment or any(map(is_settings, (*created, *changed, *deleted)))
        return Moves(created, changed, deleted, settings)

    def _markers(self) -> Iterable[Path]:
        yield from (self._root / name for name in _MARKERS)
        for pattern in _PACKAGES:
            yield from self._root.glob(pattern)


def _states(files: Iterable[Path]) -> dict[Path, State]:
    out: dict[Path, State] = {}
    for path in files:
        with contextlib.suppress(OSError):
            held = path.stat()
            out[path] = (held.st_mtime_ns, held.st_size, held.st_ino)
    return out
