"""Grammars, parsers and compiled queries, each made when it is first needed."""

import importlib
import os.path
import re
from collections import Counter
from collections.abc import Iterable
from importlib import resources

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from surefoot.syntax.languages import Language, hidden_in, language_named

PREPARED = 3
"""Languages whose queries are compiled before they are needed: a tenth of a second each."""

_USING = re.compile(rb"(?<![\w$.])(await[ \t]+)?using(?=[ \t]+[A-Za-z_$][\w$]*[ \t]*(?:=[^=>]|:|of[ \t]))")


class Grammars:
    """What tree-sitter needs for each language. Not safe to share between threads."""

    def __init__(self) -> None:
        self._grammars: dict[tuple[str, str], Grammar] = {}
        self._queries: dict[tuple[str, str], Query] = {}

    def prepare(self, names: Iterable[str]) -> None:
        """Make what the languages of most of these files need, before a text of theirs has to be parsed while somebody waits."""
        suffixes = Counter(os.path.splitext(name)[1] for name in names)
        known = (language_named(f"name{suffix}") for suffix, _ in suffixes.most_common())
        for language in list({language.name: language for language in known if language is not None}.values())[:PREPARED]:
            self._query(language, "structure")
            self._query(language, "references")

    def parse(self, language: Language, data: bytes) -> Tree:
        """The tree of a whole text; broken text gives a tree with error nodes."""
        known = _as_known(data) if language.family == "ecmascript" else data
        for start, end in hidden_in(language, data):
            known = known[:start] + b" " * (end - start) + known[end:]
        return Parser(self._grammar(language)).parse(known)

    def matches(
        self, language: Language, query: str, node: Node, span: tuple[int, int] | None = None
    ) -> list[tuple[int, dict[str, list[Node]]]]:
        """What the query file `query` of a language finds below `node`, near the bytes of `span` when it is given."""
        cursor = QueryCursor(self._query(language, query))
        if span is not None:
            cursor.set_byte_range(*span)
        return cursor.matches(node)

    def nodes(self, language: Language, root: Node, types: frozenset[str]) -> list[Node]:
        """Every node of these types, in no order; a type that the grammar does not have is passed over."""
        grammar, key = self._grammar(language), (language.name, " ".join(sorted(types)))
        if key not in self._queries:
            known = [name for name in sorted(types) if grammar.id_for_node_kind(name, True) is not None]
            self._queries[key] = Query(grammar, f"[{' '.join(f'({name})' for name in known)}] @node")
        return QueryCursor(self._queries[key]).captures(root).get("node", [])

    def _grammar(self, language: Language) -> Grammar:
        key = language.grammar
        if key not in self._grammars:
            module, function = key
            pointer: object = getattr(importlib.import_module(module), function)()
            self._grammars[key] = Grammar(pointer)
        return self._grammars[key]

    def _query(self, language: Language, name: str) -> Query:
        key = (language.name, name)
        if key not in self._queries:
            self._queries[key] = Query(self._grammar(language), query_text(language, name))
        return self._queries[key]


def _as_known(data: bytes) -> bytes:
    """The text with `const` for `using`, which is as long: the grammars are behind the language, and lose the rest of a file over it."""
    if b"using " not in data:
        return data
    return _USING.sub(lambda found: b" " * len(found[1] or b"") + b"const", data)


def query_text(language: Language, name: str) -> str:
    """The source of one query: the files of that name in every folder the language uses."""
    folder = resources.files("surefoot.syntax") / "queries"
    found = [folder / part / f"{name}.scm" for part in language.queries]
    return "\n".join(file.read_text("utf-8") for file in found if file.is_file())
