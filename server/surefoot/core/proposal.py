"""A candidate that was checked: the only thing that can become a code action."""

from surefoot.core.change import Change
from surefoot.core.findings import Diagnostic, Evidence
from surefoot.core.value import value


@value
class Proposal:
    """A validated change: `id` names it, `diagnostic` is what it answers (None for a refactoring), `diff` is for a look at it."""

    id: str
    title: str
    change: Change
    evidence: Evidence
    diagnostic: Diagnostic | None
    diff: str
