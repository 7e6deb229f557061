"""What must not be there. Each function lists the places that break one rule as `path:line: what`; an empty list means that it holds."""

import ast
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from tests.support.sources import called, modules, nodes

SIZES: Mapping[str, int] = {
    "server/surefoot/loop/driver.py": 120,
    "server/surefoot/lsp/handlers/*.py": 80,
    "server/surefoot/workspace/session.py": 250,
    "server/surefoot/**/*.py": 400,
    "tests/**/*.py": 600,
    "clients/vscode/src/extension.ts": 150,
    "clients/vscode/src/*.ts": 400,
}
READ_ONLY = frozenset({"Mapping", "Sequence", "Collection", "Iterable", "AbstractSet", "frozenset", "tuple", "TypeAlias"})
CONTAINERS = {"list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter", "OrderedDict", "ChainMap", "count", "cycle"}
SHARED = {"ContextVar", "Lock", "RLock", "Condition", "Semaphore", "Event", "Queue", "SimpleQueue", "Thread", "local", "LanguageServer"}
MUTABLE = CONTAINERS | SHARED | {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet"}
READS = {"open", "read_text", "read_bytes", "run", "Popen", "check_output", "getenv", "connect", "which"}
WORKING = READS | {"write_text", "write_bytes", "mkdir", "basicConfig"}
# Where bytes of the outside world become values: the wire of a tool, a row of the journal, a settings file, an answer of a model.
PARSERS = ("checks", "journal", "llm", "lsp", "policy", "memory", "workspace")
# The brackets keep these patterns from matching themselves.
LEAKS: Mapping[str, str] = {
    "a path of one machine": r"(?<![\w.}>)$*-])/(?:work|root|home|Users)/[\w.]",
    "a registry host": r"registry[.]npmjs|registry[.]yarnpkg|files[.]pythonhosted|pypi[.]org/simple|\"resolved[\"]: \"http",
    "something like a secret": r"sk-ant-[\w-]{12,}|gh[pousr]_\w{30,}|AKIA[0-9A-Z]{16}|BEGIN (?:[A-Z]+ )?PRIVATE[ ]KEY|npm_\w{36}",
}
LINKED = re.compile(r"https?://\S+")


def oversized(root: Path) -> list[str]:
    """Files longer than the limit of the first line of SIZES that fits them."""
    seen: set[Path] = set()
    found: list[str] = []
    for pattern, limit in SIZES.items():
        for file in sorted(set(root.glob(pattern)) - seen):
            seen.add(file)
            lines = len(file.read_bytes().splitlines())
            if lines > limit and "node_modules" not in file.parts:
                found.append(f"{file.relative_to(root).as_posix()}: {lines} lines, {limit} are enough")
    return found


def printing(root: Path) -> list[str]:
    """Prints outside cli/: standard output is the wire of the language server."""
    return [f"{where}: print" for where, node in nodes(root) if "/cli/" not in where and _is_print(node)]


def module_state(root: Path) -> list[str]:
    """Objects that all callers share and can change, and `global` statements."""
    found = [f"{where}: global" for where, node in nodes(root) if isinstance(node, ast.Global)]
    for path, tree in modules(root):
        for statement in _shared_statements(tree.body):
            if _is_mutable(statement):
                found.append(f"{path}:{statement.lineno}: shared and mutable; a table is a Mapping, Sequence or frozenset")
    return found


def work_at_import(root: Path) -> list[str]:
    """Statements that do something while a module is imported."""
    found: list[str] = []
    for path, tree in modules(root):
        for statement in _shared_statements(tree.body):
            bare_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            loops = isinstance(statement, ast.For | ast.While | ast.With)
            value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
            if bare_call or loops or (isinstance(value, ast.Call) and called(value) in WORKING):
                found.append(f"{path}:{statement.lineno}: work at import")
    return found


def stray_pydantic(root: Path) -> list[str]:
    """Imports of pydantic where nothing arrives from outside."""
    return _importers(root, "pydantic", lambda folder: folder in PARSERS)


def model_traces(root: Path) -> list[str]:
    """Imports of anthropic outside llm/, and prose for a model outside prompts/."""
    prose = [f"{where}: prompt prose" for where, node in nodes(root) if "/prompts/" not in where and _addresses_a_model(node)]
    return _importers(root, "anthropic", lambda folder: folder == "llm") + prose


def leaks(root: Path) -> list[str]:
    """Paths of one machine, registry hosts and secrets in the files that git tracks below `root`."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True)
    found: list[str] = []
    for name in filter(None, done.stdout.decode().split("\0")):
        file = root / name
        if not file.is_file() or b"\0" in (data := file.read_bytes()):
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            found += [f"{name}:{number}: {what}" for what, pattern in LEAKS.items() if re.search(pattern, _unlinked(what, line))]
    return found


def _unlinked(what: str, line: str) -> str:
    return LINKED.sub("", line) if "machine" in what else line


def _addresses_a_model(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\bYou are an? ", node.value) is not None


def _importers(root: Path, package: str, allowed: Callable[[str], bool]) -> list[str]:
    found: list[str] = []
    for where, node in nodes(root):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        folder = where.removeprefix("server/surefoot/").split("/")[0]
        if any(name.split(".")[0] == package for name in names) and not allowed(folder):
            found.append(f"{where}: imports {package}")
    return found


def _shared_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run at import: a module's own, those of its classes, and those under its conditions."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.ClassDef):
            yield from _shared_statements(statement.body)
        elif isinstance(statement, ast.If) and "__name__" not in ast.dump(statement.test):
            yield from _shared_statements([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            yield from _shared_statements(statement.body)


def _is_mutable(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return False
        case ast.AnnAssign(annotation=annotation, value=ast.expr() as made) if not _is_read_only(annotation):
            return _makes_mutable(made)
        case ast.Assign(value=made):
            return _makes_mutable(made)
        case _:
            return False


def _is_read_only(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) in ("Final", "ClassVar"):
        return _is_read_only(annotation.slice)
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(outer).split(".")[-1] in READ_ONLY


def _makes_mutable(made: ast.expr) -> bool:
    display = isinstance(made, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp)
    return display or (isinstance(made, ast.Call) and called(made) in MUTABLE)


def _is_print(node: ast.AST) -> bool:
    writes = isinstance(node, ast.Call) and ast.unparse(node.func) in ("sys.stdout.write", "sys.__stdout__.write")
    return writes or called(node) in ("print", "pprint")
