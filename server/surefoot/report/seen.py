"""A run's events with the states around them, and its actions: what the account is made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from surefoot.journal.story import Damage, Entry
from surefoot.run.events import Action, Event, Halted, Intended, Lane, Permitted, Phase, Resulted
from surefoot.run.fold import step
from surefoot.run.outcomes import Outcome
from surefoot.run.state import RunState


@dataclass(frozen=True, slots=True)
class Seen:
    """One event: its number from 1, when, and the run before (None for its start) and after it."""

    seq: int
    at: float
    event: Event
    before: RunState | None
    after: RunState


@dataclass(frozen=True, slots=True)
class Act:
    """One action: its intent, its ruling and its result, as far as they came."""

    action: Action
    intended: Seen
    ruling: Seen | None = None
    result: Seen | None = None

    @property
    def outcome(self) -> Outcome | None:
        return self.result.event.outcome if self.result is not None and isinstance(self.result.event, Resulted) else None

    @property
    def seconds(self) -> float:
        """From intent to result, 0 while there is none. After a crash this includes the time until somebody took the run up again."""
        return max(self.result.at - self.intended.at, 0.0) if self.result is not None else 0.0


def seen_of(entries: Sequence[Entry], damage: Damage | None = None) -> tuple[Seen, ...]:
    """The events in order. A damaged row after them halts the run, as it does whoever takes the run up."""
    out: list[Seen] = []
    state: RunState | None = None
    for seq, entry in enumerate(entries, 1):
        after = step(state, entry.event)
        out.append(Seen(seq, entry.at, entry.event, state, after))
        state = after
    if damage is not None and state is not None and state.open:
        halted = Halted("row", damage.digest, damage.rule, damage.field, "")
        out.append(Seen(len(out) + 1, out[-1].at, halted, state, step(state, halted)))
    return tuple(out)


def acts_of(seen: Sequence[Seen]) -> tuple[Act, ...]:
    """The actions in order of their intents."""
    acts: dict[str, Act] = {}
    for each in seen:
        match each.event:
            case Intended(action=action):
                acts[action.id] = Act(action, each)
            case Permitted(action=name) if name in acts:
                acts[name] = replace(acts[name], ruling=each)
            case Resulted(action=name) if name in acts:
                acts[name] = replace(acts[name], result=each)
            case _:
                pass
    return tuple(acts.values())


def grouped(acts: Sequence[Act]) -> Iterator[tuple[Act, ...]]:
    """The actions of each attempt: of one step, one number, and one drafting. Looks around between draftings are none."""
    held: list[Act] = []
    for act in acts:
        if act.action.lane is not Lane.WORK:
            continue
        looks = act.action.verb is Phase.IDLE
        if held and (looks or _key(act) != _key(held[-1])):
            yield tuple(held)
            held = []
        if not looks:
            held.append(act)
    if held:
        yield tuple(held)


def _key(act: Act) -> tuple[int, int]:
    return act.action.step, act.action.attempt
