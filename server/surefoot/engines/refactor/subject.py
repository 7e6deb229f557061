"""Which definition a rename is about, and every site of it: found, or refused with what there is to choose from."""

import asyncio
import codecs
import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.errors import OutsideText
from surefoot.core.plan import Strings, Subject, Task
from surefoot.core.sites import Scan, Site, SiteKind, Symbol, Target, Tier, Waiver
from surefoot.core.text import LineIndex, TextFile, Texts
from surefoot.core.value import value
from surefoot.engines.aims import Aim, NotATask
from surefoot.engines.protocol import Refusal
from surefoot.engines.refactor.beside import offered_as
from surefoot.engines.refactor.reader import Reader
from surefoot.engines.tasks import RenameTask, parse_rename
from surefoot.syntax.languages import Language, language_of
from surefoot.syntax.words import Asked

_DEFINED = re.compile(rb"\b(?:def|class|function|const|let|var|interface|type|enum)\s+([\w$]+)")
SURE = frozenset({Tier.EXACT, Tier.FAMILY})
_FOREIGN = frozenset({"node_modules", "site-packages", "dist-packages"})


@value
class Located:
    """One definition and its scan on the texts that were looked at; `nth` of its name in its container."""

    symbol: Symbol
    language: Language
    scan: Scan
    nth: int = 0


@value
class Found:
    """One definition, what it is to be called, its scan on the texts that were looked at, and the sites that a person lets be."""

    task: RenameTask
    symbol: Symbol
    language: Language
    scan: Scan
    nth: int = 0
    waivers: tuple[Waiver, ...] = ()

    @property
    def old(self) -> str:
        return self.symbol.name

    @property
    def new(self) -> str:
        return self.task.new

    @property
    def subject(self) -> Subject:
        """The definition by name, which stays true while offsets move."""
        at = self.symbol.place
        return Subject(at.path, self.old, self.symbol.container, self.nth)


async def find_subject(reader: Reader, texts: Texts, task: Task) -> Found | Refusal:
    """The definition that `task` names on `texts`, with its sites."""
    asked = _asked(task)
    if isinstance(asked, Refusal):
        return asked
    return _with(asked, await locate(reader, texts, asked.aim, task.at))


async def locate(reader: Reader, texts: Texts, aim: Aim, at: Target | None) -> Located | Refusal:
    """The definition that `aim` names on `texts`, or the one at a place where `at` is given, with its sites."""
    target = at if at is not None and at.offset >= 0 else _target(texts, aim)
    if isinstance(target, Refusal):
        return target
    if target.offset >= 0:
        return await _found(reader, texts, aim, target, await reader.find(texts, target))
    return await _by_name(reader, texts, aim)


def _with(asked: RenameTask, located: Located | Refusal) -> Found | Refusal:
    if isinstance(located, Refusal):
        return located
    return Found(asked, located.symbol, located.language, located.scan, located.nth)


async def find_again(reader: Reader, texts: Texts, subject: Subject, task: Task) -> Found | Refusal:
    """The definition that a plan was made for, on the texts as they stand now."""
    asked = _asked(task)
    if isinstance(asked, Refusal):
        return asked
    return _with(asked, await locate_again(reader, texts, subject, asked.aim))


async def locate_again(reader: Reader, texts: Texts, subject: Subject, aim: Aim) -> Located | Refusal:
    """The definition that a plan was made for, on the texts as they stand now."""
    starts = await _starts(reader, texts, subject.path, subject.container, subject.name)
    if len(starts) <= subject.nth:
        return Refusal(f"`{subject.name}` is no longer defined in {shown(texts, subject.path)}: give the task again")
    target = Target(path=str(subject.path), offset=starts[subject.nth])
    return await _found(reader, texts, aim, target, await reader.find(texts, target))


async def between_names(reader: Reader, texts: Texts, subject: Subject | None, task: Task) -> tuple[Found, list[Site]] | Refusal:
    """A split rename half way, where both names stand: the definition, and the sites that are still spelled with the old name.

    The forwarder may be seen as a definition of its own or as another name of the new one, so both are looked for.
    """
    asked = _asked(task)
    if isinstance(asked, Refusal):
        return asked
    if subject is None:
        return Refusal("the plan does not say what it renames: plan the task again")
    scans: list[Scan] = []
    symbols: list[Symbol] = []
    for name in (asked.new, subject.name):
        starts = await _starts(reader, texts, subject.path, "", name)
        scan = await reader.find(texts, Target(path=str(subject.path), offset=starts[0])) if starts else None
        here = [s for s in scan.symbols if _called(s) == (subject.path, "", name)] if scan is not None else []
        if scan is not None and here:
            symbols.append(here[0])
            scans.append(scan)
    language = language_of(subject.path)
    if not symbols or language is None:
        return Refusal(
            f"neither `{subject.name}` nor `{asked.new}` is defined in {shown(texts, subject.path)} any more: give the task again"
        )
    sites = _strongest(site for scan in scans for site in scan.sites)
    merged = Scan(subject.name, tuple(symbols), tuple(sites), scans[0].not_scanned)
    found = Found(asked, replace(symbols[0], name=subject.name), language, merged)
    home = texts.read(subject.path)
    page = await reader.pages([Asked(home, ())], subject.name, asked.new) if isinstance(home, TextFile) else []
    kept = offered_as(page[0], subject.name, asked.new) if page else None
    bridge = range(kept[1].start, kept[1].end) if kept is not None else range(0)
    left = [site for site in sites if site.name == subject.name and site.tier in SURE and site.kind is not SiteKind.DEFINITION]
    return found, [site for site in left if site.place.path != subject.path or site.place.start not in bridge]


async def _starts(reader: Reader, texts: Texts, path: Path, container: str, name: str) -> Sequence[int]:
    file = texts.read(path)
    return await reader.starts(file, container, name) if isinstance(file, TextFile) else ()


def _strongest(sites: Iterable[Site]) -> list[Site]:
    """One site for each place, of the surest tier that any scan gave it."""
    order = list(Tier)
    best: dict[tuple[Path, int], Site] = {}
    for site in sites:
        key = (site.place.path, site.place.start)
        if key not in best or order.index(site.tier) < order.index(best[key].tier):
            best[key] = site
    return [best[key] for key in sorted(best)]


def shown(texts: Texts, path: Path) -> str:
    """A path as people read it: below the root, with `/`."""
    return path.relative_to(texts.root).as_posix() if path.is_relative_to(texts.root) else path.as_posix()


def _asked(task: Task) -> RenameTask | Refusal:
    asked = parse_rename(task.text)
    if isinstance(asked, NotATask):
        return Refusal(asked.reason)
    return asked if asked.strings is not Strings.ASK else replace(asked, strings=task.strings)


def _target(texts: Texts, asked: Aim) -> Target | Refusal:
    if not asked.line:
        return _named(asked)
    path = texts.root / asked.path
    file = texts.read(path)
    if not isinstance(file, TextFile):
        return Refusal(
            f"{asked.path} {f'cannot be used: {file.reason}' if file else 'does not exist'}; give a path below {texts.root.name}"
        )
    try:
        # The first name may be meant with or without the mark before it.
        first = len(codecs.BOM_UTF8) if file.data.startswith(codecs.BOM_UTF8) else 0
        return Target(path=str(path), offset=max(first, LineIndex(file.data).offset(asked.line - 1, asked.column - 1)))
    except OutsideText as error:
        return Refusal(f"{asked.path}:{asked.line}:{asked.column}: {error}")


def _named(asked: Aim) -> Target:
    return Target(name=f"{asked.container}.{asked.name}" if asked.container else asked.name)


async def _by_name(reader: Reader, texts: Texts, asked: Aim) -> Located | Refusal:
    named = await reader.find(texts, _named(asked))
    fitting = [s for s in named.symbols if _fits(texts, s, asked)]
    if not fitting:
        return Refusal(await asyncio.to_thread(_nothing, texts, asked, named))
    target = _at(fitting[0])
    scan = await reader.find(texts, target)
    together = {s.place for s in scan.symbols}
    if any(s.place not in together for s in fitting):
        places = ", ".join(f"{shown(texts, s.place.path)}:{s.place.line}:{s.place.column}" for s in fitting[:8])
        more = f" and {len(fitting) - 8} more" if len(fitting) > 8 else ""
        reason = f"`{asked.name}` is defined in {len(fitting)} places: {places}{more}; choose one as `{asked.again}`"
        return Refusal(reason, tuple(fitting))
    return await _found(reader, texts, asked, target, scan)


def _fits(texts: Texts, symbol: Symbol, asked: Aim) -> bool:
    if asked.container and not f".{symbol.container}".endswith(f".{asked.container}"):
        return False
    return not asked.path or symbol.place.path == texts.root / asked.path


async def _found(reader: Reader, texts: Texts, asked: Aim, target: Target, scan: Scan) -> Located | Refusal:
    if not scan.symbols:
        if not scan.sites:
            return Refusal("there is no name at that place: put the cursor on a name, or give one in the task")
        return Refusal(f"the definition of `{scan.name}` is not in this folder, so it cannot be {asked.done} here")
    path = texts.root / target.path
    here = [s for s in scan.symbols if s.place.path == path and s.place.start <= target.offset <= s.place.end]
    symbol = (here or list(scan.symbols))[0]
    language = language_of(symbol.place.path)
    if language is None or await asyncio.to_thread(_foreign, texts, symbol.place.path):
        return Refusal(f"`{symbol.name}` is defined in {shown(texts, symbol.place.path)}, which is not this project's own source")
    starts = await _starts(reader, texts, symbol.place.path, symbol.container, symbol.name)
    nth = starts.index(symbol.place.start) if symbol.place.start in starts else 0
    return Located(symbol, language, scan, nth)


def _foreign(texts: Texts, path: Path) -> bool:
    """Outside the root, ignored, or somebody else's code kept inside it."""
    if not path.is_relative_to(texts.root) or path not in set(texts.files()):
        return True
    return not _FOREIGN.isdisjoint(path.relative_to(texts.root).parts)


def _nothing(texts: Texts, asked: Aim, named: Scan) -> str:
    whole = f"{asked.container}.{asked.name}" if asked.container else asked.name
    where = f" in {asked.path}" if asked.path else ""
    if named.symbols:
        elsewhere = ", ".join(sorted({f"{shown(texts, s.place.path)}:{s.place.line}" for s in named.symbols})[:5])
        return f"nothing called `{whole}` was found{where}; `{asked.name}` is defined at {elsewhere}"
    if named.sites:
        return f"`{whole}` is used but not defined{where} in this folder, so it cannot be {asked.done} here"
    if named.not_scanned:
        first = named.not_scanned[0]
        more = f" and {len(named.not_scanned) - 1} more" if len(named.not_scanned) > 1 else ""
        return f"nothing called `{whole}` was found{where}; {shown(texts, first.path)} could not be looked at ({first.reason}){more}"
    near = difflib.get_close_matches(asked.name, _defined_names(texts), 3, 0.7)
    hint = f"; did you mean {', '.join(f'`{n}`' for n in near)}?" if near else "; check the spelling and the folder"
    return f"nothing called `{whole}` was found{where}{hint}"


def _defined_names(texts: Texts) -> list[str]:
    names: set[str] = set()
    for path in texts.files():
        file = texts.read(path) if language_of(path) is not None else None
        if isinstance(file, TextFile):
            names.update(name.decode("utf-8", "replace") for name in _DEFINED.findall(file.data))
    return sorted(names)


def _at(symbol: Symbol) -> Target:
    return Target(path=str(symbol.place.path), offset=symbol.place.start)


def _called(symbol: Symbol) -> tuple[Path, str, str]:
    return symbol.place.path, symbol.container, symbol.name
