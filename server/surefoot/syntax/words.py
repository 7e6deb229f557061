"""Every place in one file where a word stands as code, and how it stands there: binds, uses, or is only a member's name.

This is less than resolution and needs less: one file, one word, the scopes around it. It answers what an edit must know before it
puts another name in: whether the new name is taken there, and whether the old one does double duty (`{f}` is a key and a value).
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value
from surefoot.syntax.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


class Role(StrEnum):
    """What a word does where it stands."""

    BINDS = "binds"
    USES = "uses"
    MEMBER = "member"


class Shape(StrEnum):
    """Whether a word stands for itself alone: `{f}` is key and value, in a pattern it is key and new name, `f as f` is one name twice."""

    PLAIN = "plain"
    SHORTHAND = "shorthand"
    PATTERN = "pattern"
    TWICE = "twice"
    JSX = "jsx"


@value
class Word:
    """One place of a word. `scope` is the range in which a binding is seen; for a use it is the innermost scope around it.

    `inner` is false for a binding in a class body, which functions inside the class do not see. `end` of a `TWICE` covers both words.
    """

    start: int
    end: int
    role: Role
    shape: Shape
    scope: tuple[int, int]
    inner: bool = True


def words(path: Path, data: bytes, *names: str) -> Mapping[str, tuple[Word, ...]]:
    """Every place where each of `names` stands as an identifier in one file, in text order; none where the language is not known."""
    from surefoot.syntax.parse import Grammars
    from surefoot.syntax.words_python import python_word
    from surefoot.syntax.words_script import script_word

    language = language_of(path)
    if language is None:
        return {name: () for name in names}
    tree = Grammars().parse(language, data)
    read = python_word if language.family == "python" else script_word
    return {name: tuple(read(node) for node in _identifiers(tree, data, name)) for name in names}


def word(node: "Node", role: Role, scope: "Node", shape: Shape = Shape.PLAIN, end: int = -1) -> Word:
    """The word at `node`, seen in (or standing in) `scope`."""
    span = (scope.start_byte, scope.end_byte)
    return Word(node.start_byte, max(end, node.end_byte), role, shape, span, scope.type not in {"class_definition", "class_body"})


def _identifiers(tree: "Tree", data: bytes, name: str) -> "Iterator[Node]":
    for match in re.finditer(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])", data):
        node = tree.root_node.descendant_for_byte_range(match.start(), match.end())
        if (
            node is not None
            and (node.start_byte, node.end_byte) == match.span()
            and node.type.endswith(("identifier", "identifier_pattern"))
        ):
            yield node
