"""`surefoot serve`: the language server over standard input and output."""

import argparse

from surefoot.cli.parsers import App, Commands, command

EPILOG = """example:
  surefoot serve            an editor starts this and speaks to it over standard input and output

exit codes: 0 the editor said goodbye, 1 it went away without"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = command(commands, "serve", "speak to an editor over standard input and output", EPILOG)
    parser.add_argument("--stdio", action="store_true", help="what it does anyway; some editors insist on saying so")


def run(args: argparse.Namespace, app: App) -> int:
    """Serve one editor until it leaves."""
    return app.serve()
