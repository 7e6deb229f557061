"""`surefoot resume`: let a run go on that was cut short or wants attention."""

import argparse

from surefoot.cli.common import Spoken, disk_service, finish, root_of, say
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.cli.run import conclude

EPILOG = """example:
  surefoot resume r1a2b3c4 --root .
  surefoot resume r1a2b3c4 --root . --apply

exit codes: as `surefoot run`"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "resume", "go on with a run from its last valid state", EPILOG)
    parser.add_argument("run", metavar="RUN", help="the run's name, from `surefoot runs list`")
    parser.add_argument("--apply", action="store_true", help="apply the steps once all are ready")
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
            say(f"surefoot: {service.resume(root, args.run).message}")
        return await conclude(service, root, held, apply=args.apply, json=args.json)
