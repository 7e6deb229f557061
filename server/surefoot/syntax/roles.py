"""What each occurrence of a name is in its file: a plain name, a member, a keyword, a string, a comment, and how it is used."""

import re
import string
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from surefoot.core.sites import SiteKind
from surefoot.core.value import value
from surefoot.syntax.expressions import dotted, expression
from surefoot.syntax.languages import Language
from surefoot.syntax.outline import Expression
from surefoot.syntax.parse import Grammars

COMMENTS = frozenset({"comment", "html_comment", "hash_bang_line", "line_comment", "block_comment", "doc_comment", "comment_content"})
_LETTERS = (string.ascii_letters + string.digits + "_").encode()
_CALLED = re.compile(rb"[ \t]*\(")
_CHAIN = re.compile(rb"(?:[A-Za-z_]\w*\s*(?:\.|->|::)\s*)+\Z")
_STEP = re.compile(rb"([A-Za-z_]\w*)\s*(\.|->|::)\s*")
_GOES_ON = re.compile(rb"(?:[\w.)\]}>]|::|->)\s*\Z")
_QUOTE = re.compile(rb'(?<!\\)"')
_NEAR = 80
"""Bytes before a name in which its receiver is looked for."""

_HOLDER = re.compile(r"(?:[^\W\d]\w*\s*\.\s*)+$")
_USES: Mapping[str, SiteKind] = {
    "decorator": SiteKind.DECORATOR,
    "call": SiteKind.CALL,
    "type": SiteKind.TYPE,
    "typed": SiteKind.TYPE,
    "annotation": SiteKind.TYPE,
}


@value
class Role:
    """One occurrence: `form` is name, variable, member, keyword, field, constant, key, attribute, label, path, named, keyed, fixture,
    string, comment or other.

    `holder` is the receiver of a member, what a keyword is passed to, or whose attribute, field or key is named. `called` marks a name
    that can only be that of a function.
    """

    form: str
    kind: SiteKind
    holder: Expression | None = None
    shorthand: bool = False
    called: bool = False


def occurrences(data: bytes, name: str, letters: bytes) -> Iterator[tuple[int, int]]:
    """Where `name` stands as a whole word; `letters` are bytes that a word may hold beside letters, digits and `_`."""
    letters = _LETTERS + letters
    # A search for the bare word is many times as fast as one that asks for what stands around it.
    for found in re.finditer(re.escape(name.encode("utf-8")), data):
        start, end = found.span()
        if not (_letter_before(data, start, letters) or _letter_after(data, end, letters)):
            yield start, end


def role_in_text(language: Language, data: bytes, first: int, start: int, end: int) -> Role:
    """How a name is used in text that no grammar has parsed, such as the body of a macro, which begins at `first`.

    Names with dots before it are its receiver.
    """
    if len(_QUOTE.findall(data, first, start)) % 2:
        return Role("string", SiteKind.STRING)
    if (comment := data.rfind(b"/*", first, start)) >= 0 and data.find(b"*/", comment, start) < 0:
        return Role("comment", SiteKind.COMMENT)
    called = _CALLED.match(data, end) is not None
    kind = SiteKind.CALL if called else SiteKind.VALUE
    if data[end : end + 1] == b"!" and data[end + 1 : end + 2] in (b"(", b"[", b"{") and language.members_apart:
        return Role("macro", SiteKind.CALL)
    before = data[max(0, start - _NEAR) : start].rstrip()
    if not before.endswith((b".", b"->", b"::")):
        return Role("name", kind)
    if before.endswith(b".."):  # a range
        return Role("name", kind)
    chain = _CHAIN.search(before)
    holder = _in_text(language, chain[0], start) if chain is not None and not _GOES_ON.search(before[: chain.start()]) else None
    return Role("member", kind, holder, called=language.calls_apart and (called or before.endswith(b"::")))


def _in_text(language: Language, chain: bytes, at: int) -> Expression:
    """The value that a chain such as `self.cart.` stands for."""
    made: Expression | None = None
    for found in _STEP.finditer(chain):
        name = found[1].decode("utf-8", "replace")
        if made is not None:
            made = Expression("member", name, at, made)
        elif name in language.selves and (found[2] != b"::" or name[:1].isupper()):
            made = Expression("self", name, at)
        else:
            made = Expression("path" if found[2] == b"::" and language.inside else "name", name, at)
    return made or Expression("unknown")


def _letter_before(data: bytes, start: int, letters: bytes) -> bool:
    if start == 0 or data[start - 1] < 0x80:
        return start > 0 and data[start - 1] in letters
    return data[max(0, start - 4) : start].decode("utf-8", "ignore")[-1:].isidentifier()


def _letter_after(data: bytes, end: int, letters: bytes) -> bool:
    if end >= len(data) or data[end] < 0x80:
        return end < len(data) and data[end] in letters
    return ("a" + data[end : end + 4].decode("utf-8", "ignore")[:1]).isidentifier()


def role_of(grammars: Grammars, language: Language, root: Node, start: int, end: int) -> Role:
    """How the bytes `start` to `end` of a tree are used."""
    node = smallest(root, start, end)
    if node.type in COMMENTS:
        return Role("comment", SiteKind.COMMENT)
    return role_from(language, node, _captures(grammars, language, root, start, end), start, end)


def smallest(root: Node, start: int, end: int) -> Node:
    """The smallest node that holds these bytes; a word of the language that stands for a name (`global`, `self`) is that name."""
    node = root.descendant_for_byte_range(start, end) or root
    around = node.parent
    if not node.is_named and around is not None and (around.start_byte, around.end_byte) == (node.start_byte, node.end_byte):
        return around
    return node


def role_from(language: Language, node: Node, captures: Mapping[str, Node], start: int, end: int) -> Role:
    """How the bytes `start` to `end` are used: `node` is the smallest that holds them, `captures` those of the matches about them."""
    if node.type in language.identifiers:
        return _identifier(language, captures) if _is(language, node, start, end) else Role("other", SiteKind.VALUE)
    if (written := captures.get("annotation")) is not None:
        return _in_annotation(written, start)
    if "slot" in captures:
        return Role("member", SiteKind.STRING, Expression("self", at=start))
    if "fixture" in captures:
        return Role("fixture", SiteKind.STRING)
    if "keyed" in captures:
        return Role("keyed", SiteKind.STRING, expression(language, captures["receiver"]))
    if "named" in captures:
        holder = expression(language, captures["receiver"]) if "receiver" in captures else Expression("self", at=start)
        return Role("named", SiteKind.STRING, holder, called=language.calls_apart and "function" in captures)
    if "spelled" in captures:
        return Role("named", SiteKind.STRING, called=language.calls_apart and "function" in captures)
    return Role("string", SiteKind.STRING)


def _identifier(language: Language, captures: Mapping[str, Node]) -> Role:
    kind = next((site for capture, site in _USES.items() if capture in captures), SiteKind.VALUE)
    called = language.calls_apart and "function" in captures
    if "macro" in captures:
        return Role("macro", SiteKind.CALL if kind is SiteKind.VALUE else kind)
    if "slot" in captures:
        return Role("member", kind, Expression("self", at=captures["slot"].start_byte), called=called)
    if "rooted" in captures:
        return Role("member", kind, Expression("name", "::", captures["rooted"].start_byte))
    if "keyword" in captures:
        whole = expression(language, captures["whole"]).inner if "whole" in captures and "callee" not in captures else None
        return Role("keyword", SiteKind.VALUE, whole or expression(language, captures.get("callee")), called=called)
    if "constant" in captures:
        return Role("constant", kind, expression(language, captures["receiver"]))
    if "field" in captures:
        return Role("field", kind, expression(language, captures["receiver"]) if "receiver" in captures else None)
    if "member" in captures:
        return Role("member", kind, expression(language, captures.get("receiver")), called=called)
    for form in ("dotted", "attribute", "label", "key", "other", "variable", "string"):
        if form in captures:
            own = SiteKind.STRING if form == "string" else kind
            return Role("path" if form == "dotted" else form, own, _path(captures) if form == "dotted" else None)
    if "tagged" in captures:
        return Role("tagged", SiteKind.TYPE)
    if "typed" in captures:
        return Role("typed", kind)
    return Role("name", kind, shorthand="shorthand" in captures, called=called)


def _in_annotation(written: Node, start: int) -> Role:
    """A name in an annotation that is a string is a name like any other."""
    before = (written.text or b"")[: start - written.start_byte].decode("utf-8", "replace")
    holder = _HOLDER.search(before)
    if holder is None:
        return Role("name", SiteKind.TYPE)
    return Role("member", SiteKind.TYPE, dotted(holder[0].rstrip(".").strip(), start))


def _path(captures: Mapping[str, Node]) -> Expression | None:
    path, name = captures["path"], captures["dotted"]
    if path.parent is None or path.parent.type not in ("class_pattern", "case_pattern"):
        return None
    made: Expression | None = None
    for part in path.named_children:
        text = (part.text or b"").decode("utf-8", "replace")
        made = Expression("name", text, part.start_byte) if made is None else Expression("member", text, part.start_byte, made)
        if part.start_byte == name.start_byte:
            break
    return made


SPANNING = frozenset({"receiver", "callee", "whole", "path", "_cast", "_function"})
"""Captures that tell something of another node than the one that they cover."""


def _captures(grammars: Grammars, language: Language, root: Node, start: int, end: int) -> dict[str, Node]:
    """Captures of every match whose subject is exactly this occurrence."""
    found: dict[str, Node] = {}
    for _, captures in grammars.matches(language, "references", root, (start, end)):
        for name, nodes in captures.items():
            exact = next(
                (node for node in nodes if _is(language, node, start, end) or (name == "annotation" and _holds(node, start, end))), None
            )
            # A match with its holder tells more than one without.
            if name not in SPANNING and exact is not None and (name not in found or len(captures) > 1):
                found |= {other: held[0] for other, held in captures.items() if other in SPANNING}
                found[name] = exact
    return found


def _holds(node: Node, start: int, end: int) -> bool:
    return node.start_byte <= start and end <= node.end_byte


def _is(language: Language, node: Node, start: int, end: int) -> bool:
    return node.end_byte == end and (node.start_byte == start or (bool(language.sigils) and named_from(language, node) == start))


def named_from(language: Language, node: Node) -> int:
    """Where the name begins in a node, after what stands in front of it: the `@` of `@total`."""
    if not language.sigils or node.child_count:
        return node.start_byte
    text = node.text or b""
    return node.start_byte + len(text) - len(text.lstrip(language.sigils.encode()))
