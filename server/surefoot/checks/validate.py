"""The one validator behind all three flows: a change, the texts it is made for, and what the checks together say of it."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from surefoot.checks.baseline import Sides, delta
from surefoot.checks.checker import Checker, CheckKind, Missing, Tool
from surefoot.checks.command import Command, Gate
from surefoot.checks.command_checks import judge, tasks_of
from surefoot.checks.commands import Commands
from surefoot.checks.gate import TOOL, SyntaxGate, has_gate
from surefoot.checks.inputs import inputs_of
from surefoot.checks.naming import Namer
from surefoot.checks.opinion import second_opinion
from surefoot.checks.runner import Pair, Runner, Seen, Sided, counts
from surefoot.checks.settings import CheckSettings
from surefoot.checks.strikes import Strikes
from surefoot.checks.table import CHECKERS, COMMANDS
from surefoot.core.change import Change
from surefoot.core.errors import CheckerUnavailable, SurefootError
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Findings, ToolFix, Verdict
from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, Unreadable
from surefoot.core.value import value
from surefoot.syntax.opinions import SecondOpinion
from surefoot.workspace.snapshot import Snapshot

Renames = tuple[tuple[str, str], ...]
_NEVER = ("build: not run", "tests: not run")


class Validator:
    """Validates changes of one root, and finds and fixes in its texts. Holds warm children until `close`.

    A verdict is never cheerful by accident: a checker that is missing, crashed, timed out, sees nothing planted in a file, or is blinded by
    a syntax error makes it `unavailable` or `masked`. JavaScript that the project does not type-check (no checkJs) is the one exception: it
    is held to its syntax, which is all the project asks, the verdict may be `clean`, and the evidence has a check of its own,
    `typescript (syntax only)`, so that nothing can claim types for it.
    """

    def __init__(
        self,
        root: Path,
        settings: CheckSettings | None = None,
        checkers: Sequence[Checker] = CHECKERS,
        commands: Callable[[], Iterable[Command]] = lambda: COMMANDS,
    ) -> None:
        self._root = root
        self._settings = settings or CheckSettings()
        self._checkers = checkers
        self._runner = Runner(root, self._settings)
        self._commands = Commands(root, self._settings)
        self._table = commands
        self._gate = SyntaxGate()
        self._namer = Namer()
        self._strikes = Strikes()

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: Renames = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        """Check `change` over `texts`: edited files and those of `also`, syntax, lint, then types, up to the first check that finds
        something new. `on_check` hears the name of each check before it starts. Raises TextError if the change is for other texts."""
        case = _Case.of(change, texts, also, renames)
        tally = _Tally()
        await self._runner.refresh()
        if on_check is not None:
            on_check(TOOL)
        await _syntax(self._gate, case, tally)
        commands = self._commands_now(case, tally)
        for kind in CheckKind:
            for checker in (one for one in self._checkers if one.kind is kind):
                scope = [p for p in (case.edited if checker.alone else case.checked) if self._looks(checker, p)]
                if not scope:
                    continue
                if tally.new:
                    tally.not_run.append(f"{checker.name}: not run, {tally.runs[-1].tool} found something new")
                    continue
                if on_check is not None:
                    on_check(checker.name)
                for tool, paths in self._tools(checker, scope).items():
                    await self._check(checker, tool, paths, case, tally)
            await self._run([command for command in commands if command.kind is kind], Gate.OFFER, case, tally, on_check)
        return await self._evidence(case, tally)

    async def run_gate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: Renames = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        """What belongs to the run gate, once: commands of that gate, and those that took too long for the offer gate. As `validate`."""
        case = _Case.of(change, texts, also, renames)
        tally = _Tally()
        await self._runner.refresh()
        await self._run(self._commands_now(case, tally), Gate.RUN, case, tally, on_check)
        return await self._evidence(case, tally)

    async def diagnose(self, texts: Snapshot, paths: Sequence[Path]) -> Findings:
        """What the checkers find in `paths` as they stand, and which tools could not look, and why."""
        await self._runner.refresh()
        found: list[Diagnostic] = []
        runs: list[CheckRun] = []
        for checker in self._checkers:
            scope = [p for p in paths if self._looks(checker, p) and isinstance(texts.read(p), TextFile)]
            for tool, files in self._tools(checker, scope).items():
                some, said = await self._look(checker, tool, texts, files)
                found += some
                runs += said
        return Findings(tuple(found), tuple(runs))

    async def _look(
        self, checker: Checker, tool: Tool | Missing, texts: Snapshot, files: Sequence[Path]
    ) -> tuple[Sequence[Diagnostic], Sequence[CheckRun]]:
        began = time.monotonic()
        try:
            if isinstance(tool, Missing):
                raise CheckerUnavailable(tool.reason)
            seen = await self._runner.look(checker, tool, texts, files)
        except CheckerUnavailable as error:
            seen = Seen("", (), (), {path: str(error) for path in files})
        seconds = time.monotonic() - began
        found = [one for one in seen.found if not checker.noise(one, texts)]
        runs = [CheckRun(checker.name, seen.version, CheckStatus.CLEAN, seen.paths, seconds)] if seen.paths else []
        taken, left = self._handed_on(checker, seen.blind)
        for other, its, paths in taken:
            more, said = await self._look(other, its, texts, paths)
            found += more
            runs += said
        for reason, paths in _by_reason(left).items():
            runs.append(CheckRun(checker.name, seen.version, CheckStatus.UNAVAILABLE, paths, seconds, reason))
        return found, runs

    async def fixes(self, texts: Snapshot, path: Path, start: int, end: int) -> tuple[ToolFix, ...]:
        """Unchecked fixes that the tools offer for their findings touching bytes `start` to `end`. A tool that cannot look offers none."""
        await self._runner.refresh()
        out: list[ToolFix] = []
        for checker in self._checkers:
            tool = checker.find(path, self._root, self._settings) if self._fixes(checker, path) else None
            if isinstance(tool, Tool):
                try:
                    out += await self._runner.fixes(checker, tool, texts, path, start, end)
                except CheckerUnavailable:
                    continue
        return tuple(out)

    async def opinion(self, texts: Snapshot, scan: Scan, target: Target) -> SecondOpinion:
        """The sites of `scan`, a search of `texts` for `target`, united with what language servers say of them. Changes nothing."""
        await self._runner.refresh()
        return await second_opinion(self._runner, self._settings, texts, scan, target)

    async def close(self) -> None:
        """End every child process."""
        await self._commands.close()
        await self._runner.close()

    def _commands_now(self, case: "_Case", tally: "_Tally") -> Sequence[Command]:
        """The commands as settings have them; settings that cannot be read are told in the verdict."""
        self._commands.moved(*self._runner.moves)
        try:
            return tuple(self._table())
        except SurefootError as error:
            tally.runs.append(CheckRun("settings", "", CheckStatus.UNAVAILABLE, case.edited, 0.0, str(error)))
            return ()

    async def _run(
        self, commands: Sequence[Command], gate: Gate, case: "_Case", tally: "_Tally", on_check: Callable[[str], None] | None
    ) -> None:
        """The commands that the project uses for the files of a case, one after another."""
        for command in commands:
            for task in await asyncio.to_thread(
                tasks_of, command, case.edited if command.alone else case.checked, case.after, self._settings
            ):
                if tally.new and gate is Gate.OFFER:
                    tally.not_run.append(f"{command.name}: not run, {tally.runs[-1].tool} found something new")
                    continue
                if on_check is not None and self._commands.runs(task.command, task.job, gate):
                    on_check(command.name)
                judged = await judge(self._commands, task, Sided(case.change, case.before, case.after, None), gate)
                tally.runs += [judged.run] if judged.run else []
                tally.not_run += [judged.note] if judged.note else []
                if judged.pair:
                    await _record(self._gate, command, judged.pair, case, tally, judged.seconds, self._commands.where)

    def _looks(self, checker: Checker, path: Path) -> bool:
        return checker.speaks(path) and checker.wanted(path, self._root)

    def _fixes(self, checker: Checker, path: Path) -> bool:
        """Whoever looks, and whoever stands behind: it may know fixes that the other does not."""
        return checker.speaks(path) and (
            checker.wanted(path, self._root) or any(one.instead == checker.name and self._looks(one, path) for one in self._checkers)
        )

    def _handed_on(
        self, checker: Checker, blind: Mapping[Path, str]
    ) -> tuple[Sequence[tuple[Checker, Tool, Sequence[Path]]], Mapping[Path, str]]:
        """Which of the files that a checker could not look at another one takes, and which nobody does, with the reason."""
        other = next((one for one in self._checkers if one.name == checker.instead), None)
        taken: dict[Tool, list[Path]] = {}
        left: dict[Path, str] = {}
        for path, reason in blind.items():
            tool = other.find(path, self._root, self._settings) if other is not None and not other.wanted(path, self._root) else None
            if isinstance(tool, Tool):
                taken.setdefault(tool, []).append(path)
            else:
                left[path] = reason
        return [(other, tool, paths) for tool, paths in taken.items() if other is not None], left

    def _tools(self, checker: Checker, paths: Iterable[Path]) -> Mapping[Tool | Missing, list[Path]]:
        groups: dict[Tool | Missing, list[Path]] = {}
        for path in paths:
            groups.setdefault(checker.find(path, self._root, self._settings), []).append(path)
        return groups

    async def _check(self, checker: Checker, tool: Tool | Missing, paths: Sequence[Path], case: "_Case", tally: "_Tally") -> None:
        """One tool's part of the verdict; files that it cannot look at go to the checker that stands behind it.

        A tool that fails is unavailable. Only one that is missing, or has failed too often, is stood in for.
        """
        began = time.monotonic()
        reason = tool.reason if isinstance(tool, Missing) else self._strikes.left_alone(tool.path)
        if isinstance(tool, Missing) or reason:
            pair = _unseen(dict.fromkeys(paths, reason))
        else:
            try:
                link = None if checker.alone else await self._namer.link(case.change, case.before, case.after, case.renames)
                pair = await self._runner.compare(checker, tool, Sided(case.change, case.before, case.after, link), paths)
                self._strikes.worked(tool.path)
            except CheckerUnavailable as error:
                self._strikes.failed(tool.path, str(error))
                tally.runs.append(CheckRun(checker.name, "", CheckStatus.UNAVAILABLE, tuple(paths), time.monotonic() - began, str(error)))
                return
        taken, left = self._handed_on(checker, pair.blind)
        seconds = time.monotonic() - began
        if reason and left:
            tally.runs.append(CheckRun(checker.name, "", CheckStatus.UNAVAILABLE, tuple(left), seconds, reason))
        else:
            await _record(self._gate, checker, replace(pair, blind=left), case, tally, seconds)
        for other, its, files in taken:
            why = next(iter(pair.blind.values()))
            tally.not_run.append(f"{checker.name} of {_names(files)}: {why}; {other.name} looked instead")
            await self._check(other, its, files, case, tally)

    async def _evidence(self, case: "_Case", tally: "_Tally") -> Evidence:
        looked = {path for run in tally.runs for path in run.scope}
        unchecked = [p for p in case.edited if not has_gate(p) and not any(c.speaks(p) for c in self._checkers) and p not in looked]
        notes = [f"{p.relative_to(self._root) if p.is_relative_to(self._root) else p}: no checker for this kind of file" for p in unchecked]
        verdict = _verdict(tally)
        inputs = await asyncio.to_thread(inputs_of, case.before, case.after, (*case.change.paths, *case.checked))
        not_run = (*tally.not_run, *notes, *_NEVER)
        new, fixed = await self._namer.with_alternatives(tally.new, case.after), await self._namer.with_functions(tally.fixed, case.before)
        return Evidence(case.change.digest, verdict, inputs, tuple(tally.runs), new, fixed, not_run, case.unread)


@value
class _Case:
    """What is asked: two snapshots, which files are edited, which are to be checked, which could not be read."""

    change: Change
    before: Snapshot
    after: Snapshot
    edited: tuple[Path, ...]
    checked: tuple[Path, ...]
    unread: tuple[Unreadable, ...]
    renames: Renames

    @classmethod
    def of(cls, change: Change, texts: Snapshot, also: Sequence[Path], renames: Renames) -> "_Case":
        after = texts.with_change(change)
        edited = tuple(dict.fromkeys(change.paths))
        held = {path: after.read(path) for path in dict.fromkeys((*edited, *also))}
        checked = tuple(path for path, file in held.items() if isinstance(file, TextFile))
        unread = tuple(file for file in held.values() if isinstance(file, Unreadable))
        return cls(change, texts, after, edited, checked, unread, renames)

    def sides(self, paths: Iterable[Path]) -> dict[Path, Sides]:
        return {path: Sides(_data(self.before, path), _data(self.after, path)) for path in paths}


@dataclass
class _Tally:
    """What the checks of one verdict said so far."""

    runs: list[CheckRun] = field(default_factory=lambda: list[CheckRun]())
    new: list[Diagnostic] = field(default_factory=lambda: list[Diagnostic]())
    fixed: list[Diagnostic] = field(default_factory=lambda: list[Diagnostic]())
    not_run: list[str] = field(default_factory=lambda: list[str]())


def _data(texts: Snapshot, path: Path) -> bytes:
    held = texts.read(path)
    return held.data if isinstance(held, TextFile) else b""


async def _syntax(gate: SyntaxGate, case: _Case, tally: _Tally) -> None:
    began = time.monotonic()
    sides = case.sides(path for path in case.edited if has_gate(path))
    if not sides:
        return
    old, new = await gate.faults(case.before, sides), await gate.faults(case.after, sides)
    what = delta(old, new, sides, case.renames)
    status = CheckStatus.NEW if what.new else CheckStatus.CLEAN
    tally.new += what.new
    tally.fixed += what.fixed
    tally.runs.append(CheckRun(TOOL, "", status, tuple(sides), time.monotonic() - began))


async def _record(
    gate: SyntaxGate, checker: Checker | Command, pair: Pair, case: _Case, tally: _Tally, seconds: float, where: str = ""
) -> None:
    """Turn a pair of findings into the runs of one tool: for files seen whole, for syntax only, and not at all."""
    sides = case.sides(pair.seen)
    what = delta([d for d in pair.old if counts(d)], [d for d in pair.new if counts(d)], sides, case.renames, checker.kin)
    tally.new += what.new
    tally.fixed += what.fixed
    masked = pair.masked | await gate.broken(case.after, (d.place.path for d in pair.new if checker.is_syntax(d.code)))
    for name, files in ((checker.name, pair.whole), (f"{checker.name} (syntax only)", tuple(pair.shallow))):
        if files:
            status, detail = _status(files, {d.place.path for d in what.new}, masked)
            tally.runs.append(CheckRun(name, pair.version, status, files, seconds, detail or pair.shallow.get(files[0], where)))
    if pair.shallow:
        tally.not_run.append(f"types of {_names(tuple(pair.shallow))}: not checked, {next(iter(pair.shallow.values()))}")
    if pair.loose:
        tally.not_run.append(f"{checker.name} did not follow the use in {_names(pair.loose)}")
    if pair.loose and not pair.whole and checker.required:
        why = f"{checker.name} does not follow the use"
        tally.runs.append(CheckRun(checker.name, pair.version, CheckStatus.UNAVAILABLE, pair.loose, seconds, why))
    for reason, paths in _by_reason(pair.blind).items():
        if checker.required:
            tally.runs.append(CheckRun(checker.name, pair.version, CheckStatus.UNAVAILABLE, paths, 0.0, reason))
        else:
            tally.not_run.append(f"{checker.name} of {_names(paths)}: {reason}")


def _unseen(blind: Mapping[Path, str]) -> Pair:
    return Pair("", (), (), (), blind, {}, frozenset(), ())


def _by_reason(blind: Mapping[Path, str]) -> Mapping[str, tuple[Path, ...]]:
    return {reason: tuple(path for path, why in blind.items() if why == reason) for reason in blind.values()}


def _status(files: Sequence[Path], new: Set[Path], masked: Set[Path]) -> tuple[CheckStatus, str]:
    if not new.isdisjoint(files):
        return CheckStatus.NEW, ""
    hidden = [path for path in files if path in masked]
    return (CheckStatus.MASKED, f"a syntax error hides what else there may be in {_names(hidden)}") if hidden else (CheckStatus.CLEAN, "")


def _names(paths: Sequence[Path]) -> str:
    shown = ", ".join(path.name for path in paths[:3])
    return shown if len(paths) <= 3 else f"{shown} and {len(paths) - 3} more"


def _verdict(tally: _Tally) -> Verdict:
    """The worst that any check said; without any check nothing was validated."""
    said = {run.status for run in tally.runs} - {CheckStatus.LATER}
    if tally.new:
        return Verdict.NEW
    if not said or CheckStatus.UNAVAILABLE in said:
        return Verdict.UNAVAILABLE
    return Verdict.MASKED if CheckStatus.MASKED in said else Verdict.CLEAN
