"""Change a default, give one, or take it away: who relied on it gives it from then on, where the task keeps calls or nothing else holds."""

from dataclasses import replace

from surefoot.engines.refactor.signature_shape import CONSTANT, Entries, Entry, fault_of, index_of, replaced, with_default, without_default
from surefoot.engines.signature_tasks import SignatureTask, Verb
from surefoot.syntax.written import Definition, Written


def defaulted(data: bytes, definition: Definition, entries: Entries, task: SignatureTask, language: str) -> Entries | str:
    """The parameters with the default of one of them as the task says."""
    at = index_of(entries, task.parameter)
    if at < 0:
        return f"it has no parameter `{task.parameter}`"
    entry, piece = entries[at], definition.pieces[entries[at].was]
    made = _made(data, definition, entry, piece, task, language)
    if isinstance(made, str):
        return made
    done = replaced(entries, at, made)
    return fault_of(done, python=language == "python") or done


def _made(data: bytes, definition: Definition, entry: Entry, piece: Written, task: SignatureTask, language: str) -> Entry | str:
    python, head = language == "python", without_default(data, piece)
    held = data[piece.default[0] : piece.default[1]].decode("utf-8") if piece.default else ""
    if task.verb is Verb.OPTIONAL:
        if entry.optional:
            return "it may be left out already"
        return _optional(definition, entry, piece, head, task.value, python=python, typed=language in ("typescript", "tsx"))
    if task.verb is Verb.REQUIRED:
        if not entry.optional:
            return "it has to be given already"
        value = task.value or (held if CONSTANT.fullmatch(held) else "undefined" if not python and not held else "")
        if not value:
            return f"its default `{held}` may mean something else where it is called: say `required passing VALUE`"
        return replace(entry, optional=False, text=_unmarked(head, piece, data), value=value)
    if piece.default is None:
        return "it has no default: say `make parameter NAME of F optional with default VALUE`"
    if held == task.value:
        return f"its default is `{held}` already"
    if task.keeping and not CONSTANT.fullmatch(held):
        return f"its default `{held}` may mean something else where it is called"
    kept = {"value": held, "forced": True} if task.keeping else {}
    text = data[piece.start : piece.default[0]].decode("utf-8") + task.value + data[piece.default[1] : piece.end].decode("utf-8")
    return replace(entry, text=text, **kept)


def _optional(definition: Definition, entry: Entry, piece: Written, head: str, value: str, *, python: bool, typed: bool) -> Entry | str:
    if python or not typed or (value and definition.body != (0, 0)):
        if not value:
            return "say which default it has: `optional with default VALUE`"
        return replace(entry, optional=True, text=with_default(head, value, typed=piece.type is not None, python=python))
    if piece.pattern:
        return "a parameter that is taken apart needs a default"
    name = piece.at - piece.start + len(piece.name.encode("utf-8"))
    raw = head.encode("utf-8")
    return replace(entry, optional=True, text=(raw[:name] + b"?" + raw[name:]).decode("utf-8"))


def _unmarked(head: str, piece: Written, data: bytes) -> str:
    """The parameter without TypeScript's `?`."""
    name = piece.at - piece.start + len(piece.name.encode("utf-8"))
    raw = head.encode("utf-8")
    return (raw[:name] + raw[name:].removeprefix(b"?")).decode("utf-8") if not piece.pattern else head
