"""What the commands share: the root, a service over the disk, answers and exit codes."""

import argparse
import asyncio
import codecs
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Coroutine
from pathlib import Path
from typing import Any

from surefoot.cli.parsers import App
from surefoot.core.change import Change, apply_edits
from surefoot.core.errors import ApplyFailed, OutsideText, SurefootError
from surefoot.core.text import LineIndex, TextFile, Texts
from surefoot.loop.texts import digest_at
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed
from surefoot.run.state import RunState
from surefoot.service import Service
from surefoot.workspace.disk import locked, read_file, write_file
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot

OK, USAGE, REFUSED, ATTENTION, LIMIT, CANCELLED = 0, 2, 3, 4, 5, 130


class UsageError(Exception):
    """The words of a command are off; the text says what would be right."""


def root_of(args: argparse.Namespace) -> Path:
    """The root as an absolute path. Raises UsageError when it is no folder."""
    root = Path(args.root).resolve()
    if not os.path.isdir(root):
        raise UsageError(f"{args.root} is not a folder: --root DIR names the project's folder")
    return root


def place_in(texts: Texts, path: str, line: int, column: int) -> tuple[TextFile, int]:
    """The file and the byte of a place that counts from 1. Raises UsageError when there is none, or when it is not below the root."""
    named = Path(os.path.normpath(texts.root / path))
    if not named.is_relative_to(texts.root):
        raise UsageError(f"{path} is not below {texts.root}: --root DIR names the project's folder")
    held = texts.read(named)
    if not isinstance(held, TextFile):
        raise UsageError(f"{path} cannot be read: {held.reason if held else 'there is no such file below the root'}")
    try:
        if line < 1 or column < 1:
            raise OutsideText("lines and columns count from 1")
        mark = len(codecs.BOM_UTF8) if held.data.startswith(codecs.BOM_UTF8) else 0
        return held, max(mark, LineIndex(held.data).offset(line - 1, column - 1))
    except OutsideText as error:
        raise UsageError(f"{path}:{line}:{column} is no place: {error}") from error


def say(*words: str) -> None:
    """A line for a person; standard output belongs to the answer."""
    print(*words, file=sys.stderr, flush=True)


def print_json(answer: object) -> None:
    """The answer, alone on standard output."""
    json.dump(answer, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


class Spoken:
    """Progress as lines on standard error, each once."""

    def __init__(self) -> None:
        self._last = ""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say a new message."""
        if message != self._last:
            self._last = message
            say(f"  {message}")


class DiskApplier:
    """Delivers to files: hashes first, then each file whole; what had been written is put back when a later one fails."""

    reopens = False
    """Files are what they are: no text comes back later."""

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        """Write the change; a person who runs a command with `--apply` has looked already."""
        fresh = Snapshot(texts.root)
        moved = [f.path.name for f in change.files if digest_at(fresh, f.path) != f.before]
        if moved:
            return Failure(Bucket.RUNTIME, FailureClass.TRANSIENT, "moved", f"{', '.join(moved)} changed on disk meanwhile")
        locks = [f"{f.path.name} is {why}" for f in change.files if (why := locked(f.path))]
        if locks:
            return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "unwritable", "; ".join(locks))
        written: list[TextFile] = []
        try:
            for edit in change.files:
                held = fresh.read(edit.path)
                if isinstance(held, TextFile):
                    write_file(edit.path, apply_edits(held.data, edit.edits))
                    written.append(held)
        except ApplyFailed as error:
            return self._put_back(written, str(error))
        wrong = [f for f in change.files if not isinstance(now := read_file(f.path), TextFile) or now.digest != f.after]
        if wrong:
            message = f"{wrong[0].path.name} was written and does not hold what was written"
            return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", message, tuple(f.path for f in change.files))
        return Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))

    def _put_back(self, written: list[TextFile], why: str) -> Failure:
        try:
            for held in written:
                write_file(held.path, held.data)
        except ApplyFailed as error:
            changed = tuple(h.path for h in written)
            return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", f"{why}; putting back failed too: {error}", changed)
        return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "unwritable", why)


@contextlib.asynccontextmanager
async def disk_service(root: Path, app: App) -> AsyncGenerator[Service]:
    """A service over the files of one root, closed at the end."""
    service = app.build()(Session((root,)), DiskApplier(), _ignore)
    try:
        yield service
    finally:
        await service.close()


def _ignore(state: RunState) -> None:
    """The terminal reads the state when it is asked."""


def finish(work: Coroutine[Any, Any, int]) -> int:
    """Run a command's coroutine to its exit code; an error of the outside world is a sentence, never a traceback."""
    try:
        return asyncio.run(_interruptible(work))
    except UsageError as error:
        say(f"surefoot: {error}")
        return USAGE
    except SurefootError as error:
        say(f"surefoot: {error}")
        return REFUSED


async def _interruptible(work: Coroutine[Any, Any, int]) -> int:
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        say("surefoot: cancelled")
        return CANCELLED
