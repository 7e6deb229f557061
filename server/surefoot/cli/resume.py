"""`surefoot resume`: let a run go on that was cut short or wants attention."""

import argparse
from pathlib import Path

from surefoot.cli.common import ATTENTION, Spoken, disk_service, finish, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.cli.run import conclude
from surefoot.loop.deliver import Reply
from surefoot.service import Service

EPILOG = """example:
  surefoot resume r1a2b3c4 --root .
  surefoot resume r1a2b3c4 --root . --apply
  surefoot resume r1a2b3c4 --root . --undo

exit codes: as `surefoot run`"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "resume", "go on with a run from its last valid state", EPILOG)
    parser.add_argument("run", metavar="RUN", help="the run's name, from `surefoot runs list`")
    parser.add_argument("--apply", action="store_true", help="apply the steps once all are ready")
    half = parser.add_mutually_exclusive_group()
    half.add_argument("--finish", action="store_true", help="bring an edit that was cut short to the files that it did not reach")
    half.add_argument("--undo", action="store_true", help="take back what an edit that was cut short did")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Take the run up; where it wants attention, a person who calls this has looked."""
    return finish(_resume(args, app))


async def _resume(args: argparse.Namespace, app: App) -> int:
    root = root_of(args)
    async with disk_service(root, app) as service:
        held = service.take_up(root, args.run, Spoken())
        if held.state.attention:
            say(f"surefoot: it had stopped: {held.state.attention}")
            reply = await _put_right(service, root, args)
            say(f"surefoot: {reply.message}")
            if not reply.done:
                return ATTENTION
        return await conclude(service, root, held, apply=args.apply, json=args.json)


async def _put_right(service: Service, root: Path, args: argparse.Namespace) -> Reply:
    """What the person asks for; half an edit is never just forgotten."""
    if args.finish:
        return await service.finish(root, args.run)
    return await service.revert(root, args.run) if args.undo else service.resume(root, args.run)
