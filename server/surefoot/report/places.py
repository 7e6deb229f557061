"""How the documents of a run stand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.core.text import relative
from surefoot.report.account import Document, Stand, Workspace
from surefoot.report.seen import Act, Seen
from surefoot.report.titles import counted
from surefoot.run.events import Resulted
from surefoot.run.outcomes import Delivered, Drafted
from surefoot.run.state import RunState, StepState, StepStatus

_WAITS = frozenset({StepStatus.READY, StepStatus.STALE})


def workspace_of(seen: Sequence[Seen], acts: Sequence[Act], since: Sequence[int]) -> Workspace:
    """Every document that a step takes, was drafted for, or changed; `since` names the event of each step's status."""
    last = seen[-1]
    state = last.after
    landed, drafted = _landed(acts), _drafted(seen)
    taken = {take.path for step in state.steps for take in step.planned.takes}
    paths = sorted({*landed, *drafted, *taken, *state.aside, *(state.halfway.changed if state.halfway else ())})
    documents = tuple(_document(last, path, landed, drafted, since) for path in paths)
    stands = [d.stand for d in documents]
    words = ", ".join(f"{stands.count(stand)} {stand}" for stand in Stand if stand in stands)
    text = f"{counted(len(documents), 'document')}: {words}" if documents else "no document was touched"
    return Workspace(last.seq, text, documents)


def _landed(acts: Sequence[Act]) -> Mapping[Path, tuple[int, str]]:
    """The last delivery of each document, and the text that it left."""
    found: dict[Path, tuple[int, str]] = {}
    for act in acts:
        if isinstance(act.outcome, Delivered) and act.result is not None:
            found |= {f.path: (act.result.seq, f.after) for f in act.outcome.files}
    return found


def _drafted(seen: Sequence[Seen]) -> Mapping[Path, tuple[int, str]]:
    """The first draft of each document, and the text that it was made for."""
    found: dict[Path, tuple[int, str]] = {}
    for each in seen:
        if isinstance(each.event, Resulted) and isinstance(each.event.outcome, Drafted):
            for edit in each.event.outcome.change.files:
                found.setdefault(edit.path, (each.seq, edit.before))
    return found


def _document(
    last: Seen, path: Path, landed: Mapping[Path, tuple[int, str]], drafted: Mapping[Path, tuple[int, str]], since: Sequence[int]
) -> Document:
    state = last.after
    mine = [(i, s) for i, s in enumerate(state.steps) if _is_about(s, path)]
    applied = tuple(i + 1 for i, s in mine if s.status is StepStatus.APPLIED)
    reverted = tuple(i + 1 for i, s in mine if s.status is StepStatus.REVERTED)
    pending = tuple(i + 1 for i, s in mine if s.status in _WAITS) if state.open else ()
    known = landed.get(path) or drafted.get(path) or (max((since[i] for i, _ in mine), default=last.seq), "")
    stand = _stand(state, path, applied, reverted, pending)
    return Document(known[0], relative(state.root, path), stand, known[1] or _at_start(state, path), applied, reverted, pending)


def _is_about(step: StepState, path: Path) -> bool:
    return path in step.draft.change.paths if step.draft is not None else any(t.path == path for t in step.planned.takes)


def _stand(state: RunState, path: Path, applied: tuple[int, ...], reverted: tuple[int, ...], pending: tuple[int, ...]) -> Stand:
    if state.halfway is not None and path in state.halfway.changed:
        return Stand.CUT_SHORT
    if path in state.aside and not (applied or reverted):
        return Stand.UNKNOWN
    stands = ((applied, Stand.APPLIED), (reverted, Stand.REVERTED), (pending, Stand.PENDING))
    return next((stand for steps, stand in stands if steps), Stand.UNTOUCHED)


def _at_start(state: RunState, path: Path) -> str:
    return next((d.digest for d in state.documents if d.path == path), "")
