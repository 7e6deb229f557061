"""`surefoot replay`: work through a recorded run again, without model, tools or network, and name the first difference."""

import argparse

from surefoot.cli.common import OK, finish, print_json, root_of
from surefoot.cli.parsers import App, Commands, add_root, command

DIFFERS = 1
EPILOG = """example:
  surefoot replay r1a2b3c4 --root .

exit codes: 0 the same events, byte for byte; 1 one differs; 2 usage; 3 the run cannot be read"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "replay", "decide a recorded run again and compare every event", EPILOG)
    parser.add_argument("run", metavar="RUN", help="the run's name, from `surefoot runs list`")
    add_root(parser)


def run(args: argparse.Namespace, app: App) -> int:
    """Read the journal; nothing is changed."""
    return finish(_replay(args))


async def _replay(args: argparse.Namespace) -> int:
    from surefoot.journal.bundle import MASKED
    from surefoot.journal.journal import Journal, state_dir
    from surefoot.loop.replay import replay

    journal = Journal(root_of(args), state_dir())
    try:
        story = journal.read(args.run)
        done = await replay(story.entries, journal.blob, masked=journal.origin(args.run) == MASKED)
    finally:
        journal.close()
    first, damage = done.first, story.damage
    if args.json:
        shown = None if first is None else {n: getattr(first, n) for n in ("seq", "kind", "field", "recorded", "now")}
        broken = None if damage is None else {"seq": damage.seq, "rule": damage.rule}
        same = first is None and damage is None
        print_json({"run": args.run, "same": same, "events": done.events, "computed": done.computed, "first": shown, "damaged": broken})
    elif first is not None:
        print(f"{args.run}: event {first.seq} ({first.kind}) differs{f' at {first.field}' if first.field else ''}")
        print(f"  recorded: {first.recorded}\n  now:      {first.now}")
    elif damage is not None:
        print(f"{args.run}: row {damage.seq} is damaged (“{damage.rule}”); the {done.events} events before it are the same")
    else:
        print(f"{args.run}: the same {done.events} events, {done.computed} of them decided again")
    return OK if first is None and damage is None else DIFFERS
