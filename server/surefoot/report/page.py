"""The report of a run as one HTML page that needs nothing else: no request, no script."""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from surefoot.report.account import Account, DeadEnd, Document, Sites
from surefoot.report.attempt import Beat, Line, Mark
from surefoot.report.html import Html, Node, document, el, joined, style
from surefoot.report.page_counters import caught, costs_section, counters_section, table
from surefoot.report.page_steps import attempt_block, ref, steps_section
from surefoot.report.titles import counted
from surefoot.report.words import (
    ENDS,
    NOTHING,
    OUTSIDE,
    attempt_words,
    document_words,
    landing_words,
    lasting,
    money,
    next_words,
    number,
    rate_words,
    rates_of,
    time_words,
    tokens_of,
)
from surefoot.run.limits import Limits

_FOLDED = 25
"""Rows of a list above which it is folded."""


def page(account: Account) -> str:
    """The whole page."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{account.status.word}: {account.head.task}"),
        style(files("surefoot.report").joinpath("page.css").read_text(encoding="utf-8")),
    )
    sections = (
        _header(account),
        _dead_end(account.dead_end),
        _outcome(account),
        _tiles(account),
        _timeline(account),
        _planning(account),
        steps_section(account.steps),
        _sites(account.sites),
        counters_section(account),
        costs_section(account),
        _journal(account),
    )
    foot = el(
        "footer",
        f"Rendered from the {counted(len(account.journal), 'event')} of run {account.head.run}. A number such as ",
        el("span", "#12", cls="ref"),
        " names the event that a sentence is from.",
    )
    return document(head, el("body", el("main", *sections, foot)))


def _header(account: Account) -> Html:
    head, status = account.head, account.status
    took = lasting(max(account.journal[-1].at - head.started, 0.0))
    facts = (
        ("Run", el("code", head.run)),
        ("Folder", el("code", head.root)),
        ("Engine", head.engine),
        ("Started", time_words(head.started)),
        ("Ended" if status.closed else "Last event", joined((f"{time_words(account.journal[-1].at)}, after {took}",))),
        ("Limits", _limits(head.limits)),
    )
    return el(
        "header",
        el("p", "Surefoot run report", cls="over"),
        el("h1", head.task),
        el("p", pill(status.word), " ", f"{status.reason}.", ref(status.seq), cls="status"),
        el("p", "To go on: ", el("code", command), cls="next") if (command := next_words(account)) else None,
        _facts(facts),
    )


def _limits(limits: Limits) -> str:
    step = f"{limits.attempts} attempts, {limits.turns} model turns and {limits.diff_soft} changed lines a step"
    cost = f" and {money(limits.micros)}" if limits.micros else ""
    return f"{step}; {number(limits.tokens)} tokens{cost} a run"


def _facts(facts: Iterable[tuple[str, Node]]) -> Html:
    return el("dl", *(el("div", el("dt", name), el("dd", held)) for name, held in facts), cls="meta")


def pill(word: str) -> Html:
    """A status as a coloured word."""
    return el("span", word, cls=f"pill {word.replace(' ', '-')}")


def _dead_end(dead_end: DeadEnd | None) -> Html | None:
    if dead_end is None:
        return None
    return el(
        "section",
        el("h2", "Dead end"),
        el(
            "p",
            el("strong", dead_end.tool),
            f" did not work, tried {counted(dead_end.attempts, 'time')}. The last error: ",
            el("q", dead_end.error),
            ref(dead_end.seq),
        ),
        el("h3", "What was tried"),
        _lines(dead_end.tried),
        el("h3", "What else there is"),
        _lines(dead_end.alternatives),
        cls="callout",
    )


def _lines(lines: Iterable[Line]) -> Html:
    return el("ul", *(el("li", line.text, ref(line.seq)) for line in lines))


def _outcome(account: Account) -> Html:
    cards = (("Accomplished", account.accomplished, "good"), ("Remaining", account.remaining, "left"))
    return el(
        "section",
        *(el("div", el("h2", name), _lines(lines), cls=f"card {cls}") for name, lines, cls in cards),
        el(
            "div",
            el("h2", "Workspace"),
            el("p", account.workspace.text, ref(account.workspace.seq)),
            _folded(_documents(account.workspace.documents), len(account.workspace.documents), "every document"),
            cls="card wide",
        ),
        cls="cards",
    )


def _documents(documents: Sequence[Document]) -> Html | None:
    rows = (
        (
            el("code", d.path),
            pill(d.stand),
            document_words(d) or NOTHING,
            joined((el("code", d.text[:8] or "unknown", title=d.text), ref(d.seq))),
        )
        for d in documents
    )
    return table(("Document", "Stands", "Steps", "Text"), rows, "documents") if documents else None


def _folded(content: Html | None, size: int, name: str) -> Html | None:
    if content is None or size <= _FOLDED:
        return content
    return el("details", el("summary", f"{name} ({size})"), content)


def _tiles(account: Account) -> Html:
    """The numbers that there are; those that there are not stand among the counters as a dash."""
    figures = account.figures
    applied = sum(s.status == "applied" for s in account.steps)
    catches = [(f"caught by {name}", sum(c.number for c in counts)) for name, counts in caught(account)]
    tiles = (
        ("steps applied", f"{applied} of {len(account.steps)}" if account.steps else ""),
        *((rate.name, rate_words(rate)) for rate in rates_of(figures) if rate.events),
        *((name, str(n)) for name, n in catches if n),
        ("in checks", lasting(sum(use.ms for use in figures.tools) / 1000) if figures.tools else ""),
        ("tokens", number(tokens_of(account)) if figures.spent else ""),
        ("money", money(micros) if (micros := sum(s.micros for s in figures.spent)) else ""),
    )
    return el("section", *(el("div", el("b", held), el("span", name), cls="tile") for name, held in tiles if held), cls="tiles")


def _timeline(account: Account) -> Html:
    """Attempts, deliveries and what came from outside, in the order in which they began."""
    start = account.head.started
    rows: list[tuple[int, Html]] = []
    for attempt in (*account.planning, *(a for s in account.steps for a in s.attempts)):
        what = f"{f'Step {attempt.step}' if attempt.step else 'Plan'}, {attempt_words(attempt)}"
        faults = (el("p", f.text, ref(f.seq), cls="fault") for f in attempt.faults)
        refused = el("p", attempt.refused.text, ref(attempt.refused.seq), cls="fault") if attempt.refused else None
        note = el("p", "re-planned: ", el("q", attempt.revised.text), ref(attempt.revised.seq), cls="note") if attempt.revised else None
        chips = el("div", *map(_chip, attempt.beats), cls="chips")
        rows.append((attempt.seq, _moment(start, attempt.beats[0].at, attempt.end, what, joined((chips, *faults, refused, note)))))
    for x in account.landings:
        words = joined((landing_words(x), ref(x.seq)))
        rows.append((x.seq, _moment(start, x.at, f"{x.end} deliver", f"{x.verb.capitalize()} step {x.step}", words)))
    for i in account.interventions:
        rows.append((i.seq, _moment(start, i.at, f"outside {i.kind}", OUTSIDE[i.kind], joined((i.text, ref(i.seq))))))
    rows += [(b.seq, _moment(start, b.at, "outside", "Looked again", joined((b.text, ref(b.seq))))) for b in account.sweeps]
    rows.sort(key=lambda row: row[0])
    listed = el("ol", *(row for _, row in rows), cls="timeline")
    return el("section", el("h2", "Timeline"), listed if rows else el("p", "nothing was begun"))


def _moment(start: float, at: float, cls: str, what: str, content: Html) -> Html:
    time = el("time", f"+{lasting(max(at - start, 0.0))}", title=time_words(at))
    return el("li", time, el("div", el("b", what), content), cls=cls)


def _chip(beat: Beat) -> Html:
    words = beat.text if beat.end in {Mark.DONE, Mark.PENDING} else f"{ENDS[beat.end]}: {beat.text}"
    return el("a", beat.verb, " ", el("small", lasting(beat.seconds)), cls=f"chip {beat.end}", href=f"#e{beat.seq}", title=words)


def _planning(account: Account) -> Html | None:
    shown = [a for a in account.planning if a.faults or a.refused or not account.steps]
    return el("section", el("h2", "Planning"), *map(attempt_block, shown)) if shown else None


def _sites(sites: Sites | None) -> Html | None:
    if sites is None:
        return None
    names = ("Site", "Kind", "Tier", "Stood", "In", "Line")
    return el(
        "section",
        el("h2", "Sites when planned"),
        el("p", f"{sites.summary}.", ref(sites.seq)),
        *_site_tables(sites, names),
        el("p", "Not scanned:") if sites.not_scanned else None,
        _lines(sites.not_scanned) if sites.not_scanned else None,
    )


def _site_tables(sites: Sites, names: Sequence[str]) -> Iterator[Html]:
    for required, words in ((True, "sites that the change had to account for"), (False, "sites listed and left alone")):
        rows = [
            (
                el("code", f"{s.path}:{s.line}:{s.column}"),
                s.kind,
                el("span", s.tier, title=s.reason),
                s.status,
                s.function or NOTHING,
                el("code", s.text),
            )
            for s in sites.entries
            if s.required is required
        ]
        if rows:
            yield el("details", el("summary", f"{words} ({len(rows)})"), table(names, rows, "sites"))


def _journal(account: Account) -> Html:
    start = account.head.started
    rows = (
        el("tr", el("td", f"#{h.seq}"), el("td", f"+{lasting(max(h.at - start, 0.0))}"), el("td", h.kind), el("td", h.text), id=f"e{h.seq}")
        for h in account.journal
    )
    body = el("table", el("tbody", *rows), cls="journal")
    return el("section", el("h2", "Journal"), el("details", el("summary", f"all {counted(len(account.journal), 'event')}"), body))
