"""Lists of names that a file imports, exports or puts into `__all__`, and the statement around a definition.

These are the two things that an edit adds to and takes from, rather than replaces: a name beside another one, a line after a definition.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from surefoot.core.value import value

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIES = frozenset({"module", "program", "block", "statement_block"})
_ALIASED = frozenset({"aliased_import", "import_specifier", "export_specifier"})
_LISTS = frozenset({"import_from_statement", "named_imports", "export_clause"})
_SEQUENCES = frozenset({"list", "tuple", "set"})
_ENTRIES = _ALIASED | {"identifier", "type_identifier", "dotted_name", "string", "string_content"}


@value
class Item:
    """One entry: `start` to `end` is all of it, quotes, alias and `type` included; `word` is where its name starts."""

    start: int
    end: int
    word: int
    name: str
    alias: str = ""


@value
class NameList:
    """Entries in text order. `source` is the module as it is written there ("" for `__all__` and for a local `export {…}`).

    `start` to `end` is the whole statement; `block` is where the block that it stands in starts.
    """

    items: tuple[Item, ...]
    source: str
    exports: bool
    start: int
    end: int
    block: int

    def holding(self, name: str) -> Item | None:
        """The entry that a reader of the list sees as `name`, with no other name given to it."""
        return next((i for i in self.items if i.name == name and i.alias in {"", name}), None)


@value
class Statement:
    """The statement that defines a name. `top` says that it stands directly in the module."""

    start: int
    end: int
    top: bool
    exported: bool
    default: bool


def lists_naming(root: "Node", places: Iterable[tuple[int, int]]) -> tuple[NameList, ...]:
    """The import lists, export lists and `__all__` in which the words at `places` stand, in text order."""
    held: dict[int, Node] = {}
    for start, end in places:
        word = root.descendant_for_byte_range(start, end)
        if word is not None and (found := _list_around(word)) is not None:
            held[found.start_byte] = found
    return tuple(_read(held[start]) for start in sorted(held))


def statement_at(root: "Node", offset: int) -> Statement | None:
    """The statement whose definition has its name at `offset`."""
    node = root.descendant_for_byte_range(offset, offset)
    while node is not None and node.parent is not None and node.parent.type not in _BODIES:
        node = node.parent
    if node is None or node.parent is None:
        return None
    exported = node.type == "export_statement"
    default = exported and any(child.type == "default" for child in node.children)
    return Statement(node.start_byte, node.end_byte, node.parent.type in {"module", "program"}, exported, default)


def _list_around(word: "Node") -> "Node | None":
    """Climbs from a word through the entry that it names; None where something else is around it."""
    at = word
    while at.type in _ENTRIES and at.parent is not None:
        at = at.parent
    if at.type in _LISTS or (at.type in _SEQUENCES and _is_offered(at)):
        return at
    return None


def _is_offered(sequence: "Node") -> bool:
    """Whether a list of strings, or a sum of such lists, becomes or extends `__all__`."""
    part, around = sequence, sequence.parent
    while around is not None and around.type == "binary_operator":
        part = around
        around = part.parent
    if around is None or around.type not in {"assignment", "augmented_assignment"}:
        return False
    left = around.child_by_field_name("left")
    return left is not None and left.text == b"__all__" and around.child_by_field_name("right") == part


def _read(node: "Node") -> NameList:
    holder = node if node.type == "import_from_statement" else _statement_of(node)
    source = holder.child_by_field_name("module_name") or holder.child_by_field_name("source")
    items = tuple(item for child in _entries(node) if (item := _item(child)) is not None)
    exports = node.type == "export_clause" or node.type in _SEQUENCES
    block = holder.parent.start_byte if holder.parent is not None else 0
    return NameList(items, _text(source).strip("\"'"), exports, holder.start_byte, holder.end_byte, block)


def _entries(node: "Node") -> "list[Node]":
    if node.type == "import_from_statement":
        return node.children_by_field_name("name")
    return node.named_children


def _item(node: "Node") -> Item | None:
    if node.type == "string":
        content = next((c for c in node.named_children if c.type == "string_content"), None)
        return Item(node.start_byte, node.end_byte, content.start_byte, _text(content)) if content is not None else None
    if node.type in _ALIASED:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        return Item(node.start_byte, node.end_byte, name.start_byte, _text(name), _text(alias)) if name is not None else None
    if node.type == "dotted_name":
        return Item(node.start_byte, node.end_byte, node.start_byte, _text(node))
    return None


def _statement_of(node: "Node") -> "Node":
    at = node
    while at.parent is not None and not at.type.endswith("statement"):
        at = at.parent
    return at


def _text(node: "Node | None") -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""
