"""`surefoot`: argv to a command."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from surefoot import __version__

if TYPE_CHECKING:
    from surefoot.service import Build

COMMANDS = ("run", "apply", "resume", "sites", "impact", "runs", "replay", "doctor", "serve")


class Lazy:
    """The composition root, imported when a command asks for it: a language server has to answer before its service is made."""

    def build(self) -> "Build":
        """What makes a service."""
        return import_module("surefoot.app").build

    def serve(self) -> int:
        """Serve one editor over standard input and output until it leaves."""
        return import_module("surefoot.lsp.main").serve("surefoot", __version__, self.build)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says how it ended (`surefoot COMMAND --help` lists them)."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="surefoot", description="Change code one checked step at a time.")
    parser.add_argument("--version", action="version", version=f"surefoot {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # Only the command that was named is imported.
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        import_module(f"surefoot.cli.{name}").add(commands)
    args = parser.parse_args(words)
    try:
        return import_module(f"surefoot.cli.{args.command}").run(args, Lazy())
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the answer has enough of it; the interpreter must not try to write the rest at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
