"""What a text that does not parse may be too broken to say, taken from the last text of the same file that did parse.

Only definitions are taken over, of the module and of classes that both texts have, and only where their name still stands in the new text
and nothing is bound at that place: somebody is in the middle of typing there. Whatever has left the text is gone. What such a definition
holds or returns is not known any more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from surefoot.syntax.languages import Language
from surefoot.syntax.outline import Binding, Export, Outline, ScopeKind, word
from surefoot.syntax.roles import occurrences


def mended(live: Outline, good: Outline, data: bytes, language: Language) -> Outline:
    """The outline of a broken text, with the definitions that the last good text had and whose names it still holds."""
    bindings, at = dict(live.bindings), dict(live.at)
    scopes = _shared(live, good)
    for scope, name in good.bindings:
        here = scopes.get(scope)
        if here is None or (here, name) in live.bindings:
            continue
        held = good.bindings[scope, name][0]
        start = _nearest(live, at, here, word(name), held.start, data, language)
        if start >= 0:
            end = start + held.end - held.start
            made = replace(held, start=start, end=end, scope=here, inner=-1, annotation="", origin=None)
            bindings[here, name] = at[start] = (made,)
    return replace(live, bindings=bindings, at=at, exports={**live.exports, **_exports(live, good, bindings)})


def _shared(live: Outline, good: Outline) -> Mapping[int, int]:
    """Scopes of the good text that the broken one has as well: the module, and classes by their dotted names."""
    here = {live.dotted(index): index for index, scope in enumerate(live.scopes) if scope.kind is ScopeKind.CLASS}
    there = {index: good.dotted(index) for index, scope in enumerate(good.scopes) if scope.kind is ScopeKind.CLASS}
    return {0: 0, **{index: here[name] for index, name in there.items() if name in here}}


def _nearest(live: Outline, at: Mapping[int, object], scope: int, name: str, start: int, data: bytes, language: Language) -> int:
    """Where the name stands that was a definition: of all its unbound places in the scope the nearest; -1 where there is none."""
    first, last = live.scopes[scope].start, live.scopes[scope].end
    found = [begin for begin, _ in occurrences(data, name, language.letters) if first <= begin < last and begin not in at]
    inside = [begin for begin in found if any(low <= begin < high for low, high in live.errors)]
    return min(inside, key=lambda begin: abs(begin - start), default=-1)


def _exports(live: Outline, good: Outline, bindings: Mapping[tuple[int, str], tuple[Binding, ...]]) -> Mapping[str, tuple[Export, ...]]:
    def kept(exports: tuple[Export, ...]) -> Iterator[Export]:
        for export in exports:
            if export.source is None and (bound := bindings.get((0, export.name))):
                yield replace(export, at=bound[0].start)

    missing = {name: tuple(kept(good.exports[name])) for name in good.exports if name not in live.exports}
    return {name: exports for name, exports in missing.items() if exports}
