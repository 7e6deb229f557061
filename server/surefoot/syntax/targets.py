"""From a target, a name or a place, to the definitions that it means."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from surefoot.core.sites import Symbol, SymbolKind
from surefoot.core.text import LineIndex, Place, TextFile
from surefoot.syntax.cousins import cousins_of
from surefoot.syntax.families import family_of, root_of
from surefoot.syntax.fixtures import injected
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.meaning import meaning_of
from surefoot.syntax.outline import CALLED, Binding, Outline, ScopeKind, word
from surefoot.syntax.refs import Key, Refs
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.wanted import Wanted


def identifier_at(index: Index, parsed: Parsed, offset: int) -> tuple[str, int, int] | None:
    """The identifier that holds or touches a byte, and its range."""
    root, outline, language = index.root(parsed), parsed.outline, parsed.language
    for start, end in ((offset, offset + 1), (max(offset - 1, 0), offset)):
        node = root.descendant_for_byte_range(start, end)
        sigils = len(node.text or b"") - len((node.text or b"").lstrip(language.sigils.encode())) if node is not None else 0
        if node is not None and sigils and node.start_byte + sigils in outline.at:
            return parsed.file.data[node.start_byte + sigils : node.end_byte].decode("utf-8"), node.start_byte + sigils, node.end_byte
        while node is not None and node.type in language.identifiers:
            # PHP's `$total` is an identifier in an identifier: a local variable is known by the whole, a property by the inner one.
            outer = node.parent
            if outer is None or outer.type not in language.identifiers or node.start_byte in outline.at:
                return (node.text or b"").decode("utf-8", "replace"), node.start_byte, node.end_byte
            node = outer
    return None


def keys_at(resolver: Resolver, index: Index, parsed: Parsed, start: int, end: int) -> frozenset[Key]:
    """The definitions that an identifier means. At an alias, or at a use of one, it is the alias that is meant."""
    path, outline = parsed.file.path, parsed.outline
    name = parsed.file.data[start:end].decode("utf-8", "replace")
    refs: Refs = meaning_of(resolver, index, parsed, start, end).refs
    keys = frozenset(ref for ref in refs if isinstance(ref, Key))
    if start in outline.imported and keys:
        return keys
    here = outline.at.get(start) or tuple(b for scope in outline.chain(start) for b in outline.bindings.get((scope, name), ()))
    aliases = frozenset(Key(path, b.scope, b.name) for b in here if is_alias(resolver, path, b))
    return aliases if aliases and all(key.name != name for key in keys) else keys


def is_alias(resolver: Resolver, path: Path, binding: Binding) -> bool:
    """Whether an import gives what it takes a name of its own."""
    if binding.source is None or binding.imported == ".":
        return False
    if binding.imported in ("*", "default"):
        return all(ref.name != binding.name for ref in resolver.follow(path, binding) if isinstance(ref, Key))
    return binding.imported != binding.name


def keys_named(resolver: Resolver, files: Iterable[Path], name: str) -> frozenset[Key]:
    """Every definition called `name` ("Class.name" narrows it): those of modules and classes, and only without any of them, the others."""
    container, _, last = name.rpartition(".")
    ranked: dict[int, set[Key]] = {}
    for path in files:
        outline = resolver.outline(path)
        if outline is None:
            continue
        for scope, bindings in outline.named(last):
            if _inside(outline, scope, container) and (rank := _rank(outline, scope, bindings)) is not None:
                ranked.setdefault(rank, set()).update(Key(path, scope, b.name) for b in bindings)
    return frozenset(ranked[min(ranked)]) if ranked else frozenset()


def _inside(outline: Outline, scope: int, container: str) -> bool:
    around = outline.dotted(scope)
    return not container or around == container or around.endswith("." + container)


def _rank(outline: Outline, scope: int, bindings: Sequence[Binding]) -> int | None:
    own = [b for b in bindings if b.source is None]
    if not own:
        return 2 if any(b.imported not in (".", "*", b.name) for b in bindings) else None
    return 0 if outline.scopes[scope].kind in (ScopeKind.MODULE, ScopeKind.CLASS, ScopeKind.NAMESPACE) else 1


def members_named(resolver: Resolver, files: Iterable[Path], *names: str) -> frozenset[Key]:
    """Every class member of one of these names."""
    found: set[Key] = set()
    for path in files:
        if (outline := resolver.outline(path)) is None:
            continue
        for name in names:
            for scope in outline.binding(name):
                if outline.scopes[scope].kind is ScopeKind.CLASS:
                    found.add(Key(path, scope, name))
    return frozenset(found)


def wanted_of(resolver: Resolver, files: Sequence[Path], keys: frozenset[Key], by_name: bool) -> Wanted:
    """The definitions with their families. Looked up by name, a family counts as the one symbol that its root declares."""
    keys |= _written_at_once(resolver, keys)
    members = frozenset(key for key in keys if resolver.is_member(key))
    exact, kin = set(keys - members), set[Key]()
    todo = set(members)
    others = members_named(resolver, files, *{key.name for key in members}) if members else frozenset[Key]()
    while todo:
        key = min(todo, key=str)
        todo.remove(key)
        family = family_of(resolver, {key}, others)
        exact.add(root_of(resolver, family & keys or family) if by_name else key)
        if by_name:
            todo -= family
        kin |= family
    kin |= _parameters_of_family(resolver, keys) | _written_at_once(resolver, kin)
    filled = injected(resolver, files, keys)
    exact |= filled.fixtures | filled.filled
    kin |= filled.others
    exact |= {twin for key in exact for twin in resolver.linker(key.path).twins(key)}
    kin |= {twin for key in kin for twin in resolver.linker(key.path).twins(key)}
    kinds = frozenset(resolver.kind(key) for key in keys)
    local = bool(keys) and all(resolver.is_local(key) for key in keys | filled.all)
    cousins = cousins_of(resolver, exact | kin, others - exact - kin) if members else frozenset[Key]()
    plain = not members or keys != members
    beyond = any(resolver.linker(key.path).beyond(key) for key in exact | kin)
    whole = frozenset(exact), frozenset(kin - exact)
    return Wanted(*whole, kinds, bool(members), plain, local, bool(filled.all), filled.filled, cousins, beyond)


def _written_at_once(resolver: Resolver, keys: Iterable[Key]) -> frozenset[Key]:
    """What else the very words define: `constructor(private store: Store)` makes a parameter and a field of one word."""
    outlines = {key.path: resolver.outline(key.path) for key in keys}
    bound = [(key.path, o.at.get(b.start, ())) for key in keys for b in resolver.bindings_of(key) if (o := outlines[key.path]) is not None]
    return frozenset(Key(path, b.scope, b.name) for path, here in bound for b in here)


def _parameters_of_family(resolver: Resolver, keys: frozenset[Key]) -> set[Key]:
    """The parameters of the same name in the overrides of a method: a keyword argument may reach any of them."""
    found: set[Key] = set()
    for key in keys:
        if resolver.kind(key) is not SymbolKind.PARAMETER or (method := _method_of(resolver, key)) is None:
            continue
        holding = resolver.texts.holding(word(method.name), key.name).files
        files = [path for path in holding if path.suffix == key.path.suffix and resolver.holds(path, method.name, key.name)]
        for kin in family_of(resolver, {method}, members_named(resolver, files, method.name)):
            for binding in resolver.bindings_of(kin):
                other = Key(kin.path, binding.inner, key.name)
                if binding.inner >= 0 and any(b.kind is SymbolKind.PARAMETER for b in resolver.bindings_of(other)):
                    found.add(other)
    return found


def _method_of(resolver: Resolver, key: Key) -> Key | None:
    outline = resolver.outline(key.path)
    for (scope, name), bindings in outline.bindings.items() if outline is not None else ():
        if any(b.inner == key.scope and b.kind is SymbolKind.METHOD for b in bindings):
            return Key(key.path, scope, name)
    return None


def only_imported(resolver: Resolver, keys: Iterable[Key]) -> frozenset[Key]:
    """Those of the definitions that are aliases: an import binds them, nothing else does."""
    return frozenset(key for key in keys if all(b.source is not None for b in resolver.bindings_of(key)))


def symbols_of(resolver: Resolver, keys: Iterable[Key]) -> tuple[Symbol, ...]:
    """The definitions as symbols, each at the first place that defines it, or else binds it."""
    found: list[Symbol] = []
    for key in sorted(keys, key=lambda k: (str(k.path), k.scope)):
        bound, outline, held = resolver.bindings_of(key), resolver.outline(key.path), resolver.texts.read(key.path)
        if bound and outline is not None and isinstance(held, TextFile):
            first = next((b for b in bound if b.source is None), bound[0])
            place = Place.of(key.path, first.start, first.end, LineIndex(held.data))
            found.append(Symbol(word(key.name), resolver.kind(key), place, outline.dotted(key.scope)))
    return tuple(found)


def symbol_here(index: Index, file: TextFile, offset: int) -> Symbol | None:
    """The name at a byte of one file, and what the file itself binds it to; a name it does not bind counts as a variable."""
    parsed = index.parsed(file)
    found = identifier_at(index, parsed, offset) if parsed is not None else None
    if parsed is None or found is None:
        return None
    name, start, end = found
    outline = parsed.outline
    both = ((scope, called) for scope in outline.chain(start) for called in (name, name + CALLED))
    here = outline.at.get(start) or next((b for key in both if (b := outline.bindings.get(key))), ())
    kind = here[0].kind if here else SymbolKind.VARIABLE
    return Symbol(name, kind, Place.of(file.path, start, end, parsed.lines), outline.enclosing(start))
