"""The arguments of a call site: where each of them stands, its name where it has one, and whether it stands for any number of them.

They are read from the tree, one call at a time, because only a change of a signature asks for them.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tree_sitter import Node

from surefoot.core.value import value
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import Language
from surefoot.syntax.roles import COMMENTS

HIGHEST = 8
"""Nodes between a name and the call that it is called by."""

_SPREAD = frozenset(
    {
        "list_splat",
        "dictionary_splat",
        "spread_element",
        "variadic_argument",
        "splat_argument",
        "hash_splat_argument",
        "variadic_unpacking",
        "parameter_pack_expansion",
    }
)
_LISTS = frozenset({"arguments", "argument_list"})
_NAMED: Mapping[str, str] = MappingProxyType({"keyword_argument": "name", "argument": "name", "pair": "key"})


@value
class Argument:
    """One argument: `start` to `end` is all of it. A `spread` one may be none or many."""

    start: int
    end: int
    name: str = ""
    spread: bool = False


@value
class Call:
    """A call: `start` to `end` is all of it, receiver and arguments included."""

    start: int
    end: int
    arguments: tuple[Argument, ...]


def call_of(index: Index, parsed: Parsed, start: int, end: int) -> Call | None:
    """The call of the name at these bytes; None where the name is not what is called, or is called without a list of arguments."""
    node = index.root(parsed).descendant_for_byte_range(start, end)
    for _ in range(HIGHEST):
        around = node.parent if node is not None else None
        if node is None or around is None or _is_holder(parsed.language, node, around):
            return None
        given = around.child_by_field_name("arguments") or _listed(around, end)
        if given is not None and given.start_byte >= end:
            return Call(around.start_byte, around.end_byte, _arguments(given)) if given.type not in ("template_string",) else None
        if given is not None:
            return None
        node = around
    return None


def _listed(around: Node, end: int) -> Node | None:
    """A list of arguments that its grammar gives no field: after `new` in PHP, after `base` in C#."""
    return next((child for child in around.named_children if child.type in _LISTS and child.start_byte >= end), None)


def _is_holder(language: Language, node: Node, around: Node) -> bool:
    """Whether a node is what a member is taken from, and so not what is called."""
    return around.type in language.members and node == around.child_by_field_name(language.members[around.type][0])


def _arguments(given: Node) -> tuple[Argument, ...]:
    if given.type == "generator_expression":
        return (Argument(given.start_byte, given.end_byte),)
    return tuple(_argument(child) for child in given.named_children if child.type not in COMMENTS)


def _argument(node: Node) -> Argument:
    named = node.child_by_field_name(_NAMED[node.type]) if node.type in _NAMED else None
    inner = node.named_child(0) if node.type == "argument" and node.named_child_count else None
    name = (named.text or b"").decode("utf-8", "replace") if named is not None else ""
    return Argument(node.start_byte, node.end_byte, name, node.type in _SPREAD or (inner is not None and inner.type in _SPREAD))
