"""`surefoot sites`: where a symbol is, before anything is changed."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli.common import OK, USAGE, UsageError, finish, place_in, print_json, root_of, say
from surefoot.cli.opinion import as_text as opinion_text
from surefoot.cli.opinion import opinion_json, second_opinion, servers_json
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.core.sites import Scan, Site, Symbol, Target, Tier
from surefoot.core.text import Texts

if TYPE_CHECKING:
    from surefoot.syntax.opinions import SecondOpinion
    from surefoot.workspace.snapshot import Snapshot

NONE = 1
SHOWN = 20
"""Sites of one tier that are listed for a person where the tier asks for no change; the rest are counted."""

REASONS = 8
"""Reasons for which sites are excluded that are told apart."""

MEANINGS: Mapping[Tier, str] = {
    Tier.EXACT: "resolve to the symbol",
    Tier.FAMILY: "overrides and interface siblings, and calls through them",
    Tier.STRING: "strings that resolve to the symbol",
    Tier.LIKELY: "could not be resolved",
    Tier.MENTION: "comments, strings and documents",
    Tier.EXCLUDED: "resolve to something else",
}
LISTED_WHOLE = frozenset({Tier.EXACT, Tier.FAMILY, Tier.STRING})
EPILOG = """example:
  surefoot sites getUser --root .
  surefoot sites Cart.total --root . --json
  surefoot sites src/user.ts:12:17 --root .
  surefoot sites getUser --tier likely,excluded --no-tests

exit codes: 0 found, 1 none, 2 usage"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "sites", "list every site of a symbol, each with its tier", EPILOG)
    parser.add_argument("target", metavar="TARGET", help="NAME, CLASS.NAME, or PATH:LINE:COLUMN counted from 1")
    parser.add_argument("--tier", default="", metavar="TIER,…", help="only these tiers: " + ", ".join(Tier))
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--tests", dest="tests", action="store_true", default=None, help="only test code")
    only.add_argument("--no-tests", dest="tests", action="store_false", default=None, help="no test code")
    parser.add_argument("--second-opinion", action="store_true", help="start language servers, and say where they differ")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Search the files on disk and print what is there."""
    from surefoot.syntax.sites import find_sites
    from surefoot.syntax.store.ground import Ground
    from surefoot.syntax.store.rows import index_folder
    from surefoot.workspace.snapshot import Snapshot

    try:
        texts = Snapshot(root_of(args))
        target, _ = _target(texts, str(args.target)), _tiers(args.tier)
        ground = Ground(texts.root, index_folder())
        ground.refresh()
        whole = find_sites(texts, target, ground=ground)
    except UsageError as error:
        say(f"surefoot: {error}")
        return USAGE
    if args.second_opinion and whole.name:
        return finish(_with_opinion(args, texts, target, whole))
    return _told(args, texts.root, whole)


async def _with_opinion(args: argparse.Namespace, texts: "Snapshot", target: Target, whole: Scan) -> int:
    heard = await second_opinion(texts, whole, target)
    return _told(args, texts.root, heard.scan, heard)


def _told(args: argparse.Namespace, root: Path, whole: Scan, heard: "SecondOpinion | None" = None) -> int:
    from surefoot.syntax.sites import counted

    tiers = _tiers(args.tier)
    scan = _asked(whole, tiers, args.tests)
    if args.json:
        print_json(as_json(scan, root, heard))
    else:
        sys.stdout.write(as_text(scan, root, listed=tiers))
        sys.stdout.write(opinion_text(heard, scan.sites, root) if heard else "")
    if whole.sites and not scan.sites:
        say(f"surefoot: none of the {counted(whole.sites)} is of the kind that was asked for")
        return NONE
    if not scan.name:
        say(f"surefoot: there is no name at {args.target}; `surefoot sites NAME` lists places")
        return NONE
    if not scan.sites:
        say(f"surefoot: nothing called {scan.name} is in {root}; check the spelling, or name another --root")
        return NONE
    return OK


def _target(texts: Texts, words: str) -> Target:
    """NAME or PATH:LINE:COLUMN. Raises UsageError when it is neither, or when there is no such place."""
    path, *numbers = words.rsplit(":", 2)
    if len(numbers) == 2 and all(number.isdecimal() for number in numbers):
        held, offset = place_in(texts, path, int(numbers[0]), int(numbers[1]))
        return Target(path=str(held.path), offset=offset)
    if not all(part.removeprefix("#").replace("$", "_").isidentifier() for part in words.split(".")):
        raise UsageError(f"{words!r} is neither NAME nor PATH:LINE:COLUMN, such as getUser or src/user.ts:12:17")
    return Target(name=words)


def _tiers(words: str) -> frozenset[Tier]:
    """The tiers that are named, all of them where none is. Raises UsageError."""
    named = [word.strip() for word in words.split(",") if word.strip()]
    if unknown := [word for word in named if word not in set(Tier)]:
        raise UsageError(f"--tier {words}: there is no {unknown[0]!r}; there are {', '.join(Tier)}")
    return frozenset(map(Tier, named))


def _asked(scan: Scan, tiers: frozenset[Tier], tests: bool | None) -> Scan:
    """The sites that somebody wants to see."""
    sites = tuple(s for s in scan.sites if (not tiers or s.tier in tiers) and (tests is None or s.test is tests))
    return replace(scan, sites=sites)


def as_json(scan: Scan, root: Path, heard: "SecondOpinion | None" = None) -> dict[str, object]:
    """The answer for programs."""
    return {
        "symbol": scan.name,
        "symbols": [_symbol_json(symbol, root) for symbol in scan.symbols],
        "sites": [_site_json(site, root) | opinion_json(heard, site) for site in scan.sites],
        "not_scanned": [{"path": _shown(held.path, root), "reason": held.reason} for held in scan.not_scanned],
        **servers_json(heard),
    }


def _symbol_json(symbol: Symbol, root: Path) -> dict[str, object]:
    return {
        "name": symbol.name,
        "path": _shown(symbol.place.path, root),
        "line": symbol.place.line,
        "column": symbol.place.column,
    }


def _site_json(site: Site, root: Path) -> dict[str, object]:
    return {
        "path": _shown(site.place.path, root),
        "line": site.place.line,
        "column": site.place.column,
        "kind": site.kind.value,
        "tier": site.tier.value,
        "reason": site.reason,
        "function": site.function,
        "test": site.test,
        "text": site.text,
    }


def as_text(scan: Scan, root: Path, *, listed: frozenset[Tier] = frozenset()) -> str:
    """The answer for people: definitions, then each tier by file, then what was not looked at.

    Excluded sites are told by how many there are for each reason, unless their tier is `listed`.
    """
    from surefoot.syntax.sites import counted

    out: list[str] = []
    for symbol in scan.symbols:
        whole = f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
        out.append(f"{symbol.kind} {whole}  {_shown(symbol.place.path, root)}:{symbol.place.line}:{symbol.place.column}")
    if scan.sites and not scan.symbols:
        out.append(f"{scan.name} is not defined here")
    if scan.sites:
        out.append(counted(scan.sites))
    for tier in Tier:
        if sites := [site for site in scan.sites if site.tier is tier]:
            out += [
                "",
                f"{tier}: {counted(sites)} ({MEANINGS[tier]})",
                *(_by_file(tier, sites, root, tier in listed) if tier is not Tier.EXCLUDED or tier in listed else _by_reason(sites)),
            ]
    if scan.not_scanned:
        out += ["", "not scanned:", *(f"  {_shown(held.path, root)}: {held.reason}" for held in scan.not_scanned)]
    return "".join(line + "\n" for line in out)


def _by_reason(sites: list[Site]) -> list[str]:
    """Counts of reasons, the most frequent first."""
    counts = Counter(site.reason for site in sites).most_common()
    rest = sum(count for _, count in counts[REASONS:])
    out = [f"  {count}: {reason}" for reason, count in counts[:REASONS]]
    return [*out, *([f"  {rest}: other reasons"] if rest else []), "  (--tier excluded lists them)"]


def _by_file(tier: Tier, sites: list[Site], root: Path, whole: bool) -> list[str]:
    shown = sites if tier in LISTED_WHOLE or whole else sites[:SHOWN]
    out: list[str] = []
    for path, group in groupby(shown, key=lambda site: site.place.path):
        out.append(f"  {_shown(path, root)}")
        out += [f"    {_line(tier, site)}" for site in group]
    if len(shown) < len(sites):
        out.append(f"  … and {len(sites) - len(shown)} more (--tier {tier} lists all)")
    return out


def _line(tier: Tier, site: Site) -> str:
    why = "" if tier is Tier.EXACT and site.name in site.text and not site.reason.startswith("through") else f"  ({site.reason})"
    where = f" in {site.function}" if site.function else ""
    return f"{site.place.line}:{site.place.column}  {site.kind}{where}{why}  {site.text}"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
