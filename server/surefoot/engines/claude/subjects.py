"""Which definitions a free-form task is about: those that its words name as code, those it points at, and those that a plan touches."""

import re
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.plan import Subject, Task
from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, Texts
from surefoot.engines.claude.surveyor import Surveyor

MOST_NAMES = 12
"""Names of a task that are looked up."""

MOST_SYMBOLS = 6
"""Definitions of one name; a name with more of them says little, and the model is left to look for the one that is meant."""

_TICKED = re.compile(r"`([^`\n]{1,200})`")
_WORD = re.compile(r"(?<![\w$/.-])#?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?")
_CODE = re.compile(r"_|\.|\(\)|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\d")
_NAME = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")


def names_in(words: str) -> tuple[str, ...]:
    """What a task names as code: what stands in backticks, and words of which no prose is made."""
    ticked = [found[1].removesuffix("()") for found in _TICKED.finditer(words)]
    plain = [found[0].removesuffix("()") for found in _WORD.finditer(_TICKED.sub(" ", words)) if _CODE.search(found[0])]
    return tuple(dict.fromkeys(name for name in (*ticked, *plain) if _NAME.fullmatch(name) and len(name) > 2))[:MOST_NAMES]


async def scans_for(task: Task, surveyor: Surveyor, texts: Texts) -> tuple[Scan, ...]:
    """The sites of every definition that a task is about, a scan for each name. A finding stands at a place and is not about its name."""
    at = None if task.quoted else task.at
    found = [await surveyor.find(texts, at)] if at is not None and at.offset >= 0 else []
    for name in names_in(task.text):
        scan = await surveyor.find(texts, Target(name=name))
        if 0 < len(scan.symbols) <= MOST_SYMBOLS:
            found.append(scan)
    return tuple(scan for scan in found if scan.symbols)


async def targets_of(subjects: Iterable[Subject], surveyor: Surveyor, texts: Texts) -> tuple[Target, ...]:
    """Where these definitions stand now; what is not there any more is left out."""
    found: list[Target] = []
    for subject in subjects:
        held = texts.read(subject.path)
        starts = await surveyor.starts(held, subject.container, subject.name) if isinstance(held, TextFile) else ()
        found += [Target(subject.name, str(subject.path), start) for start in starts[subject.nth : subject.nth + 1]]
    return tuple(dict.fromkeys(found))


def subjects_of(scans: Iterable[Scan], inside: Path) -> tuple[Subject, ...]:
    """The definitions of these scans, by name."""
    symbols = [symbol for scan in scans for symbol in scan.symbols if symbol.place.path.is_relative_to(inside)]
    return tuple(dict.fromkeys(Subject(s.place.path, s.name, s.container) for s in symbols))
