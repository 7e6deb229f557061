"""The steps of the HTML report: each with its attempts, side-by-side diffs and evidence."""

from collections.abc import Iterable, Iterator, Sequence

from surefoot.core.change import Size
from surefoot.report.attempt import Attempt, Check, Draft, Evidence, Finding, Line, Step
from surefoot.report.diffs import FileDiff, Piece, Row, parsed
from surefoot.report.html import Html, Node, el, joined
from surefoot.report.titles import size_words
from surefoot.report.words import ENDS, MARKS, attempt_words, draft_words, lasting, spend_words

_OPENED = 6
"""Steps up to which all are shown open."""
_ROWS = 2000
"""Rows of one draft's diff that are shown; the JSON report has all of them."""


def ref(seq: int) -> Html:
    """The event that a sentence is from, as a link to it."""
    return el("a", f"#{seq}", cls="ref", href=f"#e{seq}")


def steps_section(steps: Sequence[Step]) -> Html | None:
    """Every step; where there are many, only those are open that did not simply hold."""
    if not steps:
        return None
    return el("section", el("h2", "Steps"), *(_step(s, len(steps) <= _OPENED or _is_telling(s)) for s in steps))


def _is_telling(step: Step) -> bool:
    return len(step.attempts) > 1 or step.status in {"refused", "stale"}


def _step(step: Step, shown: bool) -> Html:
    title, _, rest = step.label.partition(" · ")
    return el(
        "details",
        el(
            "summary",
            el("span", MARKS[step.status], cls="mark"),
            el("span", el("b", f"{step.number}. {title}"), el("small", rest), cls="title"),
            el("span", step.status, cls=f"pill {step.status}"),
        ),
        el("p", f"{step.reason}.", ref(step.seq), cls="reason") if step.reason else None,
        *(attempt_block(a) for a in step.attempts),
        el("p", "Nothing was begun for this step.", ref(step.seq), cls="faint") if not step.attempts else None,
        cls=f"step {step.status}",
        open=shown,
    )


def attempt_block(attempt: Attempt) -> Html:
    """One attempt: what it went by, what it made, what the checks said, what failed, and what was made of that."""
    return el(
        "article",
        el("h3", f"{attempt_words(attempt).capitalize()} ", el("span", ENDS[attempt.end], cls=f"pill {attempt.end}"), ref(attempt.seq)),
        el("dl", *_facts(attempt), cls="facts"),
        _draft(attempt.draft),
        _evidence(attempt.evidence),
        *(el("p", el("b", f"Failed in {f.phase}: "), f.text, ref(f.seq), cls="fault") for f in attempt.faults),
        el("p", el("b", "Refused: "), attempt.refused.text, ref(attempt.refused.seq), cls="fault") if attempt.refused else None,
        _lines(attempt.candidates) if attempt.candidates else None,
        _revised(attempt),
        *(el("p", spend_words(s), joined(ref(n) for n in s.events[:3]), cls="faint") for s in attempt.spent),
        cls=f"attempt {attempt.end}",
    )


def _facts(attempt: Attempt) -> Iterator[Html]:
    if attempt.planned is not None:
        yield _fact("Planned", attempt.planned.text, ref(attempt.planned.seq))
    if attempt.note is not None:
        yield _fact("Told", el("q", attempt.note.text), ref(attempt.note.seq))
    if attempt.constraints:
        yield _fact("Must hold", _lines(attempt.constraints))
    if attempt.rules:
        yield _fact("Rules", "; ".join(line.text for line in attempt.rules), ref(attempt.rules[0].seq))
    if attempt.verified:
        yield _fact("Verified", "; ".join(line.text for line in attempt.verified), ref(attempt.verified[0].seq))


def _fact(name: str, *held: Node) -> Html:
    return el("div", el("dt", name), el("dd", *held))


def _lines(lines: Iterable[Line]) -> Html:
    return el("ul", *(el("li", line.text, ref(line.seq)) for line in lines))


def _revised(attempt: Attempt) -> Html | None:
    if attempt.revised is None:
        return None
    note = el("p", el("b", "Re-planned: "), el("q", attempt.revised.text), ref(attempt.revised.seq))
    return el("div", note, _lines(attempt.learnt) if attempt.learnt else None, cls="note")


# Diffs.


def _draft(draft: Draft | None) -> Html | None:
    if draft is None:
        return None
    files, left, out = parsed(draft.diff), _ROWS, list[Html]()
    for file in files:
        if left <= 0:
            out.append(el("p", f"{file.name}: not shown here, the report as JSON has it", cls="faint"))
            continue
        rows = sum(len(h.rows) for h in file.hunks)
        out.append(_file(file, left, rows))
        left -= rows
    return el("div", el("h4", "Change ", el("small", draft_words(draft)), ref(draft.seq)), *out, cls="draft")


def _file(file: FileDiff, most: int, rows: int) -> Html:
    shown: list[Html] = []
    for number, hunk in enumerate(file.hunks):
        if most <= 0:
            break
        if number:
            shown.append(el("tr", el("td", "⋯", colspan=4), cls="gap"))
        shown += map(_row, hunk.rows[:most])
        most -= len(hunk.rows)
    over = el("p", f"{-most} more of {rows} lines are in the report as JSON", cls="faint") if most < 0 else None
    caption = el("figcaption", el("code", file.name), " ", size_words(Size(file.added, file.removed)), *(f" · {n}" for n in file.notes))
    return el("figure", caption, el("table", el("tbody", *shown)), over, cls="diff")


def _row(row: Row) -> Html:
    if not row.changed:
        text = _pieces(row.left, "")
        return el("tr", _number(row.left_number), el("td", text), _number(row.right_number), el("td", text))
    left = el("td", _pieces(row.left, "del"), cls="old" if row.left_number else "none")
    right = el("td", _pieces(row.right, "ins"), cls="new" if row.right_number else "none")
    return el("tr", _number(row.left_number), left, _number(row.right_number), right, cls="changed")


def _number(number: int) -> Html:
    return el("th", str(number)) if number else el("th", cls="none")


def _pieces(pieces: Sequence[Piece], name: str) -> Html:
    return joined(el(name, text) if differs and name else text for text, differs in pieces)


# Evidence.


def _evidence(evidence: Evidence | None) -> Html | None:
    if evidence is None:
        return None
    names = ("Check", "Says", "Files", "Time", "")
    head = el("thead", el("tr", *(el("th", n, scope="col") for n in names)))
    return el(
        "div",
        el("h4", "Evidence ", el("small", evidence.verdict), ref(evidence.seq)),
        el("table", head, el("tbody", *map(_check, evidence.checks)), cls="evidence") if evidence.checks else None,
        _findings("New", "bad", evidence.new),
        _findings("Fixed", "good", evidence.fixed),
        _unseen(evidence),
    )


def _unseen(evidence: Evidence) -> Html | None:
    lines = (*evidence.not_run, *(Line(line.seq, f"not scanned: {line.text}") for line in evidence.not_scanned))
    return el("div", el("b", "Not looked at"), _lines(lines), cls="findings faint") if lines else None


def _check(check: Check) -> Html:
    tool = joined((el("b", check.tool), f" {check.version}"))
    says = el("span", check.status, cls=f"pill {check.status}")
    return el("tr", *(el("td", c) for c in (tool, says, str(check.files), lasting(check.ms / 1000), check.detail)))


def _findings(name: str, cls: str, findings: Sequence[Finding]) -> Html | None:
    if not findings:
        return None
    rows = (
        el("li", el("code", f"{f.path}:{f.line}:{f.column}"), f" {f.tool} ", el("b", f.code), f": {f.message}", ref(f.seq))
        for f in findings
    )
    return el("div", el("b", name), el("ul", *rows), cls=f"findings {cls}")
