"""A second opinion on sites: what the editor's own language server answers is united with our answer, and no difference is hidden."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lsprotocol import types as t

from surefoot.core.sites import SiteKind, Tier
from surefoot.lsp.extensions import SiteShown
from surefoot.lsp.sites_places import Places
from surefoot.syntax import opinions
from surefoot.syntax.mentions import is_test
from surefoot.syntax.opinions import Our, Side, Spot, Stand, Witness

EDITOR = Witness("the editor's language server", "the editor's answer")


def united(shown: Sequence[SiteShown], others: Sequence[t.Location], places: Places) -> list[SiteShown]:
    """Our sites with what `others` says of each, and what `others` has beside them."""
    ours = [Our(_stand(site.uri, site.range, places), Tier(site.tier), site.reason) for site in shown]
    made = opinions.united(ours, [_stand(other.uri, other.range, places) for other in others], EDITOR)
    judged = (replace(site, opinion=said.side.value, reason=said.reason) for site, said in zip(shown, made.opinions, strict=True))
    return [*judged, *(_theirs(others[index], places) for index in made.beside)]


def _stand(uri: str, covered: t.Range, places: Places) -> Stand:
    return Stand(str(places.path(uri) or uri), _spot(covered.start), _spot(covered.end))


def _theirs(other: t.Location, places: Places) -> SiteShown:
    path = places.path(other.uri)
    return SiteShown(
        uri=other.uri,
        range=other.range,
        kind=SiteKind.VALUE.value,
        tier=Tier.LIKELY.value,
        reason=EDITOR.alone,
        function="",
        test=path is not None and is_test(path, places.root),
        text=places.line(path, other.range.start.line) if path else "",
        opinion=Side.THEIRS.value,
    )


def _spot(position: t.Position) -> Spot:
    return position.line, position.character


def in_order(shown: Iterable[SiteShown]) -> list[SiteShown]:
    """By file and place."""
    return sorted(shown, key=lambda site: (site.uri, _spot(site.range.start)))
