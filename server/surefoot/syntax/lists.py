"""Lists of names that a file imports, exports or puts into `__all__`, and the statement around a definition.

These are the two things that an edit adds to and takes from, rather than replaces: a name beside another one, a line after a definition.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value
from surefoot.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_BODIES = frozenset({"module", "program", "block", "statement_block"})
_ALIASED = frozenset({"aliased_import", "import_specifier", "export_specifier"})


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


def name_lists(path: Path, data: bytes) -> tuple[NameList, ...]:
    """Every import list, export list and `__all__` of a file, in text order."""
    root = _root(path, data)
    return tuple(_read(held) for held in _lists(root)) if root is not None else ()


def statement_at(path: Path, data: bytes, offset: int) -> Statement | None:
    """The statement whose definition has its name at `offset`."""
    root = _root(path, data)
    node = root.descendant_for_byte_range(offset, offset) if root is not None else None
    while node is not None and node.parent is not None and node.parent.type not in _BODIES:
        node = node.parent
    if node is None or node.parent is None:
        return None
    exported = node.type == "export_statement"
    default = exported and any(child.type == "default" for child in node.children)
    return Statement(node.start_byte, node.end_byte, node.parent.type in {"module", "program"}, exported, default)


def _root(path: Path, data: bytes) -> "Node | None":
    from surefoot.syntax.parse import Grammars

    language = language_of(path)
    return Grammars().parse(language, data).root_node if language is not None else None


def _lists(root: "Node") -> "Iterator[Node]":
    """Lists hang near the top: statements of the module, and of the blocks that guard imports."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if node.type in {"import_from_statement", "named_imports", "export_clause"}:
            yield node
        elif node.type in {"assignment", "augmented_assignment"}:
            yield from _all_lists(node)
        elif depth < 6:
            waiting += [(child, depth + 1) for child in reversed(node.named_children)]


def _all_lists(assignment: "Node") -> "Iterator[Node]":
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    if left is not None and left.text == b"__all__" and right is not None:
        waiting = [right]
        while waiting:
            node = waiting.pop()
            if node.type in {"list", "tuple", "set"}:
                yield node
            elif node.type == "binary_operator":
                waiting += reversed(node.named_children)


def _read(node: "Node") -> NameList:
    holder = node if node.type == "import_from_statement" else _statement_of(node)
    source = holder.child_by_field_name("module_name") or holder.child_by_field_name("source")
    items = tuple(item for child in _entries(node) if (item := _item(child)) is not None)
    exports = node.type == "export_clause" or node.type in {"list", "tuple", "set"}
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
