"""Every site of a symbol: a cheap search finds a superset of the places, resolution says what each of them is.

Files that hold the name as a word are parsed, and so are the files that imports lead to; nothing else is. Names under which the symbol
travels (`import f as g`, a default export) are followed to their uses. A hit that resolves elsewhere stays in the answer as `excluded`,
with two exceptions that no rule of the languages lets reach the symbol: other files for a name that is local to a function, and
occurrences of an alias's name that mean something else.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.sites import Scan, Site, SiteKind, SymbolKind, Target, Tier
from surefoot.core.text import LineIndex, Place, TextFile, Texts, Unreadable
from surefoot.syntax.constructing import called_like_its_class, constructors_in, entries_of
from surefoot.syntax.findings import Finding, finding_of, judge
from surefoot.syntax.index import Index, Parsed
from surefoot.syntax.languages import language_of
from surefoot.syntax.meaning import dotted_string, meaning_of
from surefoot.syntax.mentions import is_test, kind_in
from surefoot.syntax.outline import word
from surefoot.syntax.overloads import Overloads
from surefoot.syntax.refs import Key, Ref
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import occurrences
from surefoot.syntax.store.build import LARGEST_PARSED
from surefoot.syntax.store.ground import Abandoned, Ground
from surefoot.syntax.store.view import View
from surefoot.syntax.targets import identifier_at, keys_at, keys_named, only_imported, symbols_of, wanted_of
from surefoot.syntax.travels import default_exports, default_names, importers, offered_by_default, spelled_default
from surefoot.syntax.wanted import Wanted

LONGEST_LINE = 200
"""Characters of a source line that a site quotes."""

LEAD = 60
"""Characters before a place that are quoted where it stands far inside of its line."""

_BOUND = frozenset({Tier.EXACT, Tier.FAMILY, Tier.STRING})


def find_sites(
    texts: Texts, target: Target, index: Index | None = None, stopped: Callable[[], bool] = lambda: False, ground: Ground | None = None
) -> Scan:
    """Every site of what `target` means in `texts`, by path and offset.

    `index` keeps parsed files from one call to the next, `ground` what is known of the files on disk: it is looked at already.
    Raises Abandoned soon after `stopped` says so.
    """
    if ground is None:
        ground = Ground(texts.root)
        ground.refresh()
    index = index or Index()
    index.stored = ground
    return _Finder(View(texts, ground, stopped), index, stopped).find(target)


class _Finder:
    """One scan over one view of the text."""

    def __init__(self, texts: View, index: Index, stopped: Callable[[], bool]) -> None:
        self._texts = texts
        self._index = index
        self._stopped = stopped
        self._resolver = Resolver(texts, index)
        self._not_scanned: dict[Path, Unreadable] = {}
        self._found: dict[tuple[Path, int], Site] = {}
        self._known: dict[Path, Parsed | None] = {}
        self._tests: dict[Path, bool] = {}
        self._around: dict[tuple[Path, int], str] = {}

    def find(self, target: Target) -> Scan:
        name, keys = self._at(target) if target.path else (target.name.rpartition(".")[2], frozenset[Key]())
        holding = self._holding(name) if name else []
        code = [path for path in holding if language_of(path) is not None]
        if not target.path or any(self._resolver.is_member(key) for key in keys):
            self._read_ahead(code, name)
        if not target.path:
            keys = keys_named(self._resolver, code, target.name)
        # An alias that is looked for is a definition; without that, its uses would be those of what it stands for.
        self._resolver = Resolver(self._texts, self._index, only_imported(self._resolver, keys))
        wanted = wanted_of(self._resolver, code, keys, by_name=not target.path)
        made = constructors_in(self._resolver, keys)
        if made and made == keys and not any(called_like_its_class(self._resolver, key) for key in made):
            # A class takes what it likes: its constructor stands in for nobody's.
            wanted = replace(wanted, exact=made, family=frozenset(), cousins=frozenset())
        self._scan(name, self._in_reach(holding, wanted, name), wanted)
        if made and (target.path or "." in target.name):
            self._enter(made)
        elif target.path and not made:
            self._tell_apart(wanted, target)
        symbols = symbols_of(self._resolver, wanted.exact - wanted.filled)
        sites = tuple(self._found[key] for key in sorted(self._found, key=lambda k: (str(k[0]), k[1])))
        return Scan(name, symbols, sites, tuple(self._not_scanned[path] for path in sorted(self._not_scanned)))

    def _at(self, target: Target) -> tuple[str, frozenset[Key]]:
        """The name that the symbol at a place is defined by, and its definitions; the word there where nothing is found."""
        parsed = self._parsed(self._texts.root / target.path)
        found = identifier_at(self._index, parsed, target.offset) if parsed is not None else None
        if parsed is None or found is None:
            return "", frozenset()
        keys = keys_at(self._resolver, self._index, parsed, found[1], found[2])
        return min((word(key.name) for key in keys), default=found[0]), keys

    def _read_ahead(self, code: list[Path], name: str) -> None:
        """Take all that is wanted of each file while its tree is at hand."""
        for path in code:
            if (parsed := self._parsed(path)) is not None:
                self._index.roles(parsed, name)

    def _parsed(self, path: Path) -> Parsed | None:
        if self._stopped():
            raise Abandoned
        if path not in self._known:
            held = self._texts.read(path)
            self._known[path] = self._index.parsed(held) if isinstance(held, TextFile) else None
        return self._known[path]

    def _holding(self, name: str) -> list[Path]:
        """Files that hold the name; what cannot be read is noted."""
        word = name.encode("utf-8")
        found: list[Path] = []
        hits = self._texts.holding(name)
        for trouble in hits.troubles:
            if trouble.reason != "binary" or language_of(trouble.path) is not None:
                self._not_scanned[trouble.path] = trouble
        for path in hits.files:
            held = self._texts.read(path)
            if isinstance(held, Unreadable):
                self._not_scanned[path] = held
            elif held is not None and word in held.data:
                if len(held.data) > LARGEST_PARSED and language_of(path) is not None:
                    self._not_scanned[path] = Unreadable(path, f"larger than {LARGEST_PARSED // 1024 // 1024} MiB, not parsed")
                else:
                    found.append(path)
        return found

    def _enter(self, constructors: frozenset[Key]) -> None:
        """Note where constructors are entered without their names."""

        def find(at: Target) -> Scan:
            found = _Finder(self._texts, self._index, self._stopped).find(at)
            self._not_scanned.update({held.path: held for held in found.not_scanned})
            return found

        for entry in entries_of(self._resolver, self._index, constructors, find):
            parsed = self._parsed(entry.path)
            if parsed is not None and (entry.path, entry.start) not in self._found:
                self._note(parsed, entry.start, entry.end, SiteKind.CALL, entry.tier, entry.reason, "", False)

    def _tell_apart(self, wanted: Wanted, target: Target) -> None:
        """Count other overloads, and what only they take, as family."""
        parsed = self._parsed(self._texts.root / target.path)
        found = identifier_at(self._index, parsed, target.offset) if parsed is not None else None
        if parsed is not None and found is not None and wanted.callable:
            overloads = Overloads(self._resolver, self._index, self._parsed, wanted.exact)
            self._found |= overloads.apart(self._found, (parsed.file.path, found[1]))

    def _in_reach(self, holding: list[Path], wanted: Wanted, name: str) -> list[Path]:
        """A local name is seen in its own file; a parameter also where it is passed as a keyword."""
        if not wanted.local:
            return holding
        own = {key.path for key in wanted.all}
        if SymbolKind.PARAMETER not in wanted.kinds:
            return [path for path in holding if path in own]
        return [path for path in holding if path in own or self._passes(path, name)]

    def _passes(self, path: Path, name: str) -> bool:
        """Whether a file may give an argument by this name."""
        language, held = language_of(path), self._texts.read(path)
        if language is None or not language.passed or not isinstance(held, TextFile):
            return False
        mark = re.escape(language.passed.encode())
        return re.search(rb"(?<!\w)" + re.escape(name.encode()) + rb"\s*" + mark + rb"(?!" + mark + rb")", held.data) is not None

    def _scan(self, name: str, holding: list[Path], wanted: Wanted) -> None:
        families = {language.family for key in wanted.all if (language := language_of(key.path)) is not None}
        offered = [(path, "default") for path in offered_by_default(self._resolver, wanted)]
        for path in holding:
            language = language_of(path)
            if language is None or (families and language.family not in families):
                self._mentions(path, name, wanted, "of another language" if language is not None else "")
            else:
                offered += self._code(path, name, wanted)
        if not wanted.local:
            self._travel(name, offered, wanted)

    def _travel(self, name: str, offered: list[tuple[Path, str]], wanted: Wanted) -> None:
        """Follow the symbol to where it goes by other names."""
        seen: set[tuple[Path, str]] = set()
        while offered:
            module, other = offered.pop()
            if (module, other) in seen:
                continue
            seen.add((module, other))
            for path in importers(self._resolver, module, other):
                outline = self._resolver.outline(path)
                names = [other]
                if other == "default":
                    passed = list(default_exports(self._resolver, wanted, path, outline)) if outline else []
                    offered += [(path, each) for each in passed]
                    named = list(default_names(self._resolver, wanted, path, outline)) if outline else []
                    names = [each for each in dict.fromkeys([*named, *passed]) if each != "default"]
                    names += ["default"] if outline and spelled_default(self._resolver, wanted, path, outline) else []
                for each in names:
                    if each != name:
                        offered += self._code(path, each, wanted, alias=True)

    def _code(self, path: Path, name: str, wanted: Wanted, alias: bool = False) -> list[tuple[Path, str]]:
        """Note the sites of one parsed file; returns the other names under which the file knows or offers the symbol."""
        parsed = self._parsed(path)
        others: list[tuple[Path, str]] = []
        for start, end, role in self._index.roles(parsed, name) if parsed is not None else ():
            if parsed is not None and (path, start) not in self._found:
                meaning = meaning_of(self._resolver, self._index, parsed, start, end, role)
                finding = finding_of(self._resolver, wanted, meaning)
                broken = meaning.form != "comment" and any(first <= start < last for first, last in parsed.outline.errors)
                if broken and finding.tier in (Tier.EXCLUDED, Tier.MENTION):
                    finding = Finding(Tier.LIKELY, "what stands here does not parse", finding.kind)
                if alias and finding.tier not in _BOUND:
                    continue
                if wanted.local and finding.tier is Tier.EXCLUDED and all(key.path != path for key in wanted.all):
                    continue
                reason = f"through the alias {name}" if alias else finding.reason
                local = meaning.local
                self._note(parsed, start, end, finding.kind, finding.tier, reason, local, meaning.shorthand)
                if local and finding.tier in _BOUND:
                    others.append((path, local))
        for _, other in list(others):
            if other not in (name, "default"):
                others += self._code(path, other, wanted, alias=True)
        return others

    def _note(self, parsed: Parsed, start: int, end: int, kind: SiteKind, tier: Tier, reason: str, local: str, shorthand: bool) -> None:
        path = parsed.file.path
        place = Place.of(path, start, end, parsed.lines)
        if any(first <= start < last for first, last in parsed.outline.errors):
            python = parsed.language.family == "python"
            # Not every text that a grammar stumbles over is broken: TypeScript's is known to be behind its language.
            why = f"line {place.line} does not parse" if python else f"Surefoot's parser cannot read line {place.line}"
            self._not_scanned.setdefault(path, Unreadable(path, why))
        self._found[path, start] = Site(
            place=place,
            kind=kind,
            tier=tier,
            reason=reason,
            function=self._enclosing(parsed, start),
            test=self._is_test(path),
            text=quoted(parsed.lines, place),
            name=parsed.file.data[start:end].decode("utf-8", "replace"),
            local=local,
            shorthand=shorthand,
        )

    def _mentions(self, path: Path, name: str, wanted: Wanted, other: str) -> None:
        """Note the words of a file that is not parsed, or whose language cannot reach the symbol."""
        held = self._texts.read(path)
        lines = LineIndex(held.data) if isinstance(held, TextFile) else None
        for start, end in occurrences(held.data, name, b"$") if isinstance(held, TextFile) else ():
            if isinstance(held, TextFile) and lines is not None:
                place = Place.of(path, start, end, lines)
                tier, reason, kind = (Tier.EXCLUDED, other, SiteKind.VALUE) if other else self._mention(path, held.data, start, end, wanted)
                self._found[path, start] = Site(place, kind, tier, reason, "", self._is_test(path), quoted(lines, place), name)

    def _enclosing(self, parsed: Parsed, start: int) -> str:
        key = (parsed.file.path, parsed.outline.scope_at(start))
        if key not in self._around:
            self._around[key] = parsed.outline.dotted(key[1])
        return self._around[key]

    def _is_test(self, path: Path) -> bool:
        if path not in self._tests:
            self._tests[path] = is_test(path, self._texts.root)
        return self._tests[path]

    def _mention(self, path: Path, data: bytes, start: int, end: int, wanted: Wanted) -> tuple[Tier, str, SiteKind]:
        kind = kind_in(path)
        refs = dotted_string(self._resolver, path, data, start, end, quoted=False) if kind is SiteKind.STRING else frozenset[Ref]()
        if refs and judge(self._resolver, wanted, refs)[0] in (Tier.EXACT, Tier.FAMILY):
            return Tier.STRING, "a dotted name that resolves to the symbol", kind
        return Tier.MENTION, "in a file that is not code", kind


def quoted(lines: LineIndex, place: Place) -> str:
    """The line of a place from its start, or from a little before the place where the start would not show it."""
    before, after = (part.decode("utf-8", "replace") for part in lines.line_around(place.start, 10 * LONGEST_LINE))
    if len(before.lstrip()) + place.end - place.start > LONGEST_LINE:
        before = f"…{before[-LEAD:]}"
    return (before + after).strip()[:LONGEST_LINE]


def counted(sites: Sequence[Site]) -> str:
    """ "12 sites in 7 files"."""
    files = len({site.place.path for site in sites})
    return f"{len(sites)} site{'s' * (len(sites) != 1)} in {files} file{'s' * (files != 1)}"
