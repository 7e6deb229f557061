"""Cargo's manifests: the crates of a root, where they start, and what they call one another."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.syntax.store.files import Files


@value
class Crate:
    """A manifest: where it lies, what the crate is called, and the files that its targets start from."""

    folder: Path
    name: str
    library: Path
    others: Mapping[str, str]


def crates(texts: Texts, files: Files) -> tuple[Crate, ...]:
    found: list[Crate] = []
    for path in sorted(files.called("Cargo.toml")):
        held = texts.read(path)
        manifest = _table(held.text) if isinstance(held, TextFile) else {}
        package, library = _inner(manifest, "package"), _inner(manifest, "lib")
        if not package:
            continue
        name = library.get("name") or package.get("name")
        start = library.get("path")
        found.append(
            Crate(
                path.parent,
                str(name or "").replace("-", "_"),
                path.parent / (start if isinstance(start, str) else "src/lib.rs"),
                dict(_renamed(manifest)),
            )
        )
    return tuple(found)


def _table(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _inner(table: Mapping[str, object], name: str) -> dict[str, object]:
    held = table.get(name)
    return cast("dict[str, object]", held) if isinstance(held, dict) else {}


def _renamed(manifest: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The crates that a manifest gives other names."""
    places = [manifest, _inner(manifest, "workspace"), *(_inner(_inner(manifest, "target"), each) for each in _inner(manifest, "target"))]
    for place in places:
        for section in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name in (held := _inner(place, section)):
                if isinstance(package := _inner(held, name).get("package"), str):
                    yield name.replace("-", "_"), package.replace("-", "_")
