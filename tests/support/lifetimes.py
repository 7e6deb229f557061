"""No collection that only grows.

Any class may live as long as the server, unless `SHORT_LIVED` names it or a class that it inherits from: then nothing but another such
class may keep one. A collection that such a class makes for itself, in a method or as a field's default, passes when

- it is bounded when it is made (`deque(maxlen=…)`, `Queue(maxsize=…)`, and a queue has to be), or read-only by its annotation;
- nothing is ever put into it;
- some other method takes out of it, empties it, or puts a smaller one in its place;
- `FINITE` says why its keys are few.

A function that remembers its answers (`functools.cache`) is a collection too: it passes without parameters or with a `maxsize`. What is
handed to a class by others is not looked at, nor whether enough is taken out.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from tests.support.sources import Functions, called, functions, modules

SHORT_LIVED: Mapping[str, str] = {
    "server/surefoot/checks/admissible.py:Admissible": "one verdict",
    "server/surefoot/checks/closure.py:Closure": "one question",
    "server/surefoot/llm/streaming.py:Assembly": "one answer, of a length that the provider is told",
    "server/surefoot/checks/opinion.py:_Found": "one answer",
    "server/surefoot/checks/opinion.py:_Question": "one question",
    "server/surefoot/checks/validate.py:_Tally": "one verdict",
    "server/surefoot/engines/refactor/signature_calls.py:_Arrangement": "one call",
    "server/surefoot/loop/widening.py:_Look": "one re-plan",
    "server/surefoot/lsp/sites_places.py:Places": "one search",
    "server/surefoot/syntax/extract.py:_Reading": "one text",
    "server/surefoot/syntax/linking/linker.py:Linker": "as its Resolver",
    "server/surefoot/syntax/modules.py:EcmaModules": "as its Modules",
    "server/surefoot/syntax/modules.py:Modules": "one question, or one closure",
    "server/surefoot/syntax/modules.py:PythonModules": "as its Modules",
    "server/surefoot/syntax/reach.py:_Walk": "one walk",
    "server/surefoot/syntax/resolve.py:Resolver": "one question",
    "server/surefoot/syntax/sites.py:_Finder": "one question",
    "server/surefoot/syntax/store/packed.py:Filling": "one text",
    "server/surefoot/syntax/store/view.py:View": "one question",
    "server/surefoot/workspace/snapshot.py:Pins": "the overlays of one snapshot",
    "server/surefoot/workspace/snapshot.py:Snapshot": "one look, check or draft",
}
FINITE: Mapping[str, str] = {
    "server/surefoot/checks/runner.py:Runner._blind": "one for each tool that a root has",
    "server/surefoot/syntax/arity_rules.py:rules_of": "one for each language",
    "server/surefoot/syntax/parse.py:Grammars._grammars": "one for each grammar",
    "server/surefoot/syntax/parse.py:Grammars._queries": "one for each language and file of queries",
    "server/surefoot/syntax/store/codec.py:_fields": "one for each class of our own that is stored",
    "server/surefoot/syntax/store/codec.py:_ways": "one for each annotation in a class that is stored",
    "server/surefoot/syntax/store/files.py:Files._paths": "one for each file of a root",
    "server/surefoot/syntax/store/packed.py:Items._made": "one for each item that is packed",
    "server/surefoot/syntax/store/packed.py:Packed._made": "one for each key that is packed",
    "server/surefoot/syntax/store/packed.py:Pool._made": "one for each value that is packed",
}
READ_ONLY = frozenset({"Mapping", "Sequence", "Collection", "Iterable", "AbstractSet", "frozenset", "tuple"})
GROWING = {"list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter", "OrderedDict", "ChainMap"}
WAITING = {"Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"}
BOUNDS = {"maxlen", "maxsize"}
PUTTING = {"append", "appendleft", "add", "insert", "extend", "extendleft", "update", "setdefault", "put", "put_nowait", "subtract"}
TAKING = {"pop", "popleft", "popitem", "remove", "discard", "clear", "difference_update", "intersection_update"}
DISPLAYS = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp


def unbounded_collections(root: Path) -> list[str]:
    """Collections that something is put into and nothing taken out of, and what is kept though it should be short-lived."""
    growing = (*_growing(root, _short_lived(root)), *_memories(root))
    return [f"{path}:{line}: {name} only grows" for path, line, name in growing if f"{path}:{name}" not in FINITE] + _kept(root)


def idle_lifetimes(root: Path) -> list[str]:
    """Entries of SHORT_LIVED and FINITE that nothing needs any more."""
    growing = {f"{path}:{name}" for path, _, name in (*_growing(root, frozenset()), *_memories(root))}
    classes = {name.rpartition(".")[0] for name in growing} | {keeper for keeper, _, _ in _keepers(root)}
    return sorted({*FINITE} - growing) + sorted({*SHORT_LIVED} - classes)


def _short_lived(root: Path) -> frozenset[str]:
    """The classes of SHORT_LIVED, and those that inherit from them."""
    known = {name.rpartition(":")[2] for name in SHORT_LIVED}
    holders = [(f"{path}:{holder.name}", holder) for path, tree in modules(root) for holder in _classes(tree)]
    return frozenset(name for name, holder in holders if name in SHORT_LIVED or known & {ast.unparse(base) for base in holder.bases})


def _growing(root: Path, short_lived: Collection[str]) -> Iterator[tuple[str, int, str]]:
    everywhere = [tree for _, tree in modules(root)]
    for path, tree in modules(root):
        for holder in _classes(tree):
            if f"{path}:{holder.name}" in short_lived:
                continue
            for attribute, line in _collections(holder).items():
                # What is private is the class's own business; anybody may put something into the rest.
                places = [holder] if attribute.startswith("_") else everywhere
                if any(_puts(node, attribute) for place in places for node in ast.walk(place)) and not any(
                    _takes(node, attribute) for place in places for node in _methods(place)
                ):
                    yield path, line, f"{holder.name}.{attribute}"


def _classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _methods(place: ast.AST) -> Iterator[ast.AST]:
    """Every node but those of constructors: what a constructor takes out was never kept."""
    for child in ast.iter_child_nodes(place):
        if not (isinstance(child, Functions) and child.name in {"__init__", "__post_init__"}):
            yield child
            yield from _methods(child)


def _collections(holder: ast.ClassDef) -> dict[str, int]:
    """The attributes that a class gives a growing collection of its own, each with the line of the first time."""
    found: dict[str, int] = {}
    for node in ast.walk(holder):
        match node:
            case ast.Assign(targets=targets, value=made):
                named = [target for target in targets if _is_attribute(target)]
            case ast.AnnAssign(target=target, annotation=annotation, value=ast.expr() as made) if not _is_read_only(annotation):
                named = [target] if _is_attribute(target) or node in holder.body else []
            case _:
                continue
        for target in named if _grows(made) else ():
            found.setdefault(ast.unparse(target).removeprefix("self."), node.lineno)
    return found


def _is_attribute(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"


def _is_read_only(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(outer).strip("\"'").split("[")[0].split(".")[-1] in READ_ONLY


def _grows(made: ast.expr) -> bool:
    """Whether an expression makes a collection without a bound."""
    match made:
        case ast.Call(func=func, keywords=keywords) if called(made) == "field":
            factory = next((each.value for each in keywords if each.arg == "default_factory"), None)
            body = factory.body if isinstance(factory, ast.Lambda) else ast.Call(factory, [], []) if factory is not None else func
            return _grows(body)
        case ast.Call(args=args, keywords=keywords):
            made_of = _made_of(made)
            bounded = any(each.arg in BOUNDS and _is_bound(each.value) for each in keywords)
            return not bounded and (made_of in GROWING or (made_of in WAITING and not args))
        case ast.BoolOp(values=values):
            return any(map(_grows, values))
        case ast.IfExp(body=body, orelse=orelse):
            return _grows(body) or _grows(orelse)
        case _:
            return isinstance(made, DISPLAYS)


def _made_of(call: ast.Call) -> str:
    """`dict[str, int]()` makes a dict like `dict()`."""
    func = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    return ast.unparse(func).split(".")[-1]


def _is_bound(value: ast.expr) -> bool:
    return not (isinstance(value, ast.Constant) and not value.value)


def _is_it(node: ast.expr, attribute: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == attribute


def _puts(node: ast.AST, attribute: str) -> bool:
    match node:
        case ast.Attribute(value=held, attr=method) if method in PUTTING:
            return _is_it(held, attribute)
        case ast.Call(args=[held, *_]) if called(node) in {"heappush", "insort", "insort_left", "insort_right"}:
            return _is_it(held, attribute)
        case ast.Subscript(value=held, ctx=ast.Store(), slice=key):
            return _is_it(held, attribute) and not isinstance(key, ast.Slice)
        case ast.AugAssign(target=target, op=ast.Add() | ast.BitOr()):
            return _is_it(target, attribute) or (isinstance(target, ast.Subscript) and _is_it(target.value, attribute))
        case ast.Assign(targets=targets, value=value):
            return any(_is_it(target, attribute) for target in targets) and any(_adds_to(each, attribute) for each in _either(value))
        case _:
            return False


def _takes(node: ast.AST, attribute: str) -> bool:
    match node:
        case ast.Attribute(value=held, attr=method) if method in TAKING:
            return _is_it(held, attribute)
        case ast.Subscript(value=held, ctx=ast.Del()):
            return _is_it(held, attribute)
        case ast.AugAssign(target=target, op=ast.Sub() | ast.BitAnd()):
            return _is_it(target, attribute)
        case ast.Assign(targets=targets, value=value):
            plain = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
            return any(_is_it(target, attribute) for target in plain) and not all(_adds_to(each, attribute) for each in _either(value))
        case _:
            return False


def _either(value: ast.expr) -> list[ast.expr]:
    """The values that an expression with conditions may have."""
    return [*_either(value.body), *_either(value.orelse)] if isinstance(value, ast.IfExp) else [value]


def _adds_to(value: ast.expr, attribute: str) -> bool:
    """Whether a new value has the whole old one in it: `[*self.x, more]`, `{**self.x, …}`, `self.x | more`."""
    if _is_it(value, attribute):
        return True
    for node in ast.walk(value):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Starred):
            parts = [node.value]
        elif isinstance(node, ast.Dict):
            parts = [held for key, held in zip(node.keys, node.values, strict=True) if key is None]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.BitOr):
            parts = [node.left, node.right]
        if any(_is_it(part, attribute) for part in parts):
            return True
    return False


def _keepers(root: Path) -> Iterator[tuple[str, int, str]]:
    """Where a class keeps something short-lived that it makes: the class, the line and what it is."""
    short = {name.rpartition(":")[2] for name in SHORT_LIVED}
    for path, tree in modules(root):
        for holder in _classes(tree):
            for node in ast.walk(holder):
                for name in _made_to_keep(node) & short:
                    yield f"{path}:{holder.name}", getattr(node, "lineno", 0), name


def _made_to_keep(node: ast.AST) -> set[str]:
    """What is called to make an attribute: by an assignment, or by a property that remembers its value."""
    match node:
        case ast.Assign(targets=targets, value=made) if any(map(_is_attribute, targets)):
            return {called(each) for each in ast.walk(made)}
        case ast.AnnAssign(target=target, value=ast.expr() as made) if _is_attribute(target):
            return {called(each) for each in ast.walk(made)}
        case ast.FunctionDef(decorator_list=decorators) if any(ast.unparse(each).endswith("cached_property") for each in decorators):
            return {called(each) for given in ast.walk(node) if isinstance(given, ast.Return) for each in ast.walk(given)}
        case _:
            return set()


def _kept(root: Path) -> list[str]:
    short_lived = _short_lived(root)
    kept = [(*holder.split(":"), line, made) for holder, line, made in _keepers(root) if holder not in short_lived]
    return [f"{path}:{line}: {holder} keeps a {made}, which is short-lived" for path, holder, line, made in kept]


def _memories(root: Path) -> Iterator[tuple[str, int, str]]:
    """Functions that remember the answer to every question."""
    for path, tree in modules(root):
        for name, function in functions(tree):
            if any(map(_remembers, function.decorator_list)) and _has_parameters(function):
                yield path, function.lineno, name


def _remembers(decorator: ast.expr) -> bool:
    """`@cache` and `@lru_cache(None)` keep everything; a bare `@lru_cache` keeps 128."""
    name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator).split(".")[-1]
    if name == "cache" or not isinstance(decorator, ast.Call):
        return name == "cache"
    given = [*decorator.args, *(each.value for each in decorator.keywords if each.arg == "maxsize")]
    return name == "lru_cache" and any(isinstance(each, ast.Constant) and each.value is None for each in given)


def _has_parameters(function: Functions) -> bool:
    args = function.args
    return bool(args.posonlyargs or args.args or args.kwonlyargs or args.vararg or args.kwarg)
