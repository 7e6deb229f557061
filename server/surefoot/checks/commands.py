"""The commands of one root: run in its shadow, before and after a candidate, once they have shown that they see it."""

import asyncio
import hashlib
import os
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from surefoot.checks.checker import Missing, Proof, Tool
from surefoot.checks.command import Command, Found, Gate, Said
from surefoot.checks.command_place import path_in, placed
from surefoot.checks.outcome import normalise, not_started
from surefoot.checks.planting import Planted, Sight, plant
from surefoot.checks.runner import Pair, Sided
from surefoot.checks.settings import CheckSettings
from surefoot.checks.shadow import Asked, Shadow, ShadowKind, open_shadow
from surefoot.checks.strikes import Strikes
from surefoot.core.errors import CheckerUnavailable, OutsideText
from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.run.limits import OFFER_GATE_SECONDS, STRIKES
from surefoot.run.outcomes import Failure, FailureClass
from surefoot.workspace.snapshot import Snapshot

Listed = tuple[tuple[Path, Found], ...]
_PRAGMA = re.compile(rb"^.*(?:ignore|disable|nocheck|noqa|mypy:|pyright:|eslint|skip|pragma).*$", re.MULTILINE)
"""Lines that may keep a tool from speaking of a file."""
_UNSTARTED = frozenset({"EACCES", "ENOENT", "ENOEXEC", "EPERM", "exit 126", "exit 127"})
_CACHED = 256
_PROVED = 4096
_ONE_BY_ONE = 16
"""Files in which a fault that was not reported beside others is planted alone."""


@value
class Job:
    """A command with its tool and the place in which it runs: a folder, or a file with its settings."""

    command: Command
    tool: Tool
    place: Path

    @property
    def key(self) -> str:
        return f"{self.command.name}\0{self.place}"

    def __hash__(self) -> int:
        return hash((self.key, self.tool))


class Commands:
    """Owns the shadow of one root; one command runs in it at a time. What was said, proved and missed holds until settings move."""

    def __init__(self, root: Path, settings: CheckSettings) -> None:
        self._root, self._settings = root, settings
        self._shadow: Shadow | None = None
        self._turn = asyncio.Lock()
        self._said: OrderedDict[str, Listed] = OrderedDict()
        self._proved: OrderedDict[str, Sight] = OrderedDict()
        self._slow: dict[str, float] = {}
        self._strikes = Strikes()
        self._epoch = self._generation = -1

    @property
    def where(self) -> str:
        """How the commands saw the candidate, for evidence; "" as long as none has looked."""
        if self._shadow is None:
            return ""
        return "in an overlay" if self._shadow.kind is ShadowKind.OVERLAY else f"in a copy ({self._shadow.reason})"

    def slow(self, job: Job) -> float:
        """The seconds that it took when it took too many for the offer gate, else 0."""
        return self._slow.get(job.key, 0.0)

    def runs(self, command: Command, job: "Job | Missing", gate: Gate) -> bool:
        """Whether the command is asked at this gate."""
        if isinstance(job, Missing):
            return False
        return (
            self.slow(job) == 0 if command.gate is gate is Gate.OFFER else command.gate is gate or (gate is Gate.RUN and self.slow(job) > 0)
        )

    def moved(self, generation: int, epoch: int) -> None:
        """Files have another `generation`, settings another `epoch` than before, if they are not the same."""
        if epoch != self._epoch:
            self._slow.clear()
            self._proved.clear()
            self._strikes = Strikes()
        self._epoch, self._generation = epoch, generation

    async def compare(self, job: Job, case: Sided, scope: Sequence[Path]) -> Pair:
        """Both sides of a candidate. Raises CheckerUnavailable."""
        async with self._turn:
            if alone := self._strikes.left_alone(job.tool.path):
                raise CheckerUnavailable(f"{job.command.name} is {alone}")
            blind, shallow, masked = await self._prove(job, case.after, scope)
            seen = tuple(path for path in scope if path not in blind)
            old = new = ()
            if seen:
                old = await self._before(job, case.before, seen)
                began = time.monotonic()
                new = await self._run(job, case.after, seen)
                if (seconds := time.monotonic() - began) > OFFER_GATE_SECONDS:
                    self._slow[job.key] = seconds
        return _pair(job.command, job.tool.version, case, seen, (old, new), (blind, shallow, masked))

    async def close(self) -> None:
        """End what runs, and the shadow."""
        shadow, self._shadow = self._shadow, None
        if shadow is not None:
            await shadow.close()

    async def _prove(
        self, job: Job, texts: Snapshot, scope: Sequence[Path]
    ) -> tuple[Mapping[Path, str], Mapping[Path, str], frozenset[Path]]:
        """Which files are not looked at, or for syntax only, with the reasons, and in which a syntax error hides what was planted.

        A file in which nothing changes that could silence the tool is not proved again. Raises CheckerUnavailable where the tool sees no
        file that is in the shadow alone.
        """
        command = job.command
        files = {path: held for path in scope if isinstance(held := texts.read(path), TextFile)}
        proofs = {path: command.proof(path, texts) for path in files}
        keys = {path: _proof_key(job, file) for path, file in files.items()}
        missing = [path for path in files if keys[path] not in self._proved]
        masked: set[Path] = set()
        if missing:
            sights = dict(await self._planted(job, texts, {p: (files[p], proofs[p]) for p in missing}))
            for path in [p for p, sight in sights.items() if sight is Sight.BLIND][: _ONE_BY_ONE if len(missing) > 1 else 0]:
                # Some programs stop at the first file that has a fault.
                sights |= await self._planted(job, texts, {path: (files[path], proofs[path])})
            for path, sight in sights.items():
                if sight is Sight.MASKED:
                    masked.add(path)
                else:
                    self._proved[keys[path]] = sight
        while len(self._proved) > _PROVED:
            self._proved.popitem(last=False)
        unseen = {path: proof for path, proof in proofs.items() if self._proved.get(keys[path]) is Sight.BLIND}
        blind = {path: proof.reason for path, proof in unseen.items() if proof.fatal}
        return blind, {path: proof.reason for path, proof in unseen.items() if not proof.fatal}, frozenset(masked)

    async def _planted(self, job: Job, texts: Snapshot, asked: Mapping[Path, tuple[TextFile, Proof]]) -> Mapping[Path, Sight]:
        """Run with a fault in every file, and in one of them with the use of a file that is in the shadow alone."""
        command, first = job.command, next(iter(asked))
        scratch = command.scratch(first, texts)
        proofs = {path: proof for path, (_, proof) in asked.items()}
        made = {path: plant(file, proof) for path, (file, proof) in asked.items()}
        extra = [planted.file for planted in made.values()]
        if scratch is not None:
            proof = proofs[first]
            made[first] = plant(asked[first][0], Proof(proof.planted + scratch.planted, "", "", proof.fatal, proof.early))
            extra = [*(planted.file for planted in made.values()), scratch.file]
        files = (*asked, scratch.file.path) if scratch is not None else tuple(asked)
        found = await self._run(job, texts, files, extra)
        hidden = command.masks and any(command.is_syntax(one.code) for _, one in found)
        sights = {path: Sight.MASKED if hidden else _sight(command, planted, proofs[path], path, found) for path, planted in made.items()}
        if scratch is not None and sights[first] is Sight.SEES:
            told = {path for path, one in found if path == scratch.file.path or (path == first and scratch.says in one.message)}
            if told != {scratch.file.path, first}:
                what = "use of it" if scratch.file.path in told else "file that is not on disk"
                raise CheckerUnavailable(f"{command.name} reports no error in a {what}: it does not see what is unsaved")
        return sights

    async def _before(self, job: Job, texts: Snapshot, scope: Sequence[Path]) -> Listed:
        """What there is without the candidate; asked once as long as nothing moves that it could hang on."""
        parts = [job.key, str(job.tool.path), str(self._generation), *map(str, scope)]
        parts += sorted(f"{file.path}\0{file.digest}" for file in texts.overlay.values())
        key = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
        if key not in self._said or not job.command.watched:
            self._said[key] = await self._run(job, texts, scope)
        self._said.move_to_end(key)
        while len(self._said) > _CACHED:
            self._said.popitem(last=False)
        return self._said[key]

    async def _run(self, job: Job, texts: Snapshot, files: Iterable[Path], extra: Iterable[TextFile] = ()) -> Listed:
        """One run over texts, with `extra` ones over those. Raises CheckerUnavailable, and remembers failures in a row."""
        shadow = await self._shadowed()
        await shadow.lay({file.path: file.data for file in (*texts.overlay.values(), *extra)})
        command, place = job.command, job.place
        cwd = place if await asyncio.to_thread(place.is_dir) else place.parent
        cache = await asyncio.to_thread(_cache, self._root, command.name)
        argv = command.tell(job.tool.path, shadow.inside(place), [shadow.inside(path) for path in files], cache)
        env = {**os.environ, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", **command.env}
        env.pop("FORCE_COLOR", None)
        try:
            ended = await shadow.run(Asked(command.name, argv, env, cwd, command.seconds or self._settings.timeout))
            outcome = normalise(ended, lambda data: command.read(Said(ended.code, data, ended.stderr)), command.good)
        except OSError as error:
            outcome = not_started(command.name, error)
        if isinstance(outcome, Failure):
            # One that cannot even be started, and will not be, has no second try.
            for _ in range(STRIKES if outcome.cls is FailureClass.PERMANENT and outcome.code in _UNSTARTED else 1):
                self._strikes.failed(job.tool.path, outcome.message)
            raise CheckerUnavailable(outcome.message)
        if outcome.code and not outcome.answer:
            last = next(reversed(outcome.stderr.strip().splitlines()), "")[:200]
            raise CheckerUnavailable(
                f"{command.name} ended with exit code {outcome.code} and reported nothing" + (f": {last}" if last else "")
            )
        self._strikes.worked(job.tool.path)
        return tuple((path_in(one.file, shadow.inside(cwd), shadow.outside), one) for one in outcome.answer)

    async def _shadowed(self) -> Shadow:
        if self._shadow is None:
            from platformdirs import user_cache_path

            self._shadow = await open_shadow(self._root, user_cache_path("surefoot") / "shadows")
        return self._shadow


def _pair(
    command: Command,
    version: str,
    case: Sided,
    seen: Sequence[Path],
    said: tuple[Listed, Listed],
    proved: tuple[Mapping[Path, str], Mapping[Path, str], frozenset[Path]],
) -> Pair:
    """What was said of the files of the root, in terms of their texts. Raises CheckerUnavailable where that of before says nothing."""
    old, new = ([(path, one) for path, one in side if path.is_relative_to(case.before.root)] for side in said)
    blind, shallow, masked = proved
    hidden = command.masks and any(command.is_syntax(one.code) for _, one in new)
    before = next((path for path, one in old if command.masks and command.is_syntax(one.code)), None)
    if before is not None and not hidden:
        raise CheckerUnavailable(f"a syntax error in {before.name} hides what {command.name} would find before the change")
    everything = tuple(dict.fromkeys((*seen, *(path for path, _ in (*old, *new) if not command.alone and path not in blind))))
    old, new = ([(path, one) for path, one in side if path in everything] for side in (old, new))
    try:
        was, now = _diagnostics(command, old, case.before), _diagnostics(command, new, case.after)
    except OutsideText as error:
        raise CheckerUnavailable(f"{command.name} reported a place that is not there: {error}") from error
    return Pair(version, everything, was, now, blind, shallow, frozenset(everything) if hidden else masked, ())


def _diagnostics(command: Command, found: Iterable[tuple[Path, Found]], texts: Snapshot) -> tuple[Diagnostic, ...]:
    def text(path: Path) -> TextFile | None:
        held = texts.read(path)
        return held if isinstance(held, TextFile) else None

    return tuple(placed(found, text, command))


def _sight(command: Command, planted: Planted, proof: Proof, path: Path, found: Listed) -> Sight:
    """What the answer shows of one file."""
    here = [one for where, one in found if where == path and one.severity in {Severity.ERROR, Severity.WARNING}]
    if any(planted.first < one.line <= planted.last + 1 and proof.says in one.message for one in here):
        return Sight.SEES
    return Sight.MASKED if any(command.is_syntax(one.code) for one in here) else Sight.BLIND


def _proof_key(job: Job, file: TextFile) -> str:
    """Everything in a text that may keep a tool from speaking of it."""
    lines = b"\n".join(_PRAGMA.findall(file.data))
    return f"{job.key}\0{job.tool.path}\0{file.path}\0{hashlib.sha256(lines).hexdigest()}"


def _cache(root: Path, name: str) -> Path:
    """A folder for what a tool keeps between runs, outside the project. Raises CheckerUnavailable."""
    from platformdirs import user_cache_path

    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    folder = user_cache_path("surefoot") / "checks" / key / re.sub(r"\W", "_", name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CheckerUnavailable(f"{folder} could not be made: {error.strerror or error}") from error
    return folder
