"""Language servers as children give a second opinion on the sites of a symbol. It changes nothing, and what is missing of it is said."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from surefoot.checks.checker import Missing, Server, Tool
from surefoot.checks.messages import Location
from surefoot.checks.places import Placer, path_of
from surefoot.checks.runner import Answer, Asked, Runner
from surefoot.checks.servers import SERVERS
from surefoot.checks.settings import CheckSettings
from surefoot.core.errors import CheckerUnavailable, TextError
from surefoot.core.sites import Scan, Site, SiteKind, Target, Tier
from surefoot.core.text import LineIndex, Place, TextFile, Units
from surefoot.run.limits import OPINION_FILES, OPINIONS_ASKED
from surefoot.syntax.mentions import is_test
from surefoot.syntax.opinions import Our, SecondOpinion, ServerSaid, Side, Stand, United, Witness, united
from surefoot.syntax.sites import quoted
from surefoot.workspace.snapshot import Snapshot

LONGEST_VERSION = 40
"""Characters of a version that are told."""


@dataclass(slots=True)
class _Question:
    """What one server is asked; without a server nobody is."""

    server: Server | None
    tool: Tool | Missing
    asked: list[Asked] = field(default_factory=list[Asked])


async def second_opinion(
    runner: Runner, settings: CheckSettings, texts: Snapshot, scan: Scan, target: Target, servers: Sequence[Server] = SERVERS
) -> SecondOpinion:
    """The sites of `scan`, a search of `texts` for `target`, with what the servers of its languages say of them.

    A server is asked at each definition. A place that only a server lists becomes a likely site; a disagreement stands in the reason of a
    site. A server that is missing, slow, gone, or answers for a part of the project only, is told with the reason among the `servers`.
    """
    heard = SecondOpinion(scan, {}, ())
    for question in _questions(servers, _places(texts, scan, target), texts.root, settings):
        server, tool = question.server, question.tool
        if server is None:
            suffixes = ", ".join(sorted({path.suffix or path.name for path, _ in question.asked}))
            heard = _with(heard, ServerSaid(suffixes, trouble="there is no language server to ask"))
        elif isinstance(tool, Missing):
            heard = _with(heard, ServerSaid(server.name, trouble=tool.reason))
        else:
            heard = await _heard(runner, settings, texts, server, tool, question.asked, heard)
    return heard


def _places(texts: Snapshot, scan: Scan, target: Target) -> Sequence[Asked]:
    """The definitions; where there are none, the place that was asked about."""
    found = [(symbol.place.path, symbol.place.start) for symbol in scan.symbols]
    return found or ([(texts.root / target.path, target.offset)] if target.path else [])


def _questions(servers: Sequence[Server], asked: Sequence[Asked], root: Path, settings: CheckSettings) -> Sequence[_Question]:
    """One for each tool; a project may have several of one kind."""
    made: dict[tuple[str, Tool | Missing], _Question] = {}
    for place in asked:
        server = next((one for one in servers if one.speaks(place[0])), None)
        tool = server.find(place[0], root, settings) if server else Missing("")
        made.setdefault((server.name if server else "", tool), _Question(server, tool)).asked.append(place)
    return tuple(made.values())


async def _heard(
    runner: Runner, settings: CheckSettings, texts: Snapshot, server: Server, tool: Tool, asked: Sequence[Asked], heard: SecondOpinion
) -> SecondOpinion:
    ours = tuple(dict.fromkeys(site.place.path for site in heard.scan.sites if server.speaks(site.place.path)))[:OPINION_FILES]
    try:
        answer = await runner.references(server, tool, texts, asked[:OPINIONS_ASKED], ours, settings.opinion_timeout)
    except CheckerUnavailable as error:
        return _with(heard, ServerSaid(server.name, trouble=str(error)))
    if len(asked) > OPINIONS_ASKED:
        answer = replace(answer, trouble=answer.trouble or f"asked about {OPINIONS_ASKED} of {len(asked)} definitions")
    found = _Found(texts, answer.units)
    for location in answer.locations:
        found.take(location)
    return _joined(server, answer, found, asked, heard)


class _Found:
    """The places of a server's answer in our terms, each once."""

    def __init__(self, texts: Snapshot, units: Units) -> None:
        self._texts, self._units = texts, units
        self._real = texts.root.resolve()
        self._measured: dict[Path, tuple[TextFile, Placer, LineIndex] | None] = {}
        self.places: dict[tuple[Path, int], Place] = {}
        self.lost = 0
        """Places that are in no text of ours."""

    def take(self, location: Location) -> None:
        path = path_of(location.uri)
        held = self._text(self._named(path)) if path else None
        try:
            if held is None:
                raise TextError("there is no such text")
            file, placer, lines = held
            place = Place.of(file.path, *placer.span(location.range), lines)
            self.places.setdefault((file.path, place.start), place)
        except TextError:
            self.lost += 1

    def site(self, place: Place, reason: str) -> Site:
        """A site that only a server knows."""
        held = self._text(place.path)
        assert held is not None
        file, _, lines = held
        name = file.data[place.start : place.end].decode("utf-8", "replace")
        return Site(place, SiteKind.VALUE, Tier.LIKELY, reason, "", is_test(place.path, self._texts.root), quoted(lines, place), name)

    def _named(self, path: Path) -> Path:
        """Servers may answer with the real path of a root that was named through a link."""
        if path.is_relative_to(self._texts.root) or not path.is_relative_to(self._real):
            return path
        return self._texts.root / path.relative_to(self._real)

    def _text(self, path: Path) -> tuple[TextFile, Placer, LineIndex] | None:
        if path not in self._measured:
            held = self._texts.read(path)
            usable = isinstance(held, TextFile)
            self._measured[path] = (held, Placer(held, self._units), LineIndex(held.data)) if usable else None
        return self._measured[path]


def _joined(server: Server, answer: Answer, found: _Found, asked: Sequence[Asked], heard: SecondOpinion) -> SecondOpinion:
    """Ours and theirs. Sites in files that the server does not read are not its business."""
    mine = [site for site in heard.scan.sites if server.speaks(site.place.path)]
    ours = [Our(_stand(site.place), site.tier, site.reason) for site in mine]
    places = tuple(found.places.values())
    trouble = answer.trouble or _gap(server, found, asked)
    witness = Witness(server.name, f"{server.name}'s answer")
    made = united(ours, [_stand(place) for place in places], witness, whole=not trouble)
    said = {_key(site.place): opinion for site, opinion in zip(mine, made.opinions, strict=True)}
    beside = [found.site(places[index], witness.alone) for index in made.beside]
    judged = [replace(s, reason=said[_key(s.place)].reason) if _key(s.place) in said else s for s in heard.scan.sites]
    sites = tuple(sorted((*judged, *beside), key=lambda site: _key(site.place)))
    sides = {key: opinion.side for key, opinion in said.items()} | {_key(site.place): Side.THEIRS for site in beside}
    lost = f"{found.lost} of its places are in no text that can be read" if found.lost else ""
    told = _counted(server.name, short_version(answer.version), made, "; ".join(filter(None, (trouble, lost))))
    return SecondOpinion(replace(heard.scan, sites=sites), {**heard.sides, **sides}, (*heard.servers, told))


def _gap(server: Server, found: _Found, asked: Sequence[Asked]) -> str:
    """What shows that a server does not know the project: it was asked at these places, for the declarations too."""
    starts = {(place.path, place.start) for place in found.places.values()}
    unknown = [place for place in asked if place not in starts]
    if not unknown:
        return ""
    path = unknown[0][0].name
    return f"{server.name} does not list the place that it was asked about in {path}, so it may not know the whole project"


def short_version(said: str) -> str:
    """The version in what a server says of itself: gopls tells all that it was built from, as JSON."""
    try:
        told: object = json.loads(said)
    except ValueError:
        told = None
    inside: object = cast("dict[str, object]", told).get("Version") if isinstance(told, dict) else None
    words = (inside if isinstance(inside, str) else "" if isinstance(told, dict) else said).split()
    return words[0][:LONGEST_VERSION] if words else ""


def _counted(name: str, version: str, made: United, trouble: str) -> ServerSaid:
    sides = [opinion.side for opinion in made.opinions]
    return ServerSaid(name, version, sides.count(Side.BOTH), sides.count(Side.OURS), len(made.beside), sides.count(Side.THEIRS), trouble)


def _with(heard: SecondOpinion, said: ServerSaid) -> SecondOpinion:
    return replace(heard, servers=(*heard.servers, said))


def _key(place: Place) -> tuple[str, int]:
    return str(place.path), place.start


def _stand(place: Place) -> Stand:
    """Columns are bytes from the start of the file: they only have to be comparable."""
    return Stand(str(place.path), (place.line, place.start), (place.line, place.end))
