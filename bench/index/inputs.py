"""The workspaces that are searched, laid out from source packages, and the names that are looked for in them."""

import random
import re
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from bench.accuracy.choose import Chosen
from bench.accuracy.codebases import CodeBase
from bench.real.fetch import cache_folder, fetch, unpack
from bench.real.targets import Target, Unfit

from surefoot.core.text import LineIndex
from surefoot.workspace.listing import list_files

LIST = Path(__file__).with_name("packages.toml")
SEED = 20261130
_DEFINED = {
    ".py": re.compile(rb"^(?:async )?def ([A-Za-z]\w{2,})", re.MULTILINE),
    ".ts": re.compile(rb"^export (?:declare )?(?:async )?function ([A-Za-z]\w{2,})", re.MULTILINE),
    ".js": re.compile(rb"^(?:export )?(?:async )?function ([A-Za-z]\w{2,})", re.MULTILINE),
}


@dataclass(frozen=True)
class Workspace(CodeBase):
    """A folder to search. `home` holds what language servers leave."""

    folder: Path = Path()

    @property
    def home(self) -> Path:
        return self.folder.parent

    @property
    def root(self) -> Path:
        return self.folder


def workspaces(only: Sequence[str], cache: Path | None = None) -> list[Workspace]:
    """The workspaces, laid out. Raises Unfit when a package cannot be had."""
    held = tomllib.loads(LIST.read_text(encoding="utf-8"))
    packages = {str(entry["name"]): Target(tasks=(), **entry) for entry in held["package"]}
    wanted = cast(dict[str, list[str]], held["workspaces"])
    if unknown := set(only) - wanted.keys():
        raise Unfit(f"no workspace is called {', '.join(sorted(unknown))}; there are {', '.join(wanted)}")
    return [_laid(name, [packages[each] for each in parts], cache or cache_folder()) for name, parts in wanted.items() if name in only]


def _laid(name: str, parts: Sequence[Target], cache: Path) -> Workspace:
    home = cache.with_name("bench-index") / name
    root, mark = home / "root", home / "complete"
    label = " ".join(f"{part.name}-{part.sha256}" for part in parts)
    if not mark.exists() or mark.read_text() != label:
        shutil.rmtree(home, ignore_errors=True)
        for part in parts:
            unpack(fetch(part, cache), root / part.name.replace("/", "+") if len(parts) > 1 else root)
        mark.write_text(label)
    return Workspace(name, parts[0].language if len(parts) == 1 else "", folder=root)


def drawn(root: Path, count: int, seed: int = SEED) -> list[Chosen]:
    """Functions by a fixed draw, each name once, and where one of that name is defined."""
    found: dict[str, tuple[Path, int]] = {}
    for path in list_files(root):
        if (pattern := _DEFINED.get(path.suffix)) is not None:
            for match in pattern.finditer(path.read_bytes()):
                found.setdefault(match[1].decode(), (path, match.start(1)))
    names = random.Random(seed).sample(sorted(found), min(count, len(found)))
    return [_chosen(root, name, *found[name]) for name in names]


def _chosen(root: Path, name: str, path: Path, offset: int) -> Chosen:
    line, column = LineIndex(path.read_bytes()).position(offset)
    return Chosen("function", name, path.relative_to(root).as_posix(), line + 1, column + 1)
