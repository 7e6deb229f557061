"""What tsconfig.json and package.json say about module names."""

import os.path
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.syntax.jsonc import read_jsonc

_DEEPEST = 8
"""Configurations that extend one another, followed to this depth."""


@value
class PathMap:
    """`paths` and `baseUrl` of one configuration, for the files below `folder`. A pattern holds at most one `*`."""

    folder: Path
    base: Path | None
    patterns: tuple[tuple[str, tuple[Path, ...]], ...]


@value
class Package:
    """A workspace package: its folder, and the files that its name may stand for, as written."""

    folder: Path
    entries: tuple[str, ...]


def path_maps(texts: Texts) -> tuple[PathMap, ...]:
    """Every configuration with paths of its own or inherited, the innermost folder first."""
    found: list[PathMap] = []
    for path in texts.files():
        if path.name in ("tsconfig.json", "jsconfig.json"):
            base, patterns = _options(texts, path, 0)
            if base is not None or patterns:
                found.append(PathMap(path.parent, base, patterns))
    return tuple(sorted(found, key=lambda m: len(m.folder.parts), reverse=True))


def packages(texts: Texts) -> Mapping[str, Package]:
    """The packages of the workspace by name."""
    found: dict[str, Package] = {}
    for path in texts.files():
        if path.name == "package.json" and "node_modules" not in path.parts:
            data = _object(_json(texts, path))
            if isinstance(name := data.get("name"), str):
                entries = [data[key] for key in ("source", "types", "module", "main") if isinstance(data.get(key), str)]
                found.setdefault(name, Package(path.parent, tuple(cast(list[str], entries))))
    return found


def _options(texts: Texts, path: Path, depth: int) -> tuple[Path | None, tuple[tuple[str, tuple[Path, ...]], ...]]:
    data = _object(_json(texts, path))
    options = _object(data.get("compilerOptions"))
    base, patterns = None, ()
    extended = data.get("extends")
    for parent in cast(list[object], extended) if isinstance(extended, list) else [extended]:
        if isinstance(parent, str) and depth < _DEEPEST and (held := _extended(texts, path, parent)) is not None:
            inherited, more = _options(texts, held, depth + 1)
            base, patterns = inherited or base, more or patterns
    if isinstance(url := options.get("baseUrl"), str):
        base = _join(path.parent, url)
    if "paths" in options:
        root = base or path.parent
        patterns = tuple((name, _targets(root, held)) for name, held in _object(options["paths"]).items())
    return base, patterns


def _targets(root: Path, held: object) -> tuple[Path, ...]:
    return tuple(_join(root, item) for item in cast(list[object], held) if isinstance(item, str)) if isinstance(held, list) else ()


def _extended(texts: Texts, path: Path, name: str) -> Path | None:
    if not name.startswith("."):
        return None
    base = _join(path.parent, name)
    return next(
        (p for p in (base, base.with_name(base.name + ".json"), base / "tsconfig.json") if isinstance(texts.read(p), TextFile)), None
    )


def _json(texts: Texts, path: Path) -> object:
    held = texts.read(path)
    return read_jsonc(held.text) if isinstance(held, TextFile) else None


def _object(held: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], held) if isinstance(held, dict) else {}


def _join(folder: Path, part: str) -> Path:
    return Path(os.path.normpath(folder / part))
