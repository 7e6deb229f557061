"""Rows as text: one block a rename, since its figures do not fit beside each other on a terminal."""

from collections.abc import Mapping, Sequence

from bench.real.measure import Row

_COLUMNS = (
    "target",
    "lines",
    "found",
    "updated",
    "fit",
    "left",
    "steps",
    "largest",
    "changed",
    "files",
    "ready s",
    "applied s",
    "findings",
    "held",
)
"""`largest` is the largest step and `changed` the whole diff, both in lines added and removed; `findings` are those of the project's own
type check, before and after."""


def as_text(rows: Sequence[Row]) -> str:
    """The table, and below it what each row stands for."""
    cells = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(_COLUMNS))]
    table = ["  ".join(_aligned(line, widths)) for line in cells]
    return "\n".join([*table, *(line for row in rows for line in _notes(row))])


def _aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The name to the left, numbers to the right."""
    return [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (
        row.lines,
        sum(row.found.values()),
        row.updated,
        row.fits,
        sum(row.left.values()),
        row.steps,
        row.largest,
        row.changed,
        row.files,
    )
    findings = f"{row.findings[0]} → {row.findings[1]}" if row.findings else "none"
    seconds = (f"{row.drafting:.1f}", f"{row.applying:.1f}")
    return (row.target, *(str(number) for number in numbers), *seconds, findings, "yes" if row.good else "NO")


def _notes(row: Row) -> list[str]:
    out = ["", f"{row.target}: {row.task}", f"  sites {_tiers(row.found)}; left {_tiers(row.left)}"]
    out += [f"  checks {said}" for said in row.checks]
    out.append(f"  own type check {row.types[0]} before, {row.types[1]} after; own tests {row.tests[0]} before, {row.tests[1]} after")
    out += [f"  not asked for: {line}" for line in row.strayed]
    return [*out, f"  {row.trouble}"] if row.trouble else out


def _tiers(tiers: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {tier}" for tier, count in tiers.items()) or "none"
