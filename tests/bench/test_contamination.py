"""The small form of `bench/contamination`: nothing that failed reaches a later request, and the rig itself tells the two ways apart."""

import pytest
from bench.contamination.run import BASELINE, grown, growth, looped, lower_bound, recovered
from bench.contamination.wire import over_the_wire
from bench.contamination.world import CLEAN, POISONED, TASK, Model, source

TASKS = 12


def test_a_transcript_that_grows_recovers_as_seldom_as_published() -> None:
    share = recovered([grown(task, forced=True) for task in range(2_000)])
    assert BASELINE[0] <= share <= BASELINE[1]


@pytest.mark.parametrize("poisoned", [CLEAN, 1.0])
async def test_what_a_poisoned_window_would_do_changes_nothing(poisoned: float) -> None:
    """Whatever the model did with a trace of what failed: it never sees one, so that its edits are the same, one by one."""
    told = [await looped(task, forced=True, poisoned=poisoned) for task in range(TASKS)]
    usual = [await looped(task, forced=True, poisoned=POISONED) for task in range(TASKS)]
    assert [o.succeeded for o in told] == [o.succeeded for o in usual]
    assert not any(o.contaminated for o in told)
    assert growth(told) <= 1.08


async def test_over_http_it_is_the_same() -> None:
    wired = await over_the_wire(4)
    assert [o.succeeded for o in wired] == [(await looped(task, forced=True)).succeeded for task in range(4)]
    assert not any(o.contaminated for o in wired)


def test_the_model_of_the_rig_is_led_astray_by_what_it_reads() -> None:
    """A rig in which no trace was ever seen would show nothing."""
    model = Model(1, poisoned=1.0, forced=True)
    failed = model.edit(f"{TASK}\n{source(1)}")
    assert model.succeeded == [False]
    model.edit(f"{TASK}\n{source(1)}\n{failed}")
    assert (model.contaminated, model.succeeded) == (1, [False, False])
    assert model.edit(f"{TASK}\n{source(1)}") == failed, "the same question is answered alike"


def test_the_bound_is_wilsons() -> None:
    assert lower_bound(1_886, 2_000) == pytest.approx(0.932, abs=0.001)
