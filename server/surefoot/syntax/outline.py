"""What one file says about names: scopes, bindings, imports and exports, without the tree it was read from."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from surefoot.core.sites import SymbolKind
from surefoot.core.value import value
from surefoot.syntax.store.packed import ByName


class ScopeKind(StrEnum):
    """What makes a scope. Names of a class or an object are members: code below them does not see them as bare names."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    NAMESPACE = "namespace"
    OBJECT = "object"
    BLOCK = "block"


MEMBER_SCOPES = frozenset({ScopeKind.CLASS, ScopeKind.OBJECT, ScopeKind.NAMESPACE})
HIDDEN_SCOPES = frozenset({ScopeKind.CLASS, ScopeKind.OBJECT})

CALLED = "()"
"""Ends the name that a function is bound under where functions and variables do not share names: `total()` beside `total`."""


TYPED = "@"
"""Ends a name that is asked for as that of a type, where a variable may have the same: C's `struct cart *cart`."""

TAG = "#"
"""Ends the name of a struct, a union or an enum where those have names of their own."""

MACRO = "!"
"""Ends the name that a macro is bound under where macros and functions do not share names: Rust's `write!` beside `write`."""


ENDINGS = frozenset({"", CALLED, MACRO, TAG})

INSIDE = "/"
"""Stands between the names of the modules of one file around an import and what the import says."""


def word(name: str) -> str:
    """A name as it stands in the text."""
    return name.removesuffix(CALLED).removesuffix(MACRO).removesuffix(TAG)


class ClassNames(StrEnum):
    """Where a bare name may be a member of a class: nowhere, in the class body itself, in everything below it, inherited ones too, or
    wherever the linker says when no scope binds it."""

    HIDDEN = "hidden"
    BODY = "body"
    OPEN = "open"
    ASKED = "asked"


@value
class Expression:
    """As much of an expression as tells where its members come from.

    `inner` is what is called, whose member `name` is, or what holds it.
    """

    kind: str  # name, path (a name that a path begins with), member, call, item, entered, self, super, object, type, module or unknown
    name: str = ""
    at: int = 0
    inner: "Expression | None" = None


@value
class Binding:
    """A place that gives a name its meaning. Where functions have names of their own, theirs end in `CALLED`.

    An import has a `source` and what it takes from there: a name, "*" for the module itself, "default", or "." for the first part of a
    dotted module. `inner` is the scope of what is defined. `shorthand` marks a destructured name, `origin` what it is taken from
    (an expression) and `annotation` the type that is written for it (for a shorthand: for the whole). `since` is the byte from which
    the scope sees it, 0 for all of the scope. What is `private` is seen in its own file alone.
    """

    name: str
    start: int
    end: int
    kind: SymbolKind
    scope: int
    inner: int = -1
    source: str | None = None
    imported: str = ""
    shorthand: bool = False
    annotation: str = ""
    origin: Expression | None = None
    since: int = 0
    private: bool = False


@value
class Scope:
    """Bytes in which names mean the same.

    `parent` is an index, -1 for the module. `name` is what the scope defines; a class has `bases`, a function may say what it `returns` and
    what it `takes`. A `part` adds members to a class of that name which is defined elsewhere. What `borrows` takes its `this` from around
    it.
    """

    start: int
    end: int
    kind: ScopeKind
    parent: int
    name: str = ""
    bases: tuple[Expression, ...] = ()
    returns: str = ""
    part: bool = False
    borrows: bool = False
    takes: str = ""


@value
class ImportedName:
    """The name token of an import or an export list. `local` is what it binds or offers when that is another token."""

    name: str
    start: int
    end: int
    source: str | None
    exports: bool
    local: str = ""
    local_start: int = -1


@value
class Export:
    """A name that a module offers: a name of its own (`source` None) or of another module ("*" for that module itself)."""

    source: str | None
    name: str
    at: int


@value
class Outline:
    """The facts of one text. Scopes are sorted by start, outer before inner; scope 0 is the module.

    `bindings` are keyed by scope and name, `at` and `imported` by the start of their token, `aliases` by the start of the
    other name that an import or export gives. `exports` has what export lists offer
    ("default", and "=" for a CommonJS module that is one value); `offered` the starts of the strings in `__all__`; `stars` the modules
    whose every name is taken over. `outer` are ranges (start, end, scope) that do not see the scope they stand in. `classes` says who
    sees the names of a class. `package` is the package or namespace that the file says it belongs to. `unparsed` are ranges of code that
    the grammar leaves as text. `narrowed` are names, by scope, whose values are tested for a type somewhere.
    """

    scopes: tuple[Scope, ...]
    starts: tuple[int, ...]
    bindings: Mapping[tuple[int, str], tuple[Binding, ...]]
    at: Mapping[int, tuple[Binding, ...]]
    imported: Mapping[int, ImportedName]
    aliases: Mapping[int, ImportedName]
    exports: Mapping[str, tuple[Export, ...]]
    offered: frozenset[int]
    stars: tuple[str, ...]
    outer: tuple[tuple[int, int, int], ...]
    errors: tuple[tuple[int, int], ...]
    classes: ClassNames
    package: str = ""
    unparsed: tuple[tuple[int, int], ...] = ()
    narrowed: frozenset[tuple[int, str]] = frozenset()

    def named(self, name: str) -> Iterator[tuple[int, tuple[Binding, ...]]]:
        """The scopes that bind a name, of a variable or of a function, with its bindings there."""
        for each in sorted(name + ending for ending in ENDINGS):
            yield from ((scope, self.bindings[scope, each]) for scope in self.binding(each))

    def binding(self, name: str) -> Sequence[int]:
        """The scopes that bind this very name, whatever its ending."""
        if isinstance(self.bindings, ByName):
            return self.bindings.numbers_of(name)
        return [scope for scope, bound in self.bindings if bound == name]

    def scope_at(self, offset: int) -> int:
        """The innermost scope that holds a byte."""
        index = bisect_right(self.starts, offset) - 1
        while index > 0 and self.scopes[index].end <= offset:
            index = self.scopes[index].parent
        return max(index, 0)

    def chain(self, offset: int) -> Iterator[int]:
        """Scopes in which a bare name at `offset` is looked up, innermost first."""
        skipped = {scope for start, end, scope in self.outer if start <= offset < end}
        first = index = next((scope for scope in self.ancestors(self.scope_at(offset)) if scope not in skipped), -1)
        while index >= 0:
            scope = self.scopes[index]
            if index not in skipped and (scope.kind not in HIDDEN_SCOPES or self._shows(index, first)):
                yield index
            index = scope.parent

    def _shows(self, index: int, first: int) -> bool:
        """Whether a class shows its names to a bare name whose innermost scope is `first`."""
        if self.classes is ClassNames.OPEN:
            return self.scopes[index].kind is ScopeKind.CLASS
        return self.classes is ClassNames.BODY and index == first

    def ancestors(self, index: int) -> Iterator[int]:
        """`index` and the scopes around it, innermost first."""
        while index >= 0:
            yield index
            index = self.scopes[index].parent

    def enclosing(self, offset: int) -> str:
        """The dotted name of the functions and classes around a byte, "" at module level."""
        return self.dotted(self.scope_at(offset))

    def dotted(self, index: int) -> str:
        """The dotted name of a scope: the functions and classes that it is or stands in."""
        names = [self.scopes[i].name for i in self.ancestors(index)]
        return ".".join(reversed([name for name in names if name]))

    def unparsed_at(self, offset: int) -> int:
        """Where the code begins that the grammar leaves as text around a byte, -1 for a byte that it has read."""
        index = bisect_right(self.unparsed, offset, key=lambda span: span[0]) - 1
        return self.unparsed[index][0] if index >= 0 and offset < self.unparsed[index][1] else -1

    def instance_around(self, offset: int) -> int:
        """The class or object that `this` means at a byte, -1 where there is none: an object is it only in its own functions."""
        inside = False
        for index in self.ancestors(self.scope_at(offset)):
            scope = self.scopes[index]
            inside |= scope.kind is ScopeKind.FUNCTION and not scope.borrows
            if scope.kind is ScopeKind.CLASS or (scope.kind is ScopeKind.OBJECT and inside):
                return index
        return -1

    def class_around(self, offset: int) -> int:
        """The innermost class or object scope around a byte, -1 where there is none."""
        for index in self.ancestors(self.scope_at(offset)):
            if self.scopes[index].kind in HIDDEN_SCOPES:
                return index
        return -1
