"""`surefoot sites`: where a symbol is, before anything is changed."""

import argparse
import codecs
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from surefoot.cli.common import OK, USAGE, UsageError, print_json, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.core.errors import OutsideText
from surefoot.core.sites import Scan, Site, Symbol, Target, Tier
from surefoot.core.text import LineIndex, TextFile, Texts

NONE = 1
SHOWN = 20
"""Sites of one tier that are listed for a person where the tier asks for no change; the rest are counted."""

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

exit codes: 0 found, 1 none, 2 usage"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "sites", "list every site of a symbol, each with its tier", EPILOG)
    parser.add_argument("target", metavar="TARGET", help="NAME, CLASS.NAME, or PATH:LINE:COLUMN counted from 1")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Search the files on disk and print what is there."""
    from surefoot.syntax.sites import find_sites
    from surefoot.syntax.store.ground import Ground
    from surefoot.syntax.store.rows import index_folder
    from surefoot.workspace.snapshot import Snapshot

    try:
        texts = Snapshot(root_of(args))
        target = _target(texts, str(args.target))
        ground = Ground(texts.root, index_folder())
        ground.refresh()
        scan = find_sites(texts, target, ground=ground)
    except UsageError as error:
        say(f"surefoot: {error}")
        return USAGE
    if args.json:
        print_json(as_json(scan, texts.root))
    else:
        sys.stdout.write(as_text(scan, texts.root))
    if not scan.sites:
        say(f"surefoot: nothing called {scan.name or args.target} is in {texts.root}; check the spelling, or name another --root")
        return NONE
    return OK


def _target(texts: Texts, words: str) -> Target:
    """NAME or PATH:LINE:COLUMN. Raises UsageError when it is neither, or when there is no such place."""
    path, *numbers = words.rsplit(":", 2)
    if len(numbers) == 2 and all(number.isdecimal() for number in numbers):
        return _place(texts, path, int(numbers[0]), int(numbers[1]))
    if not all(part.removeprefix("#").replace("$", "_").isidentifier() for part in words.split(".")):
        raise UsageError(f"{words!r} is neither NAME nor PATH:LINE:COLUMN, such as getUser or src/user.ts:12:17")
    return Target(name=words)


def _place(texts: Texts, path: str, line: int, column: int) -> Target:
    whole = texts.root / path
    held = texts.read(whole)
    if not isinstance(held, TextFile):
        raise UsageError(f"{path} cannot be read: {held.reason if held else 'there is no such file below the root'}")
    try:
        mark = len(codecs.BOM_UTF8) if held.data.startswith(codecs.BOM_UTF8) else 0
        offset = max(mark, LineIndex(held.data).offset(line - 1, column - 1))
    except OutsideText as error:
        raise UsageError(f"{path}:{line}:{column} is no place: {error}") from error
    return Target(path=str(whole), offset=offset)


def as_json(scan: Scan, root: Path) -> dict[str, object]:
    """The answer for programs."""
    return {
        "symbol": scan.name,
        "symbols": [_symbol_json(symbol, root) for symbol in scan.symbols],
        "sites": [_site_json(site, root) for site in scan.sites],
        "not_scanned": [{"path": _shown(held.path, root), "reason": held.reason} for held in scan.not_scanned],
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


def as_text(scan: Scan, root: Path) -> str:
    """The answer for people: definitions, then each tier by file, then what was not looked at."""
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
            out += ["", f"{tier}: {counted(sites)} ({MEANINGS[tier]})", *_by_file(tier, sites, root)]
    if scan.not_scanned:
        out += ["", "not scanned:", *(f"  {_shown(held.path, root)}: {held.reason}" for held in scan.not_scanned)]
    return "".join(line + "\n" for line in out)


def _by_file(tier: Tier, sites: list[Site], root: Path) -> list[str]:
    shown = sites if tier in LISTED_WHOLE else sites[:SHOWN]
    out: list[str] = []
    for path, group in groupby(shown, key=lambda site: site.place.path):
        out.append(f"  {_shown(path, root)}")
        out += [f"    {_line(tier, site)}" for site in group]
    if len(shown) < len(sites):
        out.append(f"  … and {len(sites) - len(shown)} more (--json lists all)")
    return out


def _line(tier: Tier, site: Site) -> str:
    why = "" if tier is Tier.EXACT and site.name in site.text and not site.reason.startswith("through") else f"  ({site.reason})"
    where = f" in {site.function}" if site.function else ""
    return f"{site.place.line}:{site.place.column}  {site.kind}{where}{why}  {site.text}"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
