"""`surefoot resume`: let a run go on that was cut short or wants attention."""

import argparse
from pathlib import Path

from surefoot.cli.common import ATTENTION, REFUSED, Spoken, disk_service, finish, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.cli.run import conclude
from surefoot.loop.deliver import Reply
from surefoot.service import Service

EPILOG = """example:
  surefoot resume r1a2b3c4 --root .
  surefoot resume r1a2b3c4 --root . --apply
  surefoot resume r1a2b3c4 --root . --undo
  surefoot resume r1a2b3c4 --overrule 2
  surefoot resume r1a2b3c4 --stronger

exit codes: as `surefoot run`"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "resume", "go on with a run from its last valid state", EPILOG)
    parser.add_argument("run", metavar="RUN", help="the run's name, from `surefoot runs list`")
    parser.add_argument("--apply", action="store_true", help="apply the steps once all are ready")
    half = parser.add_mutually_exclusive_group()
    half.add_argument("--finish", action="store_true", help="bring an edit that was cut short to the files that it did not reach")
    half.add_argument("--undo", action="store_true", help="take back what an edit that was cut short did")
    half.add_argument("--overrule", type=int, metavar="STEP", help="offer a step that holds and that only the judge is against")
    half.add_argument("--stronger", action="store_true", help="do the task of an escalated run again with the stronger model")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Take the run up; where it wants attention, a person who calls this has looked."""
    return finish(_resume(args, app))


async def _resume(args: argparse.Namespace, app: App) -> int:
    root = root_of(args)
    async with disk_service(root, app) as service:
        if args.stronger:
            return await _stronger(service, root, args)
        held = service.take_up(root, args.run, Spoken())
        if args.overrule is not None:
            reply = service.overrule(root, args.run, args.overrule - 1)
            say(f"surefoot: {reply.message}")
            if not reply.done:
                return REFUSED
        if held.state.attention:
            say(f"surefoot: it had stopped: {held.state.attention}")
            reply = await _put_right(service, root, args)
            say(f"surefoot: {reply.message}")
            if not reply.done:
                return ATTENTION
        return await conclude(service, root, held, apply=args.apply, json=args.json)


async def _stronger(service: Service, root: Path, args: argparse.Namespace) -> int:
    """A run of its own, from the note that the last attempt left."""
    begun = service.stronger(root, args.run, Spoken())
    if isinstance(begun, Reply):
        say(f"surefoot: {begun.message}")
        return REFUSED
    say(f"surefoot: {begun.state.task.text} ({begun.state.run}, with the stronger model)")
    return await conclude(service, root, begun, apply=args.apply, json=args.json)


async def _put_right(service: Service, root: Path, args: argparse.Namespace) -> Reply:
    """What the person asks for; half an edit is never just forgotten."""
    if args.finish:
        return await service.finish(root, args.run)
    return await service.revert(root, args.run) if args.undo else service.resume(root, args.run)
