"""Words that name a definition, whatever is to be done to it."""

import re

from surefoot.core.value import value

_IDENTIFIER = re.compile(r"#?(?!\d)[\w$]+")
_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<column>\d+)")


@value
class Aim:
    """The definition that a task names. `again` says how to name it by place, `done` what cannot be done to it where it is not found."""

    name: str
    container: str = ""
    path: str = ""
    line: int = 0
    column: int = 0
    again: str = ""
    done: str = "changed"


@value
class NotATask:
    """Why the words are no task: a sentence with the known forms and an example."""

    reason: str


def aim_of(words: str) -> Aim | str:
    """The definition that these words name, or why they name none."""
    if place := _PLACE.fullmatch(words):
        line, column = int(place["line"]), int(place["column"])
        return Aim("", "", place["path"], line, column) if line and column else "lines and columns count from 1"
    path, _, dotted = words.rpartition(":")
    *around, name = dotted.removesuffix("()").split(".")
    if not all(_IDENTIFIER.fullmatch(part) for part in (*around, name)):
        return f"`{words}` does not name anything in code"
    return Aim(name, ".".join(around), path)


def is_name(word: str) -> bool:
    """Whether a word has the form of a name in code."""
    return _IDENTIFIER.fullmatch(word) is not None


def bare(word: str) -> str:
    """A word without the quotes and the comma around it."""
    return word.strip().strip("`'\"").rstrip(",;.")
