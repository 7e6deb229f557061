"""What a person found out about the differences: one line each in audit/*.md, read back so that figures can be given with and without it.

A line is "- missed `DECLARATION SITE` NAME: verdict, reason" (or "extra"). Both places are path:line:column, the declaration's without its
column; the verdict is `truth` (the truth is wrong), `ours` (the index is wrong) or `open` (cannot be decided).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.accuracy.codebases import CodeBase
from bench.accuracy.score import Difference, Row

AUDIT = Path(__file__).with_name("audit")
_LINE = re.compile(r"^- (?:missed|extra) `(?P<key>\S+ \S+)`[^:]*: (?P<verdict>truth|ours|open), (?P<reason>.+)$")


@dataclass(frozen=True, slots=True)
class Audited:
    """Counts of one row after the audit: references that count, those of them found, exact sites, and those of them that are right."""

    references: int
    found: int
    exact: int
    confirmed: int
    excluded: int


def read_audit(base: CodeBase, folder: Path = AUDIT) -> Mapping[str, str]:
    """Verdicts by difference; empty before there is an audit."""
    path = folder / f"{base.short}.md"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {match["key"]: match["verdict"] for line in lines if (match := _LINE.match(line)) is not None}


def audited(row: Row, differences: Sequence[Difference], verdicts: Mapping[str, str]) -> Audited:
    """The row as it is when the truth is corrected where it was found wrong; what nobody judged stays as it is."""
    mine = [each for each in differences if each.symbol.kind == row.kind and verdicts.get(each.key) == "truth"]
    void = [each for each in mine if each.what == "missed" and each.where == "code"]
    right = sum(each.what == "extra" for each in mine)
    return Audited(
        references=row.references + right - len(void),
        found=row.found + right,
        exact=row.exact,
        confirmed=row.confirmed + right,
        excluded=row.tiers["excluded"] - sum(each.tier == "excluded" for each in void),
    )
