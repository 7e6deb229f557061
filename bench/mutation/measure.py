"""Plants errors, has the tool's own command line confirm each, and asks Surefoot about each alone: none may pass with a tick."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.mutation.plant import PYTHON, TYPESCRIPT, Grammar, Kind, Planted, planted
from bench.mutation.tools import Line, tsc_says, ty_says

from surefoot.checks import ty, typescript
from surefoot.checks.checker import Checker, Missing
from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.change import Change, TextEdit
from surefoot.core.findings import Verdict
from surefoot.core.text import TextFile
from surefoot.workspace.snapshot import Snapshot

BATCH = 25
"""Errors that one run of the command line confirms, no two in one file."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of one planted error that the tool reports: Surefoot's verdict and its seconds."""

    error: Planted
    verdict: Verdict
    seconds: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One code base: errors that the tool's own command line does not report are out of its reach, and are listed."""

    tool: str
    answers: tuple[Answer, ...]
    out_of_reach: tuple[Planted, ...]

    @property
    def passed(self) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.verdict is Verdict.CLEAN)

    def of(self, kind: Kind) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.error.kind is kind)


@dataclass(frozen=True, slots=True)
class Language:
    """What a language is planted with and checked by."""

    suffixes: tuple[str, ...]
    grammar: Grammar
    checker: Checker
    says: Callable[[Path, Path], frozenset[Line]]


LANGUAGES: Mapping[str, Language] = {
    "python": Language((".py",), PYTHON, ty.CHECKER, ty_says),
    "typescript": Language((".ts",), TYPESCRIPT, typescript.CHECKER, tsc_says),
}


def measure(root: Path, language: str, each: int, seed: int, hear: Callable[[str], None] = lambda line: None) -> Measured:
    """Everything about the code in `root`, which is written to while the command line runs and is left as it was."""
    held = LANGUAGES[language]
    settings = CheckSettings()
    texts = Snapshot(root)
    files = {
        path.relative_to(root).as_posix(): file.text
        for path in texts.files()
        if path.suffix in held.suffixes and isinstance(file := texts.read(path), TextFile)
    }
    tool = held.checker.find(root / f"any{held.suffixes[0]}", root, settings)
    assert not isinstance(tool, Missing), tool.reason
    errors = planted(files, held.grammar, each, seed)
    hear(f"{len(errors)} errors planted in {len(files)} files")
    sure = _confirmed(root, files, errors, lambda: held.says(tool.path, root))
    hear(f"{len(sure)} of them reported by {held.checker.name}'s own command line")
    answers = asyncio.run(_asked(root, sure, held.checker, settings))
    return Measured(held.checker.name, answers, tuple(error for error in errors if error not in sure))


def _confirmed(root: Path, files: Mapping[str, str], errors: Sequence[Planted], says: Callable[[], frozenset[Line]]) -> Sequence[Planted]:
    before = says()
    sure: list[Planted] = []
    for batch in _batches(errors):
        for error in batch:
            (root / error.path).write_bytes(_text(files[error.path], error).encode("utf-8"))
        try:
            new = says() - before
        finally:
            for error in batch:
                (root / error.path).write_bytes(files[error.path].encode("utf-8"))
        sure += [error for error in batch if any(_tells(line, error) for line in new)]
    return sure


def _batches(errors: Sequence[Planted]) -> Sequence[Sequence[Planted]]:
    """No two errors of a batch have a file in common, so that each is reported for itself."""
    out: list[tuple[list[Planted], set[str]]] = []
    for error in errors:
        mine = {error.path, *error.also}
        room = next((held for held in out if len(held[0]) < BATCH and not held[1] & mine), None)
        if room is None:
            out.append(([error], mine))
        else:
            room[0].append(error)
            room[1].update(mine)
    return [batch for batch, _ in out]


def _tells(line: Line, error: Planted) -> bool:
    if error.kind is Kind.CALLER:
        return line.path in error.also and error.name in line.what
    return (line.path, line.line) == (error.path, error.line)


async def _asked(root: Path, errors: Sequence[Planted], checker: Checker, settings: CheckSettings) -> tuple[Answer, ...]:
    validator = Validator(root, settings, (checker,), lambda: ())
    out: list[Answer] = []
    try:
        for error in errors:
            texts = Snapshot(root)
            began = time.monotonic()
            evidence = await validator.validate(_change(texts, error), texts, [root / name for name in error.also])
            out.append(Answer(error, evidence.verdict, time.monotonic() - began))
    finally:
        await validator.close()
    return tuple(out)


def _change(texts: Snapshot, error: Planted) -> Change:
    path = texts.root / error.path
    held = texts.read(path)
    assert isinstance(held, TextFile), path
    lines = held.data.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: error.line - 1])
    return Change((texts.edit(path, (TextEdit(start, start + len(lines[error.line - 1]), error.text),)),))


def _text(text: str, error: Planted) -> str:
    lines = text.split("\n")
    lines[error.line - 1] = error.text
    return "\n".join(lines)
