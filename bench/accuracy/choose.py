"""Which symbols are asked about: drawn from the declarations of a code base by a fixed seed, before anything of ours has seen it.

A symbol is fit when its name is a word of at least three letters, is none that a language calls by itself, stands in code that is no test,
and is written at least once more somewhere in the code base. A name is drawn once, a file gives at most two of each kind.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.accuracy.codebases import CodeBase
from bench.accuracy.grammar import parsed, source_files
from tree_sitter import Node

from surefoot.core.text import LineIndex

SYMBOLS = Path(__file__).with_name("symbols")
SEED = 20261130
OF_EACH_KIND = 40
OF_A_FILE = 2
_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|testing|testdata|spec|e2e|fixtures|examples?|_examples|docs?|scripts|benches)(/|$)"
    r"|(^|/)test_[^/]*$|[._-](spec|test|stories|d)\.\w+$|_test\.go$"
)
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_OF_THE_LANGUAGE = re.compile(r"^__.*__$|^constructor$|^main$|^init$")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One symbol: its kind ("function" or "method") and where its name stands; line and column from 1, columns in code points."""

    kind: str
    name: str
    path: str
    line: int
    column: int


def choose(base: CodeBase, seed: int = SEED) -> list[Chosen]:
    """Functions first, then methods, in the order they were drawn."""
    files = [path for path in source_files(base.root, base.language)]
    words = Counter(word for path in files for word in _WORD.findall(path.read_bytes()))
    draw = random.Random(seed)
    draw.shuffle(files)
    drawn: dict[str, list[Chosen]] = {"function": [], "method": []}
    names: set[str] = set()
    for path in files:
        if _TESTS.search(path.relative_to(base.root).as_posix()):
            continue
        found = list(_declared(base, path))
        draw.shuffle(found)
        here = Counter[str]()
        for each in found:
            fit = len(each.name) > 2 and not _OF_THE_LANGUAGE.match(each.name) and words[each.name.encode()] > 1
            if fit and each.name not in names and here[each.kind] < OF_A_FILE and len(drawn[each.kind]) < OF_EACH_KIND:
                drawn[each.kind].append(each)
                names.add(each.name)
                here[each.kind] += 1
    return drawn["function"] + drawn["method"]


def write_symbols(base: CodeBase, chosen: Sequence[Chosen], folder: Path = SYMBOLS) -> None:
    """Keep what was drawn: one symbol a line."""
    lines = ",\n".join(f"  {json.dumps(asdict(each), ensure_ascii=False)}" for each in chosen)
    head = json.dumps({"codebase": base.name, "version": base.version, "seed": SEED})[:-1]
    (folder / f"{base.short}.json").write_text(f'{head}, "symbols": [\n{lines}\n]}}\n', encoding="utf-8")


def read_symbols(base: CodeBase, folder: Path = SYMBOLS) -> list[Chosen]:
    """What was drawn. Raises FileNotFoundError before that."""
    held = json.loads((folder / f"{base.short}.json").read_text(encoding="utf-8"))
    return [Chosen(**each) for each in held["symbols"]]


def _declared(base: CodeBase, path: Path) -> Iterator[Chosen]:
    lines = LineIndex(path.read_bytes())
    where = path.relative_to(base.root).as_posix()
    for kind, name in _named(parsed(path).root_node, base.language):
        if name.text is not None:
            line, column = lines.position(name.start_byte)
            yield Chosen(kind, name.text.decode("utf-8", "replace"), where, line + 1, column + 1)


def _named(root: Node, language: str) -> Iterator[tuple[str, Node]]:
    """Kind and name of every function and method that is not inside another one."""
    left = [root]
    while left:
        node = left.pop()
        if (kind := _kind(node, language)) and (name := node.child_by_field_name("name")) is not None and name.child_count == 0:
            yield kind, name
        if node.type not in _BODIES[language]:
            left.extend(node.named_children)


def _kind(node: Node, language: str) -> str:
    match language, node.type:
        case "python", "function_definition":
            return "method" if _above(node, "block", "class_definition") else "function"
        case "typescript", "variable_declarator":
            value = node.child_by_field_name("value")
            return "function" if value is not None and value.type in {"arrow_function", "function_expression"} else ""
        case "java", "method_declaration":
            modifiers = next((child for child in node.children if child.type == "modifiers"), None)
            return "function" if modifiers is not None and any(child.type == "static" for child in modifiers.children) else "method"
        case "rust", "function_item" | "function_signature_item":
            given = node.child_by_field_name("parameters")
            return "method" if given is not None and any(child.type == "self_parameter" for child in given.children) else "function"
        case _:
            return _PLAIN.get((language, node.type), "")


def _above(node: Node, *types: str) -> bool:
    """Whether the nodes around, decorators aside, are of these types."""
    around = node.parent
    while around is not None and around.type == "decorated_definition":
        around = around.parent
    for kind in types:
        if around is None or around.type != kind:
            return False
        around = around.parent
    return True


_PLAIN: Mapping[tuple[str, str], str] = {
    ("typescript", "function_declaration"): "function",
    ("typescript", "generator_function_declaration"): "function",
    ("typescript", "method_definition"): "method",
    ("typescript", "abstract_method_signature"): "method",
    ("typescript", "method_signature"): "method",
    ("go", "function_declaration"): "function",
    ("go", "method_declaration"): "method",
    ("go", "method_elem"): "method",
}
_BODIES: Mapping[str, frozenset[str]] = {
    "python": frozenset({"function_definition", "lambda"}),
    "typescript": frozenset({"statement_block", "arrow_function", "function_expression", "object"}),
    "go": frozenset({"block"}),
    "java": frozenset({"block", "lambda_expression"}),
    "rust": frozenset({"block"}),
}
