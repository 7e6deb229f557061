"""What is renamed where: the entries of targets.toml, or one local folder, as values."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

TARGETS = Path(__file__).with_name("targets.toml")


class Unfit(Exception):
    """A target cannot be fetched, prepared or run here; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Target:
    """One code base. `folder` is a local one; else `registry` ("pypi" or "npm"), `version` and `sha256` say what to fetch."""

    name: str
    language: str
    tasks: tuple[str, ...]
    registry: str = ""
    version: str = ""
    sha256: str = ""
    folder: Path | None = None
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    extras: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    typecheck: str = ""
    tests: str = ""

    @property
    def label(self) -> str:
        """Name and version, as the table shows them."""
        return f"{self.name} {self.version}".strip()


def read_targets(path: Path = TARGETS) -> tuple[Target, ...]:
    """Every entry of a targets file. Raises Unfit when the file is not what it should be."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["target"]
        return tuple(_target(cast(dict[str, object], entry)) for entry in entries)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Unfit(f"{path.name} cannot be used: {error}") from error


def _target(entry: dict[str, object]) -> Target:
    """Lists become tuples; a field that Target does not have is a TypeError, which names it."""
    held = {key: tuple(cast(list[str], value)) if isinstance(value, list) else value for key, value in entry.items()}
    return Target(**held)  # pyright: ignore[reportArgumentType] # the file is ours, and a wrong key is told
