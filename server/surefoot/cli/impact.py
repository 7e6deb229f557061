"""`surefoot impact`: what a change of a function would reach: its callers, theirs, and the tests that come by."""

import argparse
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli.common import OK, USAGE, UsageError, place_in, print_json, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.core.sites import Site, Symbol, Target
from surefoot.core.text import relative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from surefoot.syntax.reach import Caller, Reach

SHOWN = 40
"""Callers of one depth, and tests, that are listed for a person; the rest are counted."""

NAMED = 5
"""Files that hand a name on which are told by name."""

NONE = 1
EPILOG = """example:
  surefoot impact src/user.ts:12:17 --root .
  surefoot impact shop/cart.py:40:9 --root . --depth 5 --json

exit codes: 0 found, 1 nothing has a name there, 2 usage"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "impact", "what a change of a function reaches: callers, and tests that reach them", EPILOG)
    parser.add_argument("target", metavar="PATH:LINE:COLUMN", help="the function, at its definition or at any use, counted from 1")
    parser.add_argument("--depth", type=int, default=3, metavar="N", help="how many calls away the farthest caller may be (default: 3)")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Walk from the function to its callers and print what is there."""
    from surefoot.syntax.reach import reach_of
    from surefoot.syntax.store.ground import Ground
    from surefoot.syntax.store.rows import index_folder
    from surefoot.workspace.snapshot import Snapshot

    try:
        texts = Snapshot(root_of(args))
        path, *numbers = str(args.target).rsplit(":", 2)
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise UsageError(f"{args.target!r} is not PATH:LINE:COLUMN, such as src/user.ts:12:17; `surefoot sites NAME` lists places")
        if args.depth < 1:
            raise UsageError(f"--depth {args.depth}: a caller is at least one call away")
        held, offset = place_in(texts, path, int(numbers[0]), int(numbers[1]))
    except UsageError as error:
        say(f"surefoot: {error}")
        return USAGE
    ground = Ground(texts.root, index_folder())
    ground.refresh()
    reach = reach_of(texts, Target(path=str(held.path), offset=offset), ground, args.depth)
    if args.json:
        print_json(as_json(reach, texts.root, args.depth))
    else:
        sys.stdout.write(as_text(reach, texts.root, args.depth))
    if not reach.name:
        say(f"surefoot: there is no name at {args.target}; `surefoot sites NAME` lists places")
        return NONE
    return OK


def as_json(reach: "Reach", root: Path, depth: int) -> dict[str, object]:
    """The answer for programs."""
    return {
        "symbol": reach.name,
        "symbols": [_symbol(symbol, root) for symbol in reach.symbols],
        "family": [_site(site, root) for site in reach.family],
        "named_in": [relative(root, path) for path in reach.named_in],
        "callers": [_caller(caller, root) for caller in reach.callers],
        "tests": [_caller(caller, root) for caller in reach.tests],
        "depth": depth,
        "whole": reach.whole,
        "not_scanned": [{"path": relative(root, held.path), "reason": held.reason} for held in reach.not_scanned],
    }


def _symbol(symbol: Symbol, root: Path) -> dict[str, object]:
    place = symbol.place
    return {"name": symbol.name, "path": relative(root, place.path), "line": place.line, "column": place.column}


def _site(site: Site, root: Path) -> dict[str, object]:
    place = site.place
    where = {"path": relative(root, place.path), "line": place.line, "column": place.column}
    return {**where, "tier": site.tier.value, "reason": site.reason, "text": site.text}


def _caller(caller: "Caller", root: Path) -> dict[str, object]:
    place = caller.place
    where = {"path": relative(root, place.path), "line": place.line, "column": place.column, "function": caller.function}
    return {**where, "tier": caller.tier.value, "depth": caller.depth, "through": caller.through, "uses": caller.uses, "test": caller.test}


def as_text(reach: "Reach", root: Path, depth: int) -> str:
    """The answer for people: the symbol, its family, callers by depth, then the tests."""
    out = [f"{s.kind} {f'{s.container}.' if s.container else ''}{s.name}  {_at(s.place.path, s.place.line, root)}" for s in reach.symbols]
    if reach.family:
        out += ["", f"family, changes together: {len(reach.family)}", *(f"  {_at(s.place.path, s.place.line, root)}" for s in reach.family)]
    if reach.name and not reach.callers:
        out += ["", _nobody(reach, root)]
    code = [caller for caller in reach.callers if not caller.test]
    for level, group in groupby(code, key=lambda caller: caller.depth):
        title = "uses it" if level == 1 else f"{level} calls away"
        out += ["", f"{title}:", *_lines(list(group), root)]
    if reach.tests:
        out += ["", f"tests that reach it: {len(reach.tests)}", *_lines(reach.tests, root)]
    if not reach.whole:
        out += ["", f"there is more: this went {depth} call{'s' * (depth != 1)} far (--depth N goes farther)"]
    if reach.not_scanned:
        out += ["", "not scanned:", *(f"  {relative(root, held.path)}: {held.reason}" for held in reach.not_scanned)]
    return "".join(line + "\n" for line in out)


def _nobody(reach: "Reach", root: Path) -> str:
    """That nobody uses a symbol; whoever imports it may be asked for it from outside of this folder."""
    named = [relative(root, path) for path in reach.named_in]
    if not named:
        return "nobody in this folder uses it"
    shown = ", ".join(named[:NAMED]) + (f" and {len(named) - NAMED} more" if len(named) > NAMED else "")
    return f"nobody in this folder uses it; imported or re-exported in {shown}"


def _lines(callers: "Sequence[Caller]", root: Path) -> list[str]:
    out = [_line(caller, root) for caller in callers[:SHOWN]]
    return [*out, f"  … and {len(callers) - SHOWN} more (--json lists all)"] if len(callers) > SHOWN else out


def _line(caller: "Caller", root: Path) -> str:
    times = f", {caller.uses} uses" if caller.uses > 1 else ""
    through = f" through {caller.through}" if caller.depth > 1 else ""
    where = caller.function or "outside of any function"
    return f"  {caller.tier}  {_at(caller.place.path, caller.place.line, root)}  {where}{times}{through}"


def _at(path: Path, line: int, root: Path) -> str:
    return f"{relative(root, path)}:{line}"
