"""Symbols and their sites: every reference that a change must account for, and how sure we are of each."""

from enum import StrEnum
from pathlib import Path

from surefoot.core.text import Place, Unreadable
from surefoot.core.value import value


class SymbolKind(StrEnum):
    """What a definition defines."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FIELD = "field"
    TYPE = "type"
    MODULE = "module"


class SiteKind(StrEnum):
    """How a site mentions its symbol."""

    DEFINITION = "definition"
    CALL = "call"
    IMPORT = "import"
    REEXPORT = "reexport"
    ALIAS = "alias"
    VALUE = "value"
    DECORATOR = "decorator"
    TYPE = "type"
    STRING = "string"
    COMMENT = "comment"


class Tier(StrEnum):
    """How a site relates to the symbol; no hit is ever dropped."""

    EXACT = "exact"
    FAMILY = "family"
    STRING = "string"
    LIKELY = "likely"
    MENTION = "mention"
    EXCLUDED = "excluded"


REQUIRED_TIERS = frozenset({Tier.EXACT, Tier.FAMILY, Tier.STRING})
"""Sites of these tiers must be updated, fit or be waived before a change may be offered."""


@value
class Symbol:
    """One definition: `place` covers its name. `container` is the dotted path of the classes and functions around it."""

    name: str
    kind: SymbolKind
    place: Place
    container: str = ""


@value
class Site:
    """One mention of a symbol. `place` covers exactly the bytes that a rename would replace.

    `function` is the dotted name of the enclosing function or class ("" at module level); `text` the trimmed source line; `reason` says
    in a few words why the site has its tier; `name` is the identifier as written there (an alias differs from the symbol's name);
    `local` is set on import and re-export sites that bind another local name (`import f as g`: `g`). `shorthand` marks a name that is
    a key and a value at once (`{f}`): a rename must write both apart. An `overload` is another function of the name, or a call of one.
    """

    place: Place
    kind: SiteKind
    tier: Tier
    reason: str
    function: str
    test: bool
    text: str
    name: str
    local: str = ""
    shorthand: bool = False
    overload: bool = False


@value
class Target:
    """What is looked for: every symbol called `name`, or the one at byte `offset` of `path` (a definition or any use of it)."""

    name: str = ""
    path: str = ""
    offset: int = -1


@value
class Scan:
    """The answer to "where is it?": definitions, sites by path and offset, and what could not be looked at."""

    name: str
    symbols: tuple[Symbol, ...]
    sites: tuple[Site, ...]
    not_scanned: tuple[Unreadable, ...]


class SiteStatus(StrEnum):
    """What became of an obligation."""

    PENDING = "pending"
    UPDATED = "updated"
    FITS = "fits"
    WAIVED = "waived"


@value
class Waiver:
    """A person lets the site at this place be, as it stands in the text when the next draft is made: line and column from 1."""

    path: Path
    line: int
    column: int
    reason: str


@value
class Entry:
    """One line of the ledger: a site, its status and the proof or the reason."""

    site: Site
    status: SiteStatus
    proof: str


@value
class Ledger:
    """Every site of the symbols that a run touches, against one text. Recomputed whenever text moves."""

    entries: tuple[Entry, ...]
    not_scanned: tuple[Unreadable, ...] = ()

    @property
    def pending(self) -> tuple[Entry, ...]:
        """Obligations still open: these block an offer."""
        return tuple(e for e in self.entries if e.status is SiteStatus.PENDING and e.site.tier in REQUIRED_TIERS)
