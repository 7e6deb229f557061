"""What the captures of one match say: nodes as texts and ranges, and the small rules of reading several matches together."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from surefoot.core.sites import SymbolKind
from surefoot.syntax.languages import Language
from surefoot.syntax.outline import INSIDE, Binding

Captures = dict[str, list[Node]]

DEEPEST = 200
"""Nodes around an import in which it is looked for what it says the rest of."""


def source_of(language: Language, captures: Captures, statement: Node | None = None) -> str:
    """The name of a module, captured piece by piece where lists of imports are nested, after what stands around `statement`."""
    pieces = ["".join(text_of(node).split()) for node in captures.get("source", ())]
    inside: list[str] = []
    around = statement.parent if statement is not None and (language.nests or language.inside) else None
    for _ in range(DEEPEST):
        if around is None:
            break
        if (nests := language.nests.get(around.type)) is not None:
            pieces.insert(0, "".join(text_of(around.child_by_field_name(nests)).split()))
        elif (named := language.inside.get(around.type)) is not None:
            inside.insert(0, text_of(around.child_by_field_name(named)))
        around = around.parent
    written = language.separator.join(piece for piece in pieces if piece)
    return f"{language.separator.join(inside)}{INSIDE}{written}" if inside else written


def richer(held: Binding, other: Binding) -> Binding:
    """Two matches of one place: the one that defines something wins, and what only the other knows is kept."""
    better = (other.inner >= 0, other.kind is SymbolKind.PARAMETER) > (held.inner >= 0, held.kind is SymbolKind.PARAMETER)
    first, second = (other, held) if better else (held, other)
    return replace(
        first,
        shorthand=first.shorthand or second.shorthand,
        annotation=first.annotation or second.annotation,
        since=first.since or second.since,
        private=first.private or second.private,
        origin=first.origin or second.origin,
    )


def holding(spans: Sequence[tuple[int, ...]], offset: int) -> tuple[int, ...] | None:
    """The last of the sorted spans that holds a byte; they do not cross."""
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return spans[index] if index >= 0 and offset < spans[index][1] else None


def span_of(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def first_of(captures: Captures, name: str) -> Node | None:
    nodes = captures.get(name)
    return nodes[0] if nodes else None


def text_of(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""
