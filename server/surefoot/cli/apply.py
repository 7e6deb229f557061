"""`surefoot apply`: apply the ready steps of an earlier run, if its texts still stand."""

import argparse

from surefoot.cli.common import Spoken, disk_service, finish, root_of
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.cli.run import conclude

EPILOG = """example:
  surefoot apply r1a2b3c4 --root .

exit codes: as `surefoot run`"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "apply", "apply the ready steps of a run", EPILOG)
    parser.add_argument("run", metavar="RUN", help="the run's name, from `surefoot runs list`")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Take the run up, draft again what has moved, and apply."""
    return finish(_apply(args, app))


async def _apply(args: argparse.Namespace, app: App) -> int:
    root = root_of(args)
    async with disk_service(root, app) as service:
        held = service.take_up(root, args.run, Spoken())
        return await conclude(service, root, held, apply=True, json=args.json, part=True)
