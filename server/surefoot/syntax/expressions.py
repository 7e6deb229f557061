"""Expressions of a tree as the small values that the resolver reads, and annotations as the names of types."""

import re

from tree_sitter import Node

from surefoot.syntax.languages import Language
from surefoot.syntax.outline import CALLED, Expression

DEEPEST = 12
"""Steps of one expression that are followed; a longer chain is unknown."""

LONGEST_ANNOTATION = 300
"""Bytes of an annotation that are read."""

_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_LOADERS = frozenset({"require", "import", "import_module", "importlib.import_module"})
_NOTHING = frozenset({"None", "null", "undefined", "void", "Any", "any", "unknown", "never"})
_TRANSPARENT = frozenset(
    {"Optional", "Final", "ClassVar", "Annotated", "Readonly", "Required", "Partial", "Type", "type", "Awaitable", "Promise", "Union"}
)
_THROUGH = frozenset({"type", "staticmethod", "classmethod"})
UNKNOWN = Expression("unknown")


def expression(language: Language, node: Node | None) -> Expression:
    """What the resolver can follow of an expression; walks a bounded chain of calls and members down to its root."""
    steps: list[tuple[str, str, int]] = []
    for _ in range(DEEPEST):
        if node is None:
            return UNKNOWN
        kind = node.type
        if kind in language.calls and (whole := _whole(language, node)) is not None:
            return _fold(whole, steps)
        if (kind == "call" and (instance := _given(node)) is not None) or (instance := _wrapped(language, node)) is not None:
            node = instance
        elif kind in language.members:
            if kind in language.calls:  # a call of a member in one node
                steps.append(_called(language, node))
            node, name = _parts(language, node)
            if node is None and name is not None:
                # A call without a receiver, where the grammar has one node for calls with and without.
                return _fold(Expression("name", _text(name), name.start_byte), steps)
            if _text(name) != "__class__" and (name is None or name.type not in language.selves):
                steps.append(("member", _text(name), name.start_byte if name else 0))
        elif (container := _container(language, node)) is not None:
            steps.append(("item", "", node.start_byte))
            node = container
        elif kind in language.calls or kind in language.news:
            steps.append(_called(language, node))
            node = _callee(language, node)
        elif kind in language.wrappers and node.named_child_count:
            node = node.child_by_field_name("value") or node.named_child(0)
        else:
            return _fold(_root(language, node), steps)
    return UNKNOWN


def _outer(language: Language, node: Node) -> Node | None:
    """What a name is a member of in a path that is nested to the right: of `B` in `A::B::f`, `A`."""
    path = node.parent
    if path is not None and path.type in language.wrappers:
        node, path = path, path.parent
    outer = path.parent if path is not None and path.type in language.paths else None
    if path is None or outer is None or outer.type != path.type or path.child_by_field_name("scope") != node:
        return None
    return outer.child_by_field_name("scope")


def _container(language: Language, node: Node) -> Node | None:
    """What the value of a node such as `carts[0]` or `found.unwrap()` is taken out of."""
    if node.type in language.items:
        field = language.items[node.type]
        return node.child_by_field_name(field) if field else node.named_child(0)
    callee = _callee(language, node) if language.opens and node.type in language.calls else None
    if callee is None or callee.type not in language.members:
        return None
    holder, name = _parts(language, callee)
    return holder if _text(name) in language.opens else None


def _whole(language: Language, call: Node) -> Expression | None:
    """A call that is known by itself: it loads a module, or makes a value of a type that it is given."""
    if loaded := _loaded(language, call):
        return Expression("module", loaded, call.start_byte)
    made = _made(language, call)
    return Expression("type", _text(made), made.start_byte) if made is not None else None


def _parts(language: Language, node: Node) -> tuple[Node | None, Node | None]:
    """The object and the member of `a.b`: fields of the node, or its first and last child."""
    holder, member = language.members[node.type]
    first = node.child_by_field_name(holder) if holder else node.named_child(0)
    last = node.child_by_field_name(member) if member else node.named_child(node.named_child_count - 1)
    if last is not None and last.type == node.type and node.type in language.paths:
        return _parts(language, last)  # a path that is nested to the right
    if last is not None and last.type in language.wrappers:
        last = last.child_by_field_name("name") or last.named_child(0)
    return first, last


def _called(language: Language, node: Node) -> tuple[str, str, int]:
    return "call", CALLED if language.calls_apart and node.type in language.calls else "", node.start_byte


def _callee(language: Language, call: Node) -> Node | None:
    field = language.calls.get(call.type) or language.news[call.type]
    return call.child_by_field_name(field) if field else call.named_child(0)


def _loaded(language: Language, call: Node) -> str:
    """The module that a call such as `require("./m")` or `import_module("shop.core")` gives, "" for any other call."""
    callee, given = call.child_by_field_name(language.calls[call.type]), call.child_by_field_name("arguments")
    named = [child for child in given.named_children if child.type != "comment"] if given is not None else []
    first = named[0] if len(named) == 1 else None
    if callee is None or first is None or first.type != "string" or _text(callee) not in _LOADERS:
        return ""
    content = next((c for c in first.named_children if c.type in ("string_fragment", "string_content")), None)
    return _text(content)


def _given(call: Node) -> Node | None:
    """What stands in Python's `type(…)`: its class has the members that are asked for. `staticmethod(f)` is called as f is."""
    callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if callee is None or given is None or callee.type != "identifier" or _text(callee) not in _THROUGH or given.named_child_count != 1:
        return None
    return given.named_child(0)


def _wrapped(language: Language, call: Node) -> Node | None:
    """The value that a call puts into what has the members of that value: `Box::new(cart)`."""
    callee = call.child_by_field_name("function") if language.holders and call.type in language.calls else None
    given = call.child_by_field_name("arguments") if callee is not None and _text(callee) in language.holders else None
    return given.named_child(0) if given is not None and given.named_child_count == 1 else None


def _made(language: Language, call: Node) -> Node | None:
    """The type that a call such as Go's `new(Cart)` makes a value of, None for any other call."""
    callee = call.child_by_field_name(language.calls[call.type])
    for _ in range(DEEPEST):
        if callee is None or callee.type not in language.paths:
            break
        callee = callee.child_by_field_name("name")
    if callee is not None and callee.type == "template_function":
        call, callee = callee, callee.child_by_field_name("name")
    given = call.child_by_field_name("arguments") if callee is not None and _text(callee) in language.makers else None
    return given.named_child(0) if given is not None and given.named_child_count else None


def _root(language: Language, node: Node) -> Expression:
    text = _text(node) if node.child_count == 0 or node.type in language.identifiers else ""
    if (outer := _outer(language, node)) is not None:
        return Expression("member", text, node.start_byte, expression(language, outer))
    within = node.parent is not None and node.parent.type in language.paths
    if text in language.supers:
        return Expression("super", at=node.start_byte)
    if text in language.selves and not within:
        return Expression("self", text, node.start_byte)
    if node.type in ("object", "struct_type"):
        return Expression("object", at=node.start_byte)
    if node.type in language.types:
        return Expression("type", _text(node), node.start_byte)
    if node.type in language.casts:
        cast = node.child_by_field_name(language.casts[node.type])
        return Expression("type", _text(cast), cast.start_byte if cast is not None else 0)
    if node.type in language.identifiers and text:
        return Expression("path" if language.inside and _begins(language, node) else "name", text, node.start_byte)
    if node.type in ("as_expression", "generic_type") and node.named_child_count:
        last = node.named_child(node.named_child_count - 1 if node.type == "as_expression" else 0)
        return Expression("type", _text(last), node.start_byte)
    return UNKNOWN


def _begins(language: Language, node: Node) -> bool:
    """Whether a name is what a path begins with."""
    for _ in range(DEEPEST):
        around = node.parent
        if around is None or around.type not in language.wrappers | language.paths:
            return False
        if around.type in language.paths:
            return around.child_by_field_name("path") == node
        node = around
    return False


def _fold(made: Expression, steps: list[tuple[str, str, int]]) -> Expression:
    for kind, name, at in reversed(steps):
        if kind == "call" and made.kind == "name" and made.name == "super":
            made = Expression("super", at=made.at)
        elif kind == "call":
            named = name and made.kind in ("name", "member")
            made = Expression(kind, "", at, Expression(made.kind, made.name + name, made.at, made.inner) if named else made)
        else:
            made = Expression(kind, name, at, made)
    return made


def _text(node: Node | None) -> str:
    return (
        (node.text or b"").decode("utf-8", "replace") if node is not None and node.end_byte - node.start_byte <= LONGEST_ANNOTATION else ""
    )


def dotted(name: str, at: int) -> Expression:
    """The expression of a dotted name."""
    first, *rest = (part.strip() for part in name.split("."))
    made = Expression("name", first, at)
    for part in rest:
        made = Expression("member", part, at, made)
    return made


def type_names(annotation: str) -> tuple[str, ...]:
    """The dotted names of the types that a value with this annotation may have; a container's element types are not among them."""
    text = annotation.strip().strip("\"'")
    if len(text) > LONGEST_ANNOTATION:
        return ()
    found: list[str] = []
    todo = alternatives(text)
    for _ in range(LONGEST_ANNOTATION):  # every part has a character of its own
        if not todo or len(found) == 8:
            break
        part = todo.pop().strip().strip("\"'").removeprefix("readonly ").strip()
        head = _DOTTED.match(part)
        if head is None or head[0] in _NOTHING:
            continue
        rest = part[head.end() :].strip()
        if head[0].rpartition(".")[2] in _TRANSPARENT and rest[:1] in ("[", "<"):
            todo += alternatives(rest[1:-1], ",|")
        elif not rest.startswith("[") or rest != "[]":
            found.append(head[0])
    return tuple(dict.fromkeys(found))


def alternatives(text: str, separators: str = "|") -> list[str]:
    """The parts of a type between separators that stand in no brackets."""
    parts: list[str] = []
    depth = start = 0
    for index, char in enumerate(text):
        if char in "([{<":
            depth += 1
        elif char in ")]}>":
            depth -= 1
        elif depth == 0 and char in separators:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]
