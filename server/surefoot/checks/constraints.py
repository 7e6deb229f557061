"""From what a checker found to what the next plan must satisfy: short words of our own, never the line of the tool."""

import re
from collections.abc import Iterator

from surefoot.checks.facts import Fact, fact_of, shortened, words_of
from surefoot.core.findings import Diagnostic
from surefoot.run.limits import CONSTRAINT_TOKENS

_PIECE = re.compile(r"[A-Z]?[a-z]{1,8}|[A-Z]{1,4}|\d{1,3}|[^\s_]")
NAMED = frozenset({"member", "name"})
"""Kinds for which it is names."""
CALLS = frozenset({"missing", "count", "fit", "keyword"})
"""Kinds for which it is a list of parameters."""
_IDENTIFIER = re.compile(r"[^\W\d]|\$")
_ABOUT = ("name", "owner", "callee", "param")
_LONGEST_CODE = 60
_KEYWORDS = frozenset(
    {"return", "await", "def", "function", "if", "for", "while", "try", "except", "class", "import", "from", "raise", "throw"}
)


def constraint_text(found: Diagnostic) -> str:
    """What must hold in place of `found`: tool and code, the function, what was seen, and what may stand there.

    At most `CONSTRAINT_TOKENS`. What does not fit goes in this order: what else may stand there beyond the first, the classes around the
    function, the function.
    """
    fact = fact_of(found)
    said = words_of(fact) if fact is not None else ""
    named = fact is not None and said != "" and any(fact.field(name) for name in _ABOUT)
    about = "" if named or not _IDENTIFIER.match(found.symbol) or found.symbol in _KEYWORDS else f" about {shortened(found.symbol)}"
    tool = f"{found.tool} {shortened(found.code, _LONGEST_CODE)}".strip()
    head, tail = (tool, f": {said}") if said else (f"no {tool}", "")
    for where, use in _rooms(found, fact if said else None):
        text = f"{head}{about}{f' in {where}' if where else ''}{tail}{use}"
        if tokens_in(text) <= CONSTRAINT_TOKENS:
            return text
    return f"no {tool}{about}"


def tokens_in(text: str) -> int:
    """How many tokens a text costs, near enough: words count by pieces of eight letters, signs one by one."""
    return len(_PIECE.findall(text))


def _rooms(found: Diagnostic, fact: Fact | None) -> Iterator[tuple[str, str]]:
    """Ways to say where and what else, most telling first."""
    uses = tuple(_uses(found, fact)) or ("",)
    functions = tuple(dict.fromkeys((found.function, found.function.rpartition(".")[2], "")))
    yield from ((functions[0], use) for use in uses)
    yield from ((where, uses[-1]) for where in functions)
    yield from ((where, "") for where in functions)


def _uses(found: Diagnostic, fact: Fact | None) -> Iterator[str]:
    names = found.admissible
    if fact is not None and names and fact.kind in CALLS:
        yield f"; takes {names[0]}"
    if fact is not None and fact.kind in NAMED:
        for count in range(len(names), 0, -1):
            yield f"; use {', '.join(names[:count])}"
