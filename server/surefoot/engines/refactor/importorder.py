"""The order of Python imports, put right after a rename where the project's linter wants it: by the linter itself, as its settings say."""

import re
from collections.abc import Sequence
from itertools import accumulate

from surefoot.checks.imports import UNSORTED, with_sorted_imports
from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.plan import Constraint
from surefoot.core.text import TextFile, Texts, digest

_PYTHON = frozenset({".py", ".pyi"})


def only_order(constraints: Sequence[Constraint]) -> bool:
    """Whether all that stands against the rename is the order of imports."""
    return bool(constraints) and all(re.search(rf"\b{UNSORTED}\b", c.text) for c in constraints)


async def in_order(texts: Texts, change: Change) -> Change:
    """`change`, and the imports that it put out of order sorted. Files whose imports were out of order before stay as edited."""
    return Change(tuple([await _sorted(texts, edit) for edit in change.files]))


async def _sorted(texts: Texts, edit: FileEdit) -> FileEdit:
    file = texts.read(edit.path)
    if edit.path.suffix not in _PYTHON or not isinstance(file, TextFile):
        return edit
    after = apply_edits(file.data, edit.edits)
    final = await with_sorted_imports(edit.path, texts.root, after)
    if final == after or await with_sorted_imports(edit.path, texts.root, file.data) != file.data:
        return edit
    return FileEdit(edit.path, edit.before, digest(final), merged(file.data, edit.edits, final))


def merged(data: bytes, edits: Sequence[TextEdit], final: bytes) -> tuple[TextEdit, ...]:
    """Edits of `data` that make `final`, which differs from what `edits` make in one region of whole lines. The edits there become one."""
    after = apply_edits(data, edits)
    low, high = _region(after, final)
    grown = [len(e.text.encode("utf-8")) - (e.end - e.start) for e in edits]
    starts = [e.start + shift for e, shift in zip(edits, accumulate(grown, initial=0), strict=False)]
    spans = [(start, start + len(e.text.encode("utf-8"))) for e, start in zip(edits, starts, strict=True)]
    inside = [start <= high and low <= end for start, end in spans]
    low = min((low, *(span[0] for span, here in zip(spans, inside, strict=True) if here)))
    high = max((high, *(span[1] for span, here in zip(spans, inside, strict=True) if here)))
    before = sum(by for by, span, here in zip(grown, spans, inside, strict=True) if not here and span[1] <= low)
    within = sum(by for by, here in zip(grown, inside, strict=True) if here)
    text = final[low : high + len(final) - len(after)].decode("utf-8")
    kept = [edit for edit, here in zip(edits, inside, strict=True) if not here]
    return tuple(sorted([*kept, TextEdit(low - before, high - before - within, text)], key=lambda e: (e.start, e.end)))


def _region(after: bytes, final: bytes) -> tuple[int, int]:
    """Where `after` differs from `final`: from the start of the first line that does to the end of the last."""
    old, new = after.splitlines(keepends=True), final.splitlines(keepends=True)
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return sum(map(len, old[:head])), len(after) - sum(map(len, old[len(old) - tail :]))
