"""Members that must keep one name together: overrides, and what implements the same declaration."""

from collections.abc import Iterable

from surefoot.syntax.refs import Key, Klass
from surefoot.syntax.resolve import Resolver


def family_of(resolver: Resolver, seeds: Iterable[Key], members: Iterable[Key]) -> frozenset[Key]:
    """The seeds, and those of `members` that share a declaration with them, directly or through others of the family."""
    found, members = frozenset(seeds), frozenset(members)
    above = {key: declarations(resolver, key, members) for key in found.union(members)}
    known = frozenset[Key]().union(*(above[key] for key in found))
    for _ in above:  # each round but the last finds one of them
        more = frozenset(key for key, up in above.items() if up & known)
        if more <= found:
            break
        found |= more
        known = known.union(*(above[key] for key in more))
    return found | known


def declarations(resolver: Resolver, key: Key, members: frozenset[Key] = frozenset()) -> frozenset[Key]:
    """The member itself, every member of the same name in the classes above its own, and those of `members` that it implements unsaid."""
    linker = resolver.linker(key.path)
    if linker.alone(key):
        return frozenset({key})
    found = {key, *linker.above(key, members)}
    seen: set[Klass] = set()
    todo = [Klass(key.path, key.scope)]
    while todo:
        held = todo.pop()
        if held in seen:
            continue
        seen.add(held)
        linker = resolver.linker(held.path)
        for part in (held, *(() if linker.parts_apart else resolver.parts(held, key.name))):
            own = Key(part.path, part.scope, key.name)
            if resolver.bindings_of(own) and not linker.alone(own):
                found.add(own)
        todo += [base for base in resolver.bases(held) if isinstance(base, Klass) and linker.overrides(held, base)]
    return frozenset(found)


def root_of(resolver: Resolver, family: frozenset[Key]) -> Key:
    """The declaration that the fewest others of the family stand above."""
    return min(family, key=lambda key: (len(declarations(resolver, key)), str(key.path), key.scope))
