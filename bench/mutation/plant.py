"""Errors to plant in a code base: one edit of one line each, of five kinds, that leave every line where it is."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

GONE = "_gone"
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_MEMBER = re.compile(r"\b[a-z_]\w*\.([a-z_]\w{2,})\b")
_CALL = re.compile(r"(?<![\w.$])([A-Za-z_$][\w$]*)\((?!\))")
_COMMENT = re.compile(r"^\s*(?:#|//|\*|/\*|\"\"\"|'''|>>>)")


class Kind(StrEnum):
    """What is wrong."""

    ARITY = "wrong arity"
    MEMBER = "unknown member"
    IMPORT = "missing import"
    TYPE = "type mismatch"
    CALLER = "broken caller in another file"


@dataclass(frozen=True, slots=True)
class Planted:
    """One error: the line (from 1) of a file becomes `text`. `name` is what it is about, `also` are files that say that name too."""

    kind: Kind
    path: str
    line: int
    text: str
    name: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grammar:
    """As much of a language as planting takes."""

    defined: re.Pattern[str]
    imported: re.Pattern[str]
    typed: re.Pattern[str]
    returned: re.Pattern[str]
    wrong: str
    extra: str


PYTHON = Grammar(
    re.compile(r"^(?:async )?def ([a-z_]\w{3,})\("),
    re.compile(r"^(from \S+ import )(\w+)(?= as |,|$)()"),
    re.compile(r"^\s*(?:async )?def \w+\(.*\) -> (?:str|int|bool|bytes|float):$"),
    re.compile(r"^(\s+return )[^({\[]+$"),
    "object()",
    "0, " * 12,
)
TYPESCRIPT = Grammar(
    re.compile(r"^export (?:async )?function ([a-z]\w{3,})(?=[(<])"),
    re.compile(r"^(import \{ )(\w+)(?=[ ,])()"),
    re.compile(r"^.*\): (?:number|string|boolean) \{$"),
    re.compile(r"^(\s+return )[^({\[]+;$"),
    "Symbol('wrong');",
    "0, " * 12,
)


def planted(files: Mapping[str, str], grammar: Grammar, each: int, seed: int) -> tuple[Planted, ...]:
    """At most `each` errors of each kind, drawn by `seed`; always the same for the same files."""
    draw = random.Random(seed)
    lines = {path: text.split("\n") for path, text in sorted(files.items())}
    out: list[Planted] = []
    for kind in Kind:
        found = list(_of(kind, lines, grammar))
        out += draw.sample(found, min(each, len(found)))
    return tuple(out)


def _of(kind: Kind, lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Iterator[Planted]:
    match kind:
        case Kind.ARITY:
            return _calls(lines, grammar)
        case Kind.MEMBER:
            return _members(lines)
        case Kind.IMPORT:
            return _imports(lines, grammar)
        case Kind.TYPE:
            return _returns(lines, grammar)
        case Kind.CALLER:
            return _callers(lines, grammar)


def _definitions(lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Mapping[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for path, text in lines.items():
        for number, line in enumerate(text, 1):
            if (match := grammar.defined.match(line)) is not None:
                found.setdefault(match[1], []).append((path, number))
    return found


def _calls(lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Iterator[Planted]:
    known = _definitions(lines, grammar)
    for path, number, line in _code(lines):
        match = _CALL.search(line)
        if match is not None and match[1] in known and "def " not in line and "function " not in line:
            yield Planted(Kind.ARITY, path, number, line[: match.end()] + grammar.extra + line[match.end() :], match[1])


def _members(lines: Mapping[str, Sequence[str]]) -> Iterator[Planted]:
    for path, number, line in _code(lines):
        match = _MEMBER.search(line)
        if match is not None and not any(mark in line for mark in ("import ", "from ", '"', "'", "`")):
            yield Planted(Kind.MEMBER, path, number, line[: match.end()] + GONE + line[match.end() :], match[1])


def _imports(lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Iterator[Planted]:
    for path, number, line in _code(lines):
        match = grammar.imported.match(line)
        if match is not None and not line[match.end() :].startswith(" as "):
            text = f"{match[1]}{match[2]}{GONE} as {match[2]}{line[match.end() :]}"
            yield Planted(Kind.IMPORT, path, number, text, match[2])


def _returns(lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Iterator[Planted]:
    for path, text in lines.items():
        for number, line in enumerate(text, 1):
            if grammar.typed.match(line) is None:
                continue
            for at in range(number, min(number + 8, len(text))):
                match = grammar.returned.match(text[at])
                if match is not None:
                    yield Planted(Kind.TYPE, path, at + 1, match[1] + grammar.wrong, "return")
                    break
                if grammar.typed.match(text[at]):
                    break


def _callers(lines: Mapping[str, Sequence[str]], grammar: Grammar) -> Iterator[Planted]:
    users: dict[str, set[str]] = {}
    for path, text in lines.items():
        for word in _WORD.findall("\n".join(text)):
            users.setdefault(word, set()).add(path)
    for name, places in _definitions(lines, grammar).items():
        others = tuple(sorted(users.get(name, set()) - {path for path, _ in places}))
        if len(places) == 1 and others:
            path, number = places[0]
            line = lines[path][number - 1]
            text = re.sub(rf"\b{re.escape(name)}\b", f"{name}{GONE}", line, count=1)
            yield Planted(Kind.CALLER, path, number, text, name, others)


def _code(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int, str]]:
    for path, text in lines.items():
        for number, line in enumerate(text, 1):
            if _COMMENT.match(line) is None:
                yield path, number, line
