"""Whether a correction in a model's words may be carried on: short, about what is known, and free of the failed code."""

import re
from collections.abc import Callable, Iterable

from surefoot.run.notes import words_of

LONGEST_ECHO = 6
"""Tokens in a row that a note may not share with the failed edit."""

SHORTEST_EXPRESSION = 8
"""Characters from which on a piece of the failed edit counts as quoted."""

_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|[^\s\w]")
_TICKED = re.compile(r"`([^`\n]+)`")
_CODE = re.compile(r"(?<![\w$])[A-Za-z_$@][\w$]*(?:[./:]+[\w$]+)*(?:\(\))?")
_LOOKS_LIKE_CODE = re.compile(r"_|\w[./:]+\w|\(\)|[a-z][A-Z]|[A-Z][a-z]\w*[A-Z]|\d|^[$@]")


def fault_of(note: str, most: int, failed: Iterable[str], known: Callable[[str], bool]) -> str:
    """Why a note may not be carried on, "" where it may.

    `most` are its words; `failed` the lines that the failed edit added; `known` says whether a name occurs in the evidence or the index.
    """
    if not note.strip() or "\n" in note.strip():
        return "a note is one sentence"
    if words_of(note) > most:
        return f"a note has at most {most} words"
    lines = tuple(failed)
    if any(_echoes(note, line) for line in lines):
        return "a note quotes nothing of the failed edit"
    unknown = next((name for name in names_of(note) if not known(name)), "")
    return "a note names only what occurs in the evidence or the code" if unknown else ""


def names_of(note: str) -> tuple[str, ...]:
    """The names of code, files and fields in a note, without the marks around them; pieces of a dotted name each for itself."""
    ticked = [found[1] for found in _TICKED.finditer(note)]
    plain = [found[0] for found in _CODE.finditer(_TICKED.sub(" ", note)) if _LOOKS_LIKE_CODE.search(found[0])]
    words = (word for each in (*ticked, *plain) for word in re.findall(r"[A-Za-z_$][\w$]*", each))
    return tuple(dict.fromkeys(words))


def _echoes(note: str, line: str) -> bool:
    """Whether a note has a run of tokens of a line in it, or the whole of what the line says."""
    said, wrote = _TOKEN.findall(note), _TOKEN.findall(line)
    whole = line.strip()
    if len(whole) >= SHORTEST_EXPRESSION and len(wrote) > 1 and whole in note:
        return True
    if any(len(ticked) >= SHORTEST_EXPRESSION and len(_TOKEN.findall(ticked)) > 2 and ticked in line for ticked in _TICKED.findall(note)):
        return True
    runs = {tuple(said[i : i + LONGEST_ECHO]) for i in range(len(said) - LONGEST_ECHO + 1)}
    return any(tuple(wrote[i : i + LONGEST_ECHO]) in runs for i in range(len(wrote) - LONGEST_ECHO + 1))
