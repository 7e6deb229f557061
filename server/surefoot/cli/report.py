"""`surefoot runs report`: what a run did, as Markdown, JSON or a page."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli.common import OK, UsageError, root_of, say
from surefoot.cli.parsers import add_root

if TYPE_CHECKING:
    from surefoot.cli.parsers import Commands
    from surefoot.report.forms import Form

FORMATS = ("markdown", "text", "json", "html")


def add(parts: "Commands") -> None:
    """Describe the command."""
    parser = parts.add_parser("report", help="the report of a run: Markdown, JSON or one HTML page")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--format", choices=FORMATS, help="default: what the name of FILE says, else markdown (text is the same)")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write it there instead of to standard output")
    add_root(parser)


async def work(args: argparse.Namespace) -> int:
    """Render the report from the run's events. Raises JournalError, UsageError."""
    from surefoot.journal.journal import Journal, state_dir
    from surefoot.report.forms import written
    from surefoot.report.gather import account_of

    journal = Journal(root_of(args), state_dir())
    try:
        story = journal.read(args.run)
    finally:
        journal.close()
    report = written(account_of(story.entries, story.damage), _form(args))
    if args.output is None:
        sys.stdout.buffer.write(report)
        sys.stdout.flush()
        return OK
    try:
        args.output.write_bytes(report)
    except OSError as error:
        raise UsageError(f"{args.output} cannot be written: {error.strerror}") from error
    say(f"report: {args.output}")
    return OK


def _form(args: argparse.Namespace) -> "Form":
    from surefoot.report.forms import Form

    if args.format is not None:
        return Form.MARKDOWN if args.format == "text" else Form(args.format)
    if args.json:
        return Form.JSON
    suffix = args.output.suffix.lower() if args.output is not None else ""
    return Form.HTML if suffix == ".htm" else next((form for form in Form if form.suffix == suffix), Form.MARKDOWN)
