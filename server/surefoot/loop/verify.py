"""Verify: the rules that cost nothing, over the change and its evidence; then, for a model's work, a judge who sees task and diff alone."""

from collections.abc import Iterator

from surefoot.core.change import Change, landed
from surefoot.core.text import TextFile
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.protocol import Case, Failed, Judge
from surefoot.loop.ports import Paid, Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import overlay_for
from surefoot.policy.guards import unplanned
from surefoot.run.outcomes import Drafted, Outcome, Verified
from surefoot.run.state import OVER, RunState, StepState, StepStatus
from surefoot.syntax.declared import innermost
from surefoot.syntax.languages import language_of
from surefoot.workspace.snapshot import Snapshot


async def verify(run: Run, tools: Tools) -> Outcome | Paid:
    """Every rule holds and nobody objects, or the first thing that is wrong."""
    state = run.state
    step = state.steps[state.step]
    rules = tuple(_rules(step, state.draft))
    names = tuple(name for name, _ in rules)
    broken = next((name for name, holds in rules if not holds), "")
    if broken or tools.staff.judge is None or state.draft is None:
        return Verified(names, broken)
    tools.progress.report(f"step {state.step + 1} of {len(state.steps)}: a second look at task and diff")
    return await _judged(run, tools, tools.staff.judge, state.draft, names)


async def _judged(run: Run, tools: Tools, judge: Judge, draft: Drafted, names: tuple[str, ...]) -> Paid:
    opinion = await judge.judge(await _case(run.state, tools, draft))
    if isinstance(opinion, Failed):
        return Paid(opinion.failure, opinion.exchanges)
    return Paid(Verified(names, "", True, opinion.objection), opinion.exchanges)


async def _case(state: RunState, tools: Tools, draft: Drafted) -> Case:
    """What the judge sees. The last step is held to the whole task, by all that the run changes; any other to what it says it does."""
    rest = any(s.status not in OVER for s in state.steps[state.step + 1 :])
    task = state.steps[state.step].planned.intent if rest else "\n\n".join(filter(None, (state.task.text, state.task.quoted)))
    diffs = [] if rest else [s.draft.diff for s in state.steps[: state.step] if s.draft is not None and s.status is not StepStatus.SKIPPED]
    declared = await _declarations(draft.change, overlay_for(state, state.step, tools.snapshot()), tools.staff.surveyor)
    return Case(task, "".join((*diffs, draft.diff)), declared)


async def _declarations(change: Change, texts: Snapshot, surveyor: Surveyor | None) -> str:
    """The smallest definitions that a change touches, as they read after it, each once, in the order of files."""
    after, shown = texts.with_change(change), list[str]()
    for edit in sorted(change.files, key=lambda f: f.path):
        held = after.read(edit.path)
        if surveyor is None or not isinstance(held, TextFile):
            continue
        declared = await surveyor.declared(held)
        around = (innermost(declared, start, end) for start, end in landed(edit.edits))
        short = dict.fromkeys(d for d in around if d is not None and d.last - d.first <= LONGEST_DECLARATION)
        shown += [held.data[d.start : d.end].decode("utf-8") for d in short]
    return "\n".join(shown)[:MOST_DECLARED]


LONGEST_DECLARATION = 200
"""Lines of a definition that is shown to a judge."""

MOST_DECLARED = 24_000
"""Characters of definitions that are shown to a judge; the diff is always shown whole."""


def _rules(step: StepState, draft: Drafted | None) -> Iterator[tuple[str, bool]]:
    yield "the change is not empty", draft is not None and bool(draft.change.files)
    if draft is None or step.evidence is None:
        return
    yield "the evidence is for this change", step.evidence.change == draft.change.digest
    yield "the evidence is green", step.evidence.green
    yield "only planned files are edited", unplanned(step.planned, draft.change) is None
    checked = {path for check in step.evidence.checks for path in check.scope}
    # A person asked for edits in prose and data; that nothing checks them is said in the evidence.
    yield "every edited file was checked", all(path in checked or language_of(path) is None for path in draft.change.paths)
