"""Re-plan: what the failure taught, as constraints and one note; nothing of the failed edit itself."""

from collections.abc import Sequence

from surefoot.core.findings import Diagnostic
from surefoot.core.plan import Constraint
from surefoot.core.sites import Target
from surefoot.engines.protocol import Distiller, Failed, Mishap
from surefoot.llm.ask import Exchange
from surefoot.loop.learn import known_rule, learnt
from surefoot.loop.ports import Paid, Tools
from surefoot.loop.run import Run
from surefoot.loop.widening import RUNTIME, widened
from surefoot.run.events import Phase
from surefoot.run.lessons import fault_of, names_of
from surefoot.run.notes import same_note
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Noted, Outcome, Span
from surefoot.run.state import RunState


async def replan(run: Run, tools: Tools) -> Paid:
    """One note and the new constraints; when nothing new was learnt, the run says so and stops."""
    tools.progress.report("re-planning")
    state = run.state
    at = state.at
    findings = at.evidence.new if at is not None and at.evidence is not None and not at.objection else ()
    words, exchanges = await _words(run, tools, findings)
    new = () if at is not None and at.objection else learnt(state.ledger, findings, state.limits.constraints)
    origin = "plan" if state.failed is Phase.PLAN else "rule"
    new = new or (Constraint(origin, None, 0, words or state.why),)
    return Paid(_noted(state, words or new[0].text, new, await _wider(run, tools, findings)), exchanges)


async def _wider(run: Run, tools: Tools, findings: Sequence[Diagnostic]) -> tuple[Span, ...]:
    """More to see for whoever plans anew, where code failed that ran."""
    at = run.state.at
    draft = run.state.draft or (at.draft if at is not None else None)
    if draft is None or tools.staff.surveyor is None or not any(f.tool in RUNTIME for f in findings):
        return ()
    return await widened(findings, draft.change, tools.snapshot(), tools.staff.surveyor)


def _noted(state: RunState, words: str, new: tuple[Constraint, ...], reads: tuple[Span, ...]) -> Outcome:
    if all(c in state.constraints for c in new):
        return _known("nothing new", "nothing new was learnt")
    note = _note(words, state.limits.note_words)
    if state.notes and same_note(note, state.note):
        return _known("same note", "the same correction would be given again")
    return Noted(note, new, reads)


async def _words(run: Run, tools: Tools, findings: Sequence[Diagnostic]) -> tuple[str, tuple[Exchange, ...]]:
    """A correction in a model's words, where one is of use and may be carried on; "" where the rules have one themselves."""
    objection = run.state.at.objection if run.state.at is not None else ""
    if objection:
        return (objection if await _sound(run, tools, objection, findings) else "The result must do all that the task asks."), ()
    # Of code that ran, only the one who looks backward from the error can say what the edit should have been.
    unknown = [found for found in findings if not known_rule(found) or found.tool in RUNTIME]
    if not unknown or tools.staff.distiller is None:
        return "", ()
    return await _distilled(run, tools, tools.staff.distiller, unknown)


async def _distilled(run: Run, tools: Tools, distiller: Distiller, findings: Sequence[Diagnostic]) -> tuple[str, tuple[Exchange, ...]]:
    """The small model's one sentence. Where it breaks a rule of notes, the rule's own note stands, and the model's goes beside the run."""
    draft = run.state.draft or (run.state.at.draft if run.state.at is not None else None)
    error = "\n".join(f"{f.tool} {f.code}: {f.message}" for f in findings[:3])
    mishap = Mishap(run.state.task.text, draft.diff if draft is not None else "", error, any(f.tool in RUNTIME for f in findings))
    lesson = await distiller.distil(mishap)
    if isinstance(lesson, Failed):
        run.trace("note", lesson.failure.message)
        return "", lesson.exchanges
    if await _sound(run, tools, lesson.words, findings):
        return lesson.words, lesson.exchanges
    run.trace("note", "the distiller's note broke a rule of notes; the rule's own stands", lesson.words.encode("utf-8"))
    return "", lesson.exchanges


async def _sound(run: Run, tools: Tools, note: str, findings: Sequence[Diagnostic]) -> bool:
    """Whether a model's words are short, about what is known, and free of the failed code."""
    state = run.state
    draft = state.draft or (state.at.draft if state.at is not None else None)
    added = [line[1:] for line in (draft.diff if draft is not None else "").splitlines() if line[:1] == "+" and line[:3] != "+++"]
    grounds = " ".join((state.task.text, state.task.quoted, *(f"{f.message} {f.symbol} {f.function} {f.place.path}" for f in findings)))
    evidence = set(names_of(f"`{grounds}`"))
    indexed = {name for name in names_of(note) if name not in evidence and await _indexed(tools, name)}
    return not fault_of(note, state.limits.note_words, added, lambda name: name in evidence or name in indexed)


async def _indexed(tools: Tools, name: str) -> bool:
    """Whether the code base as it stands has this name, or a file called so."""
    texts = tools.snapshot()
    if any(path.stem == name or path.name == name for path in texts.files()):
        return True
    surveyor = tools.staff.surveyor
    return surveyor is not None and bool((await surveyor.find(texts, Target(name=name))).sites)


def _note(text: str, most: int) -> str:
    """One instruction of at most `most` words: what the result must hold."""
    words = text.split() if text.startswith(("The result", "Make", "Keep", "Use")) else f"The result must hold this: {text}".split()
    return " ".join(words[:most]).rstrip(".,;:") + "."


def _known(code: str, message: str) -> Failure:
    return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, code, message)
