"""Building HTML so that text cannot become markup: a `str` is always escaped, only an `Html` goes in as it is, and only this file makes
one. That is a property of types which a template language leaves to its settings, and it needs no other package.
"""

import html
import re
from collections.abc import Iterable

from surefoot.core.value import value

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Characters that show nothing, or that reorder what stands around them."""

_VOID = frozenset({"meta", "br", "hr", "col"})


@value
class Html:
    """Markup that is safe as it stands."""

    text: str


Node = Html | str | None


def el(tag: str, /, *children: Node, **attributes: str | bool | int) -> Html:
    """An element. `cls` is its class; other names of attributes are taken as they are, with `-` for `_`; False leaves one out."""
    opened = f"<{tag}{''.join(_attribute(k, v) for k, v in attributes.items() if v is not False)}>"
    return Html(opened if tag in _VOID else f"{opened}{joined(children).text}</{tag}>")


def joined(children: Iterable[Node]) -> Html:
    """Nodes one after the other."""
    return Html("".join(c.text if isinstance(c, Html) else escaped(c) for c in children if c is not None))


def style(css: str) -> Html:
    """A style sheet of our own, in the page."""
    return Html(f"<style>{css}</style>")


def document(head: Html, body: Html) -> str:
    """A whole page."""
    return f'<!doctype html>\n<html lang="en">\n{head.text}\n{body.text}\n</html>\n'


def escaped(text: str) -> str:
    """Text as HTML shows it; what cannot be seen is named."""
    return html.escape(_UNSEEN.sub(_named, text), quote=True)


def _named(found: re.Match[str]) -> str:
    return "␍" if found[0] == "\r" else f"[U+{ord(found[0]):04X}]"


def _attribute(name: str, held: str | bool | int) -> str:
    key = "class" if name == "cls" else name.replace("_", "-")
    return f" {key}" if held is True else f' {key}="{escaped(str(held))}"'
