"""A second opinion on the terminal: language servers are started, asked, and what they say is told beside our answer."""

from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.sites import Scan, Site, Target
from surefoot.core.text import relative

if TYPE_CHECKING:
    from surefoot.syntax.opinions import SecondOpinion
    from surefoot.workspace.snapshot import Snapshot


async def second_opinion(texts: "Snapshot", scan: Scan, target: Target) -> "SecondOpinion":
    """What the language servers at hand say of the sites of `scan`. They are ended afterwards."""
    from surefoot.checks.validate import Validator

    validator = Validator(texts.root)
    try:
        return await validator.opinion(texts, scan, target)
    finally:
        await validator.close()


def opinion_json(heard: "SecondOpinion | None", site: Site) -> dict[str, object]:
    """The field of a site: both, ours, theirs, or nothing."""
    return {"opinion": heard.side(site).value} if heard else {}


def servers_json(heard: "SecondOpinion | None") -> dict[str, object]:
    """Who was asked, and what came of it."""
    if heard is None:
        return {}
    return {
        "second_opinion": [
            {
                "server": said.name,
                "version": said.version,
                "agreed": said.agreed,
                "missed": said.missed,
                "added": said.added,
                "denied": said.denied,
                "trouble": said.trouble,
            }
            for said in heard.servers
        ]
    }


def as_text(heard: "SecondOpinion", sites: tuple[Site, ...], root: Path) -> str:
    """Who was asked, then every disagreement about these sites."""
    from surefoot.syntax.opinions import Side

    servers = [f"  {said.told}" for said in heard.servers] or ["  nobody was asked: there is no definition here to ask about"]
    apart = [site for site in sites if heard.side(site) in {Side.OURS, Side.THEIRS}]
    lines = [f"  {relative(root, s.place.path)}:{s.place.line}:{s.place.column}  {s.tier}: {s.reason}  {s.text}" for s in apart]
    return "".join(line + "\n" for line in ("", "second opinion:", *servers, *(["", "where they differ:", *lines] if lines else [])))
