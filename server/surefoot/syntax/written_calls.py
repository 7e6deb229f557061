"""Reads calls as they are written, and the whole of what a signature touches: definitions, calls, and the sites that are neither."""

from collections.abc import Sequence

from tree_sitter import Node

from surefoot.core.sites import REQUIRED_TIERS, Scan, Site, SiteKind, Target, Tier
from surefoot.core.text import TextFile, Texts
from surefoot.syntax.arguments import Argument
from surefoot.syntax.arity import Given, Handed
from surefoot.syntax.arity_read import Reader, takers
from surefoot.syntax.effects import effect_of
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import COMMENTS
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.view import View
from surefoot.syntax.written import Called, Passed, Shaped
from surefoot.syntax.written_definitions import DefinitionReader, alone_at
from surefoot.syntax.written_props import props_of

_LATER = frozenset({"partial", "partialmethod"})
_BY_NAME = frozenset({"keyword_argument"})
_READ = frozenset({SiteKind.CALL, SiteKind.VALUE, SiteKind.DECORATOR})
_CLIMBED = frozenset({"attribute", "member_expression"})
_WRAPPED = frozenset({"parenthesized_expression", "await", "await_expression"})


def shaped(texts: Texts, target: Target, fresh: str, index: Index, ground: Ground) -> Shaped:
    """All that the signature of `target` touches in `texts`. `fresh` is a name that one of its parameters may get."""
    scan = find_sites(texts, target, index, ground=ground)
    resolver = Resolver(View(texts, ground, lambda: False), index)
    reader, definitions = Reader(resolver, index), DefinitionReader(resolver, index, fresh)
    classes = {(s.place.path, s.place.start) for s in scan.symbols if s not in takers(scan)}
    declared = [s for s in scan.sites if s.kind is SiteKind.DEFINITION and s.tier in (Tier.EXACT, Tier.FAMILY)]
    read = tuple(definitions.read(s) for s in declared if (s.place.path, s.place.start) not in classes)
    calls = _Calls(resolver, index, reader, scan)
    made = [(site, calls.read(site)) for site in scan.sites if site.kind in _READ]
    found = tuple(call for _, call in made if isinstance(call, Called))
    unread = {(s.place.path, s.place.start): call for s, call in made if isinstance(call, str) and s.tier in REQUIRED_TIERS}
    spans = {(c.site.place.path, c.site.place.start): (c.site.place.start, max(c.close + 1, c.site.place.end)) for c in found}
    spans |= {(d.site.place.path, d.site.place.start): (d.site.place.start, max(d.close + 1, d.site.place.end)) for d in read}
    props = props_of(resolver, index, scan, read)
    return Shaped(scan, read, found, spans, unread, props)


class _Calls:
    """The calls of one scan."""

    def __init__(self, resolver: Resolver, index: Index, reader: Reader, scan: Scan) -> None:
        self._resolver, self._index, self._reader, self._scan = resolver, index, reader, scan

    def read(self, site: Site) -> Called | str:
        """The call at a site, or why it is none that could be edited."""
        place = site.place
        held = self._resolver.texts.read(place.path)
        parsed = self._index.parsed(held) if isinstance(held, TextFile) else None
        node = self._index.root(parsed).descendant_for_byte_range(place.start, place.end) if parsed is not None else None
        if parsed is None or node is None:
            return "its file could not be read"
        if node.parent is not None and node.parent.type.startswith("jsx_"):
            return "an element of it" if node.parent.type != "jsx_closing_element" else ""
        whole = node
        while whole.parent is not None and whole.parent.type in _CLIMBED and whole.parent.end_byte == whole.end_byte:
            whole = whole.parent
        around = whole.parent
        if around is None:
            return "it is handed on as a value"
        if (late := self._partial(parsed, site, whole, around)) is not None:
            return late
        if (bound := self._with_this(parsed, site, around)) is not None:
            return bound
        if around.type == "new_expression" and around.child_by_field_name("arguments") is None:
            return Called(site, around.end_byte, around.end_byte, (), Given((), True), bare=True)
        given = self._reader.given(place.path, place.start, place.end)
        call = self._reader.call(place.path, place.start, place.end)
        if given is None or call is None:
            return "what the call gives could not be read" if site.kind is SiteKind.CALL else "it is handed on as a value"
        listed = _list_of(self._index.root(parsed), whole, call.end)
        if listed is None or len(given.arguments) != len(call.arguments):
            return "what the call gives could not be read"
        if site.name != self._scan.name and self._scan.name in ("__init__", "constructor"):
            given = Given(given.arguments, True, given.several, given.lax)
        return self._called(parsed, site, listed, call.arguments, given)

    def _called(self, parsed: Parsed, site: Site, listed: Node, arguments: Sequence[Argument], given: Given) -> Called:
        pieces = tuple(self._passed(parsed, a) for a in arguments)
        if listed.type == "generator_expression":
            return Called(site, listed.start_byte, listed.end_byte, pieces, given, bare=True)
        return Called(site, listed.start_byte + 1, listed.end_byte - 1, pieces, given)

    def _passed(self, parsed: Parsed, argument: Argument) -> Passed:
        node = self._index.root(parsed).descendant_for_byte_range(argument.start, argument.end)
        effect = (
            effect_of(self._index, parsed, _valued(node)) if node is not None else effect_of(self._index, parsed, self._index.root(parsed))
        )
        value = _valued(node) if node is not None else None
        at = value.start_byte if value is not None else argument.start
        alone = alone_at(parsed.file.data, argument.start)
        return Passed(argument.start, argument.end, alone, argument.name, argument.spread, effect, at)

    def _partial(self, parsed: Parsed, site: Site, whole: Node, around: Node) -> Called | None:
        """`partial(f, …)`: a call of which some arguments are given later."""
        call = around.parent if around.type == "argument_list" else None
        function = call.child_by_field_name("function") if call is not None else None
        if function is None or around.named_child(0) != whole:
            return None
        if (function.text or b"").decode("utf-8", "replace").rpartition(".")[2] not in _LATER:
            return None
        rest = [child for child in around.named_children[1:] if child.type not in COMMENTS]
        arguments = tuple(_argument(child) for child in rest)
        handed = tuple(Handed(a.name, a.spread) for a in arguments)
        member = site.place.start != whole.start_byte
        given = Given(handed, not (whole.text or b"")[:1].isupper() if member else None)
        return Called(site, whole.end_byte, around.end_byte - 1, tuple(self._passed(parsed, a) for a in arguments), given, partial=True)

    def _with_this(self, parsed: Parsed, site: Site, around: Node) -> Called | None:
        """`f.call(this, …)`: a call whose first argument is none of the function's."""
        word = around.child_by_field_name("property") if around.type == "member_expression" else None
        call = around.parent if word is not None and word.text == b"call" and word.start_byte >= site.place.end else None
        listed = call.child_by_field_name("arguments") if call is not None and call.type == "call_expression" else None
        if listed is None or listed.type != "arguments":
            return None
        children = [child for child in listed.named_children if child.type not in COMMENTS]
        if not children or children[0].type == "spread_element":
            return None
        arguments = tuple(_argument(child) for child in children[1:])
        handed = tuple(Handed("", a.spread) for a in arguments)
        pieces = tuple(self._passed(parsed, a) for a in arguments)
        return Called(site, children[0].end_byte, listed.end_byte - 1, pieces, Given(handed), partial=False)


def _argument(node: Node) -> Argument:
    named = node.child_by_field_name("name") if node.type in _BY_NAME else None
    name = (named.text or b"").decode("utf-8", "replace") if named is not None else ""
    return Argument(node.start_byte, node.end_byte, name, node.type in ("list_splat", "dictionary_splat", "spread_element"))


def _valued(node: Node) -> Node:
    return node.child_by_field_name("value") or node if node.type in _BY_NAME else node


def _list_of(root: Node, whole: Node, end: int) -> Node | None:
    """The list of arguments that ends where the call does."""
    at: Node | None = whole
    while at is not None and at.end_byte < end:
        at = at.parent
    held = at.child_by_field_name("arguments") if at is not None else None
    while held is None and at is not None and at.parent is not None and at.parent.end_byte == end:
        at = at.parent
        held = at.child_by_field_name("arguments")
    return held if held is not None and held.end_byte == end else None
