"""Overloads: functions that share a name and a class, and are told apart by what they take.

In Rust they stand in implementations of their own, of one trait for several types; two in one implementation are variants of one function.

One of them is asked about; the others are its family, with every call that none but them can take. A call that may be of either stays what
it is: it has to be looked at.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.sites import Site, SiteKind, Tier
from surefoot.core.text import Place
from surefoot.core.value import value
from surefoot.syntax.arity import Binding, Given, Handed, Signature, Slot, bind
from surefoot.syntax.arity_read import Reader
from surefoot.syntax.arity_rules import rules_of
from surefoot.syntax.arity_signatures import function_named, signature_of
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import language_of
from surefoot.syntax.refs import Key, Klass
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.static_types import NOTHING, Fits, Static, fits, of_argument, parameter_types, written

At = tuple[Path, int]

NEAR = 400
"""Bytes before a call in the body of a macro in which its arguments may be declared."""

_GIVEN = re.compile(rb"\s*\((?P<names>\s*\w+\s*(?:,\s*\w+\s*)*)\)")


@value
class Overload:
    """One of the functions of a name: where its name stands, the first place of what is one function with it, and what it takes."""

    at: At
    first: At
    signature: Signature
    types: tuple[Static, ...]


class Overloads:
    """The overloads of the symbols of one search."""

    def __init__(self, resolver: Resolver, index: Index, parsed: Callable[[Path], Parsed | None], keys: Iterable[Key]) -> None:
        self._resolver = resolver
        self._index = index
        self._parsed = parsed
        self._reader = Reader(resolver, index)
        self._all = tuple(found for key in sorted(self._beside(keys), key=str) for found in self._of(key))

    def apart(self, sites: Mapping[At, Site], asked: At) -> dict[At, Site]:
        """Those of `sites` that are another overload than the one at `asked`, or a call of another, as the family that they are."""
        meant = self._meant(sites, asked)
        if not meant:
            return {}
        places = {found.at for found in self._all}
        changed: dict[At, Site] = {}
        for at, site in sites.items():
            if site.tier is not Tier.EXACT:
                continue
            if site.kind is SiteKind.DEFINITION and at in places - meant:
                changed[at] = replace(site, tier=Tier.FAMILY, reason="another overload of the name", overload=True)
            elif site.kind is SiteKind.CALL and (taking := self._taking(site)) and not taking & meant:
                changed[at] = replace(site, tier=Tier.FAMILY, reason="a call of another overload", overload=True)
        return changed

    def _meant(self, sites: Mapping[At, Site], asked: At) -> frozenset[At]:
        """The overload that is asked about, by its places: the one there, or the one that is called there; none where that is not told."""
        if len({found.first for found in self._all}) < 2:
            return frozenset()
        site = sites.get(asked)
        taking = self._taking(site) if site is not None and site.kind is SiteKind.CALL else frozenset({asked})
        firsts = {found.first for found in self._all if found.at in taking}
        return frozenset(found.at for found in self._all if found.first in firsts) if len(firsts) == 1 else frozenset()

    def _beside(self, keys: Iterable[Key]) -> set[Key]:
        """The functions themselves where their language knows overloads, and those of the other parts of their classes."""
        found: set[Key] = set()
        for key in keys:
            linker = self._resolver.linker(key.path)
            if linker.overloads or linker.parts_apart:
                found.add(key)
            if linker.parts_apart and self._resolver.is_member(key):
                found |= {Key(part.path, part.scope, key.name) for part in self._resolver.parts(Klass(key.path, key.scope), key.name)}
        return found

    def _of(self, key: Key) -> Sequence[Overload]:
        parsed = self._parsed(key.path)
        rules = rules_of(parsed.language.name) if parsed is not None else None
        found: list[Overload] = []
        for binding in self._resolver.bindings_of(key) if parsed is not None and rules is not None else ():
            node = self._index.root(parsed).descendant_for_byte_range(binding.start, binding.end) if parsed is not None else None
            function = function_named(rules, node) if node is not None and rules is not None else None
            signature = signature_of(rules, node) if node is not None and rules is not None else None
            if signature is None or function is None:
                return ()  # what takes nobody knows what cannot be told from the others
            types = parameter_types(self._resolver, key.path, function.child_by_field_name("parameters"))
            unknown = (NOTHING,) * len(signature.parameters)
            at = (key.path, binding.start)
            first = at if self._resolver.linker(key.path).overloads or not found else found[0].at
            found.append(Overload(at, first, signature, types if len(types) == len(unknown) else unknown))
        return found

    def _taking(self, site: Site) -> frozenset[At]:
        """The overloads that may take a call; empty where it is not known what it gives."""
        place = site.place
        parsed, language = self._parsed(place.path), language_of(place.path)
        if parsed is not None and parsed.outline.unparsed_at(place.start) >= 0:
            return self._taking_text(parsed, place)
        given = self._reader.given(place.path, place.start, place.end)
        call = self._reader.call(place.path, place.start, place.end)
        if parsed is None or language is None or given is None or call is None or len(call.arguments) != len(given.arguments):
            return frozenset()
        root = self._index.root(parsed)
        nodes = [root.descendant_for_byte_range(argument.start, argument.end) for argument in call.arguments]
        types = [of_argument(self._resolver, language, place.path, node) for node in nodes]
        return self._best(given, types)

    def _best(self, given: Given, types: Sequence[Static]) -> frozenset[At]:
        told = [(found.at, self._fits(found, bind(found.signature, given), types)) for found in self._all]
        best = max((how for _, how in told), default=Fits.NO)
        return frozenset(at for at, how in told if how is best) if best is not Fits.NO else frozenset()

    def _taking_text(self, parsed: Parsed, place: Place) -> frozenset[At]:
        """The same of a call in the body of a macro, which is text: names are what the nearest parameter of the name before it says."""
        data = parsed.file.data
        called = _GIVEN.match(data, place.end)
        names = [name.strip() for name in called["names"].split(b",") if name.strip()] if called is not None else []
        types: list[Static] = []
        for name in names:
            before = list(
                re.finditer(rb"\b" + re.escape(name) + rb"\s*:\s*(\w+)\b(?!\s*(?:::|<))", data[max(0, place.start - NEAR) : place.start])
            )
            types.append(written(self._resolver, place.path, before[-1][1].decode("utf-8", "replace"), place.start) if before else NOTHING)
        return self._best(Given(tuple(Handed() for _ in names)), types) if names else frozenset()

    def _fits(self, found: Overload, bound: Binding, types: Sequence[Static]) -> Fits:
        """How well the arguments, landing where `bound` says, can be given for what an overload takes."""
        if bound.fault:
            return Fits.NO
        converts = self._resolver.linker(found.at[0]).converts
        worst = Fits.SAME if bound.whole and all(p.slot is not Slot.REST for p in found.signature.parameters) else Fits.MAYBE
        for index, given in zip(bound.taken, types, strict=True):
            how = Fits.MAYBE
            if index >= 0 and found.signature.parameters[index].slot is not Slot.REST:
                how = fits(self._resolver, given, found.types[index], converts=converts)
            worst = min(worst, how)
        return worst
