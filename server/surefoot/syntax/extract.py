"""An outline from a tree: one pass of the language's structure query, then scopes are nested and bindings put into them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from surefoot.core.sites import SymbolKind
from surefoot.syntax.captures import Captures, first_of, holding, richer, source_of, span_of, text_of
from surefoot.syntax.expressions import expression
from surefoot.syntax.languages import Language, hidden_in
from surefoot.syntax.outline import (
    CALLED,
    HIDDEN_SCOPES,
    MACRO,
    TAG,
    Binding,
    Export,
    Expression,
    ImportedName,
    Outline,
    Scope,
    ScopeKind,
)
from surefoot.syntax.parse import Grammars

_KINDS: Mapping[str, SymbolKind] = {kind.value: kind for kind in SymbolKind}
_BASE_LISTS = frozenset(
    {
        "argument_list",
        "class_heritage",
        "extends_clause",
        "implements_clause",
        "extends_type_clause",
        "superclass",
        "super_interfaces",
        "extends_interfaces",
        "type_list",
        "base_list",
        "base_clause",
        "class_interface_clause",
        "base_class_clause",
    }
)
"""Nodes that hold the bases of a class."""
_NO_BASES = frozenset({"keyword_argument", "type_arguments", "argument_list", "access_specifier"})
"""What stands among them."""
_HOISTED_TO = frozenset({ScopeKind.MODULE, ScopeKind.FUNCTION, ScopeKind.NAMESPACE})


def outline_of(grammars: Grammars, language: Language, root: Node, data: bytes) -> Outline:
    """Everything that the resolver wants to know about one file, whose text is `data`."""
    reading = _Reading(language, hidden_in(language, data))
    for _, captures in grammars.matches(language, "structure", root):
        reading.take(captures)
    return reading.outline(root)


class _Reading:
    """Matches of one file, kept until all of its scopes are known."""

    def __init__(self, language: Language, hidden: Iterable[tuple[int, int]]) -> None:
        self._language = language
        self._scopes: dict[tuple[int, int], Scope] = {}
        self._scope_names: dict[tuple[int, int], str] = {}
        self._bound: list[tuple[str, Captures]] = []
        self._imports: list[tuple[str, Captures]] = []
        self._exports: list[tuple[str, Captures]] = []
        self._globals: list[tuple[str, Node]] = []
        self._outer: set[tuple[int, int]] = set()
        self._errors: list[tuple[int, int]] = []
        self._stars: list[str] = []
        self._bases_at: list[Node] = []
        self._borrowing: set[tuple[int, int]] = set()
        self._narrowed: list[Node] = []
        self._unparsed = set(hidden)
        self._package = ""
        self._delayed: list[tuple[int, int, int]] = []
        self._parsed: list[tuple[int, int]] = []
        self._passing: list[tuple[int, int]] = []
        self._offered: set[int] = set()

    def take(self, captures: Captures) -> None:
        for name, nodes in captures.items():
            part, _, rest = name.partition(".")
            match part:
                case "scope":
                    self._scope(rest, nodes[0], captures)
                case "bind":
                    self._bound.append((name, captures))
                case "import":
                    self._imports.append((name, captures))
                case "export":
                    self._exports.append((name, captures))
                case "global" | "nonlocal":
                    self._globals += [(name, node) for node in nodes]
                case "named":
                    self._scope_names[span_of(nodes[0])] = text_of(captures["scopename"][0])
                case "star":
                    self._stars.append(source_of(self._language, captures))
                case "package":
                    self._package = self._package or text_of(nodes[0])
                case "pattern":
                    self._delayed.append((*span_of(nodes[0]), captures["after"][0].end_byte))
                case _:
                    self._collect(part, nodes)

    def _collect(self, part: str, nodes: list[Node]) -> None:
        match part:
            case "outer":
                self._outer.add(span_of(nodes[0]))
            case "borrows":
                self._borrowing.add(span_of(nodes[0]))
            case "narrowed":
                self._narrowed += nodes
            case "unparsed":
                self._unparsed.add(span_of(nodes[0]))
            case "parsed":
                self._parsed.append(span_of(nodes[0]))
            case "passing":
                self._passing.append(span_of(nodes[0]))
            case "base":
                self._bases_at += nodes
            case "offered":
                self._offered.update(node.start_byte for node in nodes)
            case "error":
                self._errors.append(span_of(nodes[0]))
            case _:
                pass

    def _scope(self, kind: str, node: Node, captures: Captures) -> None:
        start = captures["head"][0].start_byte if "head" in captures else node.start_byte
        part = first_of(captures, "part")
        named = first_of(captures, "scopename") or next((nodes[0] for name, nodes in captures.items() if name.startswith("bind.")), None)
        name = text_of(part or named) if kind != "block" else ""
        bases = self._bases(captures.get("bases", ()))
        returns = text_of(first_of(captures, "returns"))
        made = Scope(
            start, node.end_byte, ScopeKind(kind), -1, name, bases, returns, part is not None, takes=text_of(first_of(captures, "takes"))
        )
        held = self._scopes.get((start, node.end_byte))
        if held is None or (held.kind is ScopeKind.BLOCK) or (bool(made.name), bool(made.returns)) > (bool(held.name), bool(held.returns)):
            self._scopes[start, node.end_byte] = made

    def _bases(self, nodes: Iterable[Node]) -> tuple[Expression, ...]:
        found: list[Expression] = []
        todo = list(nodes)
        while todo:
            node = todo.pop(0)
            if node.type in _BASE_LISTS:
                todo += [child for child in node.named_children if child.type not in _NO_BASES]
            elif (node.type in ("generic_type", "subscript") and node.named_child_count) or node.type == "primary_constructor_base_type":
                todo.append(node.named_children[0])
            elif node.type != "comment":
                found.append(expression(self._language, node))
        return tuple(found)

    def outline(self, root: Node) -> Outline:
        self._scopes[-1, root.end_byte + 1] = Scope(-1, root.end_byte + 1, ScopeKind.MODULE, -1)
        self._scopes = {key: scope for key, scope in self._scopes.items() if scope.kind is not ScopeKind.MODULE or key[0] == -1}
        scopes = self._nested()
        self._starts = [scope.start for scope in scopes]
        self._nest = scopes
        self._index = {(scope.start, scope.end): index for index, scope in enumerate(scopes)}
        self._put_bases(scopes)
        self._delayed.sort()
        self._parsed.sort()
        self._passing.sort()
        made: dict[tuple[int, int, str], Binding] = {}
        for name, captures in self._bound:
            binding = self._binding(name, captures)
            key = (binding.start, binding.scope, binding.name)
            made[key] = binding if (held := made.get(key)) is None else richer(held, binding)
        imported: dict[int, ImportedName] = {}
        for name, captures in self._imports:
            for binding in self._import(name, captures, imported):
                held = made.get(key := (binding.start, binding.scope, binding.name))
                # Of two matches of one import, the one counts that says more of where it leads.
                if held is None or len(held.source or "") <= len(binding.source or ""):
                    made[key] = binding
        exports = self._exported(imported)
        bindings: defaultdict[tuple[int, str], list[Binding]] = defaultdict(list)
        at: defaultdict[int, list[Binding]] = defaultdict(list)
        for binding in self._moved(list(made.values())):
            bindings[binding.scope, binding.name].append(binding)
            at[binding.start].append(binding)
        return Outline(
            tuple(scopes),
            tuple(self._starts),
            {key: tuple(sorted(found, key=lambda b: b.start)) for key, found in bindings.items()},
            {start: tuple(found) for start, found in at.items()},
            imported,
            {held.local_start: held for held in imported.values() if held.local_start >= 0},
            {name: tuple(found) for name, found in exports.items()},
            frozenset(self._offered),
            tuple(dict.fromkeys(self._stars)),
            tuple((start, end, self._scope_at(start)) for start, end in sorted(self._outer)),
            tuple(self._errors),
            self._language.classes,
            self._package,
            tuple(span for span in sorted(self._unparsed) if holding(self._parsed, span[0]) is None),
            frozenset(self._tested(bindings)),
        )

    def _tested(self, bindings: Mapping[tuple[int, str], object]) -> Iterator[tuple[int, str]]:
        """The names whose type is tested for, each by the scope that binds it."""
        for node in self._narrowed:
            name = text_of(node)
            yield from ((i, name) for i in self._around(self._scope_at(node.start_byte)) if (i, name) in bindings)

    def _put_bases(self, scopes: list[Scope]) -> None:
        """Bases that are named inside of a class: what it embeds, includes or uses."""
        for node in self._bases_at:
            around = next((i for i in self._around(self._scope_at(node.start_byte)) if scopes[i].kind in HIDDEN_SCOPES), -1)
            if around >= 0:
                scopes[around] = replace(scopes[around], bases=(*scopes[around].bases, *self._bases((node,))))

    def _nested(self) -> list[Scope]:
        made: list[Scope] = []
        stack: list[int] = []
        for scope in sorted(self._scopes.values(), key=lambda s: (s.start, -s.end)):
            while stack and made[stack[-1]].end <= scope.start:
                stack.pop()
            name = scope.name or self._scope_names.get((scope.start, scope.end), "")
            borrows = (scope.start, scope.end) in self._borrowing
            made.append(replace(scope, parent=stack[-1] if stack else -1, name=name, borrows=borrows))
            stack.append(len(made) - 1)
        return made

    def _scope_at(self, offset: int) -> int:
        index = bisect_right(self._starts, offset) - 1
        while index > 0 and self._nest[index].end <= offset:
            index = self._nest[index].parent
        return max(index, 0)

    def _hoisted(self, index: int) -> int:
        while index > 0 and self._nest[index].kind not in _HOISTED_TO:
            index = self._nest[index].parent
        return index

    def _binding(self, capture: str, captures: Captures) -> Binding:
        node = captures[capture][0]
        _, kind, *flags = capture.split(".")
        scope = self._scope_at(node.start_byte)
        if "hoist" in flags:
            scope = self._hoisted(scope)
        if "own" in flags:
            scope = next((i for i in self._around(scope) if self._nest[i].kind in HIDDEN_SCOPES), scope)
        if (within := first_of(captures, "within")) is not None:
            scope = self._scope_at(within.start_byte)
        inner = first_of(captures, "inner") or first_of(captures, "head")
        after = first_of(captures, "after")
        delayed = holding(self._delayed, node.start_byte) if self._delayed else None
        since = after.end_byte if after is not None else delayed[2] if delayed is not None else 0
        local = self._nest[scope].kind in (ScopeKind.FUNCTION, ScopeKind.BLOCK)
        written = text_of(node)
        name = written.lstrip(self._language.sigils) if self._language.sigils else written
        return Binding(
            name=name + self._ending(kind, flags, scope),
            start=node.end_byte - len(name.encode("utf-8")),
            end=node.end_byte,
            kind=self._kind(kind, scope),
            scope=scope,
            inner=self._inner(inner, node.start_byte, captures),
            shorthand="shorthand" in flags,
            annotation=text_of(first_of(captures, "type") or first_of(captures, "fromtype")),
            origin=self._origin(captures),
            since=since if local else 0,
            private="private" in flags,
        )

    def _ending(self, kind: str, flags: list[str], scope: int) -> str:
        """What tells the names of functions from those of variables, where they may be the same."""
        if "macro" in flags or "tag" in flags:
            return MACRO if "macro" in flags else TAG
        apart = self._language.apart or (self._language.members_apart and self._nest[scope].kind in HIDDEN_SCOPES)
        return CALLED if "called" in flags or (kind == "function" and apart) else ""

    def _origin(self, captures: Captures) -> Expression | None:
        for capture, kind in (("each", "item"), ("entered", "entered")):
            if (node := first_of(captures, capture)) is not None:
                return Expression(kind, "", node.start_byte, expression(self._language, node))
        node = first_of(captures, "value") or first_of(captures, "from")
        return expression(self._language, node) if node is not None else None

    def _around(self, index: int) -> list[int]:
        found: list[int] = []
        while index >= 0:
            found.append(index)
            index = self._nest[index].parent
        return found

    def _inner(self, node: Node | None, name: int, captures: Captures) -> int:
        if node is None:
            return -1
        whole = next((nodes[0] for key, nodes in captures.items() if key.startswith("scope.")), node)
        for key in ((node.start_byte, whole.end_byte), (node.start_byte, node.end_byte)):
            if key in self._index:
                return self._index[key]
        inside = self._scope_at(node.start_byte)
        return inside if self._nest[inside].start >= name else -1

    def _kind(self, kind: str, scope: int) -> SymbolKind:
        if self._nest[scope].kind in HIDDEN_SCOPES:
            return {"function": SymbolKind.METHOD, "variable": SymbolKind.FIELD}.get(kind) or _KINDS[kind]
        return _KINDS[kind]

    def _moved(self, bindings: list[Binding]) -> list[Binding]:
        """Bindings of names that `global` and `nonlocal` declare live in an outer scope."""
        to: dict[tuple[int, str], int] = {}
        names = {(b.scope, b.name) for b in bindings}
        for kind, node in self._globals:
            name, scope = text_of(node), self._scope_at(node.start_byte)
            functions = [i for i in self._around(scope)[1:] if self._nest[i].kind is ScopeKind.FUNCTION and (i, name) in names]
            to[scope, name] = functions[0] if kind == "nonlocal" and functions else 0
        if not to:
            return bindings
        return [replace(b, scope=to[b.scope, b.name]) if (b.scope, b.name) in to else b for b in bindings]

    def _import(self, capture: str, captures: Captures, imported: dict[int, ImportedName]) -> list[Binding]:
        form = capture.partition(".")[2]
        source = source_of(self._language, captures, captures[capture][0])
        name, alias = first_of(captures, "name"), first_of(captures, "alias")
        if form == "package" and alias is None:
            # The last part of the name is what the file calls it; a linker that knows better finds it as an unbound name.
            last, node = source.rpartition(self._language.separator)[2], captures["source"][-1]
            return [self._imports_as(last, node.end_byte - len(last.encode()), node.end_byte, source, "*")] if last else []
        if form == "module" and alias is None:
            node = captures["source"][0]
            first = source.partition(".")[0]
            return [self._imports_as(first, node.start_byte, node.start_byte + len(first.encode()), source, ".")]
        local = alias or name
        if local is None:
            return []
        if name is not None:
            other = local is not name
            # Taken under its own name as if under another: who takes it passes it on.
            passed = other or holding(self._passing, name.start_byte) is not None
            imported[name.start_byte] = ImportedName(
                text_of(name),
                name.start_byte,
                name.end_byte,
                source,
                False,
                text_of(local) if passed else "",
                local.start_byte if other else -1,
            )
        takes = text_of(name) if name is not None else "default" if form == "default" else "*"
        return [self._imports_as(text_of(local), local.start_byte, local.end_byte, source, takes, form == "shorthand")]

    def _imports_as(self, name: str, start: int, end: int, source: str, takes: str, shorthand: bool = False) -> Binding:
        kind = SymbolKind.MODULE if takes in ("*", ".") else SymbolKind.VARIABLE
        return Binding(name, start, end, kind, self._scope_at(start), source=source, imported=takes, shorthand=shorthand)

    def _exported(self, imported: dict[int, ImportedName]) -> dict[str, list[Export]]:
        exports: defaultdict[str, list[Export]] = defaultdict(list)
        for capture, captures in self._exports:
            form = capture.partition(".")[2]
            name, alias = first_of(captures, "name"), first_of(captures, "alias")
            source = source_of(self._language, captures) if "source" in captures else None
            at = (name or alias or captures[capture][0]).start_byte
            if form in ("default", "whole") and name is not None:
                exports["default" if form == "default" else "="].append(Export(None, text_of(name), at))
            elif form == "module":
                exports[text_of(alias)].append(Export(source, "*", at))
            elif name is not None:
                local = text_of(alias) if alias is not None else ""
                exports[local or text_of(name)].append(Export(source, text_of(name), at))
                start = alias.start_byte if alias is not None else -1
                imported[at] = ImportedName(text_of(name), at, name.end_byte, source, True, local, start)
        return exports
