"""Counters: what a script does is what they say, in one run and over twenty."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.core.findings import Verdict
from surefoot.engines.protocol import Draft, Refusal
from surefoot.journal.story import Entry
from surefoot.report.account import Rate
from surefoot.report.figures import counters_of
from surefoot.report.gather import account_of
from surefoot.report.words import money, rate_words
from surefoot.run.events import Event, Resulted
from surefoot.run.fold import fold
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Role, Spent, Verified
from surefoot.run.view import View
from tests.report.samples import account, third_time
from tests.support.scripts import Bench, Wordcheck, Words
from tests.support.story import OUTCOMES, STARTED, acted

RATES = {
    # sample: first attempts that held, later ones, recovery, failed second attempts
    "done": ("3 of 3 (100 %)", "–", "–", "–"),
    "recovered": ("0 of 1 (0 %)", "1 of 2 (50 %)", "1 of 1 (100 %)", "1 of 1 (100 %)"),
    "escalated": ("0 of 1 (0 %)", "0 of 2 (0 %)", "0 of 1 (0 %)", "1 of 1 (100 %)"),
    "winding": ("1 of 2 (50 %)", "0 of 1 (0 %)", "0 of 1 (0 %)", "1 of 1 (100 %)"),
    "refused": ("–", "–", "–", "–"),
    "no tool": ("–", "–", "–", "–"),
    "no service": ("–", "–", "–", "–"),
}


@pytest.mark.parametrize("name", RATES)
async def test_rates(name: str, tmp_path: Path) -> None:
    f = (await account(name, tmp_path)).figures
    assert tuple(rate_words(rate) for rate in (f.first_try, f.retries, f.recovery, f.second_edit_failure)) == RATES[name]


def test_there_is_no_rate_of_nothing() -> None:
    assert Rate("none", (), ()).share is None
    assert Rate("some", (1,), (1, 2)).share == 0.5


async def test_tokens_are_counted_per_attempt_and_role(tmp_path: Path) -> None:
    told = await account("recovered", tmp_path)
    per_attempt = [[(s.role, s.tokens, s.micros) for s in a.spent] for a in told.steps[0].attempts]
    assert per_attempt == [[("editor", 1500, 5100), ("distiller", 100, 40)]] * 3
    assert [(s.role, s.tokens, s.micros) for s in told.figures.spent] == [("editor", 4500, 15300), ("distiller", 300, 120)]
    assert [money(n) for n in (0, 40, 15300, 2_500_000)] == ["–", "$0.00004", "$0.01530", "$2.50"]


@pytest.mark.parametrize(("spent", "by"), [((), "by_rule"), ((Spent(Role.JUDGE, 50, 5, 0, 0, 3),), "by_judge")])
def test_rules_and_the_judge_are_counted_apart(spent: tuple[Spent, ...], by: str) -> None:
    events: list[Event] = [STARTED]
    for outcome in (*OUTCOMES[:-1], Verified(("green",), "does what was asked")):
        state = fold(events)
        assert state is not None
        events += acted(state, outcome)
    events = [replace(e, spent=spent) if isinstance(e, Resulted) and isinstance(e.outcome, Verified) else e for e in events]
    figures = account_of([Entry(0.0, event) for event in events]).figures
    counted = {name: [(c.name, c.number) for c in getattr(figures, name)] for name in ("by_rule", "by_check", "by_judge")}
    assert counted == {"by_rule": [], "by_check": [], "by_judge": [], by: [("does what was asked", 1)]}
    assert [s.role for s in figures.spent] == [s.role for s in spent]


async def run_of(kind: str, folder: Path) -> Bench:
    """One scripted run of a kind that `SCRIPT` foretells."""
    other = folder / "root" / "other.txt"
    match kind:
        case "holds":
            bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
        case "finding":
            bench = Bench(folder, "word1", Words(Path(), says=third_time), Wordcheck(bad=("worse1", "bad1")))
        case "size":
            bench = Bench(folder, "word1", Words(Path(), says=lambda n, v: "\n" * 60))
        case "pending":
            bench = Bench(folder, "word1", Words(Path(), leaves_pending=True))
        case "seen":
            bench = Bench(folder, "word1", checks=Wordcheck(bad=("done1",)))
        case "unplanned":
            other.parent.mkdir(parents=True)
            other.write_text("word1")
            bench = Bench(folder, "word1", Elsewhere(Path()))
        case _:
            bench = Bench(folder, "word1", checks=Wordcheck(verdict=Verdict.MASKED))
    await bench.drafted(Limits())
    return bench


class Elsewhere(Words):
    """Edits a file that its plan does not name."""

    async def edit(self, view: View) -> Draft | Refusal:
        self.path, here = self.path.parent / "other.txt", self.path
        try:
            return await super().edit(view)
        finally:
            self.path = here


SCRIPT = {
    # kind: what catches it, as (table, name), and how often in one run
    "holds": {},
    "finding": {("by_check", "wordcheck no-worse1"): 1, ("by_check", "wordcheck no-bad1"): 1, ("failures", "validation: findings"): 2},
    "size": {("by_rule", "size"): 1, ("failures", "constraint: size"): 1, ("by_rule", "seen"): 1, ("failures", "constraint: seen"): 1},
    "pending": {
        ("by_rule", "pending"): 1,
        ("failures", "constraint: pending"): 1,
        ("by_rule", "seen"): 1,
        ("failures", "constraint: seen"): 1,
    },
    "seen": {
        ("by_check", "wordcheck no-done1"): 1,
        ("failures", "validation: findings"): 1,
        ("by_rule", "seen"): 1,
        ("failures", "constraint: seen"): 1,
    },
    "unplanned": {("by_rule", "unplanned"): 3, ("failures", "constraint: unplanned"): 3},
    "masked": {("failures", "tool: masked"): 1},
}


async def test_after_twenty_runs_the_counters_are_those_of_the_script(tmp_path: Path) -> None:
    kinds = [list(SCRIPT)[n % len(SCRIPT)] for n in range(20)]
    accounts = []
    expected: Counter[tuple[str, str]] = Counter()
    for number, kind in enumerate(kinds):
        bench = await run_of(kind, tmp_path / str(number))
        (row,) = bench.runs.journal.runs()
        accounts.append(account_of(bench.runs.journal.read(row.id).entries))
        expected.update(SCRIPT[kind])
    counters = counters_of(accounts)
    counted = {
        (table, total.name): total.number for table in ("by_rule", "by_check", "by_judge", "failures") for total in getattr(counters, table)
    }
    assert counted == dict(expected)
    for table in ("by_rule", "by_check", "failures"):
        numbers = [total.number for total in getattr(counters, table)]
        assert numbers == sorted(numbers, reverse=True)
    seen = next(total for total in counters.by_rule if total.name == "seen")
    assert seen.runs == tuple(a.head.run for a, kind in zip(accounts, kinds, strict=True) if ("by_rule", "seen") in SCRIPT[kind])
