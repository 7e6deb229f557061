"""Reads a definition as it is written from the tree: its parameters, what its body does with them, and who else may call it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tree_sitter import Node

from surefoot.core.sites import Site
from surefoot.core.text import TextFile
from surefoot.syntax.arity import Slot
from surefoot.syntax.arity_rules import Rules, rules_of
from surefoot.syntax.arity_signatures import decorators, function_named, holder_of, in_class, parameter_of
from surefoot.syntax.expressions import expression
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.outline import Expression
from surefoot.syntax.refs import Elsewhere, Key, Klass, Unknown
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import COMMENTS
from surefoot.syntax.words import bare_words
from surefoot.syntax.written import Definition, Written

_PLACED = frozenset({Slot.PLACED, Slot.EITHER})
_MARKS: Mapping[str, str] = MappingProxyType({"keyword_separator": "*", "positional_separator": "/"})
_PROPERTIES = frozenset({"property", "setter", "getter", "deleter", "cached_property"})
_CALLED_BY_PYTHON = frozenset({"__init__", "__call__"})
_HARMLESS = frozenset({"ABC", "Protocol", "Generic", "object", "Enum", "IntEnum", "StrEnum", "NamedTuple", "TypedDict", "Exception"})
"""Bases from outside whose methods nobody overrides by chance, and which call none."""
_KNOWN_PAIRS = ("list_splat_pattern", "dictionary_splat_pattern")
DEEPEST = 16
"""Classes above one that are asked for their bases."""


class DefinitionReader:
    """Definitions of one view of the text. `fresh` is a name that a parameter may get, "" for none."""

    def __init__(self, resolver: Resolver, index: Index, fresh: str) -> None:
        self._resolver, self._index, self._fresh = resolver, index, fresh

    def read(self, site: Site) -> Definition:
        """The definition whose name stands at a site."""
        parsed = self._parsed(site)
        rules = rules_of(parsed.language.name) if parsed is not None else None
        if parsed is None or rules is None or parsed.language.family not in ("python", "ecmascript"):
            return Definition(site, 0, 0, (), obstacle="signatures of its language are not changed yet", firm=True)
        name = self._index.root(parsed).descendant_for_byte_range(site.place.start, site.place.end)
        function = function_named(rules, name) if name is not None else None
        holder = holder_of(rules, name) if name is not None else None
        listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter") if function is not None else None
        if name is None or function is None or holder is None or listed is None:
            return Definition(site, 0, 0, (), obstacle="what it takes is not written where it is defined", firm=True)
        return self._read(site, parsed, rules, holder, function, listed)

    def _read(self, site: Site, parsed: Parsed, rules: Rules, holder: Node, function: Node, listed: Node) -> Definition:
        data = parsed.file.data
        bare = data[listed.start_byte : listed.start_byte + 1] != b"("
        open_, close = (listed.start_byte, listed.end_byte) if bare else (listed.start_byte + 1, listed.end_byte - 1)
        read = self._pieces(rules, listed, data)
        if read is None:
            return Definition(site, open_, close, (), obstacle="one of its parameters was not understood", firm=True)
        body = function.child_by_field_name("body")
        pieces = self._received(rules, holder, site.name, read)
        if body is not None:
            pieces = [self._used(parsed, piece, body) for piece in pieces]
        obstacle, firm = self._obstacle(site, parsed, rules, holder)
        return Definition(
            site,
            open_,
            close,
            tuple(pieces),
            bare,
            (body.start_byte, body.end_byte) if body is not None else (0, 0),
            _docs(parsed, holder, body),
            self._captured(parsed, listed, body),
            _dynamic(parsed, body),
            obstacle,
            firm,
            self._outside(parsed, site),
        )

    def _pieces(self, rules: Rules, listed: Node, data: bytes) -> list[Written] | None:
        found: list[Written] = []
        children = [listed] if listed.type in rules.required else [c for c in listed.named_children if c.type not in COMMENTS]
        for child in children:
            if child.type in _MARKS:
                found.append(Written(child.start_byte, child.end_byte, alone_at(data, child.start_byte), mark=_MARKS[child.type]))
                continue
            held = parameter_of(rules, child)
            if held is None:
                return None
            found.append(_written(child, held.name, held.slot, held.optional, data))
        return _slotted(found)

    def _received(self, rules: Rules, holder: Node, name: str, pieces: list[Written]) -> list[Written]:
        pieces = [replace(p, bound=True) if p.name in rules.unnamed and p.name else p for p in pieces]
        words = [word for word, _ in decorators(rules, holder)]
        method = rules.klass and in_class(rules, holder) and not rules.static.intersection(words) and name not in rules.free
        if not method or not pieces or pieces[0].slot not in _PLACED or pieces[0].mark:
            return pieces
        bound = rules.bound.intersection(words) or name in rules.given_class
        first = replace(pieces[0], bound=True) if bound else replace(pieces[0], slot=Slot.RECEIVER)
        return [first, *pieces[1:]]

    def _used(self, parsed: Parsed, piece: Written, body: Node) -> Written:
        if piece.at < 0 or piece.pattern:
            return piece
        outline = parsed.outline
        scopes = {binding.scope for binding in outline.at.get(piece.at, ())}
        uses: list[int] = []
        for start in bare_words(self._index, parsed, piece.name):
            if body.start_byte <= start < body.end_byte:
                meant = next((scope for scope in outline.chain(start) if (scope, piece.name) in outline.bindings), -1)
                uses += [start] if meant in scopes else []
        return replace(piece, uses=tuple(uses))

    def _captured(self, parsed: Parsed, listed: Node, body: Node | None) -> tuple[int, ...]:
        if not self._fresh or body is None:
            return ()
        outline = parsed.outline
        own = outline.scope_at(listed.start_byte + 1 if listed.end_byte - listed.start_byte > 1 else listed.start_byte)
        found: list[int] = []
        for start in bare_words(self._index, parsed, self._fresh):
            if body.start_byte <= start < body.end_byte:
                inner = [s for s in outline.chain(start) if outline.scopes[s].start > listed.start_byte and s != own]
                below = [s for s in inner if not (outline.scopes[s].start == body.start_byte and outline.scopes[s].end == body.end_byte)]
                if not any((scope, self._fresh) in outline.bindings for scope in below):
                    found.append(start)
        return tuple(found)

    def _obstacle(self, site: Site, parsed: Parsed, rules: Rules, holder: Node) -> tuple[str, bool]:
        for word, node in decorators(rules, holder):
            if word in _PROPERTIES:
                return "it is a property, which nobody calls", True
            if word not in rules.keeps | rules.static | rules.bound and not self._passes_on(parsed, node):
                return f"`@{word}` may call it, or change what it takes", False
        name = site.name
        if parsed.language.family == "python" and name.startswith("__") and name.endswith("__") and name not in _CALLED_BY_PYTHON:
            return f"Python itself calls `{name}`", True
        before = holder.prev_named_sibling
        if holder.type == "method_definition" and before is not None and before.type == "decorator":
            return "its decorator may call it, or change what it takes", False
        return "", False

    def _passes_on(self, parsed: Parsed, node: Node) -> bool:
        """Whether a decorator of this root gives what it is given on to what it decorates: its wrapper takes everything."""
        refs = self._resolver.value(parsed.file.path, expression(parsed.language, node))
        keys = [ref for ref in refs if isinstance(ref, Key)]
        return bool(keys) and len(keys) == len(refs) and all(self._wraps(key) for key in keys)

    def _wraps(self, key: Key) -> bool:
        held = self._resolver.texts.read(key.path)
        parsed = self._index.parsed(held) if isinstance(held, TextFile) else None
        inner = [b.inner for b in self._resolver.bindings_of(key) if b.inner >= 0] if parsed is not None else []
        if parsed is None or len(inner) != 1 or parsed.language.family != "python":
            return False
        scope = parsed.outline.scopes[inner[0]]
        lists = self._index.grammars.nodes(parsed.language, self._index.root(parsed), frozenset({"parameters"}))
        inside = [node for node in lists if scope.start < node.start_byte and node.end_byte < scope.end]
        return any(_takes_all(node) for node in inside)

    def _outside(self, parsed: Parsed, site: Site) -> str:
        """The first base of a method's class that is not of this root, "" where there is none that could matter."""
        if site.name in ("__init__", "constructor"):
            return ""
        todo = [Klass(parsed.file.path, b.scope) for b in parsed.outline.at.get(site.place.start, ()) if b.scope > 0]
        seen: set[Klass] = set()
        while todo and len(seen) < DEEPEST:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            outline = self._resolver.outline(at.path)
            for base in outline.scopes[at.scope].bases if outline is not None else ():
                refs = self._resolver.classes(self._resolver.value(at.path, base))
                todo += [ref for ref in refs if isinstance(ref, Klass)]
                if (not refs or any(isinstance(ref, Unknown | Elsewhere) for ref in refs)) and not _harmless(base):
                    return base.name or "a class of another project"
        return ""

    def _parsed(self, site: Site) -> Parsed | None:
        held = self._resolver.texts.read(site.place.path)
        return self._index.parsed(held) if isinstance(held, TextFile) else None


def alone_at(data: bytes, start: int) -> bool:
    """Whether nothing but blanks stands before a byte in its line."""
    return not data[data.rfind(b"\n", 0, start) + 1 : start].strip()


def _written(node: Node, name: str, slot: Slot, optional: bool, data: bytes) -> Written:
    names = [n for n in _named(node) if (n.text or b"") == name.encode("utf-8")]
    default = node.child_by_field_name("value") or node.child_by_field_name("right")
    written = node.child_by_field_name("type")
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    member = any(child.type in ("accessibility_modifier", "override_modifier", "readonly") for child in node.children)
    return Written(
        node.start_byte,
        node.end_byte,
        alone_at(data, node.start_byte),
        name,
        names[0].start_byte if names else -1,
        slot,
        optional,
        default=(default.start_byte, default.end_byte) if default is not None else None,
        type=(written.start_byte, written.end_byte) if written is not None else None,
        pattern=pattern.type in ("object_pattern", "array_pattern", "tuple_pattern"),
        member=member,
    )


def _named(node: Node) -> Iterator[Node]:
    todo = [node]
    while todo:
        at = todo.pop(0)
        if at.type == "identifier":
            yield at
        todo += at.named_children


def _slotted(pieces: Sequence[Written]) -> list[Written]:
    """The parameters with what the marks between them say."""
    found: list[Written] = []
    named = False
    python = any(p.mark for p in pieces) or any(p.slot is Slot.EITHER for p in pieces)
    for piece in pieces:
        if piece.mark == "/":
            found = [p if p.mark else replace(p, slot=Slot.PLACED) for p in found]
        named |= piece.mark == "*"
        found.append(replace(piece, slot=Slot.NAMED) if named and piece.slot is Slot.EITHER else piece)
        named |= piece.slot is Slot.REST and python
    return found


def _takes_all(listed: Node) -> bool:
    inside = {child.type for child in listed.named_children} | {
        part.type for child in listed.named_children for part in child.named_children
    }
    return all(kind in inside for kind in _KNOWN_PAIRS)


def _harmless(base: Expression) -> bool:
    inner = base.inner if base.kind == "item" and base.inner is not None else base
    return inner.name in _HARMLESS or inner.name.endswith(("Error", "Exception"))


def _docs(parsed: Parsed, holder: Node, body: Node | None) -> tuple[int, int]:
    if parsed.language.family == "python":
        first = body.named_child(0) if body is not None and body.type == "block" else None
        text = first.named_child(0) if first is not None and first.type == "expression_statement" else None
        if text is None and first is not None and first.type == "string":
            text = first
        return (text.start_byte, text.end_byte) if text is not None and text.type == "string" else (0, 0)
    node = holder
    for _ in range(4):
        before, around = node.prev_named_sibling, node.parent
        if before is not None and before.type == "comment" and (before.text or b"").startswith(b"/**"):
            return before.start_byte, before.end_byte
        if around is None or around.type not in ("export_statement", "lexical_declaration", "variable_declaration"):
            return 0, 0
        node = around
    return 0, 0


def _dynamic(parsed: Parsed, body: Node | None) -> str:
    """What in a body reads the parameters without naming them, "" where nothing does."""
    if body is None:
        return ""
    words = ("locals", "eval", "vars", "exec") if parsed.language.family == "python" else ("arguments", "eval")
    todo = [body]
    while todo:
        node = todo.pop()
        if node.type == "identifier" and (node.text or b"").decode("utf-8", "replace") in words:
            called = node.parent is not None and node.parent.type in ("call", "call_expression") and node.parent.named_child(0) == node
            if (node.text == b"arguments" and parsed.language.family != "python") or called:
                return (node.text or b"").decode("utf-8", "replace")
        inner = node.type in ("function_declaration", "function_expression", "class_declaration", "method_definition")
        todo += [] if inner and node != body else node.named_children
    return ""
