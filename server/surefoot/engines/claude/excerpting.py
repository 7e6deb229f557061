"""Pieces of files, their secrets covered: what is one shows in the whole file, and often not in the piece."""

from surefoot.core.text import TextFile
from surefoot.policy.secrets import covered, secrets_in


def lines_of(file: TextFile, first: int, last: int) -> str:
    """Lines by number, from 1, both ends included."""
    return piece_of(file, "".join(file.text.splitlines(keepends=True)[first - 1 : last]))


def piece_of(file: TextFile, text: str) -> str:
    """A text that was taken from a file."""
    return covered(text, secrets_in(file.text)) if text else ""
