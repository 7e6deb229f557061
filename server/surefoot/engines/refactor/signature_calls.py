"""What a call gives under another signature: each argument still lands where it did, in the order in which they were evaluated.

A call is bound to the old signature, and written anew so that every argument reaches the parameter that it reached. Where that would let go
of something that is done, or do two things in another order, Python's names keep the order; else the call is a case for a person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from surefoot.core.value import value
from surefoot.engines.refactor.signature_lists import FileEdits, Put, Span, relist
from surefoot.engines.refactor.signature_shape import PLACED, Entries, Entry, signature_now, signature_then
from surefoot.syntax.arity import NOBODY, Fit, Given, Handed, Signature, Slot, bind, compare
from surefoot.syntax.written import Called, Definition, Effect, Passed


@value
class Trouble:
    """Why a call cannot be brought along, as the end of a sentence."""

    why: str


@value
class Reshape:
    """One definition that calls are bound to, what it becomes, and what is renamed on the way. `python` says that arguments have names."""

    definition: Definition
    entries: Entries
    language: str
    python: bool
    effects: bool = False

    @property
    def now(self) -> Signature:
        return signature_now(self.definition, self.language)

    @property
    def then(self) -> Signature:
        return signature_then(self.entries, self.language)

    @property
    def targets(self) -> Entries:
        """The new parameters, as a call sees them."""
        return tuple(e for e in self.entries if not e.bound)

    @property
    def same(self) -> Mapping[int, int]:
        """Which new parameter each old one is, both as a call counts them."""
        pieces = [i for i, p in enumerate(self.definition.pieces) if p.counts]
        new = {e.was: j for j, e in enumerate(self.targets) if e.was >= 0}
        return {i: new[at] for i, at in enumerate(pieces) if at in new}

    @property
    def renamed(self) -> Mapping[str, str]:
        held = ((self.definition.pieces[e.was].name, e.name) for e in self.targets if e.was >= 0)
        return {old: new for old, new in held if old != new}


@value
class _Item:
    """An argument on its way: the index of the old one or -1, where it is to land, whether it has its name before it, and what it is."""

    was: int
    to: int
    named: bool
    effect: Effect = Effect.NONE
    text: str = ""


@value
class Rewritten:
    """The new list of a call, with what it gives: empty `put` where nothing needs to be edited."""

    put: tuple[Put, ...]
    given: Given
    edited: bool


def rewrite(call: Called, shape: Reshape, edits: FileEdits, passed: str = "") -> Rewritten | Trouble:
    """The arguments that make a call mean what it meant. `passed` is what this very call gives for what is new."""
    now = _lenient(shape.now) if call.partial else shape.now
    bound = bind(now, call.given)
    if bound.fault:
        return Trouble(f"it did not fit before: {bound.fault}")
    items = _items(call, shape, bound.taken, edits)
    if isinstance(items, Trouble):
        return items
    stars = [i for i, p in enumerate(call.pieces) if p.spread and not _twice(edits, p)]
    twice = [i for i, p in enumerate(call.pieces) if p.spread and _twice(edits, p)]
    ahead = _ahead(call, shape, stars[0]) if stars else 0
    if isinstance(ahead, str):
        return Trouble(ahead)
    if twice and (why := _named_hidden(shape, items)):
        return Trouble(why)
    tail = [i for i in range(len(call.pieces)) if stars and i >= stars[0] and not call.given.arguments[i].name and i not in twice]
    fresh = _fresh(call, shape, items, passed, ahead if stars else None, hidden=bool(tail or twice))
    if isinstance(fresh, Trouble):
        return fresh
    placed = [item for item in items if item.was not in tail and item.was not in twice]
    order = _arranged(shape, [*placed, *fresh], tail)
    if call.partial and not isinstance(order, Trouble) and not _later_alike(shape, order):
        return Trouble("what is given later by place is not seen")
    if isinstance(order, Trouble):
        return order
    return _rendered(call, shape, order, tail, twice, edits)


def apply_call(edits: FileEdits, call: Called, made: Rewritten) -> None:
    """Write the new arguments."""
    pieces = call.pieces
    if call.partial and not pieces:
        edits.replace(call.close, call.close, "".join(f", {text}" for _, text in made.put))
    elif call.bare and not pieces:
        edits.replace(call.close, call.close, f"({', '.join(text or '' for _, text in made.put)})")
    elif call.bare:
        texts = [f"({edits.text(call.open, call.close)})" if index >= 0 and text is None else text or "" for index, text in made.put]
        whole = edits.data[call.open : call.close]
        inner = edits.text(call.open, call.close) if whole.startswith(b"(") else ""
        texts = [inner if index >= 0 and text is None else made_text for (index, text), made_text in zip(made.put, texts, strict=True)]
        edits.replace(call.open, call.close, f"({', '.join(texts)})")
    else:
        relist(edits, Span(call.open, call.close, pieces), made.put)


def fits(call: Called, shapes: Sequence[Reshape]) -> str:
    """Why a call that is left as it is would not mean what it meant, "" where it does."""
    first = shapes[0]
    found = compare([s.now for s in shapes], [s.then for s in shapes], call.given, first.renamed)
    return found.why if found.fit in (Fit.BREAK, Fit.SHIFT) and not call.partial else ""


def holds_before(call: Called, shape: Reshape, made: Rewritten) -> bool:
    """Whether the new arguments mean the same under the old signature: then the call may be edited before the definition is."""
    if any(e.was < 0 or e.name in shape.renamed.values() for e in shape.targets if e.was < 0 or e.name):
        fresh = {e.name for e in shape.targets if e.was < 0} | set(shape.renamed.values())
        if any(a.name in fresh for a in made.given.arguments):
            return False
    before, after = bind(shape.now, made.given), bind(shape.then, made.given)
    if before.fault or after.fault or call.partial:
        return False
    same = shape.same
    return all(same.get(was, NOBODY) == now for was, now in zip(before.taken, after.taken, strict=True) if was >= 0 or now >= 0)


def _items(call: Called, shape: Reshape, taken: Sequence[int], edits: FileEdits) -> list[_Item] | Trouble:
    """The arguments that stay, with where they go; trouble where one that does something would go away."""
    same, items = shape.same, list[_Item]()
    for i, (piece, handed, at) in enumerate(zip(call.pieces, call.given.arguments, taken, strict=True)):
        if at == NOBODY and len(shape.targets) != len(shape.definition.parameters):
            return Trouble(f"it gives `{_shown(edits, piece)}`, which no parameter takes")
        if at >= 0 and at not in same:
            if piece.effect is Effect.ACTS and not shape.effects:
                return Trouble(f"evaluating `{_shown(edits, piece)}` may do something: add `dropping effects` to let it go")
            continue
        items.append(_Item(i, same.get(at, at), bool(handed.name), piece.effect))
    return items


def _ahead(call: Called, shape: Reshape, star: int) -> int | str:
    """How many of the new parameters are certainly given before a spread argument, or why what that gives may land elsewhere.

    What may take a part of it has to be the same as before, in the same order: all that comes before that is seen.
    """
    why = f"argument {star + 1} of it may be none or many"
    before = sum(not h.name and not h.spread for h in call.given.arguments[:star])
    pieces = [i for i, p in enumerate(shape.definition.pieces) if p.counts]
    was = [pieces[i] for i, p in enumerate(shape.definition.parameters) if _lands(p.slot, call.given)]
    new = [e for e in shape.targets if _lands(e.slot, call.given)]
    now, suffix = [e.was for e in new], was[before:]
    ahead = len(now) - len(suffix)
    rest = any(p.slot is Slot.REST for p in shape.definition.parameters)
    if now == was:
        return before
    if ahead >= 0 and now[ahead:] == suffix and (rest or suffix):
        return ahead if all(at < 0 or at in was[:before] for at in now[:ahead]) else why
    lax = shape.now.lax and not shape.python
    if now[: len(was)] == was and not (rest or lax) and all(e.optional or shape.python for e in new[len(was) :]):
        return before
    return ahead if not suffix and not rest and not lax and all(at < 0 or at in was[:before] for at in now) else why


def _named_hidden(shape: Reshape, items: Sequence[_Item]) -> str:
    """Why what is given by names that are not written may be lost, "" where it cannot."""
    given, same, targets = {item.to for item in items}, shape.same, shape.targets
    for i, parameter in enumerate(shape.definition.parameters):
        if parameter.slot not in (Slot.EITHER, Slot.NAMED):
            continue
        to = same.get(i)
        if to is None or (to not in given and (targets[to].name != parameter.name or targets[to].slot not in (Slot.EITHER, Slot.NAMED))):
            return f"it may give `{parameter.name}` by a name that is not written there"
    return ""


def _fresh(call: Called, shape: Reshape, items: Sequence[_Item], passed: str, ahead: int | None, *, hidden: bool) -> list[_Item] | Trouble:
    """What is given for parameters that nothing is given for. The first `ahead` of them stand before a spread argument."""
    given, made = {item.to for item in items}, list[_Item]()
    late, places = call.partial, -1
    for to, entry in enumerate(shape.targets):
        places += _lands(entry.slot, call.given)
        if to in given or entry.slot in (Slot.RECEIVER, Slot.REST, Slot.NAMED_REST):
            continue
        text = (passed if passed and entry.was < 0 else "") or entry.value
        first = ahead is not None and entry.was < 0 and entry.slot in PLACED and places < ahead
        new = entry.was < 0 or (not entry.optional and shape.definition.pieces[entry.was].optional)
        if not (first or entry.forced or passed or (new and not entry.optional)) or (entry.was >= 0 and not entry.forced and not new):
            continue
        if ahead is not None and not first and not shape.python:
            return Trouble("an argument of it may be none or many")
        if hidden and entry.was >= 0:
            return Trouble(f"it may give `{entry.name}` already")
        if not text:
            return (
                Trouble(f"nothing is given for `{entry.name}`: say `passing VALUE`") if not late else Trouble("it may be called in any way")
            )
        if late and not shape.python:
            return Trouble("what it gives later is not seen")
        made.append(_Item(-1, to, late or (hidden and shape.python and not first), text=text))
    return made


def _arranged(shape: Reshape, items: Sequence[_Item], tail: Sequence[int]) -> list[_Item] | Trouble:
    """The arguments in their new order, with names where they need them."""
    made = _Arrangement(shape, items).made()
    if not isinstance(made, Trouble) and not _swapped(made):
        return made
    why = made if isinstance(made, Trouble) else None
    if shape.python and not tail and (kept := _as_written(shape, items)) is not None:
        return kept
    return why or Trouble("two of its arguments would be evaluated in another order")


def _later_alike(shape: Reshape, order: Sequence[_Item]) -> bool:
    """Whether what a partial call leaves open is taken by place as before."""
    back = {new: old for old, new in shape.same.items()}
    given = {item.to for item in order}
    known = {back[to] for to in given if to in back}
    was = [i for i, p in enumerate(shape.definition.parameters) if p.slot in (*PLACED, Slot.REST) and i not in known]
    now = [back.get(to, NOBODY) for to, e in enumerate(shape.targets) if e.slot in (*PLACED, Slot.REST) and to not in given]
    return now[: len(was)] == was


class _Arrangement:
    """Arguments that are put in their new order: by place as long as nothing is left out, then by name."""

    def __init__(self, shape: Reshape, items: Sequence[_Item]) -> None:
        self._shape = shape
        self._left: dict[int, list[_Item]] = {}
        for item in items:
            self._left.setdefault(item.to, []).append(item)
        self._placed: list[_Item] = []
        self._named: list[_Item] = []
        self._gaps: list[_Item] = []
        self._open = True

    def made(self) -> list[_Item] | Trouble:
        """The arguments in order, or why there is none."""
        for to, entry in enumerate(self._shape.targets):
            held = self._left.pop(to, [])
            if entry.slot in (Slot.NAMED, Slot.NAMED_REST):
                self._named += [replace(item, named=True) if entry.slot is Slot.NAMED else item for item in held]
            elif held and (why := self._taken(entry, held)):
                return Trouble(why)
            elif not held and entry.slot in PLACED:
                self._open = False
                self._gaps.append(_Item(-1, to, False, text="undefined"))
        self._named.sort(key=lambda item: (item.was < 0, item.was))
        return [*self._placed, *self._named, *(item for held in self._left.values() for item in held)]

    def _taken(self, entry: Entry, held: Sequence[_Item]) -> str:
        """Put what one parameter takes in its place, or say why it has none."""
        if not self._shape.python:
            self._placed += [*self._gaps, *held]
            self._gaps = []
        elif entry.slot is Slot.REST:
            if not self._open:
                return f"what `{entry.name}` takes cannot be given after a name"
            self._placed += held
        elif (held[0].named and entry.slot is Slot.EITHER) or not self._open or self._reads_better(entry, held[0]):
            if entry.slot is not Slot.EITHER:
                return f"`{entry.name}` can only be given by place, and nothing is given for what stands before it"
            self._named.append(replace(held[0], named=True))
            self._open = False
        else:
            self._placed.append(replace(held[0], named=False))
        return ""

    def _reads_better(self, entry: Entry, item: _Item) -> bool:
        """Whether a new argument has its name before it: one that might have been left out, where nothing by place comes after it."""
        last = all(each.named for held in self._left.values() for each in held)
        return item.was < 0 and entry.optional and entry.slot is Slot.EITHER and last


def _as_written(shape: Reshape, items: Sequence[_Item]) -> list[_Item] | None:
    """All arguments in the order in which they stand, by place as long as that is where they land, then by name."""
    slots = [i for i, e in enumerate(shape.targets) if e.slot in PLACED]
    made: list[_Item] = []
    open_, at = True, 0
    for item in sorted(items, key=lambda each: (each.was < 0, each.was)):
        entry = shape.targets[item.to] if 0 <= item.to < len(shape.targets) else None
        if entry is None or entry.slot is Slot.RECEIVER:
            made.append(item)
            continue
        if open_ and not item.named and at < len(slots) and slots[at] == item.to:
            made.append(item)
            at += 1
            continue
        open_ = False
        if entry.slot not in (Slot.EITHER, Slot.NAMED):
            return None
        made.append(replace(item, named=True))
    return made


def _swapped(items: Sequence[_Item]) -> bool:
    """Whether two arguments, of which one does something and the other may notice, stand in another order than before."""
    kept = [item for item in items if item.was >= 0]
    for i, first in enumerate(kept):
        for second in kept[i + 1 :]:
            most, least = max(first.effect, second.effect), min(first.effect, second.effect)
            if first.was > second.was and most is Effect.ACTS and least >= Effect.READS:
                return True
    return False


def _rendered(
    call: Called, shape: Reshape, order: Sequence[_Item], tail: Sequence[int], twice: Sequence[int], edits: FileEdits
) -> Rewritten | Trouble:
    put: list[Put] = []
    handed: list[Handed] = []
    spread = [*tail, *twice]
    places = sum(not item.named for item in order)
    ordered: list[_Item | int] = [*order[:places], *tail, *order[places:], *twice]
    for item in ordered:
        if isinstance(item, int):
            put.append((item, None))
            handed.append(call.given.arguments[item])
            continue
        entry = shape.targets[item.to] if 0 <= item.to < len(shape.targets) else None
        rest = entry is None or entry.slot in (Slot.NAMED_REST, Slot.REST)
        name = (call.given.arguments[item.was].name if rest and item.was >= 0 else entry.name if entry else "") if item.named else ""
        put.append((item.was, _text(call, item, name, edits)))
        handed.append(Handed(name))
    if call.partial and not shape.python and len(put) != len(call.pieces):
        return Trouble("what it gives later is not seen")
    given = replace(call.given, arguments=tuple(handed))
    after = bind(_lenient(shape.then) if call.partial else shape.then, given)
    if after.fault and not spread:
        return Trouble(after.fault)
    edited = [index for index, _ in put] != list(range(len(call.pieces))) or any(text is not None for _, text in put)
    return Rewritten(tuple(put), given, edited)


def _text(call: Called, item: _Item, name: str, edits: FileEdits) -> str | None:
    """How an argument is written, None for as it stands."""
    if item.was < 0:
        return f"{name}={item.text}" if name else item.text
    piece = call.pieces[item.was]
    if piece.name == name:
        return None
    held = edits.text(piece.at if piece.at >= 0 else piece.start, piece.end)
    return f"{name}={held}" if name else held


def _lenient(signature: Signature) -> Signature:
    return replace(signature, parameters=tuple(replace(p, optional=True) for p in signature.parameters))


def _lands(slot: Slot, given: Given) -> bool:
    return slot in PLACED or (slot is Slot.RECEIVER and given.receiver is False)


def _twice(edits: FileEdits, piece: Passed) -> bool:
    return edits.data[piece.start : piece.start + 2] == b"**"


def _shown(edits: FileEdits, piece: Passed) -> str:
    return edits.data[piece.start : piece.end].decode("utf-8", "replace").split("\n")[0][:60]
