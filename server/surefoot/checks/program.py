"""A program that is run to its end: it gets no input, a limited time, and leaves nothing behind."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from surefoot.checks.outcome import Ended, Ran, normalise, not_started
from surefoot.run.outcomes import Failure
from surefoot.workspace.environment import for_programs

T = TypeVar("T")

_LAST_WORDS_SECONDS = 1.0


def run_program(
    name: str, argv: Sequence[str], cwd: Path, seconds: float, read: Callable[[bytes], T], good: frozenset[int] = frozenset({0})
) -> Ran[T] | Failure:
    """What `argv` answered, as `normalise` tells it. After `seconds` it is ended, together with what it has started. Blocks."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, env=for_programs(), stdin=nothing, stdout=pipe, stderr=pipe, start_new_session=os.name == "posix"
        )
    except OSError as error:
        return not_started(name, error)
    late = False
    with process:
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            late = True
            _kill(process)
            stdout, stderr = _last_words(process)
        finally:
            _kill(process)
    return normalise(Ended(name, process.returncode, stdout, stderr, time.monotonic() - began, timed_out=late), read, good)


def _last_words(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What was printed before the end. A grandchild that left the group may hold the pipes open: it is not waited for."""
    try:
        return process.communicate(timeout=_LAST_WORDS_SECONDS)
    except subprocess.TimeoutExpired as error:
        return error.stdout or b"", error.stderr or b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
