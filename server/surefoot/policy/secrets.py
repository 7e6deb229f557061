"""Keys and passwords in a text: found by their form, and covered byte for byte."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

SHORTEST = 8
"""Bytes of a value that is taken for a secret where only its name says so."""

_NAMED = r"(?i:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|auth)"
_FORMS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "a key of Anthropic": re.compile(r"sk-ant-[\w-]{12,}", re.ASCII),
        "a key of OpenAI": re.compile(r"sk-(?:proj-)?[A-Za-z0-9_-]{20,}", re.ASCII),
        "a token of GitHub": re.compile(r"gh[pousr]_\w{30,}|github_pat_\w{22,}", re.ASCII),
        "a token of GitLab": re.compile(r"glpat-[\w-]{20,}", re.ASCII),
        "a token of npm": re.compile(r"npm_\w{36}", re.ASCII),
        "a token of Slack": re.compile(r"xox[abeoprs]-[\w-]{10,}", re.ASCII),
        "a key of AWS": re.compile(r"(?:AKIA|ASIA)[0-9A-Z]{16}", re.ASCII),
        "a key of Google": re.compile(r"AIza[\w-]{35}", re.ASCII),
        "a key of Stripe": re.compile(r"[rs]k_(?:live|test)_\w{16,}", re.ASCII),
        "a signed token": re.compile(r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", re.ASCII),
        "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<it>[\s\S]+?)-----END", re.ASCII),
        "a password in an address": re.compile(r"\w+://[^\s:/@]+:(?P<it>[^\s:/@]{3,})@", re.ASCII),
        "a named secret": re.compile(rf"{_NAMED}\w*[\"']?\s*[:=]\s*[\"'](?P<it>[!-~]{{{SHORTEST},}}?)[\"']", re.ASCII),
    }
)


def secrets_in(text: str) -> frozenset[str]:
    """Every secret of a text, without what stands around it."""
    found: set[str] = set()
    for form in _FORMS.values():
        for match in form.finditer(text):
            found.add(match["it"] if "it" in form.groupindex else match[0])
    return frozenset(found)


def covered(text: str, secrets: Iterable[str]) -> str:
    """The text with a star for each byte of a secret, so that offsets stay what they are."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "".join(c if c == "\n" else "*" * len(c.encode()) for c in secret))
    return text
