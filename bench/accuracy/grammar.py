"""What a byte of source text belongs to, by tree-sitter's grammars alone: nothing here knows the site index or its queries."""

import importlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from tree_sitter import Language, Node, Parser, Tree

SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "python": (".py", ".pyi"),
    "typescript": (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    "go": (".go",),
    "java": (".java",),
    "rust": (".rs",),
}
_MODULES: Mapping[str, tuple[str, str]] = {
    ".py": ("tree_sitter_python", "language"),
    ".pyi": ("tree_sitter_python", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".mts": ("tree_sitter_typescript", "language_typescript"),
    ".cts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
    ".js": ("tree_sitter_javascript", "language"),
    ".jsx": ("tree_sitter_javascript", "language"),
    ".mjs": ("tree_sitter_javascript", "language"),
    ".cjs": ("tree_sitter_javascript", "language"),
    ".go": ("tree_sitter_go", "language"),
    ".java": ("tree_sitter_java", "language"),
    ".rs": ("tree_sitter_rust", "language"),
}
_SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".venv", "__pycache__"})


def source_files(root: Path, language: str) -> Iterator[Path]:
    """Files of one language, sorted."""
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES[language] and path.is_file() and not _SKIPPED_FOLDERS & set(path.relative_to(root).parts):
            yield path


def parsed(path: Path) -> Tree:
    """The tree of one file."""
    return _parser(path.suffix).parse(path.read_bytes())


def surroundings(tree: Tree, offset: int) -> str:
    """Whether a byte is in `code`, in a `string` or in a `comment` (docstrings are strings; what is put into a string is code)."""
    node: Node | None = tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None:
        if "comment" in node.type:
            return "comment"
        if re.search(r"interpolation|template_substitution", node.type):
            return "code"
        if re.search(r"string|template_literal", node.type):
            return "string"
        node = node.parent
    return "code"


@cache
def _parser(suffix: str) -> Parser:
    module, function = _MODULES[suffix]
    return Parser(Language(cast(object, getattr(importlib.import_module(module), function)())))
