"""Which sites of a rename must change, which may stay, and what forbids it: asked once, of the scan, before any edit."""

import re
from collections.abc import Sequence

from surefoot.core.plan import Strings
from surefoot.core.sites import Scan, Site, SiteKind, SymbolKind, Tier
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import Refusal
from surefoot.engines.refactor.clash import member_clash, name_clash
from surefoot.engines.refactor.sheet import Sheet
from surefoot.engines.refactor.split import uses_of
from surefoot.engines.refactor.subject import SURE, Found, shown
from surefoot.engines.tasks import name_fault
from surefoot.syntax.languages import language_of
from surefoot.syntax.ledger import is_waived
from surefoot.syntax.mentions import is_test
from surefoot.syntax.words import Shape
from surefoot.workspace.disk import holds_bytes

_SHOWN = 5
"""Places named in one sentence; the rest is counted."""


def name_refusal(found: Found) -> Refusal | None:
    """Why the symbol cannot be called the new name, wherever it is used."""
    old, new = found.old, found.new
    if old == new:
        return Refusal(f"`{old}` already has that name: give another one")
    fault = name_fault(new, found.language, found.symbol.kind)
    if fault:
        return Refusal(f"{fault}: choose another name")
    python = found.language.family == "python"
    if python and (_dunder(old) or _dunder(new)):
        return Refusal(f"`{old if _dunder(old) else new}` is a name that Python itself calls: it cannot be renamed to or from safely")
    if python and found.symbol.kind in {SymbolKind.METHOD, SymbolKind.FIELD} and (old.startswith("__") or new.startswith("__")):
        return Refusal(
            f"`{old if old.startswith('__') else new}` is mangled with the name of its class: rename it by hand, or choose one underscore"
        )
    if old.startswith("#") != new.startswith("#"):
        return Refusal(f"`{old}` and `{new}` are not private alike: keep the `#` as it is")
    return None


def due(found: Found) -> list[Site]:
    """The sites that must be edited: sure ones spelled with the old name, and strings and comments where asked for."""
    out: list[Site] = []
    for site in found.scan.sites:
        sure = site.tier in SURE and site.name == found.old
        string = site.tier is Tier.STRING and found.task.strings is Strings.UPDATE
        mention = site.tier is Tier.MENTION and found.task.comments and site.kind is SiteKind.COMMENT
        if (sure or string or mention) and not is_waived(site, found.waivers):
            out.append(site)
    return out


def waived(found: Found) -> frozenset[Tier]:
    """Tiers that the person said to leave."""
    return frozenset({Tier.STRING}) if found.task.strings is Strings.LEAVE else frozenset()


def strings_refusal(texts: Texts, found: Found) -> Refusal | None:
    """Asks what is to become of strings that resolve to the symbol, where the task has not said."""
    held = [s for s in found.scan.sites if s.tier is Tier.STRING and not is_waived(s, found.waivers)]
    if found.task.strings is not Strings.ASK or not held:
        return None
    count = "1 string resolves" if len(held) == 1 else f"{len(held)} strings resolve"
    return Refusal(f"{count} to `{found.old}` ({_places(texts, held)}): add `including strings` or `leaving strings` to the task")


def filled_refusal(texts: Texts, found: Found) -> Refusal | None:
    """A parameter of a test that pytest fills by its name, where what it fills it with is not a fixture of this folder."""
    at, test = found.symbol.place, found.symbol.container.rpartition(".")[2]
    kin = any(s.tier is Tier.FAMILY for s in found.scan.sites)
    file = texts.read(at.path)
    if found.symbol.kind is not SymbolKind.PARAMETER or kin or found.language.family != "python" or not isinstance(file, TextFile):
        return None
    if not test.startswith("test") or not is_test(at.path, texts.root):
        return None
    define = file.data.rfind(f"def {test}".encode(), 0, at.start)
    above = file.data[max(file.data.rfind(b"\n\n", 0, define), 0) : max(define, 0)]
    if b"patch" in above and not re.search(rf"\b{re.escape(found.old)}\b".encode(), above):
        return None
    return Refusal(f"pytest passes `{found.old}` to `{test}` by that name, from a plugin or a decorator: rename it by hand")


def clash_refusal(texts: Texts, found: Found, held: Sequence[Sheet], named_new: Scan | None) -> Refusal | None:
    """The first place where the new name would mean something else, or something else would come to mean it."""
    if named_new is not None and (clash := member_clash(found.scan, named_new, found.new)) is not None:
        return Refusal(f"{shown(texts, clash.path)}:{clash.line}: {clash.why}; choose another name")
    for sheet in held:
        clash = name_clash(sheet, found.old, found.new)
        if clash is not None:
            return Refusal(f"{shown(texts, clash.path)}:{clash.line}: {clash.why}; choose another name")
        if found.new[:1].islower() and any(w.shape is Shape.JSX for w in sheet.words):
            return Refusal(
                f"`{found.old}` is used as a component in {shown(texts, sheet.path)}: a component's name starts with a capital letter"
            )
    return None


def unread_refusal(texts: Texts, found: Found, held: Sequence[Sheet]) -> Refusal | None:
    """A file that has to change and whose sites stand in text that does not parse, or one that may have to and cannot be read.

    Only the lines of the sites count. TypeScript's grammar stumbles over some sound texts, and then it is not the text that is at fault.
    """
    broken = {unread.path: unread.reason for unread in found.scan.not_scanned}
    for sheet in held:
        reason, at = broken.get(sheet.path, ""), shown(texts, sheet.path)
        if reason and found.language.family == "python":
            return Refusal(f"{at} holds `{found.old}` and {reason}: repair it first")
        if reason:
            return Refusal(f"{reason} of {at}, where `{found.old}` stands: put it in other words, or rename by hand")
    for path, reason in broken.items():
        language = language_of(path)
        if isinstance(texts.read(path), TextFile) or language is None or language.family != found.language.family:
            continue
        if holds_bytes(path, found.old.encode()):
            return Refusal(
                f"{shown(texts, path)} may hold `{found.old}` and could not be looked at ({reason}): repair it or ignore it first"
            )
    return None


def left_refusal(texts: Texts, found: Found, held: Sequence[Sheet]) -> Refusal | None:
    """Uses of the old name that would break if it were taken away now."""
    left = [site for sheet in held for site in uses_of(sheet, found.old)]
    if not left:
        return None
    return Refusal(f"`{found.old}` is still used ({_places(texts, left)}): apply the steps that move these uses, or give the task again")


def _places(texts: Texts, sites: Sequence[Site]) -> str:
    places = ", ".join(f"{shown(texts, s.place.path)}:{s.place.line}" for s in sites[:_SHOWN])
    return places + (f" and {len(sites) - _SHOWN} more" if len(sites) > _SHOWN else "")


def _dunder(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")
