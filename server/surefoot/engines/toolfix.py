"""Fixes for the findings under the cursor: what the tools offer, and what their messages suggest.

Everything here is unchecked. A fix may be shown once it has been validated: nothing new, and less to find than before.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.checks.validate import Validator
from surefoot.core.change import Change, TextEdit
from surefoot.core.errors import TextError
from surefoot.core.findings import Diagnostic, ToolFix
from surefoot.core.text import TextFile
from surefoot.engines.losses import users_of_lost
from surefoot.workspace.snapshot import Snapshot

_SUGGESTED = re.compile(
    r"\bdid you mean:?\s+(?:(?:to use|the)\s+(?:\w+\s+)*)?[`'\"\u2018\u201c]([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)[`'\"\u2019\u201d]",
    re.IGNORECASE,
)
_LAST_NAME = re.compile(r"[A-Za-z_$][\w$]*$")
_SILENCES = re.compile(r"\b(?:ignore|disable|suppress|noqa)\b", re.IGNORECASE)
_SILENCER = re.compile(
    r"#\s*(?:noqa|(?:type|ty|pyright|mypy)\s*:\s*ignore|pylint:\s*disable)|@ts-(?:ignore|expect-error|nocheck)|eslint-disable",
    re.IGNORECASE,
)

MOST = 8
"""Fixes at one cursor; each costs a validation."""

MOST_IMPACTED = 100
"""Files that a fix may impact; one that impacts more is not offered, because nothing smaller would validate it."""


async def candidates(
    validator: Validator, texts: Snapshot, path: Path, start: int, end: int, told: Sequence[Diagnostic] = ()
) -> tuple[ToolFix, ...]:
    """Unchecked fixes for findings that touch bytes `start` to `end` of `path`: our own, and those the client `told` us of.

    One fix for each resulting text, the tools' own before suggestions; nothing that only silences a finding; the nearest `MOST`, each with
    the files that may use what it takes away.
    """
    offered = await validator.fixes(texts, path, start, end)
    found = (await validator.diagnose(texts, (path,))).diagnostics
    touching = [d for d in (*found, *told) if d.place.path == path and d.place.start <= end and d.place.end >= start]
    out: dict[str, ToolFix] = {}
    for fix in (*offered, *suggestions(texts, touching)):
        if not silences(fix):
            out.setdefault(fix.change.digest, fix)
    return await asyncio.to_thread(_with_impacted, sorted(out.values(), key=_nearness)[:MOST], texts)


def suggestions(texts: Snapshot, found: Iterable[Diagnostic]) -> tuple[ToolFix, ...]:
    """The replacement that a message names ("Did you mean X?"), whichever tool or language it comes from."""
    made = (_suggestion(texts, one) for one in found)
    return tuple(fix for fix in made if fix is not None)


def silences(fix: ToolFix) -> bool:
    """Whether a fix makes a finding disappear by telling the tool to be quiet."""
    texts = (edit.text for file in fix.change.files for edit in file.edits)
    return bool(_SILENCES.search(fix.title)) or any(_SILENCER.search(text) for text in texts)


def _with_impacted(fixes: Iterable[ToolFix], texts: Snapshot) -> tuple[ToolFix, ...]:
    made = (replace(fix, impacted=users_of_lost(fix.change, texts)) for fix in fixes)
    return tuple(fix for fix in made if len(fix.impacted) <= MOST_IMPACTED)


def _nearness(fix: ToolFix) -> tuple[int, int]:
    """By place; among several imports of one name, that with the shortest path first."""
    return fix.answers.place.start, fix.title.count(".")


def _suggestion(texts: Snapshot, found: Diagnostic) -> ToolFix | None:
    """Replaces the last name under the finding, and only if the message speaks of that name."""
    suggested = _SUGGESTED.search(found.message)
    held = texts.read(found.place.path)
    if suggested is None or not isinstance(held, TextFile):
        return None
    under = held.data[found.place.start : found.place.end].decode("utf-8", "replace")
    name = _LAST_NAME.search(under)
    if name is None or name[0] == suggested[1] or not re.search(rf"(?<![\w$]){re.escape(name[0])}(?![\w$])", found.message):
        return None
    start = found.place.start + len(under[: name.start()].encode("utf-8"))
    try:
        edit = texts.edit(found.place.path, (TextEdit(start, found.place.end, suggested[1]),))
    except TextError:
        return None
    return ToolFix(f"Change {name[0]} to {suggested[1]}", Change((edit,)), found.tool, found)
