"""What looks like a key or a password in a text: found by its form, and covered byte for byte. Not every secret has such a form."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

SHORTEST = 8
"""Bytes of a value that is taken for a secret where only its name says so, and of a line of a key."""

_NAMED = (
    r"(?i:pass(?:word|wd|phrase|(?![aei]))|secret|token(?!i)|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key"
    r"|credentials?|auth(?!or(?!i)))"
)
# What such a name says where it ends like this is where a secret is, or how it is called.
_ENDS = "".join(f"(?<!{end})" for end in ("name", "field", "header", "label", "url", "uri", "path", "file", "type", "prefix", "env"))
_NAME = rf"{_NAMED}\w{{0,40}}+(?i:{_ENDS})"
_TYPE = r"(?:[ \t]*\??:[ \t]*[\w.]+(?:[\[<][\w.\[\]<>|, ]{0,40}?[\]>])?(?: *\| *[\w.\[\]<>]+)*)?"
# A value that is nothing but a placeholder is a name, too.
_VALUE = rf"[bBfFrRuU]{{0,2}}(?P<quote>[\"'`])(?!\$?\{{[^{{}}\n]*\}}+(?P=quote))(?P<it>[!-~]{{{SHORTEST},}}?)(?P=quote)"
_BARE = rf"(?P<it>[^\s\"'`#$(){{}}<>,;]{{{SHORTEST},}})"

_FORMS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "a key of Anthropic": re.compile(r"sk-ant-[\w-]{12,}", re.ASCII),
        "a key of OpenAI": re.compile(r"\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}", re.ASCII),
        "a token of GitHub": re.compile(r"gh[pousr]_\w{30,}|github_pat_\w{22,}", re.ASCII),
        "a token of GitLab": re.compile(r"glpat-[\w-]{20,}", re.ASCII),
        "a token of npm": re.compile(r"npm_\w{36}", re.ASCII),
        "a token of Slack": re.compile(r"xox[abeoprs]-[\w-]{10,}", re.ASCII),
        "a key of AWS": re.compile(r"(?:AKIA|ASIA)[0-9A-Z]{16}", re.ASCII),
        "a key of Google": re.compile(r"AIza[\w-]{35}", re.ASCII),
        "a key of Stripe": re.compile(r"[rs]k_(?:live|test)_\w{16,}", re.ASCII),
        "a signed token": re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", re.ASCII),
        "a password in an address": re.compile(r"\b\w{1,20}://[^\s:/@]{1,200}:(?P<it>[^\s:/@{}$]{3,200})@", re.ASCII),
        "a named secret": re.compile(rf"{_NAME}[\"'`]?\]?{_TYPE}\s*(?:(?::=|=>|=)\s*\(?\s*|:[ \t]*){_VALUE}", re.ASCII),
        "a default of a named secret": re.compile(
            rf"(?:\bget|env|setdefault)\(\s*[\"'`]\w{{0,40}}?{_NAME}[\"'`]\s*,\s*(?:default\s*=\s*)?{_VALUE}", re.ASCII
        ),
        "a header": re.compile(
            r"(?i:authorization)[\"'`]?\]?\s*[:=,]\s*[bBfFrRuU]{0,2}[\"'`]?(?i:bearer|basic|digest|token|key) +(?P<it>[\w.~+/=-]{8,})",
            re.ASCII,
        ),
        "a bearer of a header": re.compile(r"\b(?i:bearer) +(?P<it>(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,})", re.ASCII),
        "a line of settings": re.compile(
            rf"^[ +-]?(?:export +)?(?:[A-Z0-9_]{{0,40}}?(?=[A-Z]){_NAME}(?<![a-z])|[\w.-]{{0,40}}?{_NAME}(?==\S*\d))={_BARE}[ \t\r]*$",
            re.ASCII | re.MULTILINE,
        ),
    }
)

_MARK = re.compile(r"-----(BEGIN|END) [A-Z ]*PRIVATE KEY-----", re.ASCII)
# A sign in front may be that of a diff; a comma or a quotation mark after it is that of the code around.
_KEY = re.compile(rf"[\w/=][\w+/=]{{{SHORTEST - 1},}}", re.ASCII)
_LINE_OF_KEY = re.compile(r"\W*[\w+/=]+\W*(?:\\n)?\W*", re.ASCII)


def secrets_in(text: str) -> frozenset[str]:
    """Every secret of a text, without what stands around it; a private key line by line, so that a part of it is found elsewhere."""
    found = set(_keys(text))
    for form in _FORMS.values():
        for match in form.finditer(text):
            found.add(match["it"] if "it" in form.groupindex else match[0])
    return frozenset(found)


def covered(text: str, secrets: Iterable[str]) -> str:
    """The text with a star for each byte of a secret, so that offsets stay what they are."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "".join(c if c == "\n" else "*" * len(c.encode()) for c in secret))
    return text


def _keys(text: str) -> Iterator[str]:
    """The lines of private keys, also of one whose beginning or end is cut off."""
    if _MARK.search(text) is None:
        return
    lines = text.split("\n")
    for at, line in enumerate(lines):
        for mark in _MARK.finditer(line):
            # A key may stand in one line, its line ends written out.
            begins = mark[1] == "BEGIN"
            inside = line[mark.end() :].partition("-----")[0] if begins else line[: mark.start()].rpartition("-----")[2]
            yield from _KEY.findall(inside.replace("\\n", "\n"))
            for other in lines[at + 1 :] if begins else reversed(lines[:at]):
                if ": " not in other and not _LINE_OF_KEY.fullmatch(other):
                    break
                if ": " not in other:
                    yield from _KEY.findall(other.replace("\\n", "\n"))
