"""What findings teach, as constraints: never a raw message, never a line of the failed edit."""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from surefoot.checks.constraints import constraint_text
from surefoot.core.findings import Diagnostic
from surefoot.core.plan import Constraint
from surefoot.core.sites import Ledger, Site, Tier


def learnt(ledger: Ledger | None, findings: Sequence[Diagnostic], most: int) -> tuple[Constraint, ...]:
    """At most `most` constraints: what the findings say of likely sites first, then what they forbid."""
    named: dict[Path, set[int]] = defaultdict(set)
    rest: list[Diagnostic] = []
    for finding in findings:
        site = _likely_at(ledger, finding)
        if site is None:
            rest.append(finding)
        else:
            named[site.place.path].add(site.place.line)
    sites = tuple(_use(path, sorted(lines)) for path, lines in sorted(named.items()))
    return (*sites, *(_constraint(d) for d in rest))[:most]


def _likely_at(ledger: Ledger | None, finding: Diagnostic) -> Site | None:
    """The likely site of the ledger that a finding stands on and speaks of. A rename leaves lines where they are."""
    likely = (e.site for e in (ledger.entries if ledger else ()) if e.site.tier is Tier.LIKELY)
    return next((site for site in likely if _same_line(site, finding) and _speaks_of(finding, site.name)), None)


def _speaks_of(finding: Diagnostic, name: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", finding.message) is not None


def _same_line(site: Site, finding: Diagnostic) -> bool:
    return (site.place.path, site.place.line) == (finding.place.path, finding.place.line)


def _use(path: Path, lines: Sequence[int]) -> Constraint:
    where = f"{path.name}:{lines[0]}" + (f" and {len(lines) - 1} more lines" if len(lines) > 1 else "")
    return Constraint("site", path, lines[0], f"the use at {where} is one of the symbol", tuple(lines[1:]))


def _constraint(diagnostic: Diagnostic) -> Constraint:
    return Constraint("diagnostic", diagnostic.place.path, diagnostic.place.line, constraint_text(diagnostic))


def known_rule(finding: Diagnostic) -> bool:
    """Whether a finding says by its code what must hold: then no model is asked for words."""
    return bool(finding.code)
