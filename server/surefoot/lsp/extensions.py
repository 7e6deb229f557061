"""What Surefoot adds to the protocol: commands, their arguments and answers, and one notification.

`clients/vscode/src/lspExt.ts` mirrors this file; a test compares names and fields. Field names are those on the wire but for their case
(`new_name` is `newName` there).
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import cast

from lsprotocol import types as t

from surefoot.core.errors import Unusable
from surefoot.core.sites import Tier
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
SITES = "surefoot.server.sites"
OVERRULE = "surefoot.server.overrule"
STRONGER = "surefoot.server.stronger"

COMMANDS = (START, APPLY, APPLY_ALL, REVERT, SKIP, CANCEL, APPLY_PROPOSAL, SHOW_RUN, NEXT, RESUME, FINISH, SITES, OVERRULE, STRONGER)

RUN_CHANGED = "surefoot/runChanged"
EDIT_TASK = "surefoot/editTask"
"""A person wants to say a task otherwise: the client asks for the words, from those that are there, and then sends START."""

NEEDS_KEY = "surefoot/key"
"""In the `needs` of an error's data: a key would help."""

RENAME_EVERYWHERE = "surefoot.renameEverywhere"
"""A command of the client: it asks for the new name and then sends START."""

DO_TASK = "surefoot.doTask"
"""A command of the client: it asks for a task in words and then sends START."""


@value
class StartParams:
    """A task in words; `uri` and `position` say what is meant by it, `new_name` what a rename makes of it, `quoted` what a checker said."""

    task: str
    root: str | None = None
    uri: str | None = None
    position: t.Position | None = None
    new_name: str | None = None
    quoted: str | None = None


@value
class StartResult:
    run: str


@value
class NeedsKey:
    """The data of an error that says that a task needs a model: `needs` is NEEDS_KEY, `forms` are tasks that need none."""

    needs: str
    forms: tuple[str, ...]


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
    """A run's new state. `cost` is what models took so far, in words, "" for none; where it `asks`, the server itself asks what is next.

    `stronger` says that it is of a task that was given up, for which a person chose the stronger model.
    """

    run: str
    root: str
    task: str
    status: str
    steps: tuple[StepState, ...]
    attention: bool
    message: str
    cost: str
    asks: bool
    stronger: bool


@value
class EditTask:
    """The words of a task, and the root that it is of."""

    task: str
    root: str


@value
class SitesParams:
    """The place of the symbol whose sites are wanted; `tests` false leaves out test code, `tiers` all other tiers.

    `flat` asks for a list of locations, by default of the tiers that a change must account for. `others` is what the editor's own language
    server answers for the same place; the two answers are united, and where they differ is said. An empty one disagrees with all. Without
    it, `second_opinion` asks language servers that Surefoot starts itself.
    """

    uri: str
    position: t.Position
    tests: bool
    flat: bool
    tiers: tuple[str, ...] | None = None
    others: tuple[t.Location, ...] | None = None
    second_opinion: bool | None = None


@value
class SymbolShown:
    """A definition of the symbol; `range` covers its name."""

    name: str
    kind: str
    container: str
    uri: str
    range: t.Range


@value
class SiteShown:
    """A site: `range` is what a rename would replace, `text` the line without its indent. `opinion` is "both" where another language
    server lists it too, "ours" where it should and does not, "theirs" where it does against our tier, "" where nobody asked or none is due.
    """

    uri: str
    range: t.Range
    kind: str
    tier: str
    reason: str
    function: str
    test: bool
    text: str
    opinion: str


@value
class NotScanned:
    uri: str
    reason: str


@value
class TierCount:
    tier: str
    sites: int
    files: int


@value
class ServerSaid:
    """What came of asking a language server for a second opinion: `said` is one line for a person, with what is missing of its answer."""

    name: str
    version: str
    said: str


@value
class SitesResult:
    """`counts` has every tier that has sites, listed here or not; test code only where it was asked for."""

    name: str
    symbols: tuple[SymbolShown, ...]
    sites: tuple[SiteShown, ...]
    not_scanned: tuple[NotScanned, ...]
    counts: tuple[TierCount, ...]
    servers: tuple[ServerSaid, ...] | None = None


def to_wire(sent: StartResult | NeedsKey | ShowRunResult | RunChanged | EditTask | SitesResult) -> dict[str, object]:
    """One of our values as JSON; values of the protocol stay as they are, for pygls to write."""
    return {_camel(field.name): _wire(getattr(sent, field.name)) for field in fields(sent)}


def _wire(held: object) -> object:
    if isinstance(held, tuple):
        return [_wire(one) for one in cast(tuple[object, ...], held)]
    if is_dataclass(held) and not isinstance(held, type):
        return {_camel(field.name): _wire(getattr(held, field.name)) for field in fields(held)}
    return held


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def read_start(arguments: Sequence[object] | None) -> StartParams:
    """The argument of START. Raises Unusable."""
    given = _object(START, arguments)
    return StartParams(
        task=_text(given, "task") or "",
        root=_text(given, "root"),
        uri=_text(given, "uri"),
        position=_position(given.get("position")),
        new_name=_text(given, "newName"),
        quoted=_text(given, "quoted"),
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


def read_sites(arguments: Sequence[object] | None) -> SitesParams:
    """The argument of SITES: test code is wanted where nothing else is said. Raises Unusable."""
    given = _object(SITES, arguments)
    uri, position = _text(given, "uri"), _position(given.get("position"))
    if not uri or position is None:
        raise Unusable(f"{SITES} needs the uri of a file and a position in it")
    tiers = None if given.get("tiers") is None else tuple(_tier(tier) for tier in _list(given, "tiers"))
    others = None if given.get("others") is None else tuple(_location(one) for one in _list(given, "others"))
    return SitesParams(
        uri, position, _flag(given, "tests", True), _flag(given, "flat", False), tiers, others, _flag(given, "secondOpinion", False)
    )


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


def _flag(given: dict[str, object], name: str, missing: bool) -> bool:
    held = given.get(name)
    if held is None or isinstance(held, bool):
        return missing if held is None else held
    raise Unusable(f"{name} must be true or false")


def _list(given: dict[str, object], name: str) -> list[object]:
    held = given.get(name)
    if isinstance(held, list):
        return cast(list[object], held)
    raise Unusable(f"{name} must be a list")


def _tier(given: object) -> str:
    if isinstance(given, str) and given in set(Tier):
        return given
    raise Unusable(f"tiers are {', '.join(Tier)}")


def _location(given: object) -> t.Location:
    held = cast(dict[str, object], given) if isinstance(given, dict) else {}
    uri, covered = held.get("uri"), held.get("range")
    ends = cast(dict[str, object], covered) if isinstance(covered, dict) else {}
    start, end = _position(ends.get("start")), _position(ends.get("end"))
    if isinstance(uri, str) and start is not None and end is not None:
        return t.Location(uri, t.Range(start, end))
    raise Unusable("others must be locations: objects with a uri and a range")
