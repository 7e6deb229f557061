"""Runs without effects: outcomes go through the contract's own door, legality and fold, as fast as a processor can."""

from dataclasses import dataclass, field
from pathlib import Path

from surefoot.core.change import Change, FileEdit, Size, TextEdit
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Input, Severity, Verdict
from surefoot.core.plan import Constraint, PlannedStep, Stage, Take, Task
from surefoot.core.sites import Ledger
from surefoot.core.text import Place
from surefoot.run.events import Action, Authority, Closed, Event, Intended, Permitted, Phase, Resulted, Started
from surefoot.run.fold import start, step
from surefoot.run.legality import check
from surefoot.run.limits import Limits
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Constrained, Drafted, Noted, Outcome, Planned, Spent, Tally, Validated, Verified
from surefoot.run.report import report_of
from surefoot.run.state import RunState

ROOT = Path("/sim")
FILE = ROOT / "a.py"
PLACE = Place(FILE, 0, 1, 1, 1)


@dataclass
class Simulation:
    """One run, as far as it has come. One that is not `checked` trusts its events to be legal, and is faster by half."""

    limits: Limits = field(default_factory=Limits)
    steps: int = 1
    checked: bool = True
    state: RunState = field(init=False)

    def __post_init__(self) -> None:
        self.state = start(Started("r1", ROOT, Task("a task"), "sim", self.limits, ()))

    def accept(self, event: Event) -> None:
        broken = check(self.state, event) if self.checked else None
        assert broken is None, broken
        self.state = step(self.state, event)

    def act(self, outcome: Outcome, *spent: Spent) -> None:
        """One action of the work lane: intent, ruling, result, and where that leads."""
        action = next_action(self.state)
        assert isinstance(action, Action), action
        self.accept(Intended(action))
        if self.checked:
            self.accept(Permitted(action.id, True, Authority.POLICY))
        self.accept(Resulted(action.id, action.input, outcome, spent))
        following = advance(self.state)
        if isinstance(following, Closing):
            self.accept(Closed(following.ending, following.reason, report_of(self.state, following.reason)))
        elif following is not None:
            self.accept(following)

    def until(self, phase: Phase) -> None:
        """Go on, with nothing of note, to a phase."""
        while self.state.open and self.state.phase is not phase:
            self.act(self.plain())

    def attempt(self, number: int, evidence: Evidence) -> None:
        """One draft and its check."""
        self.until(Phase.EDIT)
        self.act(drafted(number))
        self.act(Validated(evidence))

    def plain(self) -> Outcome:
        """What the phase comes to when all goes well and there is nothing to say."""
        match self.state.phase:
            case Phase.PLAN:
                left = range(max(self.state.step, 0), self.steps)
                return Planned(tuple(PlannedStep(f"Step {n}", "do it", Stage.MIGRATE, (Take(FILE),)) for n in left), Ledger(()), "")
            case Phase.CONSTRAIN:
                return Constrained(())
            case Phase.REPLAN:
                return Noted("Look again.", (Constraint("rule", None, self.state.actions, "look"),))
            case Phase.VERIFY:
                return Verified(())
            case phase:
                raise AssertionError(f"{phase} takes a result of its own")


def drafted(number: int) -> Drafted:
    """A draft of its own text and shape for each number."""
    change = change_of(number)
    inverse = Change((FileEdit(FILE, f"after{number}", "before", (TextEdit(0, 1, "a"),)),))
    return Drafted(change, inverse, Size(1, 1), (), (), Tally(1, 1, 1, 0, 0, 0, 0), "", f"shape{number}")


def change_of(number: int) -> Change:
    return Change((FileEdit(FILE, "before", f"after{number}", (TextEdit(0, 1, "b"),)),))


def evidence(
    number: int, new: frozenset[str] = frozenset(), fixed: frozenset[str] = frozenset(), verdict: Verdict | None = None
) -> Evidence:
    """What a check says of a draft, findings by their codes; their lines mean nothing."""
    verdict = verdict or (Verdict.NEW if new else Verdict.CLEAN)
    run = CheckRun("sim", "1", CheckStatus(verdict), (FILE,), 0.0)
    return Evidence(change_of(number).digest, verdict, (Input(FILE, "before"),), (run,), _findings(new), _findings(fixed))


def _findings(codes: frozenset[str]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(PLACE, "sim", code, Severity.ERROR, "it is wrong") for code in sorted(codes))
