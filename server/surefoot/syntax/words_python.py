"""How a word stands in Python: what binds it, and in which scope."""

from tree_sitter import Node

from surefoot.syntax.words import Role, Shape, Word, word

_FUNCTIONS = frozenset({"function_definition", "lambda"})
_COMPREHENSIONS = frozenset({"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"})
_TARGETS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list", "as_pattern_target"})
_BINDING_FIELDS = frozenset(
    {
        ("assignment", "left"),
        ("augmented_assignment", "left"),
        ("named_expression", "name"),
        ("for_statement", "left"),
        ("for_in_clause", "left"),
        ("type_alias_statement", "left"),
        ("function_definition", "name"),
        ("class_definition", "name"),
    }
)
_PARAMETERS = frozenset({"parameters", "lambda_parameters"})
_PARAMETER_NAMES = frozenset({"default_parameter", "typed_default_parameter"})


def python_word(node: Node) -> Word:
    """How one identifier of a Python text stands."""
    parent = node.parent
    if parent is None:
        return word(node, Role.USES, node)
    if (parent.type == "attribute" and parent.child_by_field_name("attribute") == node) or (
        parent.type == "keyword_argument" and parent.child_by_field_name("name") == node
    ):
        return word(node, Role.MEMBER, node)
    if parent.type == "dotted_name":
        return _dotted(node, parent)
    if parent.type == "aliased_import" and parent.child_by_field_name("alias") == node:
        return word(node, Role.BINDS, _scope(node))
    if parent.type in {"global_statement", "nonlocal_statement"}:
        return word(node, Role.USES, _scope(node))
    parameter = _parameter(node)
    if parameter is not None:
        return word(node, Role.BINDS, parameter)
    if _target(node):
        return word(node, Role.BINDS, _binding_scope(node))
    if parent.type in {"splat_pattern", "as_pattern"} and node.prev_sibling is not None and _within(parent, "case_pattern"):
        return word(node, Role.BINDS, _scope(node))
    if parent.type == "keyword_pattern" and parent.named_child(0) == node:
        return word(node, Role.MEMBER, node)
    return word(node, Role.USES, _scope(node))


def _dotted(node: Node, dotted: Node) -> Word:
    """A name in an import, in a `case` pattern, or a dotted class name there."""
    holder = dotted.parent
    first = dotted.named_child(0) == node
    if holder is None:
        return word(node, Role.USES, node)
    if holder.type == "aliased_import":
        return _aliased(node, holder)
    if holder.type == "import_from_statement":
        if holder.child_by_field_name("module_name") == dotted:
            return word(node, Role.MEMBER, node)
        return word(node, Role.BINDS, _scope(node))
    if holder.type == "import_statement":
        return word(node, Role.BINDS if first else Role.MEMBER, _scope(node))
    if holder.type in {"relative_import", "future_import_statement"}:
        return word(node, Role.MEMBER, node)
    if holder.type == "case_pattern" and dotted.named_child_count == 1:
        return word(node, Role.BINDS, _scope(node))
    return word(node, Role.USES if first else Role.MEMBER, _scope(node))


def _parameter(node: Node) -> Node | None:
    """The function that has `node` as a parameter's name."""
    at, parent = node, node.parent
    while parent is not None and parent.type in {"typed_parameter", "list_splat_pattern", "dictionary_splat_pattern"}:
        if parent.type == "typed_parameter" and parent.named_child(0) != at:
            return None
        at, parent = parent, parent.parent
    if parent is not None and parent.type in _PARAMETER_NAMES:
        if parent.child_by_field_name("name") != at:
            return None
        at, parent = parent, parent.parent
    return parent.parent if parent is not None and parent.type in _PARAMETERS else None


def _target(node: Node) -> bool:
    at, parent = node, node.parent
    while parent is not None and parent.type in _TARGETS:
        if parent.type == "as_pattern_target":
            return True
        at, parent = parent, parent.parent
    return parent is not None and any(parent.type == kind and parent.child_by_field_name(field) == at for kind, field in _BINDING_FIELDS)


def _binding_scope(node: Node) -> Node:
    """The scope that a target binds in: a comprehension for its own clause, else as a statement would."""
    at = node.parent
    while at is not None and at.type in _TARGETS:
        at = at.parent
    if at is not None and at.type == "for_in_clause" and at.parent is not None:
        return at.parent
    owner = at if at is not None and at.type in {"function_definition", "class_definition"} else node
    scope = _scope(owner)
    while at is not None and at.type == "named_expression" and scope.type in _COMPREHENSIONS:
        scope = _scope(scope)
    return scope


def _scope(node: Node) -> Node:
    at, inside = node.parent, node
    while at is not None:
        if at.type in _COMPREHENSIONS or at.type in {"class_definition", "module"}:
            return at
        if at.type in _FUNCTIONS and at.child_by_field_name("body") == inside:
            return at
        at, inside = at.parent, at
    return inside


def _aliased(node: Node, holder: Node) -> Word:
    """The imported half of `f as g`: no binding here, and one name twice where both halves are the same."""
    alias = holder.child_by_field_name("alias")
    if alias is not None and alias.text == node.text:
        return word(node, Role.BINDS, _scope(node), Shape.TWICE, alias.end_byte)
    return word(node, Role.MEMBER, node)


def _within(node: Node, kind: str) -> bool:
    at: Node | None = node
    while at is not None and at.type.endswith("pattern"):
        if at.type == kind:
            return True
        at = at.parent
    return False
