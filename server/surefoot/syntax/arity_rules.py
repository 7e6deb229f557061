"""How each language writes parameters and arguments, as data: one line a language in `arity.json`."""

import json
from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache
from importlib import resources

from surefoot.core.value import value

_NONE: frozenset[str] = frozenset()


@value
class Rules:
    """Types of nodes, unless it says otherwise.

    A parameter is `required`, `optional`, `rest`, `named` (by name only), `named_rest`, or the `receiver`; the words of a rest parameter
    may stand inside of another one. `default` are fields that make a parameter optional, `marks` tokens and modifiers that say what it is.
    Parameters after `named_after` are given by name alone, those before `placed_before` by place alone; `names` says that others may be
    given by name, `rest_named` that a rest parameter takes names as well. `counted` is a field of which one node may have many. `skip` are
    no parameters, `unnamed` names of what is none. `void` stands alone for nothing, and an `empty` list says nothing at all. A parameter of
    the type `nothing` may be left out; what a `generic` class takes may be that type.

    `through` may stand between a name and what it names; `bare` are functions that may be without a list; `never` are tokens of what is
    not called as it is written, `receiver_field` holds the receiver apart from the list. In a `class`, but not in `functions` inside of it,
    the first parameter is the receiver. `decorated` holds decorators: those that `keeps` a signature, those that make a method `static` or
    `bound` (its receiver is never given); `inherits` says that overloads of bases are overloads too, and those called
    `implied` come from a base that nobody writes. Methods called `free` are static, those of `given_class` bound, without saying so.

    `several` are arguments that may be many values when they stand alone, `left_out` arguments that no parameter takes. A file that says
    `unchecked` at its start minds no count. `lax`, `spare`, `shares` and `hashes` are those of a signature.
    """

    required: frozenset[str] = _NONE
    optional: frozenset[str] = _NONE
    rest: frozenset[str] = _NONE
    named: frozenset[str] = _NONE
    named_rest: frozenset[str] = _NONE
    receiver: frozenset[str] = _NONE
    default: frozenset[str] = _NONE
    marks: Mapping[str, str] = field(default_factory=dict[str, str])
    named_after: frozenset[str] = _NONE
    placed_before: frozenset[str] = _NONE
    names: bool = False
    rest_named: bool = False
    counted: str = ""
    skip: frozenset[str] = _NONE
    unnamed: frozenset[str] = _NONE
    void: bool = False
    nothing: str = ""
    generic: frozenset[str] = _NONE
    empty: bool = False
    through: frozenset[str] = _NONE
    bare: frozenset[str] = _NONE
    never: frozenset[str] = _NONE
    receiver_field: str = ""
    klass: frozenset[str] = _NONE
    functions: frozenset[str] = _NONE
    decorated: str = ""
    keeps: frozenset[str] = _NONE
    static: frozenset[str] = _NONE
    bound: frozenset[str] = _NONE
    free: frozenset[str] = _NONE
    given_class: frozenset[str] = _NONE
    inherits: bool = False
    implied: frozenset[str] = _NONE
    several: frozenset[str] = _NONE
    left_out: frozenset[str] = _NONE
    unchecked: str = ""
    lax: bool = False
    spare: bool = False
    shares: bool = False
    hashes: bool = False


@cache
def rules_of(language: str) -> Rules | None:
    """The rules of a language, None where there are none: its signatures are not known then."""
    lines: dict[str, dict[str, object]] = json.loads((resources.files("surefoot.syntax") / "arity.json").read_text("utf-8"))
    line = lines.get(language)
    if line is None:
        return None
    if isinstance(like := line.get("like"), str):
        return rules_of(like)
    known = {f.name for f in fields(Rules)}
    if unknown := line.keys() - known:
        raise ValueError(f"arity.json says {', '.join(sorted(unknown))} of {language}, which means nothing")
    given = {key: frozenset(map(str, held)) if isinstance(held, list) else held for key, held in line.items()}  # pyright: ignore[reportUnknownArgumentType] # a list of words
    return Rules(**given)  # pyright: ignore[reportArgumentType] # the tests read every line
