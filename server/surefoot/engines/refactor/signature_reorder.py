"""Reorder what is given by place; the parameters that the task does not name follow in the order that they have."""

from surefoot.engines.refactor.signature_shape import PLACED, Entries, fault_of, index_of
from surefoot.engines.signature_tasks import SignatureTask
from surefoot.syntax.arity import Slot
from surefoot.syntax.written import Definition


def reorder(definition: Definition, entries: Entries, task: SignatureTask, language: str) -> Entries | str:
    """The parameters in the order of the task."""
    at = [index_of(entries, name) for name in task.order]
    if len(set(at)) < len(at):
        return "the new order names a parameter twice, or one that is not there"
    if missing := next((name for name, index in zip(task.order, at, strict=True) if index < 0), ""):
        return f"it has no parameter `{missing}`"
    if definition.dynamic and language != "python":
        return f"its body reads its parameters through `{definition.dynamic}`"
    slots = {entries[index].slot for index in at}
    if not slots <= PLACED and slots != {Slot.NAMED}:
        return "only parameters that are given alike can change places"
    alike = [i for i, e in enumerate(entries) if not e.bound and (e.slot in PLACED if slots <= PLACED else e.slot is Slot.NAMED)]
    order = iter([*at, *(i for i in alike if i not in at)])
    slotted = [entries[i].slot for i in alike]
    moved = [entries[next(order)] if i in alike else e for i, e in enumerate(entries)]
    if len(set(slotted)) > 1 and [moved[i].slot for i in alike] != slotted:
        return "a parameter that is given by place alone cannot change places with one that has a name"
    return fault_of(tuple(moved), python=language == "python") or tuple(moved)
