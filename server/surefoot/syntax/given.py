"""What containers hold, what context managers give, and what is called: values that come out of other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surefoot.syntax.outline import Expression, ScopeKind
from surefoot.syntax.refs import Key, Klass, Ref, Refs, certain, unknown

if TYPE_CHECKING:
    from pathlib import Path

    from surefoot.syntax.resolve import Resolver

DEEPEST = 24
"""Values followed from one expression."""


def item(resolver: Resolver, path: Path, holder: Expression, depth: int) -> Refs:
    """The class of what a container holds, by the annotation of the container or of the function that gives it."""
    if depth > DEEPEST:
        return unknown("the chain of values is too long")
    called = holder.inner if holder.kind == "call" else None
    if called is not None and called.inner is not None and called.kind == "member" and called.name in resolver.linker(path).iterates:
        return item(resolver, path, called.inner, depth + 1)
    if (written := called or holder).kind == "type":
        return _item_of(resolver, path, written.name, written.at, depth)
    found: set[Ref] = set()
    for ref in resolver.value(path, called or holder, depth):
        if isinstance(ref, Key):
            with resolver.busy.following(("item", ref)) as new:
                found |= _held(resolver, ref, depth, called=called is not None) if new else frozenset()
    return frozenset(found) or unknown("the type of its container is not written")


def _held(resolver: Resolver, key: Key, depth: int, *, called: bool) -> Refs:
    """The class of what a named container holds, or of what the containers hold that a function gives."""
    found: set[Ref] = set()
    outline = resolver.outline(key.path)
    for binding in resolver.bindings_of(key) if outline is not None else ():
        text = binding.annotation
        if called and outline is not None:
            text = outline.scopes[binding.inner].returns if binding.inner >= 0 else ""
        if text:
            found |= _item_of(resolver, key.path, text, binding.start, depth)
        elif not called and binding.origin is not None:
            found |= item(resolver, key.path, binding.origin, depth + 1)
    return frozenset(found)


def _item_of(resolver: Resolver, path: Path, annotation: str, at: int, depth: int) -> Refs:
    inside = resolver.linker(path).item(annotation)
    return resolver.types(path, inside, at, depth + 1) if inside else unknown("what it is taken from is not a container")


def entered(resolver: Resolver, path: Path, manager: Expression, depth: int) -> Refs:
    """What a context manager gives: what a generator yields that a decorator made one of, or what its class says."""
    if depth > DEEPEST:
        return unknown("the chain of values is too long")
    return (
        _yielded(resolver, path, manager, depth)
        or _by_class(resolver, path, manager, depth)
        or unknown("what it is entered with is not known")
    )


def _yielded(resolver: Resolver, path: Path, manager: Expression, depth: int) -> Refs:
    found: set[Ref] = set()
    if manager.kind != "call" or manager.inner is None:
        return frozenset()
    for function in resolver.functions_of(resolver.value(path, manager.inner, depth)):
        outline = resolver.outline(function.path)
        scope = outline.scopes[function.scope] if outline is not None else None
        if scope is not None and resolver.linker(path).yields(scope.returns):
            found |= _item_of(resolver, function.path, scope.returns, scope.start, depth)
    return frozenset(found)


def _by_class(resolver: Resolver, path: Path, manager: Expression, depth: int) -> Refs:
    found: set[Ref] = set()
    for held in resolver.classes(resolver.value(path, manager, depth), depth):
        for name in resolver.linker(path).entries if isinstance(held, Klass) else ():
            entries = resolver.member(held, name, depth + 1) if isinstance(held, Klass) else frozenset[Ref]()
            found |= certain(resolver.classes(frozenset(ref for ref in entries if isinstance(ref, Key)), depth + 1))
    return frozenset(found)


def functions_in(resolver: Resolver, path: Path, callee: Expression, depth: int) -> Refs:
    """What is called. `New[int]()` calls a function that is given its types; what a function out of a table gives is not known."""
    if callee.kind != "item" or callee.inner is None:
        return resolver.value(path, callee, depth)
    found: set[Ref] = set()
    for ref in resolver.value(path, callee.inner, depth):
        outline = resolver.outline(ref.path) if isinstance(ref, Key) else None
        inner = [b.inner for b in resolver.bindings_of(ref) if b.inner >= 0] if isinstance(ref, Key) else []
        if outline is not None and any(outline.scopes[index].kind is ScopeKind.FUNCTION for index in inner):
            found.add(ref)
    return frozenset(found) or unknown("it is called out of a table")
