"""The same tasks over HTTP: the product's own transport, the scripted server, every request read as it came."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.contamination.runs import Count, rule
from bench.contamination.world import NAME, TASK, VERDICT, Model, plan_answer, source
from tests.support.messages_api import Received, Reply
from tests.support.modelled import ModelBench, Textcheck

from surefoot.run.state import StepStatus

if TYPE_CHECKING:
    from bench.contamination.run import Outcome


async def over_the_wire(tasks: int) -> "list[Outcome]":
    """Tasks whose first edit fails, each on a server of its own; no later request holds forty characters of what failed."""
    from bench.contamination.run import Outcome

    outcomes: list[Outcome] = []
    for number in range(tasks):
        model, count = Model(number, forced=True), Count()

        def answer(received: Received, model: Model = model, count: Count = count) -> Reply:
            text = {"plan": plan_answer, "judge": lambda: VERDICT, "edit": lambda: model.edit(received.user)}[received.wants]()
            count.add(received.wants, received.raw.decode("utf-8"), text)
            return Reply(text)

        with tempfile.TemporaryDirectory() as folder:
            bench = ModelBench(Path(folder), {NAME: source(number)}, checks=Textcheck(rule))
            bench.api.then = answer
            with bench:
                state = await bench.run(TASK)
                count.recovered = all(step.status is StepStatus.READY for step in state.steps) and bool(state.steps)
                await bench.close()
        outcomes.append(Outcome(count, tuple(model.succeeded), model.contaminated))
    return outcomes
