"""Tiers: what an occurrence means, held against what is looked for."""

from collections.abc import Collection, Mapping
from typing import TypeVar

from surefoot.core.sites import SiteKind, SymbolKind, Tier
from surefoot.core.value import value
from surefoot.syntax.meaning import Meaning
from surefoot.syntax.outline import CALLED, ScopeKind
from surefoot.syntax.refs import Key, Ref, Refs, Unknown
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.wanted import Wanted, describe

R = TypeVar("R", bound=Ref)

_NOT_NAMES: Mapping[str, str] = {
    "keyword": "a keyword argument",
    "key": "the key of an object",
    "attribute": "an attribute of an element",
    "label": "a label",
    "path": "part of a module's name",
    "other": "part of another name",
}


@value
class Finding:
    """A tier and, in a few words, why; the kind that the site turns out to have."""

    tier: Tier
    reason: str
    kind: SiteKind


def finding_of(resolver: Resolver, wanted: Wanted, meaning: Meaning) -> Finding:
    """The tier of one occurrence, whatever form it has."""
    tier, reason = _tier(resolver, wanted, meaning)
    return Finding(tier, reason, _kind(resolver, wanted, meaning, tier))


def _tier(resolver: Resolver, wanted: Wanted, meaning: Meaning) -> tuple[Tier, str]:
    match meaning.form:
        case "comment":
            return Tier.MENTION, "in a comment"
        case "string":
            return _string(resolver, wanted, meaning.refs)
        case "named":
            return _named(resolver, wanted, meaning.refs)
        case "fixture":
            return (Tier.STRING, "asks pytest for the fixture") if wanted.injected else (Tier.MENTION, "in a string")
        case "keyed":
            tier, reason = _named(resolver, wanted, meaning.refs)
            return (tier, reason) if tier is Tier.STRING else (Tier.MENTION, "in a string")
        case "taken" if wanted.member and not meaning.refs & wanted.all:
            return judge(resolver, wanted, meaning.taken)
        case "keyword" if wanted.member or SymbolKind.PARAMETER in wanted.kinds:
            return judge(resolver, wanted, meaning.refs)
        case "key" | "attribute" if wanted.member:
            return Tier.LIKELY, f"{_NOT_NAMES[meaning.form]}, which may have the member"
        case "path" if meaning.refs:
            return judge(resolver, wanted, meaning.refs)
        case "keyword" | "key" | "attribute" | "label" | "path" | "other":
            return Tier.EXCLUDED, _NOT_NAMES[meaning.form]
        case "member" | "field" if wanted.local and not meaning.refs & wanted.all:
            return Tier.EXCLUDED, "a member, not the local name"
        case _:
            return _plain(resolver, wanted, meaning)


def _plain(resolver: Resolver, wanted: Wanted, meaning: Meaning) -> tuple[Tier, str]:
    if meaning.form == "variable" and not wanted.kinds & {SymbolKind.VARIABLE, SymbolKind.PARAMETER}:
        return Tier.EXCLUDED, "a variable"
    tier, reason = judge(resolver, wanted, meaning.refs)
    if tier in (Tier.EXACT, Tier.FAMILY):
        if meaning.form != "definition" or tier is not Tier.EXACT:
            return tier, reason
        return tier, "pytest fills it with the fixture" if meaning.refs & wanted.filled else "the definition"
    if wanted.member and (meaning.shorthand or _is_object_key(resolver, meaning)):
        return Tier.LIKELY, f"{_NOT_NAMES['key']}, which may have the member"
    if not wanted.plain and meaning.form == "name" and tier is Tier.LIKELY:
        return Tier.EXCLUDED, "a bare name, not a member"
    if tier is Tier.EXCLUDED and meaning.form != "taken" and (meaning.form != "definition" or wanted.callable):
        for key in sorted((ref for ref in meaning.refs if isinstance(ref, Key)), key=str):
            if _holds(resolver, wanted, key):
                through = "" if meaning.form == "definition" else "through "
                return Tier.LIKELY, f"{through}{describe(resolver, key)}, which holds it"
    return tier, reason


def _is_object_key(resolver: Resolver, meaning: Meaning) -> bool:
    keys = [ref for ref in meaning.refs if isinstance(ref, Key)]
    outlines = [(resolver.outline(key.path), key.scope) for key in keys]
    return meaning.form == "definition" and any(o is not None and o.scopes[scope].kind is ScopeKind.OBJECT for o, scope in outlines)


def _string(resolver: Resolver, wanted: Wanted, refs: Refs) -> tuple[Tier, str]:
    tier, reason = judge(resolver, wanted, refs)
    if tier in (Tier.EXACT, Tier.FAMILY):
        return Tier.STRING, "a dotted name that resolves to the symbol"
    if refs and tier is Tier.EXCLUDED:
        return tier, f"a string that names something else: {reason}"
    return Tier.MENTION, "in a string"


def _named(resolver: Resolver, wanted: Wanted, refs: Refs) -> tuple[Tier, str]:
    tier, reason = judge(resolver, wanted, refs)
    if tier in (Tier.EXACT, Tier.FAMILY):
        return Tier.STRING, "a name that is looked up on what defines the symbol"
    if tier is Tier.LIKELY and not wanted.member:
        return Tier.MENTION, f"a name that is looked up: {reason}"
    return tier, reason


def _kind(resolver: Resolver, wanted: Wanted, meaning: Meaning, tier: Tier) -> SiteKind:
    """A variable is defined once; what assigns it again is a value. A type and a value may share a name, and both define it."""
    functions = any(isinstance(ref, Key) and ref.name.endswith(CALLED) for ref in meaning.refs)
    if meaning.form == "bare" and meaning.kind is SiteKind.VALUE and functions:
        return SiteKind.CALL  # what looks like a variable is a function, and its name alone calls it
    if meaning.kind is not SiteKind.DEFINITION or meaning.binding is None:
        return meaning.kind
    if meaning.refs & wanted.filled:
        return SiteKind.VALUE
    if meaning.form == "taken" and wanted.member and not meaning.refs & wanted.all:
        return SiteKind.VALUE
    bindings = [b for ref in meaning.refs if isinstance(ref, Key) for b in resolver.bindings_of(ref)]
    own = meaning.binding
    alike = [b for b in bindings if (b.kind is SymbolKind.TYPE) is (own.kind is SymbolKind.TYPE)]
    again = bool(alike) and alike[0].start != own.start and own.inner < 0
    return SiteKind.VALUE if again else SiteKind.DEFINITION


def _holds(resolver: Resolver, wanted: Wanted, key: Key) -> bool:
    """Whether a variable or a field is bound to the symbol somewhere."""
    held = [b.origin for b in resolver.bindings_of(key) if b.origin is not None and b.origin.kind in ("name", "member") and not b.shorthand]
    return key not in wanted.all and any(resolver.value(key.path, origin) & wanted.all for origin in held)


def judge(resolver: Resolver, wanted: Wanted, refs: Refs) -> tuple[Tier, str]:
    """The tier of something that means `refs`."""
    keys = {ref for ref in refs if isinstance(ref, Key)}
    if keys & wanted.exact:
        return Tier.EXACT, "resolves to the symbol"
    if kin := keys & wanted.family:
        return Tier.FAMILY, f"resolves to {describe(resolver, _first(kin))}"
    if kin := keys & wanted.cousins:
        return Tier.LIKELY, f"{describe(resolver, _first(kin))} may override the same member of a base that cannot be looked into"
    if doubts := [ref for ref in refs if isinstance(ref, Unknown) and (wanted.beyond or not ref.outside)]:
        return Tier.LIKELY, _first(doubts).why
    if refs:
        return Tier.EXCLUDED, f"is {describe(resolver, _first(refs))}"
    return Tier.LIKELY, "what it means is not known"


def _first(refs: Collection[R]) -> R:
    """The one that a reason speaks of; whichever set they came from, it is the same one."""
    return next(iter(refs)) if len(refs) == 1 else min(refs, key=str)
