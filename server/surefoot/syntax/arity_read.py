"""What definitions take and what calls give, read from trees: one file at a time, because only a change of a signature asks for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tree_sitter import Node

from surefoot.core.sites import Scan, SiteKind, Symbol, SymbolKind, Tier
from surefoot.core.text import Place, TextFile
from surefoot.syntax.arguments import Call, call_of
from surefoot.syntax.arity import Given, Handed, Signature, Slot
from surefoot.syntax.arity_rules import rules_of
from surefoot.syntax.arity_signatures import function_named, signature_of
from surefoot.syntax.expressions import expression
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import language_of
from surefoot.syntax.obligations import At
from surefoot.syntax.outline import Binding, Expression, word
from surefoot.syntax.refs import Key, Klass, Unknown
from surefoot.syntax.resolve import Resolver

HEAD = 1000
"""Bytes at the start of a file in which it may say that nobody checks it."""

_CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.TYPE})


def takers(scan: Scan) -> tuple[Symbol, ...]:
    """The symbols of a scan that take what a call gives: of a class and its constructors, the constructors."""
    return tuple(symbol for symbol in scan.symbols if symbol.kind not in _CLASSES) or scan.symbols


class Reader:
    """Signatures and calls in one view of the text."""

    def __init__(self, resolver: Resolver, index: Index) -> None:
        self._resolver = resolver
        self._index = index

    def signatures(self, scan: Scan) -> tuple[Signature | None, ...]:
        """What the definitions of the symbol itself take, overloads and declarations each; None for one that does not say.

        Other overloads come later, those that a class inherits last.
        """
        own = [site.place for site in scan.sites if site.kind is SiteKind.DEFINITION and site.tier is Tier.EXACT]
        classes = {(s.place.path, s.place.start) for s in scan.symbols if s not in takers(scan)}
        own = [place for place in own if (place.path, place.start) not in classes]
        read = [self.signature(place.path, place.start, place.end) for place in own]
        bound = [(place.path, b) for place in own for b in self._outlined(place.path).get(place.start, ())]
        keys = dict.fromkeys(Key(path, b.scope, b.name) for path, b in bound)
        beside = [found for key in keys if self._resolver.linker(key.path).overloads for found in self._read(key)]
        above = [found for key in keys for other in self._inherited(key)[0] - {key} for found in self._read(other)]
        return tuple(dict.fromkeys([*read, *beside, *above]))

    def signature(self, path: Path, start: int, end: int) -> Signature | None:
        """What the function takes whose name stands at these bytes, None where that is not written there."""
        parsed = self._parsed(path)
        rules = rules_of(parsed.language.name) if parsed is not None else None
        if parsed is None or rules is None:
            return None
        node = self._index.root(parsed).descendant_for_byte_range(start, end)
        return signature_of(rules, node) if node is not None else None

    def taken(self, key: Key) -> tuple[Signature | None, ...]:
        """What a call by this name may enter: all of its definitions, and overloads of bases where the language inherits them.

        None stands for a definition that does not say, for a base that is not of this root, and, beside what extends a type, for that type.
        """
        inherited, outside = self._inherited(key)
        keys = {key, *self._resolver.linker(key.path).twins(key), *inherited}
        read = [found for k in sorted(keys, key=lambda k: (k != key, str(k.path), k.scope)) for found in self._read(k)]
        return tuple(dict.fromkeys([*read, *([None] if outside or self._extends(key, read) else [])]))

    def _extends(self, key: Key, read: Sequence[Signature | None]) -> bool:
        """Whether a function is called like a member of a type that it does not stand in: what that has itself goes first."""
        language = language_of(key.path)
        rules = rules_of(language.name) if language is not None else None
        told_by_mark = rules is not None and "receiver" in rules.marks.values()
        return told_by_mark and any(p.slot is Slot.RECEIVER for signature in read if signature for p in signature.parameters)

    def _read(self, key: Key) -> tuple[Signature | None, ...]:
        return tuple(self.signature(key.path, b.start, b.end) for b in self._resolver.bindings_of(key))

    def _inherited(self, key: Key) -> tuple[set[Key], bool]:
        """Overloads in the classes above that of a member, and whether one of these is not of this root."""
        resolver, seen = self._resolver, set[Klass]()
        rules = rules_of(language.name) if (language := language_of(key.path)) is not None else None
        todo = [Klass(key.path, key.scope)] if rules is not None and rules.inherits and resolver.is_member(key) else []
        outside = False
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            seen.update(resolver.parts(at, key.name))
            bases = resolver.bases(at)
            outside |= any(not isinstance(base, Klass) for base in bases) or (rules is not None and word(key.name) in rules.implied)
            todo += [base for base in bases if isinstance(base, Klass)]
        keys = {Key(held.path, held.scope, key.name) for held in seen}
        return {key for key in keys if resolver.bindings_of(key)}, outside

    def _outlined(self, path: Path) -> Mapping[int, tuple[Binding, ...]]:
        parsed = self._parsed(path)
        return parsed.outline.at if parsed is not None else {}

    def call(self, path: Path, start: int, end: int) -> Call | None:
        """The call of the name at these bytes, None where it is not called with a list of arguments."""
        parsed = self._parsed(path)
        return call_of(self._index, parsed, start, end) if parsed is not None else None

    def given(self, path: Path, start: int, end: int) -> Given | None:
        """What the call of the name at these bytes gives, None where nothing is called, or its language is not known well enough."""
        parsed, call = self._parsed(path), self.call(path, start, end)
        rules = rules_of(parsed.language.name) if parsed is not None else None
        if parsed is None or call is None or rules is None:
            return None
        root = self._index.root(parsed)
        handed: list[Handed] = []
        types: list[str] = []
        for argument in call.arguments:
            node = root.descendant_for_byte_range(argument.start, argument.end)
            kind = node.type if node is not None else ""
            if kind not in rules.left_out:
                types.append(kind)
                name = argument.name.removesuffix(":").removeprefix(":")
                # What has a key that is no name is an entry of a table, and part of one argument.
                handed.append(Handed(name if name.isidentifier() else "{}" if name else "", argument.spread or _spreads(node)))
        several = len(types) == 1 and types[0] in rules.several
        lax = rules.lax or (bool(rules.unchecked) and rules.unchecked.encode() in parsed.file.data[:HEAD])
        return Given(tuple(handed), self._on_value(parsed, root, start, end), several, lax)

    def calls(self, scan: Scan) -> Mapping[At, Given]:
        """What every call of a scan gives that could be read."""
        calls = (site.place for site in scan.sites if site.kind is SiteKind.CALL)
        found = {(place.path, place.start): self.given(place.path, place.start, place.end) for place in calls}
        return {at: given for at, given in found.items() if given is not None}

    def spans(self, scan: Scan) -> Mapping[At, tuple[int, int]]:
        """Where an edit counts as one of a call or of a definition: from its name to the end of its arguments or parameters."""
        found: dict[At, tuple[int, int]] = {}
        for site in scan.sites:
            place = site.place
            if site.kind is SiteKind.CALL and (call := self.call(place.path, place.start, place.end)) is not None:
                found[place.path, place.start] = (place.start, call.end)
            elif site.kind is SiteKind.DEFINITION and (end := self._listed(place)) >= 0:
                found[place.path, place.start] = (place.start, end)
        return found

    def _listed(self, place: Place) -> int:
        """Where the list of parameters ends of the function that is named here, -1 where there is none."""
        parsed = self._parsed(place.path)
        rules = rules_of(parsed.language.name) if parsed is not None else None
        node = self._index.root(parsed).descendant_for_byte_range(place.start, place.end) if parsed is not None else None
        function = function_named(rules, node) if rules is not None and node is not None else None
        listed = function.child_by_field_name("parameters") if function is not None else None
        return listed.end_byte if listed is not None else -1

    def _parsed(self, path: Path) -> Parsed | None:
        held = self._resolver.texts.read(path)
        return self._index.parsed(held) if isinstance(held, TextFile) else None

    def _on_value(self, parsed: Parsed, root: Node, start: int, end: int) -> bool | None:
        """Whether what is called is a member of a value: then the value is the receiver. Of a class, the first argument is; a class itself
        makes its receiver, whatever it is a member of."""
        language = parsed.language
        node = root.descendant_for_byte_range(start, end)
        around = node.parent if node is not None else None
        if node is None or around is None or around.type not in language.members:
            return None
        if language.paths:
            return around.type not in language.paths
        holder = around.child_by_field_name(language.members[around.type][0])
        if holder is None or holder == node or holder.text == b"cls":
            return None
        return self._is_value(parsed, expression(language, around)) is False or self._is_value(parsed, expression(language, holder))

    def _is_value(self, parsed: Parsed, held: Expression) -> bool | None:
        if held.kind in ("self", "super"):
            return True
        if held.kind == "member" and self._of_value(parsed, held):
            return None  # what a value has may be a class, and may be a value that is named like one
        refs = self._resolver.value(parsed.file.path, held)
        if not refs or any(isinstance(ref, Unknown) for ref in refs):
            return None
        classes = [ref for ref in refs if isinstance(ref, Key) and self._resolver.kind(ref) in _CLASSES]
        if classes:
            return False if len(classes) == len(refs) else None
        return True if all(isinstance(ref, Key | Klass) for ref in refs) else None

    def _of_value(self, parsed: Parsed, held: Expression) -> bool:
        """Whether a chain of members begins at a value."""
        if held.kind == "member" and held.inner is not None:
            return self._of_value(parsed, held.inner)
        return held.kind != "name" or self._is_value(parsed, held) is True


def _spreads(node: Node | None) -> bool:
    """Whether the text of an argument says that it stands for others: `...`, as in forwarding, or in a reference to a function."""
    return node is not None and (node.text or b"") == b"..."
