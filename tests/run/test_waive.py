"""A person lets one site be: when that fits, what is said when it does not, and what the run keeps of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.core.sites import Entry, Ledger, Site, SiteKind, SiteStatus, Tier, Waiver
from surefoot.core.text import Place
from surefoot.loop.view import view_of
from surefoot.report.telling import event_words
from surefoot.run.events import Told, Waive
from surefoot.run.fold import fold, step
from surefoot.run.legality import check
from surefoot.run.next import input_of
from surefoot.run.requests import allowed
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot
from tests.run.malformed import STORY, WAIVE
from tests.support.story import PATH


def begun() -> RunState:
    state = fold(STORY[:1])
    assert state is not None
    return state


def planned() -> RunState:
    site = Site(Place(PATH, 0, 1, 3, 7), SiteKind.STRING, Tier.STRING, "", "", False, "", "a")
    return replace(begun(), ledger=Ledger((Entry(site, SiteStatus.PENDING, ""),)))


def test_what_is_waived_is_kept_and_goes_into_the_next_view(tmp_path: Path) -> None:
    before, event = begun(), Told(WAIVE)
    assert (allowed(before, WAIVE), check(before, event)) == ("", None)
    after = step(before, event)
    assert after.waived == (Waiver(PATH, 1, 1, "it is generated"),)
    assert view_of(after, -1, Snapshot(tmp_path)).waived == after.waived
    assert input_of(after) != input_of(before)
    assert event_words(after, event) == "a person lets the site at a.py:1:1 be: it is generated"


@pytest.mark.parametrize(
    ("request_", "rule", "field"),
    [
        (replace(WAIVE, path=Path("/elsewhere/a.py")), "a waived site is inside the workspace", "request.path"),
        (replace(WAIVE, line=0), "lines and columns count from 1", "request.line"),
        (replace(WAIVE, column=0), "lines and columns count from 1", "request.line"),
        (replace(WAIVE, reason=" "), "a person says why a site is let be", "request.reason"),
    ],
)
def test_what_is_no_site_is_not_waived(request_: Waive, rule: str, field: str) -> None:
    broken = check(begun(), Told(request_))
    assert broken is not None
    assert (broken.rule, broken.field) == (rule, field)
    assert allowed(begun(), request_).endswith(f"is not waived: {rule}")


def test_a_site_is_waived_once() -> None:
    assert allowed(step(begun(), Told(WAIVE)), WAIVE) == "a.py:1:1 is not waived: a site is waived once"


def test_once_there_is_a_plan_only_its_sites_can_be_waived() -> None:
    assert allowed(planned(), replace(WAIVE, line=3, column=7)) == ""
    assert allowed(planned(), WAIVE) == "a.py:1:1 is not waived: only a site of the ledger can be waived"


def test_a_closed_run_takes_no_waiver() -> None:
    state = fold(STORY)
    assert state is not None
    assert "is closed" in allowed(state, WAIVE)
