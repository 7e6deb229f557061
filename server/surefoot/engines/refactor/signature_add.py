"""Add a parameter: at the end of those that are given alike, or where the task says, written as its language writes one."""

import re

from surefoot.engines.refactor.signature_shape import CONSTANT, PLACED, Entries, Entry, fault_of, index_of, with_default
from surefoot.engines.signature_tasks import SignatureTask
from surefoot.syntax.arity import Slot
from surefoot.syntax.written import Definition

_TYPES = (
    (re.compile(r"[-+]?[\d_.]+"), "number"),
    (re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`"), "string"),
    (re.compile("true|false"), "boolean"),
)


def add(definition: Definition, entries: Entries, task: SignatureTask, language: str) -> Entries | str:
    """The parameters with the new one among them, or why it cannot be."""
    python = language == "python"
    if any(e.name == task.parameter for e in entries):
        return f"it has a parameter `{task.parameter}` already"
    optional = bool(task.default) or task.maybe
    if python and task.maybe:
        return "Python has no parameters that may be left out without a default: say `add parameter NAME = DEFAULT to F`"
    slot = _slot(entries, task, python=python, optional=optional)
    if isinstance(slot, tuple):
        return slot[0]
    text = _text(definition, task, language)
    if not text:
        return "its declaration needs the type of the new parameter: say `add parameter NAME: TYPE = DEFAULT to F`"
    value = task.value or (task.default if CONSTANT.fullmatch(task.default) else "")
    if optional and not task.value and not python:
        value = value or "undefined"
    entry = Entry(-1, task.parameter, slot, optional, text, value, bool(task.value))
    at = _place(entries, task, entry)
    if isinstance(at, str):
        return at
    made = (*entries[:at], entry, *entries[at:])
    return fault_of(made, python=python) or made


def _slot(entries: Entries, task: SignatureTask, *, python: bool, optional: bool) -> Slot | tuple[str]:
    """How it is given. Python's `*args` takes all that comes after it by place, so what is new there has a name."""
    if not python:
        return ("TypeScript and JavaScript have no parameters that are given by name",) if task.where == "keyword-only" else Slot.PLACED
    near = index_of(entries, task.where.partition(" ")[2]) if " " in task.where else -1
    if near >= 0:
        return entries[near].slot if entries[near].slot in (Slot.PLACED, Slot.EITHER, Slot.NAMED) else Slot.NAMED
    rest = any(e.slot is Slot.REST for e in entries)
    if task.where == "keyword-only" or (rest and task.where != "first"):
        return Slot.NAMED
    only = [e for e in entries if e.slot in PLACED and not e.bound]
    return Slot.PLACED if only and all(e.slot is Slot.PLACED for e in only) and task.where == "first" else Slot.EITHER


def _place(entries: Entries, task: SignatureTask, entry: Entry) -> int | str:
    word, _, name = task.where.partition(" ")
    if name:
        at = index_of(entries, name)
        return at + (word.lower() == "after") if at >= 0 else f"it has no parameter `{name}`"
    if task.where == "first":
        return next((i for i, e in enumerate(entries) if not e.bound and e.slot is not Slot.RECEIVER), len(entries))
    if entry.slot is Slot.NAMED:
        return next((i for i, e in enumerate(entries) if e.slot is Slot.NAMED_REST), len(entries))
    placed = [i for i, e in enumerate(entries) if e.slot in PLACED and not e.bound]
    if not entry.optional and task.where != "last":
        before = next((i for i in placed if entries[i].optional), -1)
        if before >= 0:
            return before
    heads = [i for i, e in enumerate(entries) if e.slot in PLACED or e.bound or e.slot is Slot.RECEIVER]
    return max(heads) + 1 if heads else 0


def _text(definition: Definition, task: SignatureTask, language: str) -> str:
    """How the new parameter is written in this definition, "" where its type has to be known and is not."""
    name, written, default = task.parameter, task.type, task.default
    if language == "python":
        head = f"{name}: {written}" if written else name
        return with_default(head, default, typed=bool(written), python=True) if default else head
    if language == "javascript":
        return f"{name} = {default}" if default else name
    if definition.body == (0, 0) or (task.maybe and not default):
        written = written or next((kind for form, kind in _TYPES if form.fullmatch(default)), "")
        return f"{name}{'?' if default or task.maybe else ''}: {written}" if written else ""
    head = f"{name}: {written}" if written else name
    return f"{head} = {default}" if default else head
