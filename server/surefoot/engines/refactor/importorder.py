"""The order of names in a Python import, put right after a rename where the project's linter wants it.

Only for a list that was in order before the rename, by ruff's default: constants, classes, the rest, each without regard to case.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from surefoot.core.change import TextEdit, apply_edits
from surefoot.core.plan import Constraint
from surefoot.core.text import TextFile
from surefoot.syntax.lists import Item, NameList, name_lists

UNSORTED = "I001"
"""Ruff's code for imports that are out of order."""


def only_order(constraints: Sequence[Constraint]) -> bool:
    """Whether all that stands against the rename is the order of imports."""
    return bool(constraints) and all(re.search(rf"\b{UNSORTED}\b", c.text) for c in constraints)


def in_order(file: TextFile, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """`edits`, with each import list that they put out of order rewritten in order."""
    if file.path.suffix not in {".py", ".pyi"}:
        return list(edits)
    after = apply_edits(file.data, edits)
    out = list(edits)
    for was, now in zip(_imports(file.data, file), _imports(after, file), strict=True):
        if not was.items or not _sorted(was) or _sorted(now) or not _plain(after, now):
            continue
        start, end = was.items[0].start, was.items[-1].end
        out = [edit for edit in out if not start <= edit.start <= end]
        out.append(TextEdit(start, end, _ordered(after, now)))
    return sorted(out, key=lambda e: (e.start, e.end))


def _imports(data: bytes, file: TextFile) -> list[NameList]:
    return [held for held in name_lists(file.path, data) if not held.exports]


def _ordered(data: bytes, held: NameList) -> str:
    """The entries in order, with what stood between two entries left between them."""
    entries = [data[item.start : item.end] for item in sorted(held.items, key=_key)]
    gaps = [*(data[one.end : two.start] for one, two in pairwise(held.items)), b""]
    return b"".join(part for pair in zip(entries, gaps, strict=True) for part in pair).decode("utf-8")


def _plain(data: bytes, held: NameList) -> bool:
    """No comment stands between the entries, which would have to move with one of them."""
    return not any(b"#" in data[one.end : two.start] for one, two in pairwise(held.items))


def _sorted(held: NameList) -> bool:
    keys: Iterable[tuple[int, str, str]] = [_key(item) for item in held.items]
    return all(one <= two for one, two in pairwise(keys))


def _key(item: Item) -> tuple[int, str, str]:
    name = item.name
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return rank, name.lower(), name
