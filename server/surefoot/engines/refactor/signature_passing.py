"""Make a parameter one that is given by name alone, by place alone, or either way. Only Python has these."""

from dataclasses import replace
from types import MappingProxyType

from surefoot.engines.refactor.signature_shape import PLACED, Entries, fault_of, index_of
from surefoot.engines.signature_tasks import SignatureTask, Verb
from surefoot.syntax.arity import Slot
from surefoot.syntax.written import Definition


def passing(definition: Definition, entries: Entries, task: SignatureTask, language: str) -> Entries | str:
    """The parameters with one of them given in the other way."""
    if language != "python":
        return "TypeScript and JavaScript give every argument by place"
    at = index_of(entries, task.parameter)
    if at < 0:
        return f"it has no parameter `{task.parameter}`"
    made = _WAYS[task.verb](entries, at)
    if isinstance(made, str):
        return made
    return fault_of(made, python=True) or made


def _named(entries: Entries, at: int) -> Entries | str:
    entry = entries[at]
    if entry.slot is Slot.NAMED:
        return "it is given by name alone already"
    if entry.slot not in PLACED:
        return f"`{entry.name}` takes what is left over"
    if any(e.slot is Slot.REST for e in entries) and any(e.slot in PLACED for e in entries[at + 1 :]):
        return "what stands after it and before `*` would take what was given for it"
    rest = (*entries[:at], *entries[at + 1 :])
    to = next((i for i, e in enumerate(rest) if e.slot in (Slot.NAMED, Slot.NAMED_REST)), len(rest))
    return (*rest[:to], replace(entry, slot=Slot.NAMED), *rest[to:])


def _placed_only(entries: Entries, at: int) -> Entries | str:
    if entries[at].slot is Slot.PLACED:
        return "it is given by place alone already"
    if entries[at].slot is not Slot.EITHER:
        return "it is given by name alone: make it positional first"
    held = enumerate(entries)
    return tuple(replace(e, slot=Slot.PLACED) if i <= at and e.slot is Slot.EITHER and not e.bound else e for i, e in held)


def _either(entries: Entries, at: int) -> Entries | str:
    entry = entries[at]
    if entry.slot is Slot.EITHER:
        return "it is given by place or by name already"
    if entry.slot is Slot.PLACED:
        if any(e.slot is Slot.PLACED for e in entries[at + 1 :]):
            return "a parameter after it is given by place alone"
        return (*entries[:at], replace(entry, slot=Slot.EITHER), *entries[at + 1 :])
    if entry.slot is not Slot.NAMED:
        return f"`{entry.name}` takes what is left over"
    if any(e.slot is Slot.REST for e in entries):
        return "`*` takes everything that is given by place after the others"
    rest = (*entries[:at], *entries[at + 1 :])
    to = max((i for i, e in enumerate(rest) if e.slot in PLACED or e.slot is Slot.RECEIVER), default=-1) + 1
    return (*rest[:to], replace(entry, slot=Slot.EITHER), *rest[to:])


_WAYS = MappingProxyType({Verb.KEYWORD_ONLY: _named, Verb.POSITIONAL_ONLY: _placed_only, Verb.POSITIONAL: _either})
