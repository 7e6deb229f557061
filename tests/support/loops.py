"""No loop without an end that can be seen.

A `for` ends with what it goes over; `range(LIMIT)` is how one that only tries again is counted. What may go on for ever is a `while`, a
`for` over something endless, and an `async for`. A `while` passes when a part of its test, which all the other parts can only end sooner,
is one of

- a *step*: `n < anything` where every turn adds a constant to `n` and leaves the other side alone (or `>` and a subtraction);
- a *worklist*: `xs` or `len(xs) > n` where every turn takes from `xs`; what is put back is inside what was taken (children of a node,
  folders that are no links) or is asked for in something that remembers it;
- a *climb*: a test for None, or for a number from below, of what every turn moves to its parent;
- *time*: it waits on every turn, inside an `asyncio.timeout` of its own function.

The others are streams, which somebody else ends: `STREAMS` names them. Functions that call themselves are not looked at.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.support.sources import called, functions, modules, names, own

STREAMS: Mapping[str, str] = {
    "server/surefoot/checks/child.py:Child._read": "what a child says ends with the child, and each answer has a time limit of its own",
    "server/surefoot/checks/process.py:ChildProcess._read_errors": "what a child says ends with it, and only its last words are kept",
    "server/surefoot/checks/shadow_copy.py:_drained": "ends with what was ended before, and is waited for a second",
    "server/surefoot/checks/shadow_helper.py:_first_process": "waits for its own child, which is ended with it",
    "server/surefoot/checks/shadow_helper.py:main": "ends with whoever asks",
    "server/surefoot/checks/shadow_overlay.py:_told": "what the helper says ends with the program, which has a time limit",
    "server/surefoot/checks/shadow_streams.py:_all": "what a program prints ends with it, is bounded, and has a time limit",
    "server/surefoot/checks/shadow_streams.py:_last": "ends with the program, which has a time limit; only the last words are kept",
    "server/surefoot/llm/transport.py:Transport._streamed": "an answer ends with its tokens, and silence has a time limit",
    "server/surefoot/loop/runs.py:Runs._draft": "a turn for each pause in a person's typing; Limits.actions counts what is done in them",
    "server/surefoot/loop/runs.py:Runs.drafted": "waits for drafting, of which Limits.actions is the end",
    "server/surefoot/lsp/applier.py:_Turn.taken": "waits for the edit in flight, which has its own time limit",
}
ENDLESS = {"count", "cycle", "repeat", "iter"}
TAKING = {"pop", "popleft", "popitem", "remove"}
PUTTING = {"append", "appendleft", "add", "insert", "extend", "update", "setdefault", "put", "put_nowait", "heappush"}
INSIDE = {"children", "named_children"}


def unbounded_loops(root: Path) -> list[str]:
    """Loops without an end that can be seen, and that are no stream."""
    return [f"{path}:{line}: {what}" for path, function, line, what in _endless(root) if f"{path}:{function}" not in STREAMS]


def idle_streams(root: Path) -> list[str]:
    """Entries of STREAMS that no loop needs any more."""
    return sorted(STREAMS.keys() - {f"{path}:{function}" for path, function, _, _ in _endless(root)})


def _endless(root: Path) -> Iterator[tuple[str, str, int, str]]:
    for path, tree in modules(root):
        for name, function in (("", tree), *functions(tree)):
            timed = {id(loop) for block in own(function) if _is_timed(block) for loop in own(block)}
            for node in own(function):
                if what := _fault(node, id(node) in timed):
                    yield path, name, getattr(node, "lineno", node.iter.lineno if isinstance(node, ast.comprehension) else 0), what


def _fault(node: ast.AST, timed: bool) -> str:
    match node:
        case ast.While() if not (timed and _waits(node)) and not any(_ends(part, node) for part in _parts(node.test)):
            return "a loop whose end cannot be seen: count it by a limit"
        case ast.For() | ast.comprehension() if _is_endless(node.iter):
            return "a loop over something endless: go over range(LIMIT)"
        case ast.AsyncFor() | ast.comprehension(is_async=1):
            return "a loop over what arrives: it ends when somebody else says so"
        case _:
            return ""


def _is_endless(over: ast.expr) -> bool:
    """`repeat(x, 3)` and `iter(xs)` end, `repeat(x)` and `iter(call, last)` do not."""
    if not isinstance(over, ast.Call) or called(over) not in ENDLESS:
        return False
    given = len(over.args) + len(over.keywords)
    match called(over):
        case "repeat":
            return given < 2
        case "iter":
            return given == 2
        case _:
            return ast.unparse(over.func) in {"count", "cycle", "itertools.count", "itertools.cycle"}


def _parts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _ends(part: ast.expr, loop: ast.While) -> bool:
    turn = list(_certain(loop.body))
    return _steps(part, loop, turn) or _shrinks(part, loop, turn) or _climbs(part, loop, turn)


def _certain(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that every turn reaches unless it ends the loop: those before the first `continue`, and not under a condition."""
    for statement in body:
        if _continues(statement):
            return
        yield statement
        if isinstance(statement, ast.With | ast.AsyncWith):
            yield from _certain(statement.body)


def _continues(statement: ast.AST) -> bool:
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        return any(map(_continues, statement.orelse))
    return isinstance(statement, ast.Continue) or any(map(_continues, ast.iter_child_nodes(statement)))


# A step.


def _steps(part: ast.expr, loop: ast.While, turn: Sequence[ast.stmt]) -> bool:
    match part:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()], comparators=[other]):
            sign = ast.Add
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()], comparators=[other]):
            sign = ast.Sub
        case _:
            return False
    moved = [each for each in own(loop) if name in _bound(each)]
    still = not any(names(other) & (_bound(each) | _grown(each)) for each in own(loop))
    return still and bool(moved) and all(_is_step(each, sign) for each in moved) and any(each in turn for each in moved)


def _is_step(node: ast.AST, sign: type[ast.operator]) -> bool:
    if not isinstance(node, ast.AugAssign) or not isinstance(node.op, sign) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, int | float) and node.value.value > 0


def _bound(node: ast.AST) -> set[str]:
    """The names that one node gives a new value."""
    match node:
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _plain(target)}
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target) | ast.For(target=target):
            return _plain(target)
        case _:
            return set()


def _plain(target: ast.expr) -> set[str]:
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _grown(node: ast.AST) -> set[str]:
    """The names of containers that one node puts something into."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PUTTING:
        return names(node.func.value)
    return set()


# A worklist.


def _shrinks(part: ast.expr, loop: ast.While, turn: Sequence[ast.stmt]) -> bool:
    match part:
        case ast.Name() | ast.Attribute():
            held = ast.unparse(part)
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[counted]), ops=[ast.Gt() | ast.GtE()]):
            held = ast.unparse(counted)
        case _:
            return False
    takes = [statement for statement in turn if _takes(statement, held)]
    taken = {name for statement in takes for name in _bound(statement)}
    puts = [node for node in own(loop) if _puts(node, held)]
    return bool(takes) and all(_is_inside(put, taken, loop) or _is_asked_once(put, taken, loop) for put in puts)


def _takes(statement: ast.stmt, held: str) -> bool:
    if isinstance(statement, ast.Delete):
        return any(isinstance(target, ast.Subscript) and ast.unparse(target.value) == held for target in statement.targets)
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign):
        return False
    return any(ast.unparse(method.value) == held and method.attr in TAKING for method in _surely_called(statement))


def _surely_called(node: ast.AST) -> Iterator[ast.Attribute]:
    """The methods that are called whenever the statement is run."""
    if isinstance(node, ast.IfExp | ast.BoolOp | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node.func
    for child in ast.iter_child_nodes(node):
        yield from _surely_called(child)


def _puts(node: ast.AST, held: str) -> bool:
    """Whether a node may put something into the worklist: by a method, by an assignment, or by lending it to somebody else."""
    match node:
        case ast.AugAssign(target=target, op=op):
            return ast.unparse(target) == held and not isinstance(op, ast.Sub)
        case ast.Assign(targets=targets):
            return any(ast.unparse(part.value if isinstance(part, ast.Subscript) else part) == held for part in targets)
        case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in PUTTING and ast.unparse(value) == held:
            return True
        case ast.Call(func=func, args=args):
            return (
                called(node) not in {"len", "min", "max", "sorted", "sum"}
                and any(ast.unparse(each) == held for each in args)
                and bool(func)
            )
        case _:
            return False


def _is_inside(put: ast.AST, taken: set[str], loop: ast.While) -> bool:
    """Whether what is put back is a part of what was taken: a tree of nodes, or of folders, has a last one."""
    nodes = [each for each in ast.walk(put) if isinstance(each, ast.Attribute) and each.attr in INSIDE]
    if nodes and all(names(each.value) & taken for each in nodes):
        return True
    return any(
        _holds(test, put) and "is_dir(follow_symlinks=False)" in ast.unparse(test.test) for test in own(loop) if isinstance(test, ast.If)
    )


def _is_asked_once(put: ast.AST, taken: set[str], loop: ast.While) -> bool:
    """Whether only what was not taken before puts something back, and is remembered."""
    for number, statement in enumerate(loop.body):
        if not isinstance(statement, ast.If):
            continue
        asked, leaves = _asked(statement, taken), isinstance(statement.body[-1], ast.Continue | ast.Break | ast.Return)
        after = loop.body[number + 1 :] if leaves else statement.body
        wanted = ast.In if leaves else ast.NotIn
        for op, memory in asked:
            if (
                isinstance(op, wanted)
                and any(_remembers(each, memory, taken) for each in after)
                and any(_holds(each, put) for each in after)
            ):
                return True
    return False


def _asked(statement: ast.If, taken: set[str]) -> list[tuple[ast.cmpop, str]]:
    """The questions `x in memory` of a condition about what was taken."""
    pairs = [(each.left, each.ops[0], each.comparators[0]) for each in _parts(statement.test) if isinstance(each, ast.Compare)]
    return [(op, ast.unparse(memory)) for left, op, memory in pairs if names(left) & taken]


def _remembers(statement: ast.stmt, memory: str, taken: set[str]) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=held, attr="add" | "append"), args=[one])):
            return ast.unparse(held) == memory and bool(names(one) & taken)
        case ast.Assign(targets=[ast.Subscript(value=held, slice=key)]):
            return ast.unparse(held) == memory and bool(names(key) & taken)
        case _:
            return False


def _holds(statement: ast.AST, node: ast.AST) -> bool:
    return any(each is node for each in ast.walk(statement))


# A climb.


def _climbs(part: ast.expr, loop: ast.While, turn: Sequence[ast.stmt]) -> bool:
    match part:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            name = ast.unparse(left).removesuffix(".parent")
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()], comparators=[ast.Constant(value=int())]):
            pass
        case _:
            return False
    moved = [each for each in own(loop) if name in _bound(each)]
    # What is looked up at the place counts as the place, and what was taken for its parent as the parent.
    near = {name} | {bound for each in turn if isinstance(each, ast.Assign) and names(each.value) & {name} for bound in _bound(each)}
    above = {bound for each in turn if _goes_up(each, near, set()) for bound in _bound(each)}
    return any(each in turn for each in moved) and all(_goes_up(each, near, above) for each in moved)


def _goes_up(node: ast.AST, near: set[str], above: set[str]) -> bool:
    match node:
        case ast.Assign(value=ast.Attribute(value=place, attr="parent")):
            return bool(names(place) & near)
        case ast.Assign(value=ast.Name(id=name)):
            return name in above
        case _:
            return False


# Time.


def _is_timed(block: ast.AST) -> bool:
    made = [item.context_expr for item in block.items] if isinstance(block, ast.AsyncWith) else []
    return any(
        isinstance(call, ast.Call) and ast.unparse(call.func) == "asyncio.timeout" and "None" not in map(ast.unparse, call.args)
        for call in made
    )


def _waits(loop: ast.While) -> bool:
    return any(isinstance(each, ast.Expr | ast.Assign) and isinstance(each.value, ast.Await) for each in _certain(loop.body))
