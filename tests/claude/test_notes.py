"""Corrections in a small model's words: when it is asked, with what, and which of its answers are carried on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from surefoot.run.events import Ending
from surefoot.run.state import StepStatus
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK, WORSE
from tests.support.messages_api import Fault, Reply, Step, edit, passes
from tests.support.modelled import Found, ModelBench, Textcheck

MESSAGE = "the average of nothing is not defined for the given input, says the house rule 17"


def house_rule(texts: Mapping[str, str]) -> Sequence[Found]:
    """A tool that has no codes: what it says has to be read."""
    return [Found("calc.py", "undefined_helper_for_means", "", MESSAGE)] if "undefined_helper_for_means" in texts["calc.py"] else []


async def corrected(folder: Path, *notes: Step) -> ModelBench:
    """A run whose first edit is wrong in a way that only words tell, with these answers of the distiller."""
    bench = ModelBench(folder, CODE, PLAN, WORSE, *notes, PLAN, GOOD, passes(), checks=Textcheck(house_rule))
    with bench:
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        await bench.close()
    return bench


def note_in(bench: ModelBench) -> str:
    """The correction that the second plan was told."""
    said = bench.api.asked("plan")[1].user
    return said.rpartition("# Correction")[2].removesuffix("Answer now.").strip()


async def test_a_sound_note_is_carried_on_word_for_word(tmp_path: Path) -> None:
    note = "Make `mean` return 0.0 for an empty list."
    bench = await corrected(tmp_path, Reply(note))
    assert note_in(bench) == note
    asked = bench.api.asked("distil")
    assert len(asked) == 1
    assert asked[0].body["model"] == bench.models.distiller
    assert asked[0].body["max_tokens"] == 128
    assert [wants in asked[0].user for wants in (TASK, "undefined_helper_for_means(xs)", MESSAGE)] == [True] * 3
    assert "# Sites" not in asked[0].user, "task, attempt and error, and nothing else"


@dataclass(frozen=True)
class Lie:
    """What a distiller says, and why that is carried nowhere."""

    says: str
    why: str


LIES = {
    "a name that is nowhere": Lie("Make `mean` call `safe_divide` for an empty list.", "invented"),
    "a file that is nowhere": Lie("Make `mean` read its default from settings/defaults.py.", "invented"),
    "a code that nothing said": Lie("Fix error TS2345 in `mean`.", "invented"),
    "a field that is nowhere": Lie("Make `mean` return `self.fallback` for an empty list.", "invented"),
    "twenty-six words": Lie("Make `mean` return zero " + "and do so " * 7 + "always.", "long"),
    "two sentences over two lines": Lie("Make `mean` return 0.0.\nDo it now.", "lines"),
    "the failed expression": Lie("Replace `undefined_helper_for_means(xs) / len(xs)` in `mean`.", "echo"),
    "the failed line without marks": Lie("Do not return undefined_helper_for_means(xs) / len(xs) in mean.", "echo"),
    "six tokens of the failed edit": Lie("In `mean` return undefined_helper_for_means ( xs ) / nothing.", "echo"),
    "nothing": Lie("   ", "empty"),
    "a confession": Lie("I am sorry, I called `undefined_helper_for_means` which `numpy.mean` does better.", "invented"),
    "a bare camel-case name": Lie("Make mean throw EmptyListError for an empty list.", "invented"),
}


@pytest.mark.parametrize("name", LIES)
async def test_lying_distiller(tmp_path: Path, name: str) -> None:
    """What a note may not say is caught every time: the rule's own note stands, and the lie is kept beside the run."""
    lie = LIES[name]
    bench = await corrected(tmp_path, Reply(lie.says))
    note = note_in(bench)
    assert note != lie.says.strip()
    assert note.startswith("The result must hold this: ")
    if lie.says.strip():
        assert not any(lie.says.strip().encode() in request.raw for request in bench.api.requests if request.wants != "distil")


async def test_note_25_words(tmp_path: Path) -> None:
    """Twenty-five words are carried on, twenty-six are not; whatever stands there is one sentence of at most 25 words."""
    whole = "Make `mean` return zero " + "and do so " * 6 + "every time."
    longer = "Make `mean` return zero " + "and do so " * 6 + "every single time."
    assert (len(whole.split()), len(longer.split())) == (24, 25)
    assert note_in(await corrected(tmp_path / "a", Reply(longer))) == longer
    other = note_in(await corrected(tmp_path / "b", Reply(longer.replace("every", "at every"))))
    assert other.startswith("The result must hold this")
    assert len(other.split()) <= 25


@pytest.mark.parametrize(
    "fault", [Reply("", stop="refusal"), Reply("Make `mean", stop="max_tokens"), Fault(400)], ids=["refusal", "cut", "400"]
)
async def test_a_distiller_that_gives_nothing_leaves_the_rules_note(tmp_path: Path, fault: Step) -> None:
    assert note_in(await corrected(tmp_path, fault)).startswith("The result must hold this")


async def test_a_finding_with_a_code_asks_nobody(tmp_path: Path) -> None:
    def coded(texts: Mapping[str, str]) -> Sequence[Found]:
        return [Found(f.path, f.at, "house-17", f.message) for f in house_rule(texts)]

    with ModelBench(tmp_path, CODE, PLAN, WORSE, PLAN, GOOD, passes(), checks=Textcheck(coded)) as bench:
        await bench.run(TASK)
        assert bench.api.asked("distil") == []
        await bench.close()


@pytest.mark.parametrize("again", ["Make `mean` return 0.0 for an empty list.", "`mean` must give back 0.0 when the list is empty."])
async def test_same_note_twice_escalates(tmp_path: Path, again: str) -> None:
    """Two corrections in a row that ask for the same end the step after its second attempt."""
    first, second = (f"return undefined_helper_for_means({arg}) / len(xs)" for arg in ("xs", "[*xs]"))
    edits = [edit(("calc.py", "mean", "return sum(xs) / len(xs)", made)) for made in (first, second)]
    note = Reply("Make `mean` return 0.0 for an empty list.")
    with ModelBench(
        tmp_path, CODE, PLAN, edits[0], note, PLAN, edits[1], Reply(again), PLAN, GOOD, passes(), checks=Textcheck(house_rule)
    ) as bench:
        state = await bench.run(TASK)
        assert state.closed is not None
        assert state.closed.ending is Ending.ESCALATED
        assert len(bench.api.asked("edit")) == 2
        await bench.close()
