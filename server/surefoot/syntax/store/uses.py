"""How every name of a file is used: the role of any occurrence, without the tree that it was read from.

Most occurrences need no word of their own. What no pattern says anything about is a plain name where an identifier starts, a comment
inside of one, and else part of a string.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from surefoot.core.sites import SiteKind
from surefoot.core.value import value
from surefoot.syntax.languages import Language
from surefoot.syntax.outline import Outline
from surefoot.syntax.parse import Grammars
from surefoot.syntax.roles import COMMENTS, SPANNING, Role, named_from, role_from, smallest

_PLAIN = Role("name", SiteKind.VALUE)
_COMMENT = Role("comment", SiteKind.COMMENT)
_OTHER = Role("other", SiteKind.VALUE)
_STRING = Role("string", SiteKind.STRING)
_WORD = re.compile(rb"[\w\x80-\xff]+")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_").union(range(128, 256))


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
            first = bisect_right(self.odd, start) - 1
            return _PLAIN if self.odd[first : first + 2] == (start, end) else _OTHER
        names = memoryview(self.names).cast("I")
        at = bisect_right(names, start)
        return _PLAIN if at and names[at - 1] == start else _STRING


def uses_of(grammars: Grammars, language: Language, outline: Outline, root: Node, data: bytes) -> Uses:
    """The roles of all occurrences in one tree, whose text is `data`."""
    known = outline.at.keys() | outline.imported.keys() | outline.aliases.keys() | outline.offered
    told: dict[tuple[int, int], Role] = {}
    for place, (node, captures) in _gathered(language, grammars.matches(language, "references", root), data).items():
        start, end = place
        if start in known:
            continue
        if node.child_count or (node.start_byte, node.end_byte) != place:
            node = smallest(root, start, end)
        if node.type not in COMMENTS and (role := role_from(language, node, captures, start, end)) != _PLAIN:
            told[place] = role
    places = [(named_from(language, node), node.end_byte) for node in grammars.nodes(language, root, language.identifiers)]
    odd = [(start, end) for start, end in places if data[start] not in _LETTERS or data[end - 1] not in _LETTERS]
    comments = [(node.start_byte, node.end_byte) for node in grammars.nodes(language, root, COMMENTS)]
    names = array("I", sorted([start for start, _ in places]))
    return Uses(told, names.tobytes(), _flat(odd), _flat(comments))


Captures = dict[str, Node]


def _gathered(
    language: Language, matches: Iterable[tuple[int, dict[str, list[Node]]]], data: bytes
) -> Mapping[tuple[int, int], tuple[Node, Captures]]:
    """The captures of every match by the places that it tells something of: what a query of one place would find there."""
    found: dict[tuple[int, int], tuple[Node, Captures]] = {}
    for _, captures in matches:
        wide = len(captures) > 1
        spanning = {name: nodes[0] for name, nodes in captures.items() if name in SPANNING} if wide else {}
        for name, nodes in captures.items():
            for node in nodes if name not in SPANNING else ():
                for place in ((named_from(language, node), node.end_byte),) if name != "annotation" else _words(node, data):
                    held = found.get(place)
                    if held is None:
                        found[place] = (node, {**spanning, name: node})
                    elif wide or name not in held[1]:
                        held[1].update(spanning)
                        held[1][name] = node
    return found


def _words(node: Node, data: bytes) -> Iterator[tuple[int, int]]:
    """The places of the words in a node, which are looked for one by one."""
    return (found.span() for found in _WORD.finditer(data, node.start_byte, node.end_byte))


def _flat(ranges: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(edge for pair in sorted(ranges) for edge in pair)


def _inside(edges: Sequence[int], offset: int) -> bool:
    return bisect_right(edges, offset) % 2 == 1
