"""Whether a new name is free everywhere the old one is replaced: in both directions, since either name may capture the other."""

from collections.abc import Iterable
from pathlib import Path

from surefoot.core.sites import Site, SiteKind, Symbol, SymbolKind
from surefoot.core.text import LineIndex, TextFile
from surefoot.core.value import value
from surefoot.syntax.words import Role, Word, words

MEMBERS = frozenset({SymbolKind.METHOD, SymbolKind.FIELD})


@value
class Clash:
    """The new name means something else at `line` of `path`: `why` says what would go wrong."""

    path: Path
    line: int
    why: str


def name_clash(file: TextFile, sites: Iterable[Site], old: str, new: str) -> Clash | None:
    """The first place in one file where `new` is taken, or would take over a name that means something else today.

    Only for names that scopes bind; members are asked about by `member_clash`.
    """
    taken = words(file.path, file.data, new)
    if not taken:
        return None
    edited = {site.place.start for site in sites}
    ours = [w for w in words(file.path, file.data, old) if w.start in edited and w.role is not Role.MEMBER]
    scopes = [w for w in ours if w.role is Role.BINDS]
    for mine in ours:
        theirs = _captor(mine, _binding_of(mine, scopes), taken)
        if theirs is not None:
            return _at(file, theirs, f"`{new}` is already bound there")
    for scope in scopes:
        theirs = _captured(scope, taken)
        if theirs is not None:
            return _at(file, theirs, f"`{new}` there would come to mean the renamed `{old}`")
    return None


def member_clash(definitions: Iterable[Site], named_new: Iterable[Symbol], bases: Iterable[str], new: str) -> Clash | None:
    """The member called `new` that a class of the family, or a class that one of them extends by name, already has."""
    classes = {(site.place.path, site.function) for site in definitions if site.kind is SiteKind.DEFINITION}
    parents = set(bases)
    for symbol in named_new:
        own = (symbol.place.path, symbol.container) in classes
        inherited = symbol.container.rpartition(".")[2] in parents
        if symbol.kind in MEMBERS and (own or inherited):
            return Clash(symbol.place.path, symbol.place.line, f"`{symbol.container}` already has `{new}`")
    return None


def _binding_of(word: Word, scopes: list[Word]) -> tuple[int, int] | None:
    """The innermost scope in which the old name is bound around `word`, None for one that comes from elsewhere."""
    around = [s.scope for s in scopes if _inside(word.start, s.scope)]
    return max(around, default=None)


def _captor(mine: Word, bound: tuple[int, int] | None, taken: Iterable[Word]) -> Word | None:
    """The binding of the new name that would stand between a renamed word and its own binding."""
    for word in taken:
        if word.role is not Role.BINDS or not _sees(mine, word):
            continue
        if bound is None or (bound[0] <= word.scope[0] and word.scope[1] <= bound[1]):
            return word
    return None


def _captured(scope: Word, taken: tuple[Word, ...]) -> Word | None:
    """The use of the new name that the renamed binding would take over."""
    for word in taken:
        if word.role is not Role.USES or not _sees(word, scope):
            continue
        bound = (b for b in taken if b.role is Role.BINDS and _sees(word, b))
        if not any(b.scope != scope.scope and _inside(b.scope[0], scope.scope) for b in bound):
            return word
    return None


def _sees(use: Word, binding: Word) -> bool:
    """Whether `use` stands where `binding` is visible: a class body's names are not seen in its functions."""
    return _inside(use.start, binding.scope) and (binding.inner or use.scope == binding.scope)


def _inside(offset: int, scope: tuple[int, int]) -> bool:
    return scope[0] <= offset < scope[1]


def _at(file: TextFile, word: Word, why: str) -> Clash:
    return Clash(file.path, LineIndex(file.data).line_of(word.start) + 1, why)
