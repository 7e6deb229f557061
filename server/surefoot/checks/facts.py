"""What a finding says, read off its message by the patterns of `facts.toml`: its kind, and the names and types in it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import cast

from surefoot.core.findings import Diagnostic
from surefoot.core.value import value

_PART = re.compile(r"<(\w+)>|\{(\w+)\}|\s*\.\.\.\s*|\s+")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_FIELD = re.compile(r"\{(\w+)\}")
_GAPS = re.compile(r"\s+")
_BARE = r"[^\n]+?"
_LAST = r"[\w$.:/*&-]+"


@value
class Fact:
    """One finding in terms of our own; `fields` are described at the head of `facts.toml`."""

    kind: str
    fields: Mapping[str, str]

    def field(self, name: str) -> str:
        return self.fields.get(name, "")


@value
class _Book:
    words: Mapping[str, str]
    patterns: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]
    same: Mapping[str, str]


def fact_of(found: Diagnostic) -> Fact | None:
    """What a finding says, None where no pattern of its tool knows its message."""
    book = _book()
    tool = book.same.get(found.tool, found.tool)
    for kind, pattern in book.patterns.get(tool, ()):
        if (match := pattern.match(found.message.strip())) is not None:
            said = {name: _trimmed(text) for name, text in match.groupdict().items() if text}
            return Fact(kind, said)
    return None


def words_of(fact: Fact) -> str:
    """The fact in a few words of our own, "" where a field that they need is unknown."""
    template = _OPTIONAL.sub(lambda part: part[1] if _known(part[1], fact) else "", _book().words[fact.kind])
    return _FIELD.sub(lambda field: shortened(fact.field(field[1])), template) if _known(template, fact) else ""


def shortened(text: str, most: int = 32) -> str:
    """A name or type of at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _trimmed(text: str) -> str:
    """One line without the stop of its sentence."""
    line = _GAPS.sub(" ", text).strip()
    return line[:-1] if line.endswith(".") and len(line) > 1 else line


def _known(template: str, fact: Fact) -> bool:
    return all(fact.field(name) for name in _FIELD.findall(template))


@cache
def _book() -> _Book:
    text = resources.files("surefoot.checks").joinpath("facts.toml").read_text(encoding="utf-8")
    held = cast(dict[str, dict[str, object]], tomllib.loads(text))
    tools = cast(dict[str, dict[str, object]], held["tools"])
    patterns = {name: tuple(_compiled(table)) for name, table in tools.items()}
    return _Book(cast(dict[str, str], held["words"]), patterns, cast(dict[str, str], held["same"]))


def _compiled(table: Mapping[str, object]) -> Iterator[tuple[str, re.Pattern[str]]]:
    quote = re.escape(cast(str, table["quote"]))
    for kind, lines in table.items():
        if kind != "quote":
            yield from ((kind, re.compile(_regex(line, quote), re.DOTALL)) for line in cast(list[str], lines))


def _regex(line: str, quote: str) -> str:
    """A pattern of the file as a regular expression. A bare field at the end takes one word."""
    out: list[str] = []
    at = 0
    for part in _PART.finditer(line):
        out.append(re.escape(line[at : part.start()]))
        at = part.end()
        if part[1]:
            out.append(f"{quote}(?P<{part[1]}>[^\\n]+?){quote}")
        elif part[2]:
            out.append(f"(?P<{part[2]}>{_LAST if at == len(line) else _BARE})")
        else:
            out.append(".*?" if "..." in part[0] else "\\s+")
    return "".join((*out, re.escape(line[at:])))
