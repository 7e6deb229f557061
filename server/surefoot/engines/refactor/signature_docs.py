"""The lines of a documentation that speak of one parameter each: Sphinx, Google and NumPy docstrings, and JSDoc.

They follow the signature: gone with what is removed, in the new order, under the new name, and one for what is new where the others have
one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from surefoot.core.change import TextEdit
from surefoot.core.value import value

_FIELD = re.compile(r"(?P<indent>[ \t]*):(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:\n]*?\s)?\*{0,2}(?P<name>\w+)\s*:")
_TYPE = re.compile(r"(?P<indent>[ \t]*):type\s+(?P<name>\w+)\s*:")
_SECTION = re.compile(r"(?P<indent>[ \t]*)(?:Args|Arguments|Parameters|Keyword Args|Keyword Arguments):[ \t]*")
_ITEM = re.compile(r"(?P<indent>[ \t]+)\*{0,2}(?P<name>\w+)(?:\s*\([^)\n]*\))?\s*:")
_NUMPY = re.compile(r"(?P<indent>[ \t]*)(?:Other )?Parameters[ \t]*")
_RULE = re.compile(r"[ \t]*-{3,}[ \t]*")
_NUMPY_ITEM = re.compile(r"(?P<indent>[ \t]*)\*{0,2}(?P<name>\w+)[ \t]*(?::.*)?")
_TAG = re.compile(r"(?P<indent>[ \t]*\*[ \t]*)@param\s+(?:\{[^}\n]*\}\s*)?\[?(?P<name>[\w$]+)")
_GOES_ON = re.compile(r"[ \t]*\*[ \t]*[^@\s*/]")


@value
class DocLine:
    """What is said of one parameter: whole lines from `start` to `end`, its name at `at`; how such a line begins, and ends after the name.

    `first` says that it is a line about the parameter, not one about its type alone; `head` where the heading above it starts.
    """

    name: str
    start: int
    end: int
    at: int
    before: str
    after: str
    first: bool = False
    head: int = -1


_Line = tuple[int, str]


def doc_lines(data: bytes, docs: tuple[int, int]) -> tuple[DocLine, ...]:
    """The lines of parameters in a documentation, by offsets in the text."""
    start, end = docs
    text = data[start:end].decode("utf-8")
    if not text.isascii():
        # Lines and columns are counted in characters here, and bytes outside.
        found = [_shifted(line, text, start) for line in _read(text)]
    else:
        found = [_moved(line, start, start) for line in _read(text)]
    return tuple(sorted(found, key=lambda line: line.start))


def redone(data: bytes, docs: tuple[int, int], old: Sequence[str], new: Sequence[str], renamed: Mapping[str, str]) -> list[TextEdit]:
    """The edits that make a documentation speak of the `new` parameters, in their order; `renamed` maps old names to new ones."""
    lines = [line for line in doc_lines(data, docs) if line.name in old]
    if not lines:
        return []
    gone = [line for line in lines if renamed.get(line.name, line.name) not in new]
    stay = [line for line in lines if line not in gone]
    edits = [_dropped(line, lines, gone) for line in gone]
    texts = {line: _named(data, line, renamed.get(line.name, line.name)) for line in stay}
    wanted = sorted(stay, key=lambda line: new.index(renamed.get(line.name, line.name)))
    order = wanted if _follow(stay, old) and len({line.name for line in stay}) == len(stay) else stay
    for place, line in zip(stay, order, strict=True):
        held, was = texts[line], data[place.start : place.end].decode("utf-8")
        edits += [TextEdit(place.start, place.end, held)] if held != was else []
    fresh = [name for name in new if name not in {renamed.get(name, name) for name in old}]
    said = {line.name for line in lines}
    return edits + [edit for name in fresh if stay and said >= set(old) for edit in _added(data, stay, new, name, renamed)]


def _follow(lines: Sequence[DocLine], old: Sequence[str]) -> bool:
    """Whether the lines stand in the order of the signature, with nothing in between."""
    places = [old.index(line.name) for line in lines]
    return places == sorted(places) and all(a.end == b.start for a, b in pairwise(lines))


def _named(data: bytes, line: DocLine, name: str) -> str:
    head = data[line.start : line.at].decode("utf-8")
    tail = data[line.at + len(line.name.encode("utf-8")) : line.end].decode("utf-8")
    return head + name + tail


def _dropped(line: DocLine, lines: Sequence[DocLine], gone: Sequence[DocLine]) -> TextEdit:
    alone = line.head >= 0 and all(other in gone for other in lines)
    return TextEdit(line.head if alone and line is lines[0] else line.start, line.end, "")


def _added(data: bytes, stay: Sequence[DocLine], new: Sequence[str], name: str, renamed: Mapping[str, str]) -> Iterator[TextEdit]:
    before = [line for line in stay if new.index(renamed.get(line.name, line.name)) < new.index(name)]
    near = before[-1] if before else stay[0]
    at = near.end if before else near.start
    newline = "\r\n" if b"\r\n" in data[near.start : near.end] else "\n"
    if data[near.start : near.end].endswith(b"\n"):
        like = next((line for line in stay if line.first), near)
        yield TextEdit(at, at, f"{like.before}{name}{like.after}{newline}")


def _read(text: str) -> list[DocLine]:
    lines = list(_lines(text))
    if text.startswith("/**"):
        return list(_tagged(lines))
    return [*_fields(lines), *_sections(lines, _SECTION, _ITEM), *_sections(lines, _NUMPY, _NUMPY_ITEM)]


def _lines(text: str) -> Iterator[_Line]:
    """The lines that stand alone: not the first, which follows the quotes, nor what the closing ones end."""
    at = 0
    for line in text.splitlines(keepends=True):
        if at and line.strip() and not line.rstrip().endswith(('"""', "'''", "*/")):
            yield at, line
        elif at:
            yield at, "\n" if line.strip() in ('"""', "'''", "*/", "") else ""
        at += len(line)


def _fields(lines: Sequence[_Line]) -> Iterator[DocLine]:
    for form, word in ((_FIELD, "param"), (_TYPE, "type")):
        for i, (at, line) in enumerate(lines):
            if (found := form.match(line)) is not None:
                end = _end(lines, i, len(found["indent"]))
                yield DocLine(found["name"], at, end, at + found.start("name"), f"{found['indent']}:{word} ", ":", word == "param")


def _sections(lines: Sequence[_Line], heading: re.Pattern[str], item: re.Pattern[str]) -> Iterator[DocLine]:
    for i, (at, line) in enumerate(lines):
        found = heading.fullmatch(line.rstrip("\r\n"))
        ruled = heading is _NUMPY
        if found is None or (ruled and not (i + 1 < len(lines) and _RULE.fullmatch(lines[i + 1][1].rstrip("\r\n")))):
            continue
        blank = i > 0 and not lines[i - 1][1].strip() and bool(lines[i - 1][1])
        yield from _items(lines, i + 1 + ruled, len(found["indent"]), item, lines[i - 1][0] if blank else at)


def _items(lines: Sequence[_Line], first: int, heading: int, item: re.Pattern[str], head: int) -> Iterator[DocLine]:
    depth = -1
    for i in range(first, len(lines)):
        at, line = lines[i]
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        numpy = item is _NUMPY_ITEM
        if (indent < heading or (indent <= heading and not numpy)) or (
            numpy and i + 1 < len(lines) and _RULE.fullmatch(lines[i + 1][1].strip())
        ):
            return
        depth = indent if depth < 0 else depth
        found = item.match(line.rstrip("\r\n")) if indent == depth else None
        if found is not None:
            end = _end(lines, i, indent)
            yield DocLine(found["name"], at, end, at + found.start("name"), found["indent"], "" if numpy else ":", True, head)


def _tagged(lines: Sequence[_Line]) -> Iterator[DocLine]:
    for i, (at, line) in enumerate(lines):
        found = _TAG.match(line)
        if found is None:
            continue
        more = takewhile(_GOES_ON.match, (line for _, line in lines[i + 1 :]))
        end = at + len(line) + sum(map(len, more))
        yield DocLine(found["name"], at, end, at + found.start("name"), f"{found['indent']}@param ", "", True)


def _end(lines: Sequence[_Line], at: int, indent: int) -> int:
    """Where the lines end that are indented below the one at an index."""
    last = at
    for i in range(at + 1, len(lines)):
        line = lines[i][1]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        last = i if line.strip() else last
    return lines[last][0] + len(lines[last][1])


def _moved(line: DocLine, by: int, head: int) -> DocLine:
    return DocLine(
        line.name,
        line.start + by,
        line.end + by,
        line.at + by,
        line.before,
        line.after,
        line.first,
        line.head + head if line.head >= 0 else -1,
    )


def _shifted(line: DocLine, text: str, start: int) -> DocLine:
    def byte(at: int) -> int:
        return start + len(text[:at].encode("utf-8"))

    head = byte(line.head) if line.head >= 0 else -1
    return DocLine(line.name, byte(line.start), byte(line.end), byte(line.at), line.before, line.after, line.first, head)
