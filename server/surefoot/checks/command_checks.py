"""Which commands of a table have something to say of a candidate, and what becomes of it in a verdict."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from surefoot.checks.checker import Missing
from surefoot.checks.command import Command, Gate
from surefoot.checks.commands import Commands, Job
from surefoot.checks.runner import Pair, Sided
from surefoot.checks.settings import CheckSettings
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.findings import CheckRun, CheckStatus
from surefoot.core.text import Texts
from surefoot.core.value import value


@value
class Judged:
    """What came of one command in one place: a pair to compare, or a run that says why there is none; `note` for what did not run."""

    pair: Pair | None = None
    run: CheckRun | None = None
    note: str = ""
    seconds: float = 0.0


@value
class Task:
    """One command, and the files of one place that it is to look at."""

    command: Command
    job: Job | Missing
    scope: tuple[Path, ...]


def tasks_of(command: Command, scope: Iterable[Path], texts: Texts, settings: CheckSettings) -> Sequence[Task]:
    """The files that the project uses a command for, by place and tool."""
    groups: dict[Job | Missing, list[Path]] = {}
    for path in scope:
        if command.speaks(path) and (place := command.uses(path, texts)) is not None:
            tool = command.find(path, texts.root, settings)
            groups.setdefault(tool if isinstance(tool, Missing) else Job(command, tool, place), []).append(path)
    return tuple(Task(command, job, tuple(paths)) for job, paths in groups.items())


async def judge(commands: Commands, task: Task, case: Sided, gate: Gate) -> Judged:
    """Run one command on both sides, if it belongs to this gate."""
    command, job = task.command, task.job
    if isinstance(job, Missing):
        if command.required:
            return Judged(run=CheckRun(command.name, "", CheckStatus.UNAVAILABLE, task.scope, 0.0, job.reason))
        return Judged(note=f"{command.name}: not run, {job.reason}")
    slow = commands.slow(job)
    if slow and gate is Gate.OFFER:
        why = f"it took {slow:.0f} s, so it moved to the run gate"
        return Judged(run=CheckRun(command.name, job.tool.version, CheckStatus.LATER, task.scope, 0.0, why))
    if not commands.runs(command, job, gate):
        return Judged(note="" if gate is Gate.RUN else f"{command.name}: not run, it belongs to the {command.gate} gate")
    began = time.monotonic()
    try:
        pair = await commands.compare(job, case, task.scope)
    except CheckerUnavailable as error:
        run = CheckRun(command.name, job.tool.version, CheckStatus.UNAVAILABLE, task.scope, time.monotonic() - began, str(error))
        return Judged(run=run)
    return Judged(pair, seconds=time.monotonic() - began)
