"""Python itself is the truth: generated functions are called, and what they were given stands in their own local names.

`inspect.signature(f).bind(…)` would say the same, but that it refuses names of place-only parameters that a `**` takes.
"""

from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from surefoot.syntax.arity import NOBODY, Fit, Given, Handed, Parameter, Signature, Slot, bind, compare

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("a", "b", "c", "d", "e")


@st.composite
def signatures(draw: st.DrawFn) -> Signature:
    """Any legal list of parameters of Python, of those names."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(0, 4))]
    only, either = draw(st.integers(0, 2)), draw(st.integers(0, 3))
    made: list[Parameter] = []
    optional = False
    for i, name in enumerate(names):
        slot = Slot.PLACED if i < only else Slot.EITHER if i < only + either else Slot.NAMED
        optional = (slot is not Slot.NAMED and optional) or draw(st.booleans())
        made.append(Parameter(name, slot, optional))
    if draw(st.booleans()):
        made.insert(sum(p.slot is not Slot.NAMED for p in made), Parameter("args", Slot.REST))
    if draw(st.booleans()):
        made.append(Parameter("kwargs", Slot.NAMED_REST))
    return Signature(tuple(made))


calls = st.builds(
    lambda placed, named: Given((*[Handed()] * placed, *map(Handed, named))),
    st.integers(0, 4),
    st.lists(st.sampled_from((*NAMES, "other")), max_size=3, unique=True),
)


def source(signature: Signature) -> str:
    """The signature as Python writes it."""
    parts: list[str] = []
    parameters = signature.parameters
    for i, p in enumerate(parameters):
        before = parameters[i - 1].slot if i else None
        if p.slot is Slot.NAMED and before not in (Slot.NAMED, Slot.REST):
            parts.append("*")
        star = {Slot.REST: "*", Slot.NAMED_REST: "**"}.get(p.slot, "")
        parts.append(f"{star}{p.name}{'=None' if p.optional else ''}")
        after = parameters[i + 1].slot if i + 1 < len(parameters) else None
        if p.slot is Slot.PLACED and after is not Slot.PLACED:
            parts.append("/")
    return f"lambda {', '.join(parts)}: locals()"


def landed(signature: Signature, call: Given) -> dict[str, Any] | None:
    """What Python puts into each parameter: numbers of arguments. None where the call does not fit."""
    function: Callable[..., dict[str, Any]] = eval(source(signature))
    placed = [i for i, a in enumerate(call.arguments) if not a.name]
    named = {a.name: i for i, a in enumerate(call.arguments) if a.name}
    try:
        return {name: held for name, held in function(*placed, **named).items() if held not in (None, (), {})}
    except TypeError:
        return None


def ours(signature: Signature, call: Given) -> dict[str, Any] | None:
    """The same from our binding."""
    binding = bind(signature, call)
    if binding.fault:
        return None
    found: dict[str, Any] = {}
    for i, (argument, at) in enumerate(zip(call.arguments, binding.taken, strict=True)):
        parameter = signature.parameters[at]
        if parameter.slot is Slot.REST:
            found[parameter.name] = (*found.get(parameter.name, ()), i)
        elif parameter.slot is Slot.NAMED_REST:
            found.setdefault(parameter.name, {})[argument.name] = i
        else:
            found[parameter.name] = i
    return found


@settings(max_examples=1000, deadline=None)
@given(signatures(), calls)
def test_arguments_land_where_python_puts_them(signature: Signature, call: Given) -> None:
    assert ours(signature, call) == landed(signature, call), source(signature)


@settings(max_examples=1000, deadline=None)
@given(signatures(), signatures(), calls)
def test_what_is_ok_lands_as_before_and_what_breaks_is_refused(old: Signature, new: Signature, call: Given) -> None:
    """`break` is what Python refuses; `ok` is a call whose every argument goes to the parameter of the same name, or of the same place."""
    found, before, after = compare([old], [new], call), landed(old, call), landed(new, call)
    assert (found.fit is Fit.UNKNOWN) == (before is None)
    assert (found.fit is Fit.BREAK) == (before is not None and after is None)
    if found.fit is Fit.OK and {p.name for p in old.parameters} == {p.name for p in new.parameters}:
        assert before == after
    if found.fit is Fit.SHIFT:
        assert before != after


@pytest.mark.parametrize(
    ("parameters", "arguments", "taken"),
    [
        ("a b?", "1", (0,)),
        ("a b? c", "1 2", (0, 2)),
        ("a b? c", "1 2 3", (0, 1, 2)),
        ("a *r c", "1 2", (0, 2)),
        ("a *r c", "1 2 3 4", (0, 1, 1, 2)),
        ("a b? *r c", "1 2 3 4", (0, 1, 2, 3)),
    ],
)
def test_a_language_that_gives_what_is_required_its_share_first(parameters: str, arguments: str, taken: tuple[int, ...]) -> None:
    made = [Parameter(w.strip("*?"), Slot.REST if w.startswith("*") else Slot.PLACED, w.endswith("?")) for w in parameters.split()]
    given_ = Given(tuple(Handed() for _ in arguments.split()))
    binding = bind(Signature(tuple(made), shares=True), given_)
    assert (binding.fault, binding.taken) == ("", taken)


def test_names_that_nothing_takes_are_one_table_where_the_language_makes_one() -> None:
    call = Given((Handed(), Handed("k"), Handed("o")))
    two = (Parameter("a", Slot.PLACED), Parameter("options", Slot.PLACED, optional=True))
    assert bind(Signature(two, hashes=True), call).taken == (0, 1)
    assert bind(Signature((*two, Parameter("k", Slot.NAMED)), hashes=True), call).fault == "no parameter is called `o`"


def test_a_language_that_minds_no_count_lets_arguments_go() -> None:
    one = (Parameter("a", Slot.PLACED),)
    call = Given((Handed(), Handed()))
    assert bind(Signature(one), call).fault == "there is no parameter for argument 2"
    assert bind(Signature(one, lax=True), call).taken == (0, NOBODY)
    assert bind(Signature(one, spare=True), call).taken == (0, NOBODY)
    assert bind(Signature(one, spare=True), Given(())).fault == "nothing is given for `a`"
    assert bind(Signature(one, lax=True), Given(())).fault == ""


def test_renamed_parameters_may_be_told() -> None:
    old = Signature((Parameter("a", Slot.EITHER), Parameter("b", Slot.EITHER)))
    new = Signature((Parameter("b", Slot.EITHER), Parameter("c", Slot.EITHER)))
    call = Given((Handed(), Handed()))
    assert compare([old], [new], call).fit is Fit.SHIFT
    assert compare([old], [new], call, {"a": "b", "b": "c"}).fit is Fit.OK
