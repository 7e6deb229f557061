"""How one word stands in one file: bare or as a member's name, alone or doing double duty, and what else of its name is seen there.

This is what an edit must know before it puts another name in the word's place, and all of it can be read from that file alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.lists import Item, NameList, Statement, lists_naming, statement_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from surefoot.syntax.index import Index, Parsed
    from surefoot.syntax.languages import Language
    from surefoot.syntax.outline import Outline


class Shape(StrEnum):
    """Whether a word stands for itself alone.

    `{f}` in an object is a key and a value, in a pattern a key and a new name; `import f as f` is one name twice; a tag in JSX tells
    components from elements by their first letter.
    """

    PLAIN = "plain"
    SHORTHAND = "shorthand"
    PATTERN = "pattern"
    TWICE = "twice"
    JSX = "jsx"


@value
class Word:
    """One place of a word. A `bare` word is looked up in scopes; `end` of a `TWICE` covers both words."""

    start: int
    end: int
    bare: bool
    shape: Shape


@value
class Capture:
    """A place where one of two names would come to mean the other: `bound` by a binding of the new name there, or as a use of it."""

    start: int
    bound: bool


@value
class Asked:
    """A file, and where in it the words start that are to be replaced."""

    file: TextFile
    renamed: tuple[int, ...]


@value
class Page:
    """All that an edit must know of one file: where the old and the new name stand, and what would go wrong if all of `old` became the new
    one; the lists that hold either name, and the statement around each replaced word that is bound where it stands.
    """

    old: tuple[Word, ...]
    new: tuple[Word, ...]
    capture: Capture | None
    lists: tuple[NameList, ...] = ()
    statements: Mapping[int, Statement] = field(default_factory=dict[int, Statement])

    def naming(self, name: str) -> list[tuple[NameList, Item]]:
        """The lists that offer or fetch `name`, one of the two names, under its own name."""
        return [(held, item) for held in self.lists if (item := held.holding(name)) is not None]


def page_of(index: "Index", asked: Asked, old: str, new: str) -> Page:
    """What is to be known before words of `old` are replaced, from one parse. Empty for a language that is not parsed."""
    parsed = index.parsed(asked.file)
    if parsed is None:
        return Page((), (), None)
    root, starts = index.root(parsed), set(asked.renamed)
    places = [_places(parsed, name) for name in (old, new)]
    olds, news = (_words(root, parsed, held) for held in places)
    bare = [word.start for word in olds if word.bare and word.start in starts]
    capture = _capture(parsed.outline, old, new, bare, [word.start for word in news if word.bare])
    around = {start: statement_at(root, start) for start in asked.renamed if start in parsed.outline.at}
    statements = {start: statement for start, statement in around.items() if statement is not None}
    return Page(olds, news, capture, lists_naming(root, [*places[0], *places[1]]), statements)


def bare_words(index: "Index", parsed: "Parsed", name: str) -> tuple[int, ...]:
    """Where a name stands that is looked up in the scopes around it, in text order."""
    return tuple(word.start for word in _words(index.root(parsed), parsed, _places(parsed, name)) if word.bare)


def starts_of(index: "Index", file: TextFile, container: str, name: str) -> tuple[int, ...]:
    """Where a name is first bound in each scope that bears the dotted path `container`, in text order."""
    outline = index.outline(file)
    if outline is None:
        return ()
    inside = [(bound[0].start, scope) for scope, bound in outline.named(name)]
    return tuple(sorted(start for start, scope in inside if outline.dotted(scope) == container))


def _capture(outline: "Outline", old: str, new: str, renamed: Iterable[int], uses: Iterable[int]) -> Capture | None:
    scopes: set[int] = set()
    for start in renamed:
        for scope in _lookup(outline, start):
            if (scope, new) in outline.bindings:
                return Capture(outline.bindings[scope, new][0].start, True)
            if (scope, old) in outline.bindings:
                scopes.add(scope)
                break
    for start in uses:
        for scope in _lookup(outline, start):
            if (scope, new) in outline.bindings:
                break
            if scope in scopes:
                return Capture(start, False)
    return None


def _lookup(outline: "Outline", start: int) -> Iterable[int]:
    """The scopes that a bare word is looked up in; a word that binds is first of all in the scope that it binds in."""
    return (*dict.fromkeys(binding.scope for binding in outline.at.get(start, ())), *outline.chain(start))


def _places(parsed: "Parsed", name: str) -> list[tuple[int, int]]:
    from surefoot.syntax.roles import occurrences

    return list(occurrences(parsed.file.data, name, parsed.language.letters))


def _words(root: "Node", parsed: "Parsed", places: Iterable[tuple[int, int]]) -> tuple[Word, ...]:
    found: list[Word] = []
    for start, end in places:
        node = root.descendant_for_byte_range(start, end)
        if node is not None and (node.start_byte, node.end_byte) == (start, end) and node.type in parsed.language.identifiers:
            found.append(_word(node, parsed.language))
    return tuple(found)


_MEMBERS: Mapping[str, str] = {
    "keyword_argument": "name",
}
"""Where a name hangs, beside after a dot, that is looked up in something else than the scopes around it."""
_SHAPES: Mapping[str, Shape] = {
    "shorthand_property_identifier": Shape.SHORTHAND,
    "shorthand_property_identifier_pattern": Shape.PATTERN,
}
_KEYS = frozenset({"property_identifier", "private_property_identifier", "statement_identifier"})
_TAGS = frozenset({"jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element"})
_LISTED = frozenset({"aliased_import", "import_specifier", "export_specifier"})


def _word(node: "Node", language: "Language") -> Word:
    parent = node.parent
    end, shape = node.end_byte, _SHAPES.get(node.type, Shape.PLAIN)
    if parent is None:
        return Word(node.start_byte, end, True, shape)
    if parent.type == "dotted_name" and parent.parent is not None:
        return _dotted(node, parent, parent.parent)
    if parent.type in _LISTED:
        return _listed(node, node, parent)
    field = language.members[parent.type][1] if parent.type in language.members else _MEMBERS.get(parent.type)
    member = field is not None and parent.child_by_field_name(field) == node
    first = parent.type in {"keyword_pattern", "namespace_export"} and parent.named_child(0) == node
    return Word(node.start_byte, end, not (member or first or node.type in _KEYS), Shape.JSX if parent.type in _TAGS else shape)


def _dotted(node: "Node", dotted: "Node", holder: "Node") -> Word:
    """A name in an import statement, or one that a `case` matches."""
    if holder.type == "aliased_import":
        return _listed(node, dotted, holder)
    of_module = holder.type == "relative_import" or holder.child_by_field_name("module_name") == dotted
    return Word(node.start_byte, node.end_byte, not of_module and dotted.named_child(0) == node, Shape.PLAIN)


def _listed(node: "Node", entry: "Node", holder: "Node") -> Word:
    """A name in an import or export list: of its two names only the one that the file itself knows is bare."""
    alias = holder.child_by_field_name("alias")
    if alias is not None and alias.text == entry.text and alias != entry:
        return Word(node.start_byte, alias.end_byte, True, Shape.TWICE)
    if holder.type != "export_specifier":
        return Word(node.start_byte, node.end_byte, alias is None or alias == entry, Shape.PLAIN)
    statement = holder.parent.parent if holder.parent is not None else None
    foreign = statement is not None and statement.child_by_field_name("source") is not None
    return Word(node.start_byte, node.end_byte, not foreign and alias != entry, Shape.PLAIN)
