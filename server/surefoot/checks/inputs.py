"""What a verdict depends on: texts and settings, by digest."""

from collections.abc import Iterable
from pathlib import Path

from surefoot.checks.closure import Closure
from surefoot.checks.configs import chain, is_config
from surefoot.checks.toolchain import folders_up
from surefoot.checks.watch import LOCKS, SETTINGS, is_settings
from surefoot.core.findings import Input
from surefoot.core.text import TextFile
from surefoot.workspace.snapshot import Snapshot


def inputs_of(before: Snapshot, after: Snapshot, files: Iterable[Path]) -> tuple[Input, ...]:
    """The files and what they import on either side of the change, every text that stands over the disk of this root, and the settings and
    lock files above them all, as they are before the change. Reads many files: call it from a thread."""
    root = before.root
    named = list(files)
    edited = {path: held for path in named if isinstance(held := after.read(path), TextFile)}
    reached = Closure(before).of(named, edited)
    standing = [path for path in before.overlay if path.is_relative_to(root)]
    paths = sorted({*named, *reached, *standing, *_settings(before, (*named, *reached))})
    return tuple(Input(path, _digest(before, path)) for path in paths)


def _digest(texts: Snapshot, path: Path) -> str:
    held = texts.read(path)
    return held.digest if isinstance(held, TextFile) else ""


def _settings(texts: Snapshot, files: Iterable[Path]) -> set[Path]:
    folders = {folder for path in files for folder in folders_up(path, texts.root)}
    found: set[Path] = set()
    for folder in folders:
        named = (folder / name for name in (*SETTINGS, *LOCKS))
        others = (path for path in folder.glob("[tj]sconfig.*.json") if is_settings(path))
        for path in (*named, *others):
            if path.is_file():
                found.update((path, *(chain(path, texts.read) if is_config(path) else ())))
    return {path for path in found if path.is_relative_to(texts.root)}
