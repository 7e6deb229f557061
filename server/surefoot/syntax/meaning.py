"""What one occurrence of a name means: the definitions it resolves to, and how it mentions them."""

import re
from pathlib import Path

from surefoot.core.sites import SiteKind, SymbolKind
from surefoot.core.value import value
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import language_of
from surefoot.syntax.outline import CALLED, MACRO, TAG, TYPED, Binding, ClassNames, Expression, ImportedName
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, Unknown, certain
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import Role, role_in_text

_PART = re.compile(rb"[\w.:$]")
_PART_OR_BACKSLASH = re.compile(rb"[\w.:$\\]")
_QUOTES = frozenset({b'"', b"'"})
LONGEST_DOTTED = 200
"""Bytes of a dotted string on either side of the name."""


@value
class Meaning:
    """`form` is that of the role, or import, export, definition, taken (a destructured name), offered (`__all__`) or bare (a name that
    may be a member of a class around it).

    `taken` is the member that a destructured name comes from. `binding` is the token's own binding, where it is one.
    """

    refs: Refs
    kind: SiteKind
    form: str
    local: str = ""
    shorthand: bool = False
    taken: Refs = frozenset()
    binding: Binding | None = None


def meaning_of(resolver: Resolver, index: Index, parsed: Parsed, start: int, end: int, role: Role | None = None) -> Meaning:
    """What the bytes `start` to `end` of a parsed file mean. `role` is theirs, where it is known already."""
    outline, path = parsed.outline, parsed.file.path
    bound = outline.at.get(start, ())
    if (held := outline.imported.get(start)) is not None:
        refs, form = _listed(resolver, path, held), "export" if held.exports else "import"
        own = _fallbacks(resolver, path, bound) if not any(isinstance(ref, Key) for ref in refs) else frozenset[Ref]()
        return Meaning(refs | own, _import_kind(path, held), form, held.local, bool(own) or any(b.shorthand for b in bound))
    if bound:
        return _bound(resolver, path, bound)
    if (held := outline.aliases.get(start)) is not None:
        return Meaning(_listed(resolver, path, held), SiteKind.ALIAS, "export")
    name = parsed.file.data[start:end].decode("utf-8", "replace")
    if start in outline.offered:
        return Meaning(resolver.exported(Module(path), name), SiteKind.REEXPORT, "offered")
    if (first := outline.unparsed_at(start)) >= 0:
        role = role_in_text(parsed.language, parsed.file.data, first, start, end)
    else:
        role = role or index.role(parsed, start, end)
    form = "bare" if role.form == "name" and outline.classes in (ClassNames.OPEN, ClassNames.ASKED) else role.form
    return Meaning(_used(resolver, parsed, role, name, start, end), role.kind, form, shorthand=role.shorthand)


def _fallbacks(resolver: Resolver, path: Path, bound: tuple[Binding, ...]) -> Refs:
    """What the file itself defines under the name that it takes from elsewhere: `except ImportError: def f(): …`."""
    keys = {Key(path, b.scope, b.name) for b in bound}
    return frozenset(key for key in keys if any(b.source is None for b in resolver.bindings_of(key)))


def _import_kind(path: Path, held: ImportedName) -> SiteKind:
    package = path.stem == "__init__" or held.local == held.name
    return SiteKind.REEXPORT if held.exports or package else SiteKind.IMPORT


def _listed(resolver: Resolver, path: Path, held: ImportedName) -> Refs:
    if held.source is None:
        return resolver.name(path, held.name, held.start)
    return resolver.imported(path, held.source, held.name)


def _bound(resolver: Resolver, path: Path, bound: tuple[Binding, ...]) -> Meaning:
    first = bound[0]
    # What else binds the name in this scope is the same name: a fallback beside an import, a variable that wraps what was imported.
    alike = [b for each in bound for b in resolver.bindings_of(Key(path, each.scope, each.name))]
    refs = resolver.follow_all(path, alike or bound)
    if first.source is not None:
        return Meaning(refs, SiteKind.IMPORT if first.imported in ("default", ".", "*") else SiteKind.ALIAS, "import", binding=first)
    taken = resolver.taken_from(path, first) if first.shorthand else frozenset[Ref]()
    return Meaning(
        refs, SiteKind.DEFINITION, "taken" if first.shorthand else "definition", shorthand=first.shorthand, taken=taken, binding=first
    )


def _used(resolver: Resolver, parsed: Parsed, role: Role, name: str, start: int, end: int) -> Refs:
    path = parsed.file.path
    name += CALLED if role.called else ""
    match role.form:
        case "name" | "variable":
            return resolver.name(path, name, start)
        case "typed" | "tagged":
            return resolver.name(path, name + (TYPED if role.form == "typed" else TAG), start)
        case "macro":
            return resolver.name(path, name + MACRO, start)
        case "member" | "named" | "keyed" if role.holder is not None:
            return resolver.found(path, resolver.value(path, role.holder), name)
        case "named":
            return resolver.name(path, name, start)
        case "field":
            return _field(resolver, path, role.holder, name, start)
        case "constant" if role.holder is not None:
            return _constant(resolver, path, role.holder, name, start)
        case "keyword" if role.holder is not None:
            return _keyword(resolver, path, role.holder, name)
        case "path" if role.holder is not None:
            return resolver.value(path, role.holder)
        case "string":
            return dotted_string(resolver, path, parsed.file.data, start, end)
        case _:
            return frozenset()


def _field(resolver: Resolver, path: Path, holder: Expression | None, name: str, at: int) -> Refs:
    """A name before a colon is a field of the type that is written before it, or any name where that type turns out to be a table."""
    if holder is None:
        return frozenset({Unknown("the key of a literal, which may have the member")})
    holders = resolver.classes(resolver.value(path, holder))
    refs = resolver.members(holders, name)
    if certain(refs) or not any(isinstance(held, Klass) for held in holders):
        return refs
    return refs | frozenset(ref for ref in resolver.name(path, name, at) if isinstance(ref, Key))


def _constant(resolver: Resolver, path: Path, holder: Expression, name: str, at: int) -> Refs:
    """What a label of a switch compares with: a constant of the type that is asked about, or else a bare name."""
    of_type = resolver.members(resolver.value(path, holder), name)
    if any(isinstance(ref, Key) for ref in of_type):
        return of_type
    plain = frozenset(ref for ref in resolver.name(path, name, at) if isinstance(ref, Key))
    return plain or of_type


def _keyword(resolver: Resolver, path: Path, callee: Expression, name: str) -> Refs:
    called = resolver.value(path, callee)
    functions = resolver.functions_of(called)
    found: set[Ref] = set()
    for function in functions:
        key = Key(function.path, function.scope, name)
        bindings = resolver.bindings_of(key)
        found.add(key if any(b.kind is SymbolKind.PARAMETER for b in bindings) else Unknown("it may be passed on through **"))
    if found:
        return frozenset(found)
    # A class without a constructor of its own may be a dataclass: its fields are the keywords.
    for ref in called:
        for binding in resolver.bindings_of(ref) if isinstance(ref, Key) else ():
            if binding.kind is SymbolKind.CLASS and isinstance(ref, Key):
                found |= resolver.member(Klass(ref.path, binding.inner), name)
    return (
        frozenset(found)
        or frozenset(ref for ref in called if isinstance(ref, Unknown | Elsewhere))
        or frozenset({Unknown("what is called is not known")})
    )


def dotted_string(resolver: Resolver, path: Path, data: bytes, start: int, end: int, quoted: bool = True) -> Refs:
    """What a dotted name means up to the byte `end`, empty where it does not begin with a module of ours.

    With `quoted` the dotted name has to be the whole string: a sentence that speaks of a symbol is not one that looks it up.
    """
    first, last = start, end
    language = language_of(path)
    part = _PART_OR_BACKSLASH if language is not None and language.separator == "\\" else _PART
    while first > max(0, start - LONGEST_DOTTED) and part.match(data, first - 1):
        first -= 1
    while last < min(len(data), end + LONGEST_DOTTED) and part.match(data, last):
        last += 1
    if quoted and (data[max(first - 1, 0) : first] not in _QUOTES or data[last : last + 1] not in _QUOTES):
        return frozenset()
    parts = re.split(r"::|[.:]|\\+", data[first:end].decode("utf-8", "replace").lstrip("\\"))
    if len(parts) < 2 or not all(name.isidentifier() for name in parts):
        return frozenset()
    return resolver.linker(path).spelled(path, parts)
