"""What Surefoot adds to the protocol: commands, their arguments and answers, and one notification.

`clients/vscode/src/lspExt.ts` mirrors this file; a test compares names and fields. Field names are those on the wire but for their case
(`new_name` is `newName` there).
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

from lsprotocol import types as t

from surefoot.core.errors import Unusable
from surefoot.core.value import value

START = "surefoot.server.start"
APPLY = "surefoot.server.apply"
APPLY_ALL = "surefoot.server.applyAll"
REVERT = "surefoot.server.revert"
SKIP = "surefoot.server.skip"
CANCEL = "surefoot.server.cancel"
APPLY_PROPOSAL = "surefoot.server.applyProposal"
SHOW_RUN = "surefoot.server.showRun"
NEXT = "surefoot.server.next"
RESUME = "surefoot.server.resume"
FINISH = "surefoot.server.finish"

COMMANDS = (START, APPLY, APPLY_ALL, REVERT, SKIP, CANCEL, APPLY_PROPOSAL, SHOW_RUN, NEXT, RESUME, FINISH)

RUN_CHANGED = "surefoot/runChanged"
RENAME_EVERYWHERE = "surefoot.renameEverywhere"
"""A command of the client: it asks for the new name and then sends START."""


@value
class StartParams:
    """A task in words; `uri` and `position` say what is meant by it, `new_name` what a rename makes of it."""

    task: str
    root: str | None = None
    uri: str | None = None
    position: t.Position | None = None
    new_name: str | None = None


@value
class StartResult:
    run: str


@value
class RunParams:
    """Names a run, a step of it, and the change that was shown; without a run the newest open one is meant."""

    run: str | None = None
    step: str | None = None
    change: str | None = None


@value
class ProposalParams:
    id: str


@value
class ShowRunResult:
    """A run's report, in Markdown."""

    run: str
    title: str
    text: str


@value
class StepState:
    """A step as a client shows it; `summary` is the title with sites, size and checks, as in the lightbulb."""

    id: str
    title: str
    summary: str
    status: str
    files: int
    added: int
    removed: int
    sites: int
    wide: bool
    checks: str
    reason: str


@value
class RunChanged:
    run: str
    root: str
    task: str
    status: str
    steps: tuple[StepState, ...]
    attention: bool
    message: str


def to_wire(sent: StartResult | ShowRunResult | RunChanged) -> dict[str, object]:
    """One of our values as JSON; none of their fields has a name of two words."""
    return asdict(sent)


def read_start(arguments: Sequence[object] | None) -> StartParams:
    """The argument of START. Raises Unusable."""
    given = _object(START, arguments)
    return StartParams(
        task=_text(given, "task") or "",
        root=_text(given, "root"),
        uri=_text(given, "uri"),
        position=_position(given.get("position")),
        new_name=_text(given, "newName"),
    )


def read_run(command: str, arguments: Sequence[object] | None) -> RunParams:
    """The argument of a command about a run; it may be left out. Raises Unusable."""
    given = _object(command, arguments or [{}])
    return RunParams(_text(given, "run"), _text(given, "step"), _text(given, "change"))


def read_proposal(arguments: Sequence[object] | None) -> ProposalParams:
    """The argument of APPLY_PROPOSAL. Raises Unusable."""
    named = _text(_object(APPLY_PROPOSAL, arguments), "id")
    if not named:
        raise Unusable(f"{APPLY_PROPOSAL} needs the id of a proposal")
    return ProposalParams(named)


def _object(command: str, arguments: Sequence[object] | None) -> dict[str, object]:
    if not arguments or not isinstance(arguments[0], dict):
        raise Unusable(f"{command} takes one object as its argument")
    return cast(dict[str, object], arguments[0])


def _text(given: dict[str, object], name: str) -> str | None:
    held = given.get(name)
    if held is None or isinstance(held, str):
        return held
    raise Unusable(f"{name} must be a text")


def _position(given: object) -> t.Position | None:
    if given is None:
        return None
    held = cast(dict[str, object], given) if isinstance(given, dict) else {}
    line, character = held.get("line"), held.get("character")
    if isinstance(line, int) and isinstance(character, int) and line >= 0 and character >= 0:
        return t.Position(line, character)
    raise Unusable("position must be an object with a line and a character")
