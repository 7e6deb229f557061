"""Notes: the one correction that a fresh look is told. How long one is, and whether two of them ask for the same.

What a note asks for is what it names: code, numbers, and the words that carry meaning, each wanted or not wanted. Code and numbers have to
be the same; words may differ as far as the tables below say. In doubt two notes are not the same: that costs one more attempt, while the
other error ends a run that had a way on.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from surefoot.core.value import value

_TOKEN = re.compile(
    r"`(?P<tick>[^`]+)`"
    r'|"(?P<double>[^"]+)"'
    r"|(?<!\w)'(?P<single>[^']+)'(?!\w)"
    r"|(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w))"
    r"|(?P<word>[@$]?\w+(?:(?:\.|::|/)\w+)*(?:\(\))?)"
    r"|(?P<stop>[,;:.!?]|--|\u2014)"
)
_CODE = re.compile(r"[@$]|\w_|_\w|\d|\w[./:]+\w|\(\)|[a-z][A-Z]|[A-Z][a-z]\w*[A-Z]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_NEGATED = re.compile(r"\b(?:can|must|should|would|could|wo|do|does|is|are|did|need)n't\b|\bcannot\b", re.IGNORECASE)
_INSTEAD = "insteadof"
_PHRASES: Mapping[str, str] = MappingProxyType(
    {
        r"\b(?:instead of|rather than|in place of)\b": _INSTEAD,
        r"\b(?:give|gives|giving|hand|send|pass)(?: it)? back\b": "return",
        r"\b(?:no longer|not any more)\b": "not",
        r"\b(?:make|be) sure(?: that)?\b": "",
        r"\bget rid of\b": "remove",
        r"\bat the (?:beginning|start|top)\b": "first",
        r"\bat the (?:end|bottom)\b": "last",
    }
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOT = frozenset({"not", "never", "no", "without", "avoid"})
_USE = _words(
    """use uses used using call calls called calling pass passes passed passing give gives given giving supply supplies supplied supplying
    provide provides provided providing invoke invokes invoked invoking"""
)
"""What nearly every correction asks for, so that it tells nothing apart."""

_EMPTY = _words(
    """a an the is are be been being was were it its this that these those there their them they you your and so which who will would can
    could may might do does did done have has had up out here also too just please must should shall need needs needed ought require
    requires required always ensure instead exactly really simply back where make makes made making take takes taken taking accept accepts
    correct right proper appropriate suitable expected valid actual"""
)
_HELPERS = _words("do does did must should shall need can could may is are be been was were will would have has had")
_CONDITIONS = _words("if unless until while")
_ROLES: Mapping[str, str] = MappingProxyType(
    {word: word for word in _words("before after to from than of in with by as at for on")} | {"into": "to", "inside": "in", "within": "in"}
)
"""Words that say which part the next one plays."""

_TELLING = frozenset({"before", "after", "than"})
"""Roles that two notes have to have both."""

_KINDS = _words("parameter function field module object value type class variable name file code statement line error case")
"""Kinds of things: one note may leave out what the other says, but they must not say two."""

_SAME: Mapping[str, str] = MappingProxyType(
    {
        other: group.split()[0]
        for group in (
            "string str text",
            "integer int",
            "boolean bool",
            "dictionary dict",
            "none null nil",
            "remove delete drop",
            "add insert include",
            "change modify alter update edit",
            "convert turn transform cast",
            "raise throw",
            "error exception",
            "check verify validate",
            "keep preserve retain leave",
            "define declare",
            "all every each",
            "if when whenever",
            "async asynchronous",
            "first 1st",
            "second 2nd",
            "third 3rd",
            "fourth 4th",
            "last final",
            "miss absent lack",
            "parameter param argument arg",
            "function method callable procedure",
            "field attribute property member",
            "module package",
            "object instance",
        )
        for other in group.split()
    }
)
_NUMBERS: Mapping[str, str] = MappingProxyType(
    {word: str(number) for number, word in enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"))}
)
_WHOLE = frozenset({"string", "thing", "setting", "during", "mapping", "binding", "encoding", "heading", "ring", "king", "embed", "exceed"})
"""Words that end as verbs do and are none."""


@value
class _Token:
    """One word of a note and what it is: `code` has to match to the letter."""

    sort: Literal["code", "stop", "not", "instead", "use", "empty", "role", "number", "kind", "word"]
    text: str


@value
class _Said:
    """What a note says: what is asked for (wanted or not), the numbers, the kinds of things, who plays which part, code in its order."""

    asked: frozenset[tuple[bool, str, str]]
    numbers: tuple[tuple[bool, str], ...]
    kinds: frozenset[str]
    parts: frozenset[tuple[str, str]]
    code: tuple[tuple[str, str], ...]


def words_of(note: str) -> int:
    """How many words a note has, parted by blanks."""
    return len(note.split())


def same_note(a: str, b: str) -> bool:
    """Whether two corrections ask for the same thing, whatever words they use for it."""
    if a.split() == b.split():
        return True
    quoted = _quoted(a) | _quoted(b)
    one, other = _read(_tokens(a, quoted)), _read(_tokens(b, quoted))
    if not one.asked or one.asked != other.asked or one.numbers != other.numbers:
        return False
    return not (one.kinds and other.kinds and one.kinds.isdisjoint(other.kinds)) and _same_parts(one, other)


def _same_parts(one: _Said, other: _Said) -> bool:
    """Nothing plays another part, and code that plays none stands in one order."""
    for role in {role for role, _ in one.parts} & {role for role, _ in other.parts}:
        if {word for r, word in one.parts if r == role}.isdisjoint(word for r, word in other.parts if r == role):
            return False
    shared = one.parts & other.parts
    return _order(one, shared) == _order(other, shared)


def _order(said: _Said, placed: frozenset[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(word for role, word in said.code if (role, word) not in placed))


def _read(tokens: Iterable[_Token]) -> _Said:
    said = list(_scoped(tokens))
    telling = [one for one in said if one[2].sort in ("word", "code") or one[2].text in _TELLING]
    return _Said(
        asked=frozenset((wanted, token.sort, token.text) for wanted, _, token in telling),
        numbers=tuple(sorted((wanted, token.text) for wanted, _, token in said if token.sort == "number")),
        kinds=frozenset(token.text for _, _, token in said if token.sort == "kind"),
        parts=frozenset((role, token.text) for _, role, token in said if role and token.sort not in ("role", "number")),
        code=tuple((role, token.text) for wanted, role, token in telling if token.sort == "code" and wanted),
    )


def _scoped(tokens: Iterable[_Token]) -> Iterator[tuple[bool, str, _Token]]:
    """Each token with what holds for it: whether it is wanted, and the part that the word before gives it."""
    for clause in _clauses(tokens):
        refused = any(_refuses(before, token) for before, token in pairwise([_Token("empty", "do"), *clause]))
        wanted, swapped, role = not refused, False, ""
        for token in clause:
            match token.sort:
                case "not" | "instead":
                    wanted, swapped = False, token.sort == "instead"
                case "use":
                    wanted, swapped = wanted or swapped, False
                case "empty":
                    pass
                case _:
                    yield wanted, role, token
                    role = token.text if token.sort == "role" else role if token.sort in ("number", "kind") else ""


def _clauses(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """A condition is a clause of its own."""
    clause: list[_Token] = []
    for token in tokens:
        if token.sort == "stop" or token.text in _CONDITIONS:
            yield clause
            clause = []
        clause += [token] if token.sort != "stop" else []
    yield clause


def _refuses(before: _Token, token: _Token) -> bool:
    """A `not` at a verb refuses its whole clause, any other what comes after it."""
    return token.sort == "not" and before.sort == "empty" and before.text in _HELPERS


def _quoted(note: str) -> frozenset[str]:
    return frozenset(token.text for token in _tokens(note, frozenset()) if token.sort == "code")


def _tokens(note: str, quoted: frozenset[str]) -> Iterator[_Token]:
    """The tokens of a note; a bare word that is among the `quoted` is code."""
    for found in _TOKEN.finditer(_plain(note)):
        text = found[0]
        match found.lastgroup:
            case "tick" | "double" | "single":
                yield _Token("code", found[found.lastgroup].removesuffix("()"))
            case "stop":
                yield _Token("stop", text)
            case "number":
                yield _Token("number", text)
            case _ if text in quoted or (_CODE.search(text) and not _ORDINAL.fullmatch(text)):
                yield _Token("code", text.removesuffix("()"))
            case _:
                yield _word(text.lower())


def _word(word: str) -> _Token:
    meaning = _meaning(word)
    if word == "but":
        return _Token("stop", word)
    if word == _INSTEAD:
        return _Token("instead", word)
    if word in _NOT:
        return _Token("not", word)
    if word in _ROLES:
        return _Token("role", _ROLES[word])
    if word in _NUMBERS:
        return _Token("number", _NUMBERS[word])
    if word in _USE or word in _EMPTY:
        return _Token("use" if word in _USE else "empty", word)
    return _Token("kind" if meaning in _KINDS else "word", meaning)


def _meaning(word: str) -> str:
    """One word for all that say the same, without the endings of verbs and plurals."""
    root = _root(word)
    known = (form for form in (word, root, f"{root}e") if form in _SAME or form in _KINDS)
    form = next(known, root)
    return _SAME.get(form, form)


def _root(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    elif re.search(r"(?:s|x|z|ch|sh)es$", word):
        word = word[:-2]
    elif re.search(r"[^suiy]s$", word) and len(word) > 3:
        word = word[:-1]
    stem = re.sub(r"(?:ing|ed)$", "", word) if word not in _WHOLE else word
    if len(stem) >= 3 and re.search(r"[aeiouy]", stem) and stem != word:
        word = stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
    return word.removesuffix("e") if len(word) > 3 else word


def _plain(note: str) -> str:
    """Phrases that stand for one word, as that word."""
    text = _NEGATED.sub("do not", re.sub(r"(?<=\w)'s\b", "", note.replace("\u2019", "'")))
    for pattern, word in _PHRASES.items():
        text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    return re.sub(r"\breplac(?:e|es|ing) (.+?) (?:with|by) ", rf"{_INSTEAD} \1, use ", text, flags=re.IGNORECASE)
