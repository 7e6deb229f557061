"""How a word stands in TypeScript and JavaScript: what binds it, and in which scope."""

from types import MappingProxyType

from tree_sitter import Node

from surefoot.syntax.words import Role, Shape, Word, word

_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
        "function_signature",
        "method_signature",
        "abstract_method_signature",
        "call_signature",
        "construct_signature",
        "function_type",
        "constructor_type",
    }
)
_BLOCKS = frozenset({"program", "statement_block", "catch_clause", "for_statement", "for_in_statement", "switch_body", "class_body"})
_DECLARED = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "internal_module",
        "module",
    }
)
_BINDING_FIELDS = MappingProxyType(
    {
        **dict.fromkeys(_DECLARED, "name"),
        **dict.fromkeys(("function_expression", "generator_function", "class", "variable_declarator", "type_parameter"), "name"),
        **dict.fromkeys(("required_parameter", "optional_parameter"), "pattern"),
        **dict.fromkeys(("arrow_function", "catch_clause"), "parameter"),
        "for_in_statement": "left",
    }
)
_TARGETS = frozenset({"object_pattern", "array_pattern", "pair_pattern", "assignment_pattern", "object_assignment_pattern", "rest_pattern"})


def script_word(node: Node) -> Word:
    """How one identifier of a script stands."""
    parent = node.parent
    if parent is None:
        return word(node, Role.USES, node)
    if node.type == "shorthand_property_identifier":
        return word(node, Role.USES, _scope(node), Shape.SHORTHAND)
    if node.type in {"property_identifier", "private_property_identifier", "statement_identifier"}:
        return word(node, Role.MEMBER, node)
    if parent.type in {"import_specifier", "export_specifier"}:
        return _specifier(node, parent)
    if parent.type in {"import_clause", "namespace_import", "import_require_clause"}:
        return word(node, Role.BINDS, _scope(node))
    if parent.type == "namespace_export" or (parent.type == "nested_type_identifier" and parent.child_by_field_name("name") == node):
        return word(node, Role.MEMBER, node)
    bound = _binding_scope(node)
    if bound is not None:
        shape = Shape.PATTERN if node.type == "shorthand_property_identifier_pattern" else Shape.PLAIN
        return word(node, Role.BINDS, bound, shape)
    if node.type == "shorthand_property_identifier_pattern":
        return word(node, Role.USES, _scope(node), Shape.PATTERN)
    jsx = parent.type in {"jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element"}
    return word(node, Role.USES, _scope(node), Shape.JSX if jsx else Shape.PLAIN)


def _specifier(node: Node, specifier: Node) -> Word:
    alias = specifier.child_by_field_name("alias")
    if specifier.type == "import_specifier":
        if alias is None or alias == node:
            return word(node, Role.BINDS, _scope(node))
        return word(node, Role.MEMBER, node)
    statement = specifier.parent.parent if specifier.parent is not None else None
    foreign = statement is not None and statement.child_by_field_name("source") is not None
    if foreign or alias == node:
        return word(node, Role.MEMBER, node)
    return word(node, Role.USES, _scope(node))


def _binding_scope(node: Node) -> Node | None:
    """The scope that `node` is bound in, None where it binds nothing."""
    at = _whole_target(node)
    parent = at.parent if at is not None else None
    if at is None or parent is None:
        return None
    kind = parent.type
    if kind == "formal_parameters":
        return _function_of(at)
    field = _BINDING_FIELDS.get(kind)
    if field is None or parent.child_by_field_name(field) != at:
        return None
    if kind in _DECLARED:
        return _scope(parent)
    if kind == "variable_declarator":
        return _scope(parent, hoisted=parent.parent is not None and parent.parent.type == "variable_declaration")
    if kind in {"required_parameter", "optional_parameter"}:
        return _function_of(parent)
    if kind == "for_in_statement" and parent.child_by_field_name("kind") is None:
        return None
    if kind == "type_parameter":
        return _grandparent(parent)
    return parent


def _whole_target(node: Node) -> Node | None:
    """The outermost pattern that `node` is a target of, None where it stands in a pattern as a default or a key."""
    at, parent = node, node.parent
    while parent is not None and parent.type in _TARGETS:
        if parent.type in {"assignment_pattern", "object_assignment_pattern"} and parent.child_by_field_name("left") != at:
            return None
        if parent.type == "pair_pattern" and parent.child_by_field_name("value") != at:
            return None
        at, parent = parent, parent.parent
    return at


def _grandparent(node: Node) -> Node:
    above = node.parent.parent if node.parent is not None else None
    return above or node


def _function_of(node: Node) -> Node:
    at = node.parent
    while at is not None and at.type not in _FUNCTIONS:
        at = at.parent
    return at or node


def _scope(node: Node, *, hoisted: bool = False) -> Node:
    at, last = node.parent, node
    while at is not None:
        if at.type in _FUNCTIONS or at.type == "program" or (not hoisted and at.type in _BLOCKS):
            return at
        at, last = at.parent, at
    return last
