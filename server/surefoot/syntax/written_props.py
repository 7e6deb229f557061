"""Reads what a component takes apart, the type that says so, and the attributes that its elements give."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from surefoot.core.sites import Scan, Site, Tier
from surefoot.core.text import TextFile
from surefoot.syntax.arity import Slot
from surefoot.syntax.effects import effect_of
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import COMMENTS
from surefoot.syntax.words import bare_words
from surefoot.syntax.written import Definition, Element, Passed, Props, Written
from surefoot.syntax.written_definitions import alone_at

_OPENINGS = frozenset({"jsx_opening_element", "jsx_self_closing_element"})
_TYPES = frozenset({"interface_declaration", "type_alias_declaration"})


def props_of(resolver: Resolver, index: Index, scan: Scan, definitions: Sequence[Definition]) -> Props | None:
    """The props of a symbol that is used as an element and takes one parameter apart; None for anything else."""
    made = [e for site in scan.sites if site.tier is Tier.EXACT and (e := _element(resolver, index, site)) is not None]
    own = [d for d in definitions if len(d.parameters) == 1 and d.parameters[0].pattern]
    if not made or len(own) != 1 or len(definitions) != 1:
        return None
    held = resolver.texts.read(own[0].site.place.path)
    parsed = index.parsed(held) if isinstance(held, TextFile) else None
    pattern = _pattern(index.root(parsed), own[0]) if parsed is not None else None
    if parsed is None or pattern is None:
        return None
    pieces = tuple(_entry(index, parsed, child, own[0].body) for child in pattern.named_children if child.type not in COMMENTS)
    body, unread = _type(index, parsed, own[0])
    members = (
        tuple(_member(parsed, child) for child in body.named_children if child.type == "property_signature") if body is not None else ()
    )
    typed = (body.start_byte, body.end_byte) if body is not None else (0, 0)
    return Props(own[0].site, pattern.start_byte + 1, pattern.end_byte - 1, pieces, members, typed, tuple(made), unread, own[0].captured)


def _element(resolver: Resolver, index: Index, site: Site) -> Element | None:
    held = resolver.texts.read(site.place.path)
    parsed = index.parsed(held) if isinstance(held, TextFile) else None
    node = index.root(parsed).descendant_for_byte_range(site.place.start, site.place.end) if parsed is not None else None
    around = node.parent if node is not None else None
    for _ in range(3):
        if around is not None and around.type == "member_expression":
            around = around.parent
    if parsed is None or around is None or around.type not in _OPENINGS:
        return None
    name = around.child_by_field_name("name")
    children = [child for child in around.named_children if child.type in ("jsx_attribute", "jsx_expression")]
    attributes = tuple(_attribute(index, parsed, child) for child in children if child.type == "jsx_attribute")
    return Element(site, name.end_byte if name is not None else site.place.end, attributes, len(attributes) != len(children))


def _attribute(index: Index, parsed: Parsed, node: Node) -> Passed:
    children = node.named_children
    word = (children[0].text or b"").decode("utf-8", "replace") if children else ""
    effect = effect_of(index, parsed, children[-1] if children else node)
    return Passed(node.start_byte, node.end_byte, alone_at(parsed.file.data, node.start_byte), word, effect=effect)


def _pattern(root: Node, definition: Definition) -> Node | None:
    piece = definition.parameters[0]
    node = root.descendant_for_byte_range(piece.start, piece.end)
    if node is None:
        return None
    held = node.child_by_field_name("pattern") or node
    return held if held.type == "object_pattern" else None


def _entry(index: Index, parsed: Parsed, node: Node, body: tuple[int, int]) -> Written:
    value = node.child_by_field_name("right")
    word = next((child for child in _deep(node) if child.type.startswith(("shorthand_property_identifier", "property_identifier"))), None)
    name = (word.text or b"").decode("utf-8", "replace") if word is not None else ""
    local = next((child for child in _deep(node) if child.type in ("identifier", "shorthand_property_identifier_pattern")), word)
    seen = (local.text or b"").decode("utf-8", "replace") if local is not None else ""
    at = local.start_byte if local is not None else -1
    scopes = {binding.scope for binding in parsed.outline.at.get(at, ())}
    uses: list[int] = []
    for start in bare_words(index, parsed, seen) if seen else ():
        meant = next((scope for scope in parsed.outline.chain(start) if (scope, seen) in parsed.outline.bindings), -1)
        uses += [start] if body[0] <= start < body[1] and meant in scopes else []
    return Written(
        node.start_byte,
        node.end_byte,
        alone_at(parsed.file.data, node.start_byte),
        name if node.type != "rest_pattern" else "",
        word.start_byte if word is not None else -1,
        Slot.REST if node.type == "rest_pattern" else Slot.NAMED,
        value is not None,
        default=(value.start_byte, value.end_byte) if value is not None else None,
        uses=tuple(uses),
    )


def _member(parsed: Parsed, node: Node) -> Written:
    name = node.child_by_field_name("name")
    optional = any(child.type == "?" for child in node.children)
    return Written(
        node.start_byte,
        node.end_byte,
        alone_at(parsed.file.data, node.start_byte),
        (name.text or b"").decode("utf-8", "replace") if name is not None else "",
        name.start_byte if name is not None else -1,
        Slot.NAMED,
        optional,
    )


def _type(index: Index, parsed: Parsed, definition: Definition) -> tuple[Node | None, str]:
    """The body of the type that is written for the props, and why there is none."""
    written = definition.parameters[0].type
    if written is None:
        return None, "" if parsed.language.name == "javascript" else "the type of its props is not written with them"
    root = index.root(parsed)
    node = root.descendant_for_byte_range(*written)
    held = node.named_child(0) if node is not None and node.type == "type_annotation" else node
    if held is not None and held.type == "object_type":
        return held, ""
    for declared in index.grammars.nodes(parsed.language, root, _TYPES):
        name = declared.child_by_field_name("name")
        if held is not None and name is not None and name.text == held.text:
            body = declared.child_by_field_name("body") or declared.child_by_field_name("value")
            if body is not None and body.type in ("interface_body", "object_type"):
                return body, ""
    return None, "the type of its props is not written in its file"


def _deep(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        yield child
        yield from child.named_children
