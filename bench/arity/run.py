"""False alarms on public code that nobody tuned on: every call that resolves to functions of the code base is bound to what they take, and
one of a class to what its constructor takes.

The code compiles and runs as it is, so that a call which does not fit is a fault of ours, or of the code. As a check that the question can
be answered with no at all, each call is asked about a second time under signatures with one more parameter in front, which it cannot fit.
Exits with 1 for a false alarm or for fewer calls than the goal, with 3 when something cannot be fetched.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.accuracy.codebases import CodeBase, prepare
from bench.accuracy.run import chosen_bases
from bench.real.targets import Unfit

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.arity import Fit, Given, Parameter, Signature, Slot, bind, compare
from surefoot.syntax.arity_read import Reader
from surefoot.syntax.arity_rules import rules_of
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import language_of
from surefoot.syntax.meaning import meaning_of
from surefoot.syntax.refs import Key, Klass, Ref
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.view import View
from surefoot.workspace.snapshot import Snapshot

GOAL_CALLS, GOAL_LANGUAGES = 5_000, 5
LARGEST = 1_000_000
"""Bytes of a file that is read; the rest is made by programs."""
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
EXPLAINED = Path(__file__).with_name("explained.json")
EPILOG = """examples:
  python -m bench.arity.run
  python -m bench.arity.run --only scrapy --unknown"""


@dataclass(slots=True)
class Count:
    """Calls of one language that resolve: those that fit, those that cannot be told, by reason, and those that do not fit."""

    resolved: int = 0
    fits: int = 0
    caught: int = 0
    unknown: Counter[str] = field(default_factory=Counter[str])
    alarms: list[str] = field(default_factory=list[str])
    explained: list[str] = field(default_factory=list[str])


def main(argv: Sequence[str] | None = None) -> int:
    """0 when there was no false alarm on enough calls of enough languages."""
    options = _parser().parse_args(argv)
    try:
        bases = chosen_bases(options.only)
    except Unfit as error:
        print(f"bench/arity: {error}", file=sys.stderr)
        return 2
    counts: dict[str, Count] = {}
    missing: list[str] = []
    began = time.monotonic()
    for base in bases:
        print(f"{base.name} {base.version}", file=sys.stderr, flush=True)
        try:
            prepare(base)
            count_calls(base, counts)
        except Unfit as error:
            missing.append(f"{base.name}: {error}")
    print(json.dumps(as_data(counts), indent=1) if options.json else as_text(counts, unknown=options.unknown))
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    for line in missing:
        print(f"bench/arity: {line}", file=sys.stderr)
    return 3 if missing else 0 if meets_goal(counts, whole=not options.only) else 1


def count_calls(base: CodeBase, counts: dict[str, Count]) -> None:
    """Bind every resolved call of a code base."""
    explained: dict[str, str] = json.loads(EXPLAINED.read_text("utf-8")).get(base.short, {})
    for call in calls_in(base.root):
        count = counts.setdefault(call.language, Count())
        count.resolved += 1
        bindings = [bind(signature, call.given) for signature in call.known]
        fitting = [binding for binding in bindings if not binding.fault]
        if not fitting and len(call.known) < len(call.signatures):
            count.unknown["what it takes is not written in this code base"] += 1
        elif not fitting:
            told = f"{base.short} {call.place}: {bindings[0].fault}"
            reason = explained.get(call.place)
            (count.explained if reason else count.alarms).append(f"{told} ({reason})" if reason else told)
        elif not any(binding.whole for binding in fitting):
            count.unknown["an argument may be none or many"] += 1
        else:
            count.fits += 1
            count.caught += compare(call.known, [_longer(s) for s in call.known], call.given).fit in (Fit.BREAK, Fit.SHIFT)


@dataclass(frozen=True, slots=True)
class Resolved:
    """One call that certainly means functions of the code base, and what they take."""

    language: str
    place: str
    given: Given
    signatures: tuple[Signature | None, ...]

    @property
    def known(self) -> tuple[Signature, ...]:
        return tuple(signature for signature in self.signatures if signature is not None)


def calls_in(root: Path) -> Iterator[Resolved]:
    """Every call below a folder that means nothing but functions or methods defined there, and that gives a list of arguments."""
    texts, ground, index = Snapshot(root), Ground(root), Index()
    ground.refresh()
    index.stored = ground
    resolver = Resolver(View(texts, ground), index)
    reader = Reader(resolver, index)
    taken: dict[Key, tuple[Signature | None, ...]] = {}
    for path in sorted(ground.files):
        held = texts.read(path) if language_of(path) is not None else None
        parsed = index.parsed(held) if isinstance(held, TextFile) and len(held.data) <= LARGEST else None
        for start, end in _called(index, parsed) if parsed is not None else ():
            refs = meaning_of(resolver, index, parsed, start, end).refs if parsed is not None else frozenset()
            entered = [_entered(resolver, ref) for ref in refs]
            keys = [key for found in entered for key in found]
            if not keys or not all(entered) or parsed is None:
                continue
            given = reader.given(path, start, end)
            if given is None or any(first <= start < last for first, last in parsed.outline.errors):
                continue
            for key in keys:
                if key not in taken:
                    taken[key] = reader.taken(key)
            line, column = parsed.lines.position(start)
            place = f"{path.relative_to(root).as_posix()}:{line + 1}:{column + 1}"
            yield Resolved(parsed.language.name, place, given, tuple(s for key in keys for s in taken[key]))


def _entered(resolver: Resolver, ref: Ref) -> Sequence[Key]:
    """The functions that a call of this enters: itself, or the constructor of a class, where that is certain."""
    if not isinstance(ref, Key):
        return ()
    if resolver.kind(ref) in _FUNCTIONS:
        return (ref,)
    held = [Klass(ref.path, b.inner) for b in resolver.bindings_of(ref) if b.kind is SymbolKind.CLASS and b.inner >= 0]
    names = resolver.linker(ref.path).constructors(ref.name)
    made = [found for klass in held for name in names for found in resolver.member(klass, name)]
    return [found for found in made if isinstance(found, Key)] if len(held) == 1 and all(isinstance(m, Key) for m in made) else ()


def _called(index: Index, parsed: Parsed) -> Iterator[tuple[int, int]]:
    """Names that are called, in text order."""
    seen: set[tuple[int, int]] = set()
    for _, captures in index.grammars.matches(parsed.language, "references", index.root(parsed)):
        seen.update((node.start_byte, node.end_byte) for node in captures.get("call", ()))
    yield from sorted(seen)


def _longer(signature: Signature) -> Signature:
    """The signature with a parameter of another name that everybody has to give first."""
    at = next((i + 1 for i, p in enumerate(signature.parameters) if p.slot is Slot.RECEIVER), 0)
    slot = signature.parameters[at].slot if len(signature.parameters) > at else Slot.PLACED
    fresh = Parameter("in_front", Slot.PLACED if slot is Slot.PLACED else Slot.EITHER)
    return replace(signature, parameters=(*signature.parameters[:at], fresh, *signature.parameters[at:]))


def meets_goal(counts: Mapping[str, Count], *, whole: bool) -> bool:
    """No false alarm; and, where every code base was looked at, enough of them."""
    told = [count for count in counts.values() if count.fits]
    enough = not whole or (sum(count.fits for count in told) >= GOAL_CALLS and len(told) >= GOAL_LANGUAGES)
    return enough and not any(count.alarms for count in counts.values())


def as_text(counts: Mapping[str, Count], *, unknown: bool) -> str:
    """A table, then every false alarm."""
    rows = [
        ("language", "resolved calls", "fit", "cannot be told", "false alarms", "explained", "told apart from one with another parameter")
    ]
    total = Count()
    for name, count in (*sorted(counts.items()), ("all", total)):
        told, alarms = str(sum(count.unknown.values())), str(len(count.alarms))
        share = f"{count.caught} of {count.fits}"
        rows.append((name, str(count.resolved), str(count.fits), told, alarms, str(len(count.explained)), share))
        total.resolved, total.fits, total.caught = total.resolved + count.resolved, total.fits + count.fits, total.caught + count.caught
        total.unknown += count.unknown
        total.alarms += count.alarms if count is not total else []
        total.explained += count.explained if count is not total else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines += [f"{name}: {why}: {n}" for name, count in sorted(counts.items()) for why, n in count.unknown.most_common() if unknown]
    lines += [f"explained: {told}" for count in counts.values() for told in count.explained]
    return "\n".join([*lines, *(f"FALSE ALARM {told}" for count in counts.values() for told in count.alarms)])


def as_data(counts: Mapping[str, Count]) -> dict[str, object]:
    """The same for programs."""
    return {
        name: {
            "resolved": count.resolved,
            "fits": count.fits,
            "unknown": dict(count.unknown),
            "alarms": count.alarms,
            "explained": count.explained,
            "caught": count.caught,
        }
        for name, count in sorted(counts.items())
        if rules_of(name) is not None
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.arity.run", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this code base only; may be given again")
    parser.add_argument("--unknown", action="store_true", help="say why calls cannot be told")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
