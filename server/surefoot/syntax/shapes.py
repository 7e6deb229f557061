"""The shape of a text: what its syntax tree says, and nothing of how it is laid out.

Walking a tree node by node is too slow for a question that is asked at every draft. The same is said by three things that cost little: the
tree as an expression without texts, the text without comments and needless blanks, and the literals, which are kept as they stand.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.text import digest
from surefoot.syntax.languages import Language, language_for

if TYPE_CHECKING:
    from tree_sitter import Node

_BOM = b"\xef\xbb\xbf"
_LAST_COMMA = re.compile(rb",(?=\s*[)\]}>])")
_QUOTED = re.compile(rb"""(\w*)(?:'([^'"\\\n]*)'|"([^'"\\\n]*)")""")
_SPACE = re.compile(rb" (?![\w$\x80-\xff])|(?<![\w$\x80-\xff]) ")
"""A blank that parts nothing: one between two words stays."""

_LISTS = frozenset(
    {
        "argument_list",
        "arguments",
        "array",
        "array_pattern",
        "dictionary",
        "enum_body",
        "export_clause",
        "formal_parameters",
        "import_from_statement",
        "interface_body",
        "list",
        "list_pattern",
        "named_imports",
        "object",
        "object_pattern",
        "object_type",
        "parameters",
        "set",
        "tuple",
        "tuple_type",
        "type_arguments",
        "type_parameters",
    }
)
"""Nodes in which a comma after the last item says nothing. It does in `x[1,]`, in a tuple of one, and where an array has a hole."""


def shape_of(path: Path, data: bytes) -> str:
    """A digest that is equal for two texts of one file when they differ in blanks, line breaks, comments, the quotes of plain strings and
    needless last commas only.

    A text that is not parsed here, or does not parse, is compared by its words: only the blanks between them do not count.
    """
    data = data.removeprefix(_BOM)
    language = language_for(path, data)
    said = _tree_shape(language, data) if language is not None else None
    return digest(said if said is not None else b"words\0" + b" ".join(data.split()))


def _tree_shape(language: Language, data: bytes) -> bytes | None:
    """None where the text has errors, or where nothing is known of the language's comments and literals."""
    from surefoot.syntax.parse import Grammars, query_text

    if not query_text(language, "shapes"):
        return None
    grammars = Grammars()
    root = grammars.parse(language, data).root_node
    if root.has_error or b"\0" in data:
        return None
    masked = bytearray(data)
    literals: list[bytes] = []
    silent: set[str] = set()
    for capture, node in _outermost(grammars.matches(language, "shapes", root)):
        start, end = node.start_byte, node.end_byte
        kept = b"" if capture == "skipped" else _literal(capture, data[start:end])
        masked[start:end] = (b"\0" if kept else b" ") * (end - start)
        if capture != "literal":
            silent.add(node.type)
        if kept:
            literals.append(b"%d:%b" % (len(kept), kept))
    _drop_last_commas(root, masked)
    words = _SPACE.sub(b"", b" ".join(re.sub(rb"\0+", b"\0", masked).split()))
    return b"\0tree".join((_expression(root, silent), words, b"".join(literals)))


def _outermost(matches: list[tuple[int, dict[str, list["Node"]]]]) -> Iterator[tuple[str, "Node"]]:
    """What was captured, in text order, without what lies inside of another capture."""
    found = [(name, node) for _, captured in matches for name, nodes in captured.items() for node in nodes]
    found.sort(key=lambda one: (one[1].start_byte, -one[1].end_byte))
    reached = 0
    for name, node in found:
        if node.start_byte >= reached and node.end_byte > node.start_byte:
            reached = node.end_byte
            yield name, node


def _literal(capture: str, text: bytes) -> bytes:
    """What counts of a literal: one way to quote where the quotes make no difference, and of markup the text that is rendered."""
    if capture == "markup":
        return _rendered(text)
    plain = _QUOTED.fullmatch(text)
    return text if plain is None else plain[1] + b'"' + (plain[2] or plain[3] or b"") + b'"'


def _rendered(text: bytes) -> bytes:
    """Markup text as it is shown: lines without the blanks at their broken ends, without empty lines, one blank between them."""
    lines = text.split(b"\n")
    if len(lines) == 1:
        return text
    cut = [lines[0].rstrip(), *(line.strip() for line in lines[1:-1]), lines[-1].lstrip()]
    return b" ".join(filter(None, cut))


def _drop_last_commas(root: "Node", masked: bytearray) -> None:
    for comma in _LAST_COMMA.finditer(bytes(masked)):
        node = root.descendant_for_byte_range(comma.start(), comma.end())
        held = node.parent if node is not None and node.type == "," else None
        if held is None or held.type not in _LISTS:
            continue
        hole = masked[held.start_byte : comma.start()].rstrip().endswith((b",", b"["))
        single = held.type == "tuple" and sum(child.type != "comment" for child in held.named_children) < 2
        if not hole and not single:
            masked[comma.start()] = 0x20


def _expression(root: "Node", silent: set[str]) -> bytes:
    """The tree without texts, and without the nodes that are silent about it."""
    said = str(root)
    for kind in silent:
        if f": ({kind})" in said:  # a node that stands before a field's own may bear the field's name
            said = re.sub(rf" \w+: \({kind}\)", "", said)
        said = said.replace(f" ({kind})", "")
    return said.encode()
