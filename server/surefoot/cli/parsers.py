"""How a command describes itself: one shape, so that every help shows an example and the exit codes."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from surefoot.service import Build


class App(Protocol):
    """What the composition root lends to a command; nothing heavy is imported before it is asked for."""

    def build(self) -> "Build": ...

    def serve(self) -> int: ...


class Commands(Protocol):
    """Where a command adds its parser."""

    def add_parser(
        self,
        name: str,
        *,
        help: str | None = ...,
        description: str | None = ...,
        epilog: str | None = ...,
        formatter_class: type[argparse.RawDescriptionHelpFormatter] = ...,
    ) -> argparse.ArgumentParser: ...


def command(commands: Commands, name: str, words: str, epilog: str = "") -> argparse.ArgumentParser:
    """A command's parser: what it does in a line, and an epilog kept as it is written."""
    return commands.add_parser(name, help=words, description=words, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)


def add_root(parser: argparse.ArgumentParser) -> None:
    """The two options that every command has."""
    parser.add_argument("--root", metavar="DIR", type=Path, default=Path(), help="the project's folder (default: this one)")
    parser.add_argument("--json", action="store_true", help="print one JSON document on standard output and nothing else there")
