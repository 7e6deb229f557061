"""`surefoot run`: one task, headless, in checked steps."""

import argparse
import asyncio
import os
from pathlib import Path

from surefoot.cli.common import CANCELLED, REFUSED, Spoken, UsageError, disk_service, finish, place_in, print_json, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.cli.steps import as_json, exit_code, print_run
from surefoot.core.plan import Task
from surefoot.loop.run import Run
from surefoot.run.events import Resulted, Waive
from surefoot.run.outcomes import Refused
from surefoot.service import Service
from surefoot.workspace.snapshot import Snapshot

EPILOG = """example:
  surefoot run "rename getUser to fetchCurrentUser" --root .
  surefoot run "rename Cart.total to Cart.sum including strings" --root . --apply
  surefoot run "add parameter timeout: float = 30 to fetch" --root .
  surefoot run "let parse_date take ISO weeks, and test that"
  surefoot run "rename getUser to fetchCurrentUser" --waive test/legacy.py:12:9

exit codes: 0 all steps ready or applied, 2 usage, 3 refused or escalated, 4 wants attention, 5 limit, 130 cancelled"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "run", "do a task in checked steps; without --apply nothing is written", EPILOG)
    parser.add_argument("task", metavar="TASK", help='such as "rename OLD to NEW"')
    parser.add_argument("--waive", action="append", default=[], metavar="PATH:LINE:COLUMN", help="let this site be; may be given again")
    parser.add_argument("--apply", action="store_true", help="apply the steps once all are ready")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Draft the task, show the steps, apply them when asked to."""
    return finish(_run(args, app))


async def _run(args: argparse.Namespace, app: App) -> int:
    from surefoot.engines.tasks import NotATask, parse_task
    from surefoot.loop.staffing import without_a_model
    from surefoot.policy.settings import model_of

    root = root_of(args)
    parsed = parse_task(args.task)
    if isinstance(parsed, NotATask) and (why := without_a_model(parsed.reason, model_of(root, os.environ).endpoint)):
        raise UsageError(why)
    waived = [_waive(Snapshot(root), words) for words in args.waive]
    async with disk_service(root, app) as service:
        started = service.start(root, Task(args.task), Spoken())
        # Before anything is planned: the run's own task has not had its turn yet.
        for request in waived:
            if not (reply := service.waive(root, started.state.run, request)).done:
                await service.cancel(root, started.state.run)
                raise UsageError(reply.message)
        say(f"surefoot: {args.task} ({started.state.run})")
        return await conclude(service, root, started, apply=args.apply, json=args.json)


def _waive(texts: Snapshot, words: str) -> Waive:
    """The site that a person lets be. Raises UsageError when there is no such place."""
    path, *numbers = words.rsplit(":", 2)
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise UsageError(f"--waive {words}: give a site as PATH:LINE:COLUMN, such as src/user.ts:12:17")
    line, column = map(int, numbers)
    place_in(texts, path, line, column)
    return Waive((texts.root / path).resolve(), line, column, "asked for with --waive")


async def conclude(service: Service, root: Path, held: Run, *, apply: bool, json: bool, part: bool = False) -> int:
    """Wait for the steps, apply them if asked to, print the answer, and give the exit code.

    `part` applies what is ready even where the run could not draft all of it.
    """
    name = held.state.run
    refused = ""
    try:
        await service.drafted(root, name)
        code = exit_code(held.state)
        if apply and held.state.open and not held.state.attention and (part or held.state.winding is None):
            reply = await service.apply_all(root, name)
            await service.drafted(root, name)
            say(f"surefoot: {reply.message}")
            refused = "" if reply.done else reply.message
            code = exit_code(held.state) if reply.done or held.state.attention else REFUSED
    except asyncio.CancelledError:
        await service.cancel(root, name)
        code = CANCELLED
    refusal = _refusal(service, root, name)
    report = service.write_report(root, name)
    if json:
        print_json(as_json(held.state, str(report), refusal.candidates if refusal else (), refused))
    else:
        print_run(held.state, refusal)
        say(f"report: {report}")
    return code


def _refusal(service: Service, root: Path, name: str) -> Refused | None:
    outcomes = (e.event.outcome for e in service.entries(root, name) if isinstance(e.event, Resulted))
    return next((o for o in outcomes if isinstance(o, Refused)), None)
