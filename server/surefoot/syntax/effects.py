"""What it means that an expression is evaluated: whether it may be left out, or change places with another one, and nobody would notice."""

from tree_sitter import Node

from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.written import Effect

_ACTS = frozenset(
    {
        "assignment_expression",
        "augmented_assignment_expression",
        "await",
        "await_expression",
        "call",
        "call_expression",
        "named_expression",
        "new_expression",
        "update_expression",
        "yield",
        "yield_expression",
    }
)
_READS = frozenset({"attribute", "member_expression", "subscript", "subscript_expression"})
_LATER = frozenset({"arrow_function", "function_expression", "generator_function", "lambda"})
"""What is evaluated when it is called, which is another matter."""
_SETS = frozenset({"assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "update_expression"})
_SET = ("left", "argument")


def effect_of(index: Index, parsed: Parsed, node: Node) -> Effect:
    """The most that evaluating any part of an expression may mean."""
    most, todo = Effect.NONE, [node]
    while todo and most < Effect.ACTS:
        at = todo.pop()
        if at.type in _LATER:
            continue
        most = max(most, _own(index, parsed, at))
        todo += at.named_children
    return most


def _own(index: Index, parsed: Parsed, node: Node) -> Effect:
    if node.type in _ACTS or (node.type == "unary_expression" and (node.text or b"").startswith(b"delete")):
        return Effect.ACTS
    if node.type in _READS:
        return Effect.READS
    if node.type in parsed.language.identifiers and node.type != "property_identifier":
        return Effect.READS if _set_anew(index, parsed, node.text or b"") else Effect.STEADY
    return Effect.NONE


def _set_anew(index: Index, parsed: Parsed, name: bytes) -> bool:
    """Whether anything in the file sets a name after it was bound: in Python, more than one assignment may."""
    found = 0
    for node in index.grammars.nodes(parsed.language, index.root(parsed), _SETS):
        held = next((field for key in _SET if (field := node.child_by_field_name(key)) is not None), None)
        if held is not None and held.text == name:
            found += 1 if node.type == "assignment" else 2
    return found > 1
