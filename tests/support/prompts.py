"""Nothing from outside in a system prompt.

What stands behind `system=`, `"system":`, `.system =` or beside `"role": "system"` is a plain string, or comes as it is from
`surefoot.prompts`: an attribute of it, or a call without arguments. What a question has already (`ask.system`) was looked at where that was
made, and may be handed on, as a block of text, too. And what is called system in `prompts/` has no gap that something could
be put into. Texts of files, tools and people belong into the turn of the user.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.sources import PACKAGE, modules

PROMPTS = "surefoot.prompts"
GAP = re.compile(r"\{\{|\{%|\{[A-Za-z_]\w*[^{}\n]*\}|\$\{?[A-Za-z_]|%\(\w+\)|%[sdr]\b")


def open_system_prompts(root: Path) -> list[str]:
    """System prompts that hold, or may come to hold, something from outside."""
    found: list[str] = []
    for path, tree in modules(root):
        ours = dict(_ours(tree))
        for node in ast.walk(tree):
            for value in _given(node):
                if not _is_fixed(value, ours):
                    found.append(f"{path}:{value.lineno}: a system prompt that is no constant of prompts/: {ast.unparse(value)}")
    return found + list(_gaps(root))


def _given(node: ast.AST) -> Iterator[ast.expr]:
    """What a node gives as a system prompt."""
    match node:
        case ast.keyword(arg="system", value=value):
            yield value
        case ast.Dict(keys=keys, values=values):
            by_name = {key.value: held for key, held in zip(keys, values, strict=True) if isinstance(key, ast.Constant)}
            if "system" in by_name:
                yield by_name["system"]
            if isinstance(role := by_name.get("role"), ast.Constant) and role.value == "system" and "content" in by_name:
                yield by_name["content"]
        case ast.Assign(targets=targets, value=value):
            yield from (value for target in targets if _is_system(target))
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value) if _is_system(target):
            yield value
        case _:
            pass


def _is_system(target: ast.expr) -> bool:
    """`x.system`, `x["system"]`, or a name that would be handed on by its position."""
    match target:
        case ast.Attribute(attr="system") | ast.Name(id="system") | ast.Subscript(slice=ast.Constant(value="system")):
            return True
        case _:
            return False


def _ours(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module has for things of the package, with their dotted names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.asname or "surefoot", alias.name if alias.asname else "surefoot") for alias in node.names)


def _is_fixed(value: ast.expr, ours: dict[str, str]) -> bool:
    match value:
        case ast.Constant(value=str()):
            return True
        case ast.Call(func=func, args=[], keywords=[]):
            return _is_of_prompts(func, ours)
        case ast.Attribute(value=ast.Name(id="ask"), attr="system"):
            return True
        case ast.List(elts=[ast.Dict() as block]):
            by_name = {key.value: held for key, held in zip(block.keys, block.values, strict=True) if isinstance(key, ast.Constant)}
            return "text" in by_name and _is_fixed(by_name["text"], ours)
        case _:
            return _is_of_prompts(value, ours)


def _is_of_prompts(value: ast.expr, ours: dict[str, str]) -> bool:
    if not isinstance(value, ast.Name | ast.Attribute):
        return False
    first, dot, rest = ast.unparse(value).partition(".")
    return f"{ours.get(first, '')}{dot}{rest}".startswith(PROMPTS + ".")


def _gaps(root: Path) -> Iterator[str]:
    for file in sorted((root / PACKAGE / "prompts").rglob("*system*")):
        if file.is_file():
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            for line, words in _strings(text) if file.suffix == ".py" else enumerate(text.splitlines(), 1):
                if gap := GAP.search(words):
                    yield f"{path}:{line}: a gap in a system prompt: {gap[0]}"


def _strings(code: str) -> Iterator[tuple[int, str]]:
    """The strings of a module, one that is put together at run time as it is written."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Constant(value=str() as words):
                yield node.lineno, words
            case ast.JoinedStr():
                yield node.lineno, ast.unparse(node)
            case _:
                pass
