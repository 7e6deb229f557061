"""Where a constructor is entered without its name: a call of its class enters it, one of a class below that has none, and `super(…)`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tree_sitter import Node

from surefoot.core.sites import Scan, SiteKind, Target, Tier
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.index import Index
from surefoot.syntax.languages import language_of
from surefoot.syntax.outline import Outline, ScopeKind, word
from surefoot.syntax.refs import Key, Klass
from surefoot.syntax.resolve import Resolver

_BESIDE: Mapping[str, frozenset[str]] = MappingProxyType({"python": frozenset({"__new__"})})
"""Members that are entered together with the constructor, by family of languages."""

_MADE = frozenset({Tier.EXACT, Tier.FAMILY, Tier.LIKELY})


@value
class _Words:
    """How code makes a value without a name of its class: a type of node, the field that says of which class ("" for any word in it), the
    words for the class itself, and those for the one above. `within` is the only method in which they mean that, "" for any."""

    node: str
    field: str
    own: frozenset[bytes]
    above: frozenset[bytes]
    within: str = ""


_NONE: frozenset[bytes] = frozenset()
_THIS, _SUPER = frozenset({b"this"}), frozenset({b"super"})
_WORDS: Mapping[str, tuple[_Words, ...]] = MappingProxyType(
    {
        "python": (_Words("call", "function", frozenset({b"cls", b"type(self)", b"self.__class__"}), _NONE),),
        "ecmascript": (
            _Words("call_expression", "function", _NONE, _SUPER),
            _Words("new_expression", "constructor", _THIS, _NONE),
        ),
        "php": (_Words("object_creation_expression", "", frozenset({b"self", b"static"}), frozenset({b"parent"})),),
        "ruby": (_Words("call", "method", frozenset({b"new"}), _NONE), _Words("super", "", _NONE, _SUPER, "initialize")),
        "java": (_Words("explicit_constructor_invocation", "constructor", _THIS, _SUPER),),
        "csharp": (_Words("constructor_initializer", "", _THIS, frozenset({b"base"})),),
    }
)


@value
class Entry:
    """A place from which a constructor is entered: of a file, the bytes to point at, and why."""

    path: Path
    start: int
    end: int
    tier: Tier
    reason: str


def constructors_in(resolver: Resolver, keys: frozenset[Key]) -> frozenset[Key]:
    """Those of the definitions that are constructors."""
    return frozenset(key for key in keys if _is_constructor(resolver, key))


def entries_of(resolver: Resolver, index: Index, keys: frozenset[Key], find: Callable[[Target], Scan]) -> Iterator[Entry]:
    """Every place that enters one of these constructors without its name. `find` looks for a class."""
    done: set[Klass] = set()
    todo = [(Klass(key.path, key.scope), key) for key in sorted(keys, key=str)]
    for key in keys:
        yield from _written(resolver, index, Klass(key.path, key.scope), own=True)
    while todo:
        klass, key = todo.pop()
        if klass in done:
            continue
        done.add(klass)
        made = _class_key(resolver, klass)
        start = next((b.start for b in resolver.bindings_of(made)), -1) if made is not None else -1
        if made is None or start < 0:
            continue
        scan = find(Target(path=str(klass.path), offset=start))
        if not called_like_its_class(resolver, key):
            yield from _calls(scan, word(made.name))
            yield from _makers(resolver, index, scan)
        for below in _below(resolver, scan, klass):
            has_own = any(resolver.bindings_of(Key(below.path, below.scope, name)) for name in _names(resolver, below))
            yield from _written(resolver, index, below, own=not has_own, above=True)
            if not has_own:
                todo.append((below, key))


def called_like_its_class(resolver: Resolver, key: Key) -> bool:
    """Whether a constructor has the name of its class, so that whoever looks for the one finds the other."""
    outline = resolver.outline(key.path)
    return outline is not None and outline.scopes[key.scope].name == word(key.name)


def _is_constructor(resolver: Resolver, key: Key) -> bool:
    return resolver.is_member(key) and key.name in _names(resolver, Klass(key.path, key.scope))


def _names(resolver: Resolver, klass: Klass) -> frozenset[str]:
    """What constructors of a class are called, as the outline binds them."""
    outline, linker = resolver.outline(klass.path), resolver.linker(klass.path)
    name = outline.scopes[klass.scope].name if outline is not None else ""
    language = language_of(klass.path)
    beside = _BESIDE.get(language.family, frozenset()) if language is not None else frozenset[str]()
    return frozenset(linker.constructors(name)) | beside


def _class_key(resolver: Resolver, klass: Klass) -> Key | None:
    """The class by the name that it is bound to."""
    outline = resolver.outline(klass.path)
    for (scope, name), bindings in outline.bindings.items() if outline is not None else ():
        if any(b.inner == klass.scope for b in bindings):
            return Key(klass.path, scope, name)
    return None


def _calls(scan: Scan, name: str) -> Iterator[Entry]:
    for site in scan.sites:
        if site.kind is SiteKind.CALL and site.tier in _MADE:
            place = site.place
            yield Entry(place.path, place.start, place.end, site.tier, f"a new {name} enters the constructor")


def _makers(resolver: Resolver, index: Index, scan: Scan) -> Iterator[Entry]:
    """Methods of a class that make one of it: in Ruby, `new` is called on the class."""
    for site in scan.sites:
        place, language = site.place, language_of(site.place.path)
        held = resolver.texts.read(place.path)
        parsed = index.parsed(held) if isinstance(held, TextFile) and language is not None and language.family == "ruby" else None
        node = index.root(parsed).descendant_for_byte_range(place.start, place.end) if parsed is not None else None
        around = node.parent if node is not None else None
        said = around.child_by_field_name("method") if around is not None and around.type == "call" else None
        if node is None or said is None or said == node or said.text != b"new" or site.tier not in _MADE:
            continue
        yield Entry(place.path, said.start_byte, said.end_byte, site.tier, f"a new {scan.name} enters the constructor")


def _below(resolver: Resolver, scan: Scan, klass: Klass) -> Iterator[Klass]:
    """The classes that name this one as a base."""
    for path in dict.fromkeys(site.place.path for site in scan.sites if site.tier is Tier.EXACT):
        outline = resolver.outline(path)
        for number, scope in enumerate(outline.scopes if outline is not None else ()):
            if scope.kind is ScopeKind.CLASS and scope.bases and klass in resolver.bases(Klass(path, number)):
                yield Klass(path, number)


def _written(resolver: Resolver, index: Index, klass: Klass, *, own: bool, above: bool = False) -> Iterator[Entry]:
    """The words in a class that make one of its own, or enter the constructor above it."""
    held = resolver.texts.read(klass.path)
    parsed = index.parsed(held) if isinstance(held, TextFile) else None
    forms = _WORDS.get(parsed.language.family, ()) if parsed is not None else ()
    for node, form in _inside(index.root(parsed), parsed.outline, klass, forms) if parsed is not None and forms else ():
        words = (form.own if own else _NONE) | (form.above if above else _NONE)
        said = _said(node, form, words)
        if said is not None:
            shown = (said.text or b"").decode("utf-8", "replace")
            yield Entry(klass.path, said.start_byte, said.end_byte, Tier.EXACT, f"`{shown}` enters the constructor here")


def _inside(root: Node, outline: Outline, klass: Klass, forms: Sequence[_Words]) -> Iterator[tuple[Node, _Words]]:
    """The nodes of these forms in a class, not in classes inside of it."""
    scope, types = outline.scopes[klass.scope], {form.node: form for form in forms}
    todo = [root]
    while todo:
        node = todo.pop()
        if node.end_byte <= scope.start or node.start_byte >= scope.end:
            continue
        todo += node.children
        form = types.get(node.type)
        if form is None or _class_around(outline, node.start_byte) != klass.scope:
            continue
        if not form.within or outline.enclosing(node.start_byte).rpartition(".")[2] == form.within:
            yield node, form


def _class_around(outline: Outline, offset: int) -> int:
    """The class around a byte: what is written apart for the class itself (Ruby's `def self.of`) is a part of it."""
    at = outline.class_around(offset)
    if at >= 0 and outline.scopes[at].part and outline.scopes[at].name == "self":
        return _class_around(outline, outline.scopes[at].start - 1)
    return at


def _said(node: Node, form: _Words, words: frozenset[bytes]) -> Node | None:
    """The word of a node for the class that it makes a value of, None where that is not one of these."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and receiver.type != "self":
        return None
    named = node.child_by_field_name(form.field) if form.field else None
    found = [named] if named is not None else [] if form.field else [node, *node.children]
    return next((one for one in found if one.text in words), None)
