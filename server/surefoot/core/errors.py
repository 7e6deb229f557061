"""Errors of the outside world. Expected ends (refused, red, stale) are values, never exceptions.

SurefootError
├── Unusable            a request that cannot be understood: unknown run, bad task, bad setting (says what to do)
├── TextError           text that cannot be edited as asked
│   ├── TextMoved           a text is not the one that a change was made for
│   ├── OverlappingEdits    two edits claim the same bytes
│   └── OutsideText         an offset or position that the text does not have
├── CheckerUnavailable  a check could not give a verdict: missing, crashed, timed out (says how to get it)
├── ApplyFailed         the editor or the disk did not take an edit (names what did change)
├── JournalError        the journal cannot be read or written
└── Rejected            our own code built an event that the contract forbids
"""


class SurefootError(Exception):
    """Root of all; its text is a sentence for a person."""


class Unusable(SurefootError):
    """The request cannot be understood; the text says what to do instead."""


class TextError(SurefootError):
    """Text cannot be edited as asked."""


class TextMoved(TextError):
    """A text is not the one that a change was made for."""


class OverlappingEdits(TextError):
    """Two edits claim the same bytes."""


class OutsideText(TextError):
    """An offset or a position that the text does not have."""


class CheckerUnavailable(SurefootError):
    """A check could not give a verdict; the text says how to get one."""


class ApplyFailed(SurefootError):
    """The editor or the disk did not take an edit; the text names what did change."""


class JournalError(SurefootError):
    """The journal cannot be read or written."""


class Rejected(SurefootError):
    """An event broke the contract: it changed nothing, and the run wants a person."""

    def __init__(self, kind: str, rule: str, field: str, run: str, action: str) -> None:
        super().__init__(f"event {kind} of run {run} broke rule {rule!r} at {field or 'the event'} (action {action or 'none'})")
        self.kind, self.rule, self.field, self.run, self.action = kind, rule, field, run, action
