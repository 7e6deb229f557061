"""Members that may be one through a base that nobody here can look into.

Two classes that extend the same class from outside may both override the same member of it; so may two that extend different classes of
one library, since one of these may extend the other. A class whose file does not parse wholly may
have members that were not seen. Neither is known, so such members are neither family nor something else.
"""

from collections.abc import Iterable

from surefoot.syntax.expressions import DEEPEST
from surefoot.syntax.outline import Expression, word
from surefoot.syntax.refs import Key, Klass
from surefoot.syntax.resolve import Resolver


def cousins_of(resolver: Resolver, keys: Iterable[Key], members: Iterable[Key]) -> frozenset[Key]:
    """Those of `members` whose class has a dark base in common with the class of one of `keys`."""
    known = frozenset(base for key in keys for base in _dark(resolver, key))
    return frozenset(key for key in members if known & _dark(resolver, key)) if known else frozenset()


def _dark(resolver: Resolver, key: Key) -> frozenset[str]:
    """Names for the bases of a member's class that cannot be looked into, and that may have the member; for the libraries that they are
    of, where one class of a library may be the base of another."""
    if resolver.linker(key.path).alone(key):
        return frozenset()
    found: set[str] = set()
    seen: set[Klass] = set()
    todo = [Klass(key.path, key.scope)]
    while todo:
        held = todo.pop()
        if held in seen:
            continue
        seen.add(held)
        for part in (held, *(() if resolver.linker(held.path).parts_apart else resolver.parts(held, ""))):
            outline = resolver.outline(part.path)
            if outline is not None and outline.errors:
                found.add(f"{part.path}:{outline.scopes[part.scope].name}")
            for base in outline.scopes[part.scope].bases if outline is not None else ():
                classes = [ref for ref in resolver.classes(resolver.value(part.path, base)) if isinstance(ref, Klass)]
                todo += classes
                if not classes and (named := _origin(resolver, part, base)):
                    source, name = named
                    if resolver.linker(part.path).may_declare(source, name, word(key.name)):
                        library = resolver.linker(part.path).library(source)
                        found.add(f"{library}:" if library else f"{source}:{name}")
    return frozenset(found)


def _origin(resolver: Resolver, held: Klass, base: Expression) -> tuple[str, str] | None:
    """The module that a base is taken from, "" for none, and its name there."""
    root = base
    for _ in range(DEEPEST):
        root = root.inner or root
    outline = resolver.outline(held.path)
    if root.kind == "type" and "\\" in root.name:  # a qualified name, which no import explains
        source, _, name = root.name.strip("\\").rpartition("\\")
        return source, name
    if outline is None or root.kind not in ("name", "path"):
        return None
    bound = next((b for scope in outline.chain(root.at) if (b := outline.bindings.get((scope, root.name)))), ())
    source = next((b.source for b in bound if b.source is not None), "")
    own = next((b.imported for b in bound if b.imported not in ("", "*", ".", "default")), root.name)
    return source, own if base is root else base.name
