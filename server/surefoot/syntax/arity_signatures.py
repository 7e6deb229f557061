"""The parameters of a function, read from the node that bears its name; how a language writes them is data (`arity_rules.py`)."""

from collections.abc import Iterator

from tree_sitter import Node

from surefoot.syntax.arity import Parameter, Signature, Slot
from surefoot.syntax.arity_rules import Rules
from surefoot.syntax.roles import COMMENTS

HIGHEST = 6
"""Nodes between a name and the function that it names."""

_VALUES = ("value", "right", "default_value")
_AROUND = frozenset({"type_annotation", "parenthesized_expression", "parenthesized_type", "expression_list", "type"})
_RECEIVER = Parameter("", Slot.RECEIVER)

_NESTED = 8
"""Declarators around a name: a pointer to an array of functions has three."""


def signature_of(rules: Rules, name: Node) -> Signature | None:
    """What the function takes that bears the name."""
    holder, function = holder_of(rules, name), function_named(rules, name)
    if holder is None or function is None:
        return None
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    if listed is None:
        return _made(rules, ()) if function.type in rules.bare else None
    if listed.type in rules.required:
        return _made(rules, (Parameter(_text(listed), Slot.EITHER if rules.names else Slot.PLACED),))
    parameters = _parameters(rules, listed)
    if parameters is None:
        return None
    if rules.receiver_field and function.child_by_field_name(rules.receiver_field) is not None:
        parameters = [_RECEIVER, *parameters]
    received = _received(rules, holder, _text(name), parameters)
    return _made(rules, received) if received is not None else None


def holder_of(rules: Rules, name: Node) -> Node | None:
    """What a name is the name of."""
    holder = name.parent
    for _ in range(HIGHEST):
        if holder is not None and holder.type in rules.through and holder.child_by_field_name("parameters") is None:
            holder = holder.parent
    return holder


def function_named(rules: Rules, name: Node) -> Node | None:
    """The function that bears a name, None for what is called in another way than it is written."""
    holder = holder_of(rules, name)
    if holder is None or any(child.type in rules.never for child in holder.children):
        return None
    return _function(rules, holder, name)


def _made(rules: Rules, parameters: "tuple[Parameter, ...] | list[Parameter]") -> Signature:
    return Signature(tuple(parameters), rules.lax, rules.spare, rules.shares, rules.hashes)


def _function(rules: Rules, holder: Node, name: Node) -> Node | None:
    """The node that holds the parameters: what is named itself, the type that is written for it, or the value that it is given."""
    if holder.type in rules.bare:
        return holder
    listed = holder.child_by_field_name("parameters")
    if listed is not None and name.end_byte <= listed.start_byte:
        return holder
    if (written := holder.child_by_field_name("type")) is not None:
        return _inner(written)
    for field in _VALUES:
        held = holder.child_by_field_name(field)
        if held is not None and held.start_byte > name.end_byte:
            return _inner(held)
    return None


def _inner(node: Node) -> Node | None:
    """The function in an annotation, in brackets or in a list of one."""
    for _ in range(HIGHEST):
        if node.child_by_field_name("parameters") is not None or node.child_by_field_name("parameter") is not None:
            return node
        only = node.named_child(0) if node.named_child_count == 1 else None
        if only is None or node.type not in _AROUND:
            return None
        node = only
    return None


def _parameters(rules: Rules, listed: Node) -> list[Parameter] | None:
    """The parameters of a list, None where one of them is not understood, or where the list says nothing."""
    children = [child for child in listed.named_children if child.type not in COMMENTS and child.type not in rules.skip]
    if rules.empty and not children and not rules.marks:
        return None
    if rules.void and len(children) == 1 and _text(children[0]) == "void":
        return []
    found: list[Parameter] = []
    named = False
    for child in children:
        if child.type in rules.placed_before:
            found = [Parameter(p.name, Slot.PLACED, p.optional) for p in found]
        elif child.type in rules.named_after:
            named = True
        elif _flat(rules, listed, child):
            continue
        elif (parameter := parameter_of(rules, child)) is None:
            return None
        elif parameter.name not in rules.unnamed:
            if named and parameter.slot is Slot.EITHER:
                parameter = Parameter(parameter.name, Slot.NAMED, parameter.optional)
            named |= parameter.slot is Slot.REST and bool(rules.named_after)
            found += [parameter, *_more(rules, child, parameter)]
    if any(rules.marks.get(child.type) == "rest" for child in listed.children):
        found.append(Parameter(_text(listed.child_by_field_name("name")), Slot.REST))
    if rules.rest_named and any(p.slot is Slot.REST for p in found):
        found.append(Parameter("", Slot.NAMED_REST))
    return found


def _flat(rules: Rules, listed: Node, child: Node) -> bool:
    """Whether a child is a part of a parameter that has no node of its own, but stands in the list itself."""
    marked = any(rules.marks.get(other.type) == "rest" for other in listed.children)
    return marked and child.type not in rules.required and child.type not in rules.optional


def parameter_of(rules: Rules, node: Node) -> Parameter | None:
    """One parameter of a list by its own node, None for one that is not understood."""
    inside = {node.type, *(child.type for child in node.named_children)}
    name = _text(next(_names(rules, node), None))
    marks = {rules.marks[mark] for child in node.children if (mark := _mark(child)) in rules.marks}
    if inside & rules.receiver or "receiver" in marks:
        return _RECEIVER
    if node.type in rules.named:
        return Parameter(name, Slot.NAMED, _has_default(rules, node))
    if inside & rules.named_rest:
        return Parameter(name, Slot.NAMED_REST)
    if inside & rules.rest or "rest" in marks:
        return Parameter(name, Slot.REST)
    optional = node.type in rules.optional or "optional" in marks or _has_default(rules, node) or _may_be_nothing(rules, node)
    if not optional and node.type not in rules.required:
        return None
    return Parameter(name, Slot.EITHER if rules.names else Slot.PLACED, optional)


def _more(rules: Rules, node: Node, first: Parameter) -> Iterator[Parameter]:
    """The other parameters of a node that declares several with one type."""
    if rules.counted and first.slot is Slot.PLACED:
        for other in node.children_by_field_name(rules.counted)[1:]:
            yield Parameter(_text(other), Slot.PLACED)


def _names(rules: Rules, node: Node) -> Iterator[Node]:
    """The name of a parameter: a field of it, itself, or the first name in it."""
    for field in ("name", "pattern", "declarator", "left"):
        if (held := node.child_by_field_name(field)) is not None:
            for _ in range(_NESTED):
                held = held.child_by_field_name("declarator") or held
            yield held
    if node.type == "identifier":
        yield node
    elif not (node.child_by_field_name("type") is not None and rules.counted):
        yield from (child for child in node.named_children if child.type == "identifier")
        yield from (part for child in node.named_children for part in child.named_children if part.type == "identifier")


def _mark(node: Node) -> str:
    return _text(node) if node.type == "modifier" else node.type


def _has_default(rules: Rules, node: Node) -> bool:
    return any(node.child_by_field_name(field) is not None for field in rules.default)


def _may_be_nothing(rules: Rules, node: Node) -> bool:
    """Whether the type of a parameter lets it be left out: one that says so, or one that whoever names the class may say it for."""
    written = node.child_by_field_name("type") if rules.nothing else None
    if written is None:
        return False
    words = {_text(part) for part in _parts(written)}
    return rules.nothing in words or (len(words) == 1 and not words.isdisjoint(_type_parameters(rules, node)))


def _parts(written: Node) -> Iterator[Node]:
    """The types that are joined in an annotation, brackets taken off."""
    todo = [written]
    while todo:
        node = todo.pop()
        if node.type in (*_AROUND, "union_type"):
            todo += node.named_children
        else:
            yield node


def _type_parameters(rules: Rules, node: Node) -> frozenset[str]:
    """The names of types that the class around a node takes."""
    around = node.parent
    while around is not None and around.type not in rules.generic:
        around = around.parent
    listed = around.child_by_field_name("type_parameters") if around is not None else None
    return frozenset(_text(one.child_by_field_name("name")) for one in listed.named_children) if listed is not None else frozenset()


def _received(rules: Rules, holder: Node, name: str, parameters: list[Parameter]) -> list[Parameter] | None:
    """The parameters of a method with the receiver told apart, None where a decorator may have changed them."""
    words = [word for word, _ in decorators(rules, holder)]
    if any(word not in rules.keeps | rules.static | rules.bound for word in words):
        return None
    if not rules.klass or not in_class(rules, holder) or rules.static.intersection(words) or name in rules.free:
        return parameters
    if not parameters or parameters[0].slot not in (Slot.PLACED, Slot.EITHER):
        return parameters
    bound = rules.bound.intersection(words) or name in rules.given_class
    return parameters[1:] if bound else [Parameter(parameters[0].name, Slot.RECEIVER), *parameters[1:]]


def decorators(rules: Rules, holder: Node) -> Iterator[tuple[str, Node]]:
    """The last word of each decorator, and what stands for it."""
    around = holder.parent
    for child in around.named_children if around is not None and around.type == rules.decorated else ():
        held = child.named_child(0) if child.type == "decorator" and child.named_child_count else None
        if held is not None:
            called = held.child_by_field_name("function") or held
            yield _text(called).rpartition(".")[2], called


def in_class(rules: Rules, holder: Node) -> bool:
    around = holder.parent
    while around is not None and around.type not in rules.functions:
        if around.type in rules.klass:
            return True
        around = around.parent
    return False


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace").lstrip("$&*. ") if node is not None else ""
