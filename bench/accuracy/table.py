"""Scores and differences as text, for a terminal and for the audit."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench.accuracy.audit import Audited, audited, read_audit
from bench.accuracy.codebases import CodeBase
from bench.accuracy.score import ABSENT, Row, Score, by_cause

RECALL = {"function": 0.99, "method": 0.97}
EXCLUDED = {"function": 0.0, "method": 0.002}
PRECISION = 0.98
_HEAD = ("code base", "kind", "symbols", "refs", "found", "recall", "likely", "excluded", "absent", "beside", "exact", "precision")


def as_text(scores: Sequence[tuple[CodeBase, Score]]) -> str:
    """One line for each kind of each code base, and one below it where an audit changes it."""
    cells: list[tuple[str, ...]] = [_HEAD]
    for base, held in scores:
        verdicts = read_audit(base)
        for row in held.rows.values():
            cells.append(_cells(base, row))
            after = audited(row, held.differences, verdicts)
            if (after.references, after.found, after.confirmed) != (row.references, row.found, row.confirmed):
                cells.append(_audited_cells(row.kind, after))
    widths = [max(len(line[at]) for line in cells) for at in range(len(_HEAD))]
    return "\n".join(_aligned(line, widths) for line in cells)


def as_markdown(bases: Sequence[CodeBase], results: Mapping[str, Any]) -> str:
    """Kept figures as one table; where an audit corrected the truth, what it makes of a figure stands behind it."""
    if not any(base.short in results for base in bases):
        return "Not measured yet."
    head = "| code base | measured at | symbols | references | found | recall | excluded | not listed | exact | right | precision |"
    out = [head, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for base in bases:
        if base.short in results:
            out += [_markdown(base, kind, results[base.short]) for kind in RECALL]
    return "\n".join(out)


def _markdown(base: CodeBase, kind: str, held: Mapping[str, Any]) -> str:
    row = held[kind]
    after = row["audited"]
    excluded, absent = row["tiers"].get("excluded", 0), row["tiers"].get(ABSENT, 0)
    recall = _both(percent(row["found"], row["references"]), percent(after["found"], after["references"]))
    cells = [f"{base.name} {base.version}", held["commit"], f"{row['symbols']} {kind}s", row["references"], row["found"], recall]
    cells += [_both(excluded, after["excluded"]), absent]
    if kind == "function":
        precision = _both(percent(row["confirmed"], row["exact"]), percent(after["confirmed"], after["exact"]))
        cells += [row["exact"], _both(row["confirmed"], after["confirmed"]), precision]
    else:
        cells += ["", "", ""]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _both(before: object, after: object) -> str:
    return f"{before}" if before == after else f"{before} → {after}"


def differences_text(base: CodeBase, held: Score) -> str:
    """Every difference in a form that a person can judge, causes first."""
    verdicts = read_audit(base)
    out = [f"# {base.name} {base.version}", "", *(f"{count} {cause}" for cause, count in by_cause(held.differences)), ""]
    for each in held.differences:
        verdict = verdicts.get(each.key, "")
        out.append(f"- {each.what} `{each.key}` {each.symbol.name}: {verdict}")
        out.append(f"  {each.symbol.kind}, {each.where}, {each.tier} ({each.reason}), witnesses {each.witnesses or 'none'}: `{each.text}`")
    return "\n".join(out)


def meets_goals(base: CodeBase, held: Score) -> bool:
    """Whether recall, wrong exclusions and precision are what they should be, the audit counted in."""
    verdicts = read_audit(base)
    for kind, row in held.rows.items():
        after = audited(row, held.differences, verdicts)
        if _share(after.found, after.references) < RECALL[kind] or after.excluded > EXCLUDED[kind] * after.references:
            return False
        if kind == "function" and _share(after.confirmed, after.exact) < PRECISION:
            return False
    return True


def percent(part: int, whole: int) -> str:
    """One decimal, rounded towards less."""
    return f"{int(1000 * _share(part, whole)) / 10:.1f} %"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _cells(base: CodeBase, row: Row) -> tuple[str, ...]:
    counts = (row.symbols, row.references, row.found)
    more = (row.tiers["likely"], row.tiers["excluded"], row.tiers[ABSENT])
    beside = f"{sum(row.beside.values()) - row.beside['excluded'] - row.beside[ABSENT]}/{sum(row.beside.values())}"
    precision = percent(row.confirmed, row.exact) if row.kind == "function" else ""
    recall = percent(row.found, row.references)
    return (base.short, row.kind, *map(str, counts), recall, *map(str, more), beside, str(row.exact), precision)


def _audited_cells(kind: str, after: Audited) -> tuple[str, ...]:
    precision = percent(after.confirmed, after.exact) if kind == "function" else ""
    recall = percent(after.found, after.references)
    return (
        "  audited",
        kind,
        "",
        str(after.references),
        str(after.found),
        recall,
        "",
        str(after.excluded),
        "",
        "",
        str(after.exact),
        precision,
    )


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    left = (line[0].ljust(widths[0]), line[1].ljust(widths[1]))
    return "  ".join([*left, *(cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True))])
