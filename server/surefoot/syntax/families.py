"""Members that must keep one name together: overrides, and what implements the same declaration."""

from collections.abc import Iterable

from surefoot.syntax.resolve import Key, Klass, Resolver


def family_of(resolver: Resolver, seeds: Iterable[Key], members: Iterable[Key]) -> frozenset[Key]:
    """The seeds, and those of `members` that share a declaration with them, directly or through others of the family."""
    found = frozenset(seeds)
    above = {key: declarations(resolver, key) for key in found.union(members)}
    known = frozenset[Key]().union(*(above[key] for key in found))
    while True:
        more = frozenset(key for key, up in above.items() if up & known)
        if more <= found:
            return found | known
        found |= more
        known = known.union(*(above[key] for key in more))


def declarations(resolver: Resolver, key: Key) -> frozenset[Key]:
    """The member itself, and every member of the same name in the classes above its own."""
    found = {key}
    seen: set[Klass] = set()
    todo = [Klass(key.path, key.scope)]
    while todo:
        held = todo.pop()
        if held in seen:
            continue
        seen.add(held)
        own = Key(held.path, held.scope, key.name)
        if resolver.bindings_of(own):
            found.add(own)
        todo += [base for base in resolver.bases(held) if isinstance(base, Klass)]
    return frozenset(found)


def root_of(resolver: Resolver, family: frozenset[Key]) -> Key:
    """The declaration that the fewest others of the family stand above."""
    return min(family, key=lambda key: (len(declarations(resolver, key)), str(key.path), key.scope))
