"""Two names side by side: the new one put next to the old in a list, the old one taken out again, a forwarder after a definition.

What is put in is taken out to the byte, so that a rename in steps ends in the text that a rename at once would have made.
"""

import re
from collections.abc import Iterator, Sequence

from surefoot.core.change import TextEdit
from surefoot.core.sites import Site, SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.lists import Item, NameList, Statement
from surefoot.syntax.words import Page

_TYPES = frozenset({SymbolKind.TYPE})


def in_lists(held: Sequence[tuple[NameList, Item]], sites: Sequence[Site]) -> list[Site]:
    """The sites that are entries of these lists."""
    return [site for site in sites if any(item.start <= site.place.start < item.end for _, item in held)]


def offers_both(page: Page, held: NameList, new: str) -> bool:
    """Whether the new name stands beside the old one: in the same list, or in another statement there about the same module."""
    if held.holding(new) is not None or not held.source:
        return held.holding(new) is not None
    here = (held.source, held.exports, held.block)
    others = (one for one in page.lists if (one.source, one.exports, one.block) == here)
    return any(one.holding(new) is not None for one in others)


def add_beside(file: TextFile, page: Page, held: NameList, item: Item, old: str, new: str) -> Iterator[TextEdit]:
    """Puts the new name after the old one, written as the old one is."""
    if offers_both(page, held, new):
        return
    twin = _renamed(file, item, old, new)
    yield TextEdit(item.end, item.end, f",{_gap(file, item)}{twin}")


def take_out(file: TextFile, held: NameList, item: Item) -> TextEdit:
    """Takes an entry out of its list, with the comma that held it; a statement about nothing else goes as a whole."""
    at = held.items.index(item)
    if len(held.items) == 1:
        return _without_statement(file, held)
    if at + 1 < len(held.items):
        return TextEdit(item.start, held.items[at + 1].start, "")
    return TextEdit(held.items[at - 1].end, item.end, "")


def _without_statement(file: TextFile, held: NameList) -> TextEdit:
    """The statement with its line, or by itself where something else stands on that line."""
    start = file.data.rfind(b"\n", 0, held.start) + 1
    line = re.compile(rb"[ \t]*(?:\r?\n|\Z)").match(file.data, held.end)
    if line is not None and not file.data[start : held.start].strip():
        return TextEdit(start, line.end(), "")
    more = re.compile(rb"[ \t]*;[ \t]*").match(file.data, held.end)
    return TextEdit(held.start, more.end() if more is not None else held.end, "")


def forwarder(file: TextFile, statement: Statement, kind: SymbolKind, old: str, new: str) -> TextEdit:
    """A line after the definition that offers the new definition under its old name too."""
    end = file.data.find(b"\n", statement.end)
    end = len(file.data) if end < 0 else end - file.data[:end].endswith(b"\r")
    newline = "\r\n" if b"\r\n" in file.data else "\n"
    blank = 1 if kind is SymbolKind.VARIABLE else 3 if _python(file) else 2
    return TextEdit(end, end, newline * blank + _forwarding(file, kind, old, new))


def without_forwarder(file: TextFile, kind: SymbolKind, old: str, new: str) -> TextEdit | None:
    """Takes the forwarder out again, None where there is none."""
    lines = {_forwarding(file, k, old, new) for k in (kind, SymbolKind.TYPE, SymbolKind.FUNCTION)}
    pattern = rb"(?:\r?\n)+(?:" + b"|".join(re.escape(line.encode()) for line in sorted(lines)) + rb")(?=\r?\n|$)"
    match = re.search(pattern, file.data)
    return TextEdit(match.start(), match.end(), "") if match is not None else None


def offer_as(item: Item, old: str, new: str) -> TextEdit:
    """An entry of a local `export {…}` that offers the new name, and the same under the old one."""
    return TextEdit(item.word, item.end, f"{new}, {new} as {old}")


def offered_as(page: Page, old: str, new: str) -> tuple[NameList, Item] | None:
    """The entry that `offer_as` made."""
    entries = ((held, item) for held in page.lists for item in held.items)
    return next(((held, item) for held, item in entries if (item.name, item.alias) == (new, old) and not held.source), None)


def _forwarding(file: TextFile, kind: SymbolKind, old: str, new: str) -> str:
    if _python(file):
        return f"{old} = {new}"
    return f"export {'type ' if kind in _TYPES else ''}{{ {new} as {old} }};"


def _renamed(file: TextFile, item: Item, old: str, new: str) -> str:
    text = file.data[item.start : item.end].decode("utf-8")
    return re.sub(rf"(?<![\w$]){re.escape(old)}(?![\w$])", lambda _: new, text)


def _gap(file: TextFile, item: Item) -> str:
    """What stands between two entries: a line of its own where the entry has one, else a space."""
    start = file.data.rfind(b"\n", 0, item.start) + 1
    indent = file.data[start : item.start]
    if indent.strip():
        return " "
    return ("\r\n" if file.data[:start].endswith(b"\r\n") else "\n") + indent.decode("utf-8")


def _python(file: TextFile) -> bool:
    return file.path.suffix in {".py", ".pyi"}
