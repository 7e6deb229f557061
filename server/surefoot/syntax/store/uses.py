"""How every name of a file is used: the role of any occurrence, without the tree that it was read from.

Most occurrences need no word of their own. What no pattern says anything about is a plain name where an identifier starts, a comment
inside of one, and else part of a string.
"""

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tree_sitter import Node

from surefoot.core.sites import SiteKind
from surefoot.core.value import value
from surefoot.syntax.languages import Language
from surefoot.syntax.outline import Outline
from surefoot.syntax.parse import Grammars
from surefoot.syntax.roles import COMMENTS, SPANNING, Role, role_of

_PLAIN = Role("name", SiteKind.VALUE)
_COMMENT = Role("comment", SiteKind.COMMENT)
_OTHER = Role("other", SiteKind.VALUE)
_STRING = Role("string", SiteKind.STRING)
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


@value
class Uses:
    """`told` has the roles that patterns tell, by start and end. `names` are the starts of all identifiers, packed and sorted; `odd` are
    identifiers with a character that no word has (`#total`), `comments` the ranges of comments, both as starts and ends in turn."""

    told: Mapping[tuple[int, int], Role]
    names: bytes
    odd: tuple[int, ...]
    comments: tuple[int, ...]

    def role(self, start: int, end: int) -> Role:
        """What `role_of` says of an occurrence that the outline does not tell."""
        if (held := self.told.get((start, end))) is not None:
            return held
        if _inside(self.comments, start):
            return _COMMENT
        if _inside(self.odd, start):
            return _OTHER
        names = memoryview(self.names).cast("I")
        at = bisect_right(names, start)
        return _PLAIN if at and names[at - 1] == start else _STRING


def uses_of(grammars: Grammars, language: Language, outline: Outline, root: Node) -> Uses:
    """The roles of all occurrences in one tree."""
    known = outline.at.keys() | outline.imported.keys() | outline.aliases.keys() | outline.offered
    batch = _Batch(grammars.matches(language, "references", root))
    told: dict[tuple[int, int], Role] = {}
    for start, end in batch.places:
        if start not in known and (role := role_of(batch, language, root, start, end)) != _PLAIN:
            told[start, end] = role
    identifiers = grammars.nodes(language, root, language.identifiers)
    odd = [(node.start_byte, node.end_byte) for node in identifiers if not _LETTERS.issuperset(node.text or b"")]
    comments = [(node.start_byte, node.end_byte) for node in grammars.nodes(language, root, COMMENTS)]
    names = array("I", sorted(node.start_byte for node in identifiers))
    return Uses(told, names.tobytes(), _flat(odd), _flat(comments))


class _Batch(Grammars):
    """The matches of a whole tree, given out for one place at a time as a query of that place would."""

    def __init__(self, matches: Sequence[tuple[int, dict[str, list[Node]]]]) -> None:
        super().__init__()
        self._at: defaultdict[tuple[int, int], list[tuple[int, dict[str, list[Node]]]]] = defaultdict(list)
        for match in matches:
            for name, nodes in match[1].items():
                for node in nodes if name not in SPANNING else ():
                    self._at[node.start_byte, node.end_byte].append(match)

    @property
    def places(self) -> Sequence[tuple[int, int]]:
        return list(self._at)

    def matches(
        self, language: Language, query: str, node: Node, span: tuple[int, int] | None = None
    ) -> list[tuple[int, dict[str, list[Node]]]]:
        return self._at.get(span, []) if span is not None else []


def _flat(ranges: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(edge for pair in sorted(ranges) for edge in pair)


def _inside(edges: Sequence[int], offset: int) -> bool:
    return bisect_right(edges, offset) % 2 == 1
