"""Counters, tokens and money in the HTML report, and its tables."""

from collections.abc import Iterable, Sequence

from surefoot.report.account import Account, Count
from surefoot.report.html import Html, Node, el, joined
from surefoot.report.page_steps import ref
from surefoot.report.words import NOTHING, lasting, money, number, rate_words, rates_of


def counters_section(account: Account) -> Html:
    """Checks, catches, failures and rules, by name."""
    figures = account.figures
    named = (("Failures by bucket and code", figures.failures), ("Rules that applied", figures.applied))
    blocks = (_counts(title, counts) for title, counts in (*((f"Caught by {by}", counts) for by, counts in caught(account)), *named))
    uses = (
        (u.tool, str(len(u.events)), str(u.clean), str(u.new), str(u.unable), lasting(u.ms / 1000), lasting(u.slowest_ms / 1000))
        for u in figures.tools
    )
    tools = table(("Check", "Ran", "Clean", "New findings", "Not validated", "In all", "Slowest"), uses) if figures.tools else None
    rates = table(("Of attempts", "How many"), ((rate.name, rate_words(rate)) for rate in rates_of(figures)), "rates")
    return el("section", el("h2", "Counters"), rates, tools, el("div", *blocks, cls="columns"))


def _counts(title: str, counts: Sequence[Count]) -> Html:
    rows = (
        el("li", el("b", str(c.number)), " ", c.name, " ", joined(ref(seq) for seq in c.events[:3]), " …" if c.number > 3 else None)
        for c in counts
    )
    return el("div", el("h3", title), el("ul", *rows, cls="counts") if counts else el("p", "nothing", cls="faint"))


def costs_section(account: Account) -> Html:
    """Tokens and money per attempt, each role apart, and all in all."""
    attempts = (*account.planning, *(a for s in account.steps for a in s.attempts))
    rows = [
        (
            f"Step {a.step}" if a.step else "Plan",
            str(a.number),
            s.role,
            number(s.read),
            number(s.written),
            number(s.cache_read + s.cache_written),
            money(s.micros),
        )
        for a in attempts
        for s in a.spent
    ]
    if not rows:
        return el("section", el("h2", "Tokens and money"), el("p", "No model was asked: nothing was spent."))
    rows += [
        ("All", NOTHING, s.role, number(s.read), number(s.written), number(s.cache_read + s.cache_written), money(s.micros))
        for s in account.figures.spent
    ]
    return el("section", el("h2", "Tokens and money"), table(("Of", "Attempt", "Asked", "Read", "Written", "Cached", "Cost"), rows))


def caught(account: Account) -> tuple[tuple[str, tuple[Count, ...]], ...]:
    """What each kind of catcher caught."""
    figures = account.figures
    return (("rules", figures.by_rule), ("checks", figures.by_check), ("the judge", figures.by_judge))


def table(names: Sequence[str], rows: Iterable[Sequence[Node]], cls: str = "") -> Html:
    """A table that becomes a list of cards on a narrow screen."""
    head = el("thead", el("tr", *(el("th", name, scope="col") for name in names)))
    body = (el("tr", *(el("td", cell, data_name=name) for name, cell in zip(names, row, strict=True))) for row in rows)
    return el("table", head, el("tbody", *body), cls=f"list {cls}".strip())
