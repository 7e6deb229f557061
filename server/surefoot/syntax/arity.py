"""Arguments against parameters: whether a call fits a signature, and whether each argument still lands where it did under another one.

Counting is not enough. A parameter that is put in between, or two that change places, leave the numbers as they are and move arguments
silently into other parameters. So a call is bound to the old and to the new signature, and the two bindings are compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType

from surefoot.core.value import value

NOBODY = -1
"""No parameter takes the argument: the language lets it go."""

UNSEEN = -2
"""Which parameter takes the argument cannot be told: one before it may be many."""


class Slot(StrEnum):
    """How a parameter is given: by place, by name, or all that is left over. What a method is called on is its receiver."""

    RECEIVER = "receiver"
    PLACED = "placed"
    EITHER = "either"
    NAMED = "named"
    REST = "rest"
    NAMED_REST = "named rest"


_PLACED = frozenset({Slot.PLACED, Slot.EITHER})
_BY_NAME = frozenset({Slot.EITHER, Slot.NAMED})


@value
class Parameter:
    """One parameter; an `optional` one has a default, or may be left out."""

    name: str
    slot: Slot
    optional: bool = False


@value
class Signature:
    """The parameters of one definition, in order.

    `lax` lets a call give fewer or more, `spare` only more. `shares` gives what is required its share first, wherever it stands (Ruby), and
    `hashes` takes names that no parameter has as one last argument.
    """

    parameters: tuple[Parameter, ...]
    lax: bool = False
    spare: bool = False
    shares: bool = False
    hashes: bool = False


@value
class Handed:
    """One argument of a call: its name where it has one. A `spread` one may be none or many."""

    name: str = ""
    spread: bool = False


@value
class Given:
    """What a call gives.

    `receiver` says whether what a method is called on stands before the arguments; None where that is not known. `several` marks a lone
    argument that may be as many values as there are parameters (Go), `lax` a language that minds no count.
    """

    arguments: tuple[Handed, ...]
    receiver: bool | None = None
    several: bool = False
    lax: bool = False


@value
class Binding:
    """For each argument the index of the parameter that takes it, and why the call does not fit, "" where it does.

    `whole` says that every argument was seen: no spread one hides where others land.
    """

    taken: tuple[int, ...]
    fault: str = ""
    whole: bool = True


class Fit(StrEnum):
    """What becomes of a call under another signature. In a `shift` it goes through, and an argument lands in another parameter."""

    OK = "ok"
    BREAK = "break"
    SHIFT = "shift"
    UNKNOWN = "unknown"


@value
class Comparison:
    """The verdict, with the proof or the reason in words."""

    fit: Fit
    why: str


def bind(signature: Signature, given: Given) -> Binding:
    """Give each argument to its parameter, as the language would. Where it is not known how a method is called, the way that fits."""
    first, *others = [_bind(signature, form) for form in _forms(signature, given)]
    return next((binding for binding in (first, *others) if not binding.fault), first)


def compare(
    old: Sequence[Signature | None],
    new: Sequence[Signature | None],
    given: Given,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Comparison:
    """Whether a call that fits one of the `old` signatures means the same under one of the `new` ones.

    A signature that is not known is None. `renamed` maps old names of parameters to new ones; parameters that lost their name and kept
    their place among as many others, in the same one of the overloads, count as renamed too.
    """
    known = [(i, signature) for i, signature in enumerate(new) if signature is not None]
    fitting = [(i, signature) for i, signature in enumerate(old) if signature is not None and not bind(signature, given).fault]
    # A parameter of one overload is not that of another because it stands in the same place.
    alike = len(old) == len(new)
    found = [_compared(was, now, given, _same(was, now, renamed, alike and i == j)) for i, was in fitting for j, now in known]
    if (best := next((c for c in found if c.fit is Fit.OK), None)) is not None:
        return best
    if len(known) < len(new) or any(signature is None for signature in old):
        return Comparison(Fit.UNKNOWN, "what it takes is not written where it is defined")
    if not fitting:
        faults = [bind(signature, given).fault for signature in old if signature is not None]
        return Comparison(Fit.UNKNOWN, f"it did not fit before: {faults[0]}" if faults else "what it took is not known")
    for fit in (Fit.UNKNOWN, Fit.SHIFT, Fit.BREAK):
        if (told := next((c for c in found if c.fit is fit), None)) is not None:
            return told
    return Comparison(Fit.BREAK, "nothing takes the call any more")


def _forms(signature: Signature, given: Given) -> Iterator[Given]:
    """The ways in which the call may be meant: with what the method is called on before the arguments, or as the first of them."""
    if given.receiver is not None or all(p.slot is not Slot.RECEIVER for p in signature.parameters):
        yield given
    else:
        yield replace(given, receiver=True)
        yield replace(given, receiver=False)


def _bind(signature: Signature, given: Given) -> Binding:
    given = _hashed(signature, given)
    placed = [i for i, p in enumerate(signature.parameters) if p.slot in _PLACED or (p.slot is Slot.RECEIVER and given.receiver is False)]
    open_end = given.several and len(placed) != 1
    count = sum(not a.name and not a.spread for a in given.arguments)
    slots = _slots(signature, placed, count)
    taken: list[int] = []
    faults: list[str] = []
    hidden = open_end
    for number, argument in enumerate(given.arguments, 1):
        if argument.spread or (hidden and not argument.name):
            hidden = True
            taken.append(UNSEEN)
            continue
        at = _by_name(signature, argument.name) if argument.name else next(slots, NOBODY)
        if at >= 0 and at in taken and signature.parameters[at].slot not in (Slot.REST, Slot.NAMED_REST):
            faults.append(f"`{signature.parameters[at].name}` is given twice")
        elif at == NOBODY and argument.name:
            faults.append(f"no parameter is called `{argument.name}`")
        elif at == NOBODY and not (signature.lax or signature.spare or given.lax):
            faults.append(f"there is no parameter for argument {number}")
        taken.append(at)
    missing = [p.name or f"parameter {i + 1}" for i, p in enumerate(signature.parameters) if _missing(p, i, taken, given)]
    if missing and not (hidden or signature.lax or given.lax):
        faults.append(f"nothing is given for `{missing[0]}`")
    return Binding(tuple(taken), faults[0] if faults else "", not hidden)


def _missing(parameter: Parameter, at: int, taken: Sequence[int], given: Given) -> bool:
    if parameter.optional or at in taken or parameter.slot in (Slot.REST, Slot.NAMED_REST):
        return False
    return parameter.slot is not Slot.RECEIVER or given.receiver is False


def _hashed(signature: Signature, given: Given) -> Given:
    """Names that no parameter can have are one hash, where the language makes one of them."""
    if not signature.hashes or any(p.slot in (Slot.NAMED, Slot.NAMED_REST) for p in signature.parameters):
        return given
    kept = tuple(a for a in given.arguments if not a.name)
    return given if len(kept) == len(given.arguments) else replace(given, arguments=(*kept, Handed()))


def _slots(signature: Signature, placed: Sequence[int], count: int) -> Iterator[int]:
    """The parameters that `count` arguments without a name land in, in order."""
    rest = next((i for i, p in enumerate(signature.parameters) if p.slot is Slot.REST), None)
    before = [i for i in placed if rest is None or i < rest]
    after = [i for i in placed if rest is not None and i > rest]
    spare = count - sum(not signature.parameters[i].optional for i in placed)
    for i in before:
        if not (signature.shares and signature.parameters[i].optional):
            yield i
        elif spare > 0:
            spare -= 1
            yield i
    if rest is not None:
        yield from [rest] * max(spare if signature.shares else count - len(before) - len(after), 0)
    yield from after


def _by_name(signature: Signature, name: str) -> int:
    rest = NOBODY
    for i, parameter in enumerate(signature.parameters):
        if parameter.name == name and parameter.slot in _BY_NAME:
            return i
        if parameter.slot is Slot.NAMED_REST:
            rest = i
    return rest


def _compared(old: Signature, new: Signature, given: Given, same: Mapping[int, int]) -> Comparison:
    """One call under two signatures, in the way that it is meant under the old one."""
    form = next((form for form in _forms(old, given) if not _bind(old, form).fault), given)
    before = _bind(old, form)
    if form.several and before.whole:
        form = replace(form, several=False)
    after = _bind(new, form)
    if after.fault:
        return Comparison(Fit.BREAK, after.fault)
    for number, (was, now) in enumerate(zip(before.taken, after.taken, strict=True), 1):
        if UNSEEN in (was, now) or same.get(was) == now:
            continue
        if now == NOBODY:
            return Comparison(Fit.BREAK, f"nothing takes argument {number} any more")
        return Comparison(Fit.SHIFT, f"argument {number} would land in `{_name(new, now)}`, not in `{_name(old, was)}`")
    if old.parameters == new.parameters:
        return Comparison(Fit.OK, "it takes what it took")
    if not (before.whole and after.whole):
        return Comparison(Fit.UNKNOWN, "an argument of it may be none or many")
    fresh = [p for i, p in enumerate(new.parameters) if i not in same.values() and _missing(p, i, after.taken, form)]
    if fresh:
        return Comparison(Fit.BREAK, f"nothing is given for `{fresh[0].name}`")
    return Comparison(Fit.OK, _landed(new, after))


def _landed(signature: Signature, binding: Binding) -> str:
    names = dict.fromkeys(_name(signature, at) for at in binding.taken if at >= 0)
    return f"its arguments land as before: {', '.join(names)}" if names else "it gives nothing, and nothing is asked for"


def _name(signature: Signature, at: int) -> str:
    return (signature.parameters[at].name or f"parameter {at + 1}") if at >= 0 else "nothing"


def _same(old: Signature, new: Signature, renamed: Mapping[str, str], placed: bool) -> Mapping[int, int]:
    """Which parameter of the new signature is which of the old one; `placed` lets the place tell where the name does not."""
    same = {NOBODY: NOBODY}
    for i, was in enumerate(old.parameters):
        for j, now in enumerate(new.parameters):
            alike = was.slot is now.slot and was.slot not in _PLACED | _BY_NAME
            if alike or (was.name and renamed.get(was.name, was.name) == now.name and now.slot in _PLACED | _BY_NAME):
                same.setdefault(i, j)
    here, there = (tuple(i for i, p in enumerate(s.parameters) if p.slot in _PLACED) for s in (old, new))
    for i, j in zip(here, there, strict=False):
        nameless = not old.parameters[i].name and not new.parameters[j].name
        if i not in same and j not in same.values() and (nameless or (placed and len(here) == len(there))):
            same[i] = j
    return same
