"""`surefoot`: argv to a command."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from surefoot import __version__

COMMANDS = ("run", "apply", "sites", "runs", "doctor", "serve")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says how it ended (`surefoot COMMAND --help` lists them)."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="surefoot", description="Change code one checked step at a time.")
    parser.add_argument("--version", action="version", version=f"surefoot {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # A language server has to answer at once: only the command that was named is imported.
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        import_module(f"surefoot.cli.{name}").add(commands)
    args = parser.parse_args(words)
    try:
        return import_module(f"surefoot.cli.{args.command}").run(args)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
