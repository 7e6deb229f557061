"""What is looked for, and what was found, in words."""

from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.value import value
from surefoot.syntax.outline import word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Unknown
from surefoot.syntax.resolve import Resolver

PLACES_IN_REASON = 80
"""Characters of a path that a reason quotes."""


@value
class Wanted:
    """What is looked for: the symbols themselves, and the rest of their families. `member`, `plain` (no member)
    and `local` say what kinds of names are among them; `injected` that pytest fills parameters by that name, `filled` are those that it
    fills with the symbol itself. `cousins` may be family: they share a base that is not of this root. `beyond` says that a value whose
    type is not of this root may have one of them."""

    exact: frozenset[Key]
    family: frozenset[Key]
    kinds: frozenset[SymbolKind]
    member: bool
    plain: bool
    local: bool
    injected: bool = False
    filled: frozenset[Key] = frozenset()
    cousins: frozenset[Key] = frozenset()
    beyond: bool = True

    @property
    def callable(self) -> bool:
        """Whether what is looked for is a function, wherever it stands."""
        return bool(self.kinds & {SymbolKind.FUNCTION, SymbolKind.METHOD})

    @property
    def all(self) -> frozenset[Key]:
        return self.exact | self.family


def describe(resolver: Resolver, ref: Ref) -> str:
    """A definition as a person would point at it."""
    return resolver.texts.once(("described", ref), lambda: _described(resolver, ref))


def _described(resolver: Resolver, ref: Ref) -> str:
    match ref:
        case Key():
            outline = resolver.outline(ref.path)
            bound = resolver.bindings_of(ref)
            around = outline.enclosing(bound[0].start) if outline is not None and bound else ""
            where = f" in {around}" if around else ""
            return f"the {resolver.kind(ref).value} {word(ref.name)}{where} of {shown(resolver, ref.path)}"
        case Module():
            return f"the module {ref.name or shown(resolver, ref.path)}"
        case Klass():
            return f"a class of {shown(resolver, ref.path)}"
        case Unknown():
            return ref.why
        case Elsewhere():
            return ref.what


def shown(resolver: Resolver, path: Path) -> str:
    root = resolver.root
    text = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
    return text if len(text) <= PLACES_IN_REASON else "…" + text[-PLACES_IN_REASON:]
