"""Facts of a root as they are made: the words of every file first, then what each parsed file says of names, a slice of time after another.

What is written is never more than a hint. A file that changes while it is read gets no row, and one that was touched so short a time ago
that its stamp could not tell a second change gets a stamp that no file has.
"""

import os
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from surefoot.core.text import TextFile, Unreadable
from surefoot.syntax.extract import outline_of
from surefoot.syntax.languages import language_for
from surefoot.syntax.mentions import is_binary
from surefoot.syntax.parse import Grammars
from surefoot.syntax.store.builder import Built
from surefoot.syntax.store.codec import pack
from surefoot.syntax.store.rows import Row, Rows, fact_number, tidy
from surefoot.syntax.store.uses import uses_of
from surefoot.syntax.store.words import FILES, segment_of, words_by_slot, words_of
from surefoot.workspace.disk import read_file
from surefoot.workspace.listing import list_stamped, stamp

LARGEST_PARSED = 4 * 1024 * 1024
"""Bytes; a larger file of a known language is not parsed."""

GRANULARITY = 2_000_000_000
"""Nanoseconds within which two changes of a file may leave the same times: the coarsest disks count in steps of two seconds."""

_FEW = FILES // 2
"""Live files of a segment below which it is merged with others like it."""

_LEVEL = 1
"""Of compression: the fastest one."""


def key_of(language: str, digest: str) -> str:
    """The key of the facts of one text in one language."""
    return f"{language}:{digest}"


class Build:
    """One pass over the files of a root. Raises Lost."""

    def __init__(self, root: Path, rows: Rows, clock: Callable[[], int] = time.time_ns) -> None:
        self._root = root
        self._rows = rows
        self._clock = clock
        self._grammars = Grammars()
        self._done = self._total = self._files = 0
        self._waiting: list[tuple[Row, Collection[int]]] = []
        self._facts: list[tuple[str, bytes, bytes]] = []
        self._work = self._all()

    def slice(self, seconds: float) -> Built:
        """Work for about so long, and write what was made. Done when all of the total is."""
        until = time.monotonic() + seconds
        for _ in self._work:
            if time.monotonic() >= until:
                break
        with self._rows.writing():
            for facts in self._facts:
                self._rows.put_facts(*facts)
        self._facts.clear()
        return Built(self._done, self._total, self._files)

    def _all(self) -> Iterator[None]:
        stamps = list_stamped(self._root).stamps
        held = {row.name: row for row in self._rows.files()}
        todo = [n for n, s in stamps.items() if (n not in held or held[n].stamp != s) and not is_binary(n)]
        known = self._rows.known()
        parsed = {n: r.facts for n in stamps if (r := held.get(n)) is not None and r.facts and n not in set(todo)}
        missing = {number: name for name, number in parsed.items() if number not in known}
        self._files = len(stamps)
        self._total = 1 + 2 * len(todo) + len(missing)
        for name in todo:
            if (facts := self._words(name, stamps[name])) and facts not in known:
                missing[facts] = name
            self._done += 1
            yield
        self._flush()
        self._total = self._done + len(missing) + 1
        for number, name in missing.items():
            self._parse(name, number)
            self._done += 1
            yield
        self._clear(stamps.keys())
        self._done = self._total

    def _words(self, name: str, expected: int) -> int:
        """Take in the words of one file; the number of its facts, 0 where it has none."""
        path = self._root / name
        text = read_file(path)
        try:
            held = os.stat(path)
        except OSError:
            return 0
        if text is None or stamp(held) != expected:
            return 0
        sure = max(held.st_mtime_ns, held.st_ctime_ns) < self._clock() - GRANULARITY
        language = language_for(path, text.data) if isinstance(text, TextFile) else None
        parsed = isinstance(text, TextFile) and language is not None and len(text.data) <= LARGEST_PARSED
        facts = fact_number(key_of(language.name, text.digest)) if parsed and language is not None and isinstance(text, TextFile) else 0
        trouble = text.reason if isinstance(text, Unreadable) else ""
        row = Row(0, name, expected if sure else 0, facts, -1, -1, trouble)
        self._waiting.append((row, words_of(text.data) if isinstance(text, TextFile) else ()))
        if len(self._waiting) == FILES:
            self._flush()
        return facts

    def _flush(self) -> None:
        """Write the words that were taken in as one segment."""
        if self._waiting:
            with self._rows.writing():
                number = self._rows.put_segment(segment_of([words for _, words in self._waiting]))
                self._rows.put_files([row._replace(segment=number, slot=slot) for slot, (row, _) in enumerate(self._waiting)])
        self._waiting.clear()

    def _parse(self, name: str, number: int) -> None:
        """Make the facts of one file, if it still is the one whose words were taken in."""
        path = self._root / name
        text = read_file(path)
        language = language_for(path, text.data) if isinstance(text, TextFile) else None
        if not isinstance(text, TextFile) or language is None or fact_number(key := key_of(language.name, text.digest)) != number:
            return
        try:
            root = self._grammars.parse(language, text.data).root_node
            outline = outline_of(self._grammars, language, root, text.data)
            uses = uses_of(self._grammars, language, outline, root, text.data)
            self._facts.append((key, zlib.compress(pack(outline), _LEVEL), zlib.compress(pack(uses), _LEVEL)))
        except (RecursionError, MemoryError):
            return  # such a file is parsed when it is asked for, and whoever asks hears of it

    def _clear(self, names: Collection[str]) -> None:
        """Delete what no file needs any more, and merge segments of which little is left."""
        rows = self._rows.files()
        gone = [row.name for row in rows if row.name not in names]
        live: dict[int, dict[int, Row]] = {}
        for row in rows:
            if row.name in names:
                live.setdefault(row.segment, {})[row.slot] = row
        segments = dict(self._rows.segments())
        few = {number: held for number in segments if 0 < len(held := live.get(number, {})) < _FEW}
        if len(few) > 1:
            for number, held in few.items():
                words = words_by_slot(memoryview(segments[number]).cast("I"), held)
                for slot, row in held.items():
                    self._waiting.append((row, words[slot]))
                    if len(self._waiting) == FILES:
                        self._flush()
            self._flush()
        merged: Sequence[int] = list(few) if len(few) > 1 else ()
        with self._rows.writing():
            self._rows.forget(gone, [*merged, *(number for number in segments if number not in live)])
        tidy(self._rows, self._clock() / 1e9)
