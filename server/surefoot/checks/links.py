"""Whether a checker follows a use from a file to the definition that is renamed: silence about a use that it cannot follow means nothing.

First the definition alone is renamed: every file that uses it must then show something new. A file that goes by way of another (a
re-export) stays silent, so an edited file gets a second chance: all but that file changed.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

from surefoot.checks.baseline import Renames, Sides, delta
from surefoot.core.change import Change
from surefoot.core.findings import Diagnostic
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.index import Index
from surefoot.workspace.snapshot import Snapshot

MOST_SINGLY = 20
"""Files that are tried on their own."""

Look = Callable[[Snapshot, Sequence[Path]], Awaitable[tuple[Diagnostic, ...]]]


@value
class Link:
    """A rename as far as checks care: the whole change, and the files that define what is renamed and after it no longer do."""

    change: Change
    homes: tuple[Path, ...]


def link_of(index: Index, change: Change, before: Snapshot, after: Snapshot, renames: Renames) -> Link | None:
    """None where no definition goes: the old name is still offered, or nothing is renamed. Parses: call it from a thread."""
    homes = [path for path in change.paths if any(_goes(index, path, before, after, old) for old, _ in renames)]
    return Link(change, tuple(homes)) if homes else None


def _goes(index: Index, path: Path, before: Snapshot, after: Snapshot, name: str) -> bool:
    return _defines(index, before, path, name, imports=False) and not _defines(index, after, path, name, imports=True)


def _defines(index: Index, texts: Snapshot, path: Path, name: str, *, imports: bool) -> bool:
    held = texts.read(path)
    if not isinstance(held, TextFile) or name.encode("utf-8") not in held.data:
        return False
    outline = index.outline(held)
    if outline is None:
        return False
    bound = [binding for (_, known), bindings in outline.bindings.items() if known == name for binding in bindings]
    return any(imports or binding.source is None for binding in bound) or (imports and name in outline.exports)


async def followed(link: Link, before: Snapshot, paths: Sequence[Path], old: Sequence[Diagnostic], look: Look) -> set[Path]:
    """Those of `paths` in which `look` follows the use. `old` is what it finds there before the change."""
    homes = Change(tuple(edit for edit in link.change.files if edit.path in link.homes))
    shown = await _speaking(before.with_change(homes), [path for path in paths if path not in link.homes], old, before, look)
    left = [path for path in paths if path in link.change.paths and path not in shown and path not in link.homes]
    for path in left[:MOST_SINGLY]:
        others = Change(tuple(edit for edit in link.change.files if edit.path != path))
        shown |= await _speaking(before.with_change(others), [path], old, before, look)
    return shown | (set(paths) & set(link.homes))


async def _speaking(texts: Snapshot, paths: Sequence[Path], old: Iterable[Diagnostic], before: Snapshot, look: Look) -> set[Path]:
    new = await look(texts, paths)
    here = [found for found in old if found.place.path in set(paths)]
    sides = {path: Sides(held.data, held.data) for path in paths if isinstance(held := before.read(path), TextFile)}
    return {found.place.path for found in delta(here, new, sides).new}
