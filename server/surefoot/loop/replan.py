"""Re-plan: what the failure taught, as constraints and one note; nothing of the failed edit itself."""

from surefoot.core.plan import Constraint
from surefoot.loop.learn import learnt
from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.run.notes import same_note
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Noted, Outcome


async def replan(run: Run, tools: Tools) -> Outcome:
    """One note and the new constraints; when nothing new was learnt, the run says so and stops."""
    tools.progress.report("re-planning")
    state = run.state
    findings = state.at.evidence.new if state.at is not None and state.at.evidence is not None else ()
    new = learnt(state.ledger, findings, state.limits.constraints) or (Constraint("rule", None, 0, state.why),)
    if all(c in state.constraints for c in new):
        return _known("nothing new", "nothing new was learnt")
    note = _note(new[0].text, state.limits.note_words)
    if state.notes and same_note(note, state.note):
        return _known("same note", "the same correction would be given again")
    return Noted(note, new)


def _note(text: str, most: int) -> str:
    """One instruction of at most `most` words: what the result must hold."""
    words = f"The result must hold this: {text}".split()
    return " ".join(words[:most]).rstrip(".,;:") + "."


def _known(code: str, message: str) -> Failure:
    return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, code, message)
