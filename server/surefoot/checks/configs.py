"""Which tsconfig files govern a file, and everything that their settings come from.

One place knows how `extends` and `references` lead from file to file, so that evidence, the watch over the disk and what is known of a
configuration never differ in it.
"""

import os.path
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from surefoot.checks.toolchain import folders_up
from surefoot.core.text import TextFile, Unreadable, digest
from surefoot.core.value import value
from surefoot.syntax.jsonc import read_jsonc
from surefoot.workspace.disk import read_file

Read = Callable[[Path], TextFile | Unreadable | None]
NAMES = ("tsconfig.json", "jsconfig.json")


@value
class _Config:
    """What one file says of others: `roots` are the folders and files that it claims, None where it leaves that to what it extends."""

    extends: tuple[Path, ...]
    references: tuple[Path, ...]
    roots: tuple[Path, ...] | None


def is_config(path: Path) -> bool:
    """Whether a file is named as TypeScript's settings are."""
    return path.name.startswith(("tsconfig.", "jsconfig.")) and path.suffix == ".json"


def nearest_config(path: Path, root: Path) -> Path | None:
    """The first tsconfig.json or jsconfig.json from the folder of `path` up to `root`."""
    return next((folder / name for folder in folders_up(path, root) for name in NAMES if (folder / name).is_file()), None)


def governing(path: Path, root: Path) -> tuple[Path, ...]:
    """The configuration above `path`, and those it refers to, at any depth, that may claim `path`."""
    nearest = nearest_config(path, root)
    if nearest is None:
        return ()
    return (nearest, *(other for other in _referred(nearest, read_file) if _claims(other, path, read_file)))


def chain(config: Path, read: Read = read_file) -> tuple[Path, ...]:
    """`config`, and every file that its settings come from or that it refers to, at any depth. Names of packages are followed too."""
    found: dict[Path, None] = {}
    waiting = [config]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = None
            said = _read(here, read)
            waiting += (*said.extends, *said.references)
    return tuple(found)


def fingerprint(config: Path) -> str:
    """Names the settings that a configuration has on disk now: other bytes anywhere in its chain, another name."""
    parts: list[str] = []
    for path in sorted(chain(config)):
        held = read_file(path)
        parts.append(f"{path}\0{held.digest if isinstance(held, TextFile) else ''}")
    return digest("\n".join(parts).encode("utf-8", "surrogateescape"))


def _referred(config: Path, read: Read) -> Sequence[Path]:
    found: dict[Path, None] = {}
    waiting = list(_read(config, read).references)
    while waiting:
        here = waiting.pop(0)
        if here not in found and here != config:
            found[here] = None
            waiting += _read(here, read).references
    return tuple(found)


def _claims(config: Path, path: Path, read: Read) -> bool:
    roots = _roots(config, read, frozenset())
    return any(path.is_relative_to(root) for root in (roots if roots is not None else (config.parent,)))


def _roots(config: Path, read: Read, seen: frozenset[Path]) -> tuple[Path, ...] | None:
    said = _read(config, read)
    if said.roots is not None or config in seen:
        return said.roots
    inherited = [_roots(other, read, seen | {config}) for other in said.extends]
    return next((roots for roots in reversed(inherited) if roots is not None), None)


def _read(config: Path, read: Read) -> _Config:
    held = read(config)
    data = _object(read_jsonc(held.text) if isinstance(held, TextFile) else None)
    names = data.get("extends")
    extended = [_extended(config, name, read) for name in ([names] if isinstance(names, str) else _strings(names))]
    referred = [_object(item).get("path") for item in _list(data.get("references"))]
    references = tuple(_referred_at(_join(config.parent, name)) for name in referred if isinstance(name, str))
    claimed = None
    if "files" in data or "include" in data:
        globs = (*_strings(data.get("files")), *_strings(data.get("include")))
        claimed = tuple(_join(config.parent, _stem(glob)) for glob in globs)
    return _Config(tuple(path for path in extended if path is not None), references, claimed)


def _stem(glob: str) -> str:
    """The part of a pattern before its first wildcard, as far as whole folders go."""
    parts = glob.split("/")
    fixed = next((number for number, part in enumerate(parts) if "*" in part or "?" in part or "${" in part), len(parts))
    return "/".join(parts[:fixed]) or ("/" if glob.startswith("/") else ".")


def _referred_at(path: Path) -> Path:
    return path if path.suffix == ".json" else path / "tsconfig.json"


def _extended(config: Path, name: str, read: Read) -> Path | None:
    """The file that `extends` names; a file that is not there counts where it is named by path, because it may come."""
    if name.startswith((".", "/")) or os.path.isabs(name):
        base = _join(config.parent, name)
        tries = (base, base.with_name(base.name + ".json"), base / "tsconfig.json")
        return next((path for path in tries if isinstance(read(path), TextFile)), base if base.suffix == ".json" else tries[1])
    for folder in (config.parent, *config.parent.parents):
        base = folder / "node_modules" / name
        for path in (*_package_entry(base, read), base, base.with_name(base.name + ".json"), base / "tsconfig.json"):
            if isinstance(read(path), TextFile):
                return path
    return None


def _package_entry(package: Path, read: Read) -> Iterator[Path]:
    held = read(package / "package.json")
    entry = _object(read_jsonc(held.text)).get("tsconfig") if isinstance(held, TextFile) else None
    if isinstance(entry, str):
        yield _join(package, entry)


def _object(held: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], held) if isinstance(held, dict) else {}


def _list(held: object) -> Sequence[object]:
    return cast(list[object], held) if isinstance(held, list) else ()


def _strings(held: object) -> tuple[str, ...]:
    return tuple(item for item in _list(held) if isinstance(item, str))


def _join(folder: Path, part: str) -> Path:
    return Path(os.path.normpath(folder / part))
