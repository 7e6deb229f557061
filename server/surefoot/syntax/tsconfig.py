"""What tsconfig.json and package.json say about module names."""

import os.path
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.syntax.jsonc import read_jsonc
from surefoot.syntax.store.files import Files

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
    """A workspace package: its folder, the files that its name may stand for, and what it offers below its name (`exports`) or to itself
    (`imports`), all as written: a pattern, which may hold one `*`, and its targets, the likeliest to be source first."""

    folder: Path
    entries: tuple[str, ...]
    exports: tuple[tuple[str, tuple[str, ...]], ...] = ()
    imports: tuple[tuple[str, tuple[str, ...]], ...] = ()


def path_maps(texts: Texts) -> tuple[PathMap, ...]:
    """Every configuration with paths of its own or inherited, the innermost folder first."""
    found: list[PathMap] = []
    for path in _called(texts, "tsconfig.json", "jsconfig.json"):
        base, patterns = _options(texts, path, 0)
        if base is not None or patterns:
            found.append(PathMap(path.parent, base, patterns))
    return tuple(sorted(found, key=lambda m: len(m.folder.parts), reverse=True))


def packages(texts: Texts) -> Mapping[str, Package]:
    """The packages of the workspace by name."""
    found: dict[str, Package] = {}
    for path in _called(texts, "package.json"):
        if "node_modules" not in path.parts:
            data = _object(_json(texts, path))
            name = data.get("name")
            if isinstance(name, str) or "imports" in data:
                entries = [data[key] for key in ("source", "types", "module", "main") if isinstance(data.get(key), str)]
                package = Package(
                    path.parent, tuple(cast(list[str], entries)), _exports(data.get("exports")), _exports(data.get("imports"))
                )
                found.setdefault(name if isinstance(name, str) else path.parent.as_posix(), package)
    return found


def _called(texts: Texts, *names: str) -> Iterable[Path]:
    files = texts.files()
    return files.called(*names) if isinstance(files, Files) else (path for path in files if path.name in names)


def _exports(held: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`exports` and `imports` in all their forms: one path, conditions, or paths below the package with either."""
    data = _object(held)
    if not any(key.startswith((".", "#")) for key in data):
        return ((".", _conditions(held)),) if held is not None else ()
    return tuple((key, _conditions(target)) for key, target in data.items())


def _conditions(held: object, depth: int = 0) -> tuple[str, ...]:
    """Every file that some condition leads to."""
    if isinstance(held, str):
        return (held,)
    if depth > _DEEPEST:
        return ()
    if isinstance(held, list):
        return tuple(path for each in cast(list[object], held) for path in _conditions(each, depth + 1))
    data = _object(held)
    first = [key for key in ("source", "development", "types", "import") if key in data]
    return tuple(path for key in [*first, *(k for k in data if k not in first)] for path in _conditions(data[key], depth + 1))


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
    base = _join(path.parent, name) if name.startswith(".") else _in_package(texts, name)
    if base is None:
        return None
    return next(
        (p for p in (base, base.with_name(base.name + ".json"), base / "tsconfig.json") if isinstance(texts.read(p), TextFile)), None
    )


def _in_package(texts: Texts, name: str) -> Path | None:
    """A configuration that a package of the workspace offers."""
    parts = name.split("/")
    count = 2 if name.startswith("@") else 1
    package = packages(texts).get("/".join(parts[:count]))
    return package.folder.joinpath(*parts[count:]) if package is not None else None


def _json(texts: Texts, path: Path) -> object:
    held = texts.read(path)
    return read_jsonc(held.text) if isinstance(held, TextFile) else None


def _object(held: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], held) if isinstance(held, dict) else {}


def _join(folder: Path, part: str) -> Path:
    return Path(os.path.normpath(folder / part))
