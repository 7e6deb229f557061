"""The warm checkers of one root: started when needed, told the texts, asked, and brought back to the texts without the candidate."""

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from surefoot.checks.checker import Checker, Proof, Server, Tool
from surefoot.checks.child import Child
from surefoot.checks.detached import detached
from surefoot.checks.links import Link, followed
from surefoot.checks.messages import Item, Location
from surefoot.checks.places import Placer, change_of
from surefoot.checks.planting import Sight, plant
from surefoot.checks.selftest import blindness, start_child
from surefoot.checks.settings import CheckSettings
from surefoot.checks.watch import DiskWatch, Moves
from surefoot.core.change import Change
from surefoot.core.errors import CheckerUnavailable, TextError
from surefoot.core.findings import Diagnostic, Severity, ToolFix
from surefoot.core.text import TextFile, Units
from surefoot.core.value import value
from surefoot.run.limits import CHECKERS_KEPT, CHILD_TRIES
from surefoot.workspace.snapshot import Snapshot

_PREFIX = re.compile(r"^\w+ \([A-Z]+\d+\): ")
"""What a tool puts before the titles of its fixes; the checks that a title names say who found what."""
_CACHED = 4096
_AT_ONCE = 8
MOST_ASKED = 8
"""Findings of one place that a tool is asked to fix: each costs a request or two, and nobody reads more."""


@value
class Pair:
    """What one tool found in the same files without and with the candidate. `blind` files were not looked at, `shallow` ones for syntax
    only, each with the reason; in `masked` ones a syntax error hid what was planted. In `loose` ones the tool does not follow the use of
    what is renamed."""

    version: str
    seen: tuple[Path, ...]
    old: tuple[Diagnostic, ...]
    new: tuple[Diagnostic, ...]
    blind: Mapping[Path, str]
    shallow: Mapping[Path, str]
    masked: frozenset[Path]
    loose: tuple[Path, ...]

    @property
    def whole(self) -> tuple[Path, ...]:
        return tuple(path for path in self.seen if path not in self.shallow and path not in self.loose)


@value
class Sided:
    """A candidate as the checkers meet it: the texts without and with it, and what it renames."""

    change: Change
    before: Snapshot
    after: Snapshot
    link: Link | None


@value
class Seen:
    """What one tool found in `paths`; `blind` files were not looked at, for the reason given."""

    version: str
    paths: tuple[Path, ...]
    found: tuple[Diagnostic, ...]
    blind: Mapping[Path, str]


Asked = tuple[Path, int]
"""A file, and the byte in it at which a server is asked."""


@value
class Answer:
    """The references that a server lists, in its own `units`; `trouble` says why they may not be all, "" where nothing does."""

    version: str
    units: Units
    locations: tuple[Location, ...]
    trouble: str


class Runner:
    """Owns the children of one root and what they said of which texts."""

    def __init__(self, root: Path, settings: CheckSettings) -> None:
        self._root, self._settings = root, settings
        self._children: OrderedDict[tuple[str, Path], Child] = OrderedDict()
        self._starting = asyncio.Lock()
        self._blind: dict[tuple[str, Path], asyncio.Future[str]] = {}
        self._watch = DiskWatch(root)
        self._sweeps: set[asyncio.Future[None]] = set()
        self._generation = self._epoch = 0
        self._said: OrderedDict[str, tuple[Diagnostic, ...]] = OrderedDict()

    @property
    def moves(self) -> tuple[int, int]:
        """How often files were seen to have moved, and how often settings or packages."""
        return self._generation, self._epoch

    async def refresh(self) -> None:
        """Let the children know what moved on disk; moved settings or packages start them anew.

        Goes on when whoever asked has gone: what was seen and what the children were told must not come apart.
        """
        sweep = asyncio.ensure_future(self._sweep())
        self._sweeps.add(sweep)
        sweep.add_done_callback(self._sweeps.discard)
        await asyncio.shield(sweep)

    async def _sweep(self) -> None:
        async with self._starting:
            moves = await asyncio.to_thread(self._watch.sweep)
            if moves.any:
                self._generation += 1
                self._epoch += moves.settings
                await self._pass_on(moves)

    async def _pass_on(self, moves: Moves) -> None:
        if moves.settings:
            await self._end_all()
            return
        for child in self._children.values():
            if child.usable:
                child.files_moved(moves.created, moves.changed, moves.deleted)

    async def _end_all(self) -> None:
        for key, child in tuple(self._children.items()):
            await self._let_go(key, child)

    async def _let_go(self, key: tuple[str, Path], child: Child) -> None:
        """Forgotten only when it has ended, so that it is still known when this is interrupted."""
        async with child.lock:
            await child.close()
        del self._children[key]

    async def compare(self, checker: Checker, tool: Tool, case: Sided, scope: Sequence[Path]) -> Pair:
        """Both sides of a candidate by the same warm child. Raises CheckerUnavailable."""
        async with self._held(checker, tool, case.before) as child:
            try:
                blind, shallow = await self._prove(child, checker, tool, case.after, scope)
                seen = tuple(path for path in scope if path not in blind)
                old = await self._findings(child, checker, case.before, seen)
                new = await self._findings(child, checker, case.after, seen)
                followed = await self._followed(child, checker, case, seen, old)
            finally:
                if child.usable:
                    child.mirror(self._wanted(checker, case.before, ()))
            masked = frozenset(path for path in seen if child.sights[path, _digest(case.after, path)] is Sight.MASKED)
        lost = await asyncio.to_thread(detached, checker, case.change, case.before, seen, old)
        blind |= {path: reason for path, reason in lost.items() if followed is None or path not in followed}
        seen = tuple(path for path in seen if path not in blind)
        loose = () if followed is None else tuple(path for path in seen if path not in followed and path not in shallow)
        return Pair(child.version, seen, _at(seen, old), _at(seen, new), blind, shallow, masked, loose)

    async def _followed(
        self, child: Child, checker: Checker, case: Sided, seen: Sequence[Path], old: Sequence[Diagnostic]
    ) -> set[Path] | None:
        """The files in which the tool follows the use of what is renamed, None where that cannot be known."""
        if checker.alone or case.link is None or not any(map(checker.speaks, case.link.homes)):
            return None

        async def look(texts: Snapshot, paths: Sequence[Path]) -> tuple[Diagnostic, ...]:
            return tuple(found for found in await self._findings(child, checker, texts, paths) if counts(found))

        return await followed(case.link, case.before, seen, [found for found in old if counts(found)], look)

    async def look(self, checker: Checker, tool: Tool, texts: Snapshot, scope: Sequence[Path]) -> Seen:
        """What the tool finds in texts as they stand. Raises CheckerUnavailable."""
        async with self._held(checker, tool, texts) as child:
            blind = await self._obstacles(child, checker, tool, scope)
            paths = tuple(path for path in scope if path not in blind)
            return Seen(child.version, paths, await self._findings(child, checker, texts, paths), blind)

    async def fixes(self, checker: Checker, tool: Tool, texts: Snapshot, path: Path, start: int, end: int) -> tuple[ToolFix, ...]:
        """What the tool offers for those of its own findings between bytes `start` and `end` that are nearest to the start, `MOST_ASKED` at
        most. Raises CheckerUnavailable."""
        held = texts.read(path)
        if not isinstance(held, TextFile):
            return ()
        async with self._held(checker, tool, texts) as child:
            if await self._obstacles(child, checker, tool, (path,)):
                return ()
            child.mirror(self._wanted(checker, texts, (path,)))
            placer = Placer(held, child.units)
            found = [(placer.diagnostic(item, checker.name), item) for item in await child.pull(path)]
            touching = [(one, item) for one, item in found if one.place.start <= end and one.place.end >= start]
            touching = [(one, item) for one, item in touching if checker.keeps(path, one.code, texts)]
            touching.sort(key=lambda pair: abs(pair[0].place.start - start))
            out: list[ToolFix] = []
            for one, item in touching[:MOST_ASKED]:
                for action in await child.actions(path, item):
                    change = change_of(action.edit, texts, child.units) if action.edit else None
                    if change is not None:
                        out.append(ToolFix(_PREFIX.sub("", action.title), change, checker.name, one))
            return tuple(out)

    async def references(
        self, server: Server, tool: Tool, texts: Snapshot, asked: Sequence[Asked], shown: Sequence[Path], seconds: float
    ) -> Answer:
        """What a server lists for the names at these places, with the files of `shown` open; all in at most `seconds` once it has started.

        Raises CheckerUnavailable.
        """
        loop = asyncio.get_running_loop()
        async with self._held(server, tool, texts) as child:
            until = loop.time() + seconds
            hindered = [await self._obstacle(child, server, tool, path) for path, _ in asked] if isinstance(server, Checker) else []
            try:
                child.mirror(self._wanted(server, texts, (*(path for path, _ in asked), *shown)))
                trouble = next(filter(None, hindered), "") or await child.loaded(until - loop.time())
                found: list[Location] = []
                for path, offset in asked:
                    held, left = texts.read(path), until - loop.time()
                    if left <= 0:
                        trouble = trouble or f"{server.name} took more than {seconds:.3g} s"
                    elif isinstance(held, TextFile):
                        found += await child.references(path, *Placer(held, child.units).told(offset), left)
            finally:
                if child.usable:
                    child.mirror(self._wanted(server, texts, ()))
            return Answer(child.version, child.units, tuple(found), trouble)

    async def close(self) -> None:
        """End every child, in the middle of a check or not."""
        # First without the lock: a sweep may hold it, and wait for a check to be over.
        await asyncio.gather(*(child.close() for child in self._children.values()))
        for test in self._blind.values():
            test.cancel()
        await asyncio.gather(*self._sweeps, *self._blind.values(), return_exceptions=True)
        async with self._starting:
            await self._end_all()

    @asynccontextmanager
    async def _held(self, checker: Server, tool: Tool, texts: Snapshot) -> AsyncGenerator[Child]:
        """A child for oneself. One that was ended while we queued for it is replaced, a few times over. Raises CheckerUnavailable."""
        for _ in range(CHILD_TRIES):
            child = await self._child(checker, tool, texts)
            async with child.lock:
                if child.usable:
                    yield child
                    return
        raise CheckerUnavailable(f"{checker.name} was ended {CHILD_TRIES} times before it could be asked")

    async def _child(self, checker: Server, tool: Tool, texts: Snapshot) -> Child:
        key = (checker.name, tool.path)
        async with self._starting:
            held = self._children.get(key)
            if held is not None and held.usable:
                self._children.move_to_end(key)
                return held
            if held is not None:
                await held.kill()
            await self._make_room()
            launch, settings = checker.launch(tool, texts), self._settings
            start = start_child(launch.dialect).start
            made = await start(checker.name, self._root, launch, checker.languages, settings.start_timeout, settings.timeout)
            self._children[key] = made
            self._children.move_to_end(key)
            return made

    async def _make_room(self) -> None:
        """End those that were not asked for longest; one that is at work, and those that came after it, may stay for now."""
        for key, child in tuple(self._children.items())[: 1 - CHECKERS_KEPT]:
            if child.lock.locked():
                return
            await self._let_go(key, child)

    async def _prove(
        self, child: Child, checker: Checker, tool: Tool, texts: Snapshot, scope: Sequence[Path]
    ) -> tuple[dict[Path, str], dict[Path, str]]:
        """Which files the checker does not look at, or only for their syntax: in each of them a planted error must be reported."""
        blind = await self._obstacles(child, checker, tool, scope)
        shallow: dict[Path, str] = {}
        proofs = {path: checker.proof(path, texts) for path in scope if path not in blind}
        await self._plant(child, checker, texts, proofs)
        for path, proof in proofs.items():
            if child.sights[path, _digest(texts, path)] is Sight.BLIND:
                (blind if proof.fatal else shallow)[path] = proof.reason
        return blind, shallow

    async def _obstacles(self, child: Child, checker: Checker, tool: Tool, scope: Sequence[Path]) -> dict[Path, str]:
        return {path: reason for path in scope if (reason := await self._obstacle(child, checker, tool, path))}

    async def _obstacle(self, child: Child, checker: Checker, tool: Tool, path: Path) -> str:
        """Why the tool, or the settings above `path`, keep it from seeing; tried once for each program and each state of the settings."""
        if reason := await self._tested(checker, tool):
            return reason
        for config in await asyncio.to_thread(checker.governs, path, self._root):
            key = (config, await asyncio.to_thread(checker.fingerprint, config))
            if key not in child.obstacles:
                child.obstacles = {held: why for held, why in child.obstacles.items() if held[0] != config}
                child.obstacles[key] = await asyncio.to_thread(checker.obstacle, tool, config, self._root)
            if child.obstacles[key]:
                return child.obstacles[key]
        return ""

    async def _tested(self, checker: Checker, tool: Tool) -> str:
        """What the self-test of a program says. It goes on when whoever asked has gone; one that could not be made is made again."""
        key = (checker.name, tool.path)
        held = self._blind.get(key)
        if held is None or (held.done() and (held.cancelled() or held.exception() is not None)):
            held = self._blind[key] = asyncio.ensure_future(blindness(checker, tool, self._settings))
        return await asyncio.shield(held)

    async def _plant(self, child: Child, checker: Checker, texts: Snapshot, proofs: Mapping[Path, Proof]) -> None:
        """Plant an error in every text that is not proved yet, in all of them at once, and note where it was reported."""
        mirrored = self._wanted(checker, texts, tuple(proofs))
        missing = [path for path in proofs if (path, mirrored[path].digest) not in child.sights]
        if not missing:
            return
        if len(child.sights) > _CACHED:
            child.sights = {key: held for key, held in child.sights.items() if key[0] in proofs}
        made = {path: plant(mirrored[path], proofs[path]) for path in missing}
        child.mirror({**mirrored, **{path: planted.file for path, planted in made.items()}})
        for path, items in zip(missing, await _pulled(child, missing, quiet=True), strict=True):
            _placed(items, made[path].file, child, checker)
            child.sights[path, mirrored[path].digest] = made[path].sight(items, proofs[path], checker.is_syntax)

    async def _findings(self, child: Child, checker: Checker, texts: Snapshot, paths: Sequence[Path]) -> tuple[Diagnostic, ...]:
        mirrored = self._wanted(checker, texts, paths)
        keys = {path: self._key(checker, texts, mirrored[path]) for path in paths}
        missing = [path for path in paths if keys[path] not in self._said]
        if missing:
            child.mirror(mirrored)
            for path, items in zip(missing, await _pulled(child, missing), strict=True):
                placed = _placed(items, mirrored[path], child, checker)
                self._said[keys[path]] = tuple(found for found in placed if checker.keeps(path, found.code, texts))
        out: list[Diagnostic] = []
        for path in paths:
            self._said.move_to_end(keys[path])
            out += self._said[keys[path]]
        while len(self._said) > _CACHED:
            self._said.popitem(last=False)
        return tuple(out)

    def _wanted(self, checker: Server, texts: Snapshot, scope: Sequence[Path]) -> dict[Path, TextFile]:
        """The documents that the child has to hold: every text over the disk that it can read, and the files in question."""
        paths = [p for p in texts.overlay if checker.speaks(p) and p.is_relative_to(self._root)]
        held = {path: texts.read(path) for path in (*paths, *scope)}
        return {path: file for path, file in held.items() if isinstance(file, TextFile)}

    def _key(self, checker: Checker, texts: Snapshot, file: TextFile) -> str:
        """Names everything that a finding in `file` hangs on: the disk as swept, the texts over it, and the file."""
        parts = [checker.name, str(self._generation), f"{file.path}\0{file.digest}"]
        if not checker.alone:
            parts += sorted(f"{f.path}\0{f.digest}" for f in texts.overlay.values() if checker.speaks(f.path))
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


async def _pulled(child: Child, paths: Sequence[Path], *, quiet: bool = False) -> Sequence[tuple[Item, ...]]:
    """What the child finds in each file, a few files at a time, so that each has its own time limit and not that of a queue."""
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(path: Path) -> tuple[Item, ...]:
        async with turns:
            return await child.pull(path, quiet=quiet)

    pulls = [asyncio.ensure_future(one(path)) for path in paths]
    try:
        return await asyncio.gather(*pulls)
    finally:
        # One that failed leaves the others under way, and the next candidate must not meet them.
        for pull in pulls:
            pull.cancel()
        await asyncio.gather(*pulls, return_exceptions=True)


def _at(paths: Sequence[Path], found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(one for one in found if one.place.path in paths)


def _digest(texts: Snapshot, path: Path) -> str:
    held = texts.read(path)
    return held.digest if isinstance(held, TextFile) else ""


def _placed(items: Sequence[Item], file: TextFile, child: Child, checker: Checker) -> tuple[Diagnostic, ...]:
    placer = Placer(file, child.units)
    try:
        return tuple(placer.diagnostic(item, checker.name) for item in items)
    except TextError as error:
        raise CheckerUnavailable(f"{checker.name} reported a place outside {file.path.name}: {error}") from error


def counts(found: Diagnostic) -> bool:
    """Whether a new finding of this severity stands in the way of a change."""
    return found.severity in {Severity.ERROR, Severity.WARNING}
