"""The server's code as trees, for the tests that say what must not be in it."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

Finder = Callable[[Path], list[str]]
"""Lists the places below a root that break one rule as `path:line: what`; an empty list means that the rule holds."""

Functions = ast.FunctionDef | ast.AsyncFunctionDef
PACKAGE = "server/surefoot"


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Every module of the server with its path below `root`."""
    for file in sorted((root / PACKAGE).rglob("*.py")):
        yield file.relative_to(root).as_posix(), ast.parse(file.read_bytes(), filename=str(file))


def nodes(root: Path) -> Iterator[tuple[str, ast.AST]]:
    """Every node of every module, as `path:line` and itself."""
    for path, tree in modules(root):
        for node in ast.walk(tree):
            yield f"{path}:{getattr(node, 'lineno', 0)}", node


def functions(node: ast.AST, around: str = "") -> Iterator[tuple[str, Functions]]:
    """Every function below a node with its dotted name, inner ones too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Functions | ast.ClassDef):
            name = f"{around}.{child.name}" if around else child.name
            if isinstance(child, Functions):
                yield name, child
            yield from functions(child, name)
        else:
            yield from functions(child, around)


def own(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function or loop itself, without the functions and classes inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Functions | ast.ClassDef):
            yield from own(child)


def called(call: ast.AST) -> str:
    """The last word of what is called, "" for anything else."""
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def names(node: ast.AST) -> set[str]:
    """Every plain name that an expression uses."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
