"""The boundary for a program's output: how it ended and what it printed become an answer or a failure of one class.

What can be known for sure decides first: that we ended it, the signal, the exit code, the error number of a failed start. Words are looked
at only where none of that says enough, and only those on standard error: a finding that speaks of a timeout is still a finding.
"""

import errno
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from surefoot.core.value import value
from surefoot.run.outcomes import Bucket, Failure, FailureClass

T = TypeVar("T")

_GOOD = frozenset({0})
_SIGNAL_KILL, _SIGNAL_TERM, _SIGNAL_INT, _SIGNAL_HUP = 9, 15, 2, 1
_FROM_OUTSIDE = frozenset({_SIGNAL_KILL, _SIGNAL_TERM, _SIGNAL_INT, _SIGNAL_HUP})
_UNSTARTED: Mapping[int, str] = MappingProxyType({126: "may not be run", 127: "was not found"})
_PASSING_ERRORS = frozenset({errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ETXTBSY, errno.EINTR, errno.EBUSY})

_LASTING_NAMES = re.compile(r"\b(?:EACCES|EPERM|ENOENT|EROFS|ENOSPC|E404|E40[13]|ENOEXEC|EINVAL)\b")
_PASSING_NAMES = re.compile(
    r"\b(?:ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|EPIPE|EBUSY|E429|E50[0234])\b"
)
_LASTING_WORDS = re.compile(r"permission denied|access is denied|no such file|unknown option|unrecognized argument", re.IGNORECASE)
_PASSING_WORDS = re.compile(
    r"timed?[ -]?out|connection (?:refused|reset|aborted)|temporar(?:y|ily)|could not resolve host|name or service not known"
    r"|too many requests|service unavailable|(?:http|status|code|error)\W{0,3}(?:429|500|502|503|504)\b",
    re.IGNORECASE,
)
_ERROR_LINE = re.compile(r"(?:\w+:? )?(?:error|ERR!|fatal)\b")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")


@value
class Ended:
    """A program that is over: `code` as the system tells it (negative for a signal), `seconds` what it took.

    `timed_out`, `killed` and `flooded` say that we ended it: because it took too long, because nobody waits for it any more, or because it
    printed more than anybody reads.
    """

    name: str
    code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False
    killed: bool = False
    flooded: bool = False


@value
class Ran(Generic[T]):
    """A program that did what it is for: what it answered, and how."""

    answer: T
    code: int
    stderr: str
    seconds: float


def normalise(ended: Ended, read: Callable[[bytes], T], good: frozenset[int] = _GOOD) -> Ran[T] | Failure:
    """What a program answered, or one failure of one class. `good` are the exit codes with which its output counts.

    `read` makes a value of standard output and raises ValueError for what is none: output that makes no sense is not asked for again.
    """
    if ended.killed:
        return _failure(FailureClass.CANCELLED, "killed", f"{ended.name} was ended, because nobody waits for it any more")
    if ended.timed_out:
        return _failure(FailureClass.TRANSIENT, "timeout", f"{ended.name} was ended after {ended.seconds:g} s without an answer")
    if ended.flooded:
        return _failure(
            FailureClass.SEMANTIC, "flooded", f"{ended.name} was ended, because it printed more than {len(ended.stdout) >> 20} MB"
        )
    if ended.code not in good:
        return _by_code(ended)
    try:
        return Ran(read(ended.stdout), ended.code, ended.stderr.decode("utf-8", "replace"), ended.seconds)
    except ValueError:
        return _failure(FailureClass.SEMANTIC, "garbled", f"{ended.name} answered {_kind(ended.stdout)} in place of what it is asked for")


def not_started(name: str, error: OSError) -> Failure:
    """A program that could not be started: a lack that passes, or one that stays."""
    cls = FailureClass.TRANSIENT if error.errno in _PASSING_ERRORS or isinstance(error, TimeoutError) else FailureClass.PERMANENT
    code = errno.errorcode.get(error.errno or 0, "not started")
    return _failure(cls, code, f"{name} could not be started: {error.strerror or type(error).__name__}")


def as_text(data: bytes) -> str:
    """Reads any output as text."""
    return data.decode("utf-8", "replace")


def _by_code(ended: Ended) -> Failure:
    said = _ESCAPE.sub("", as_text(ended.stderr))
    line = _telling_line(said)
    if ended.code < 0:
        cls = FailureClass.TRANSIENT if -ended.code in _FROM_OUTSIDE else FailureClass.PERMANENT
        return _failure(cls, f"signal {-ended.code}", _told(f"{ended.name} was killed by signal {-ended.code}", line))
    if (why := _UNSTARTED.get(ended.code)) is not None:
        return _failure(FailureClass.PERMANENT, f"exit {ended.code}", _told(f"{ended.name}, or a program that it needs, {why}", line))
    return _failure(_by_words(said), f"exit {ended.code}", _told(f"{ended.name} ended with exit code {ended.code}", line))


def _by_words(said: str) -> FailureClass:
    """Names of errors are surer than words, and what stays is surer than what passes."""
    for lasting, passing in ((_LASTING_NAMES, _PASSING_NAMES), (_LASTING_WORDS, _PASSING_WORDS)):
        if lasting.search(said):
            return FailureClass.PERMANENT
        if passing.search(said):
            return FailureClass.TRANSIENT
    return FailureClass.PERMANENT


def _kind(data: bytes) -> str:
    """What output looks like, without a word of it."""
    held = data.strip()
    if not held:
        return "nothing"
    return "a web page" if held[:1] == b"<" else f"{len(data)} bytes that make no sense"


def _telling_line(said: str) -> str:
    """The line that names an error, else the last one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = (line for line in lines if _ERROR_LINE.match(line))
    return next(named, lines[-1] if lines else "")[:200]


def _told(how: str, line: str) -> str:
    return f"{how}: {line}" if line else how


def _failure(cls: FailureClass, code: str, message: str) -> Failure:
    return Failure(Bucket.TOOL, cls, code, message)
