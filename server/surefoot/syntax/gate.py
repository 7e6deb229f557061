"""The syntax gate: what does not parse in a text."""

import warnings
from pathlib import Path

from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place
from surefoot.syntax.languages import Language, language_for

MOST = 20
"""Faults that are told of one text."""

LONGEST_QUOTE = 40
"""Characters of a fault that a message quotes."""


def parse_faults(path: Path, data: bytes) -> tuple[Diagnostic, ...]:
    """Why a text does not parse, in text order; nothing for a language that is not parsed here.

    Python is judged by the running interpreter's own compiler, which tells the first fault only and also knows what a grammar cannot
    (`return` outside of a function); every other language by its grammar. Both may be behind the language that the text is written in:
    hold the faults of a changed text against those it had before.
    """
    language = language_for(path, data)
    if language is None:
        return ()
    return _from_compiler(path, data) if language.family == "python" else _from_grammar(language, path, data)


def _from_compiler(path: Path, data: bytes) -> tuple[Diagnostic, ...]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        lines = LineIndex(data)
        line = min(max((error.lineno or 1) - 1, 0), len(lines.starts) - 1)
        start = lines.offset(line, max((error.offset or 1) - 1, 0))
        return (_fault(path, lines, start, start, "invalid-syntax", error.msg),)
    except (ValueError, RecursionError, MemoryError) as error:
        return (_fault(path, LineIndex(data), 0, 0, "invalid-syntax", str(error) or "too deeply nested to compile"),)
    return ()


def _from_grammar(language: Language, path: Path, data: bytes) -> tuple[Diagnostic, ...]:
    from surefoot.syntax.parse import Grammars

    root = Grammars().parse(language, data).root_node
    if not root.has_error:
        return ()
    lines = LineIndex(data)
    found: list[Diagnostic] = []
    todo = [root]
    while todo and len(found) < MOST:
        node = todo.pop()
        if node.is_missing:
            found.append(_fault(path, lines, node.start_byte, node.end_byte, "missing", f"`{node.type}` is missing here"))
        elif node.is_error:
            quoted = data[node.start_byte : node.end_byte].decode("utf-8", "replace").split("\n")[0][:LONGEST_QUOTE]
            found.append(_fault(path, lines, node.start_byte, node.end_byte, "unexpected", f"`{quoted}` does not parse"))
        elif node.has_error:
            todo += reversed(node.children)
    return tuple(found)


def _fault(path: Path, lines: LineIndex, start: int, end: int, code: str, message: str) -> Diagnostic:
    return Diagnostic(Place.of(path, start, end, lines), "syntax", code, Severity.ERROR, message)
