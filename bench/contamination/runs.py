"""One task through the real loop, engine, prompts, checks' gate and journal; and the same task through a transcript that only grows."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.contamination.world import NAME, TASK, VERDICT, Model, findings, lines_to_set, plan_answer, source, tokens
from tests.support.modelled import DirectSurveyor, Found, Textcheck
from tests.support.scripts import Editor, Quiet

from surefoot.core.plan import Task
from surefoot.engines.claude.engine import ClaudeEngine
from surefoot.engines.claude.judge import ModelDistiller, ModelJudge
from surefoot.engines.claude.reader import CodeReader
from surefoot.journal.journal import Journal
from surefoot.llm.ask import Ask, Exchange, Hear, Said, Turn
from surefoot.llm.capabilities import ALL
from surefoot.llm.request import body_of
from surefoot.loop.modelled import Told
from surefoot.loop.ports import Staff, Tools
from surefoot.loop.runs import Runs
from surefoot.policy.permits import Permissions
from surefoot.prompts import system
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Role, Spent
from surefoot.run.state import RunState, StepStatus
from surefoot.workspace.session import Session

RETRIES = 2


@dataclass
class Count:
    """What one task took. `requests` are the sizes, in tokens, of the requests of each kind in order."""

    recovered: bool = False
    read: int = 0
    written: int = 0
    requests: dict[str, list[int]] = field(default_factory=dict)

    def add(self, kind: str, request: str, answer: str) -> None:
        """One exchange."""
        self.read += tokens(request)
        self.written += tokens(answer)
        self.requests.setdefault(kind, []).append(tokens(request))

    @property
    def tokens(self) -> int:
        return self.read + self.written


@dataclass
class InProcess:
    """The port of a model, without a wire: the very body that would leave is made and read."""

    model: Model
    count: Count

    async def turn(self, ask: Ask, hear: Hear) -> Turn:
        body = body_of(ask, "any", ask.limit, ALL)
        request = json.dumps({"messages": body.messages, **body.rest}, ensure_ascii=False)
        kind = kind_of(ask)
        answer = {"plan": plan_answer, "judge": lambda: VERDICT, "edit": lambda: self.model.edit(_plain(ask))}[kind]()
        self.count.add(kind, request, answer)
        spent = Spent(ask.role, tokens(request), tokens(answer))
        return Turn(Said(answer), (Exchange(request.encode("utf-8"), answer.encode("utf-8"), "any", ask.prompt, spent),))


def kind_of(ask: Ask) -> str:
    """plan, edit or judge; the distiller is never asked, since every finding here has a code."""
    if ask.role is Role.JUDGE:
        return "judge"
    return "plan" if ask.system == system.plan() else "edit"


def _plain(ask: Ask) -> str:
    return "\n".join((ask.system, *ask.blocks))


def rule(texts: Mapping[str, str]) -> Sequence[Found]:
    """What the checker finds in a workspace."""
    return [Found(NAME, place, "unresolved-reference", message) for place, message in findings(texts[NAME])]


async def ours(folder: Path, model: Model) -> tuple[Count, RunState]:
    """One task through the product's own loop."""
    count = Count()
    root = folder / "root"
    root.mkdir(parents=True)
    (root / NAME).write_text(source(model.task), encoding="utf-8")
    session, progress, surveyor = Session((root,)), Quiet(), DirectSurveyor()
    journal = Journal(root, folder / "state")
    runs = Runs(journal, lambda: session.snapshot(root), Editor(session), lambda state: None)
    port, told = InProcess(model, count), Told(progress)
    engine = ClaudeEngine(port, surveyor, told)
    staff = Staff(engine, CodeReader(surveyor), ModelJudge(port, told), ModelDistiller(port, told), surveyor)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(runs.close)
        tools = Tools(staff, Textcheck(rule), Permissions(), lambda: session.snapshot(root), progress)
        run = runs.begin(Task(TASK), tools, Limits())
        await runs.drafted(run.state.run)
        count.recovered = all(step.status is StepStatus.READY for step in run.state.steps) and bool(run.state.steps)
        return count, run.state


def appended(model: Model) -> Count:
    """The same task in one transcript: each failed edit and its raw errors stay, and "try again" is added."""
    count, text = Count(), source(model.task)
    window = "\n\n".join((system.edit(), TASK, text))
    for _ in range(1 + RETRIES):
        answer = model.edit(window)
        count.add("edit", window, answer)
        if model.succeeded[-1]:
            count.recovered = True
            break
        made = "\n".join(edit["new"] for edit in json.loads(answer)["edits"])
        errors = "\n".join(message for _, message in findings(made))
        window = f"{window}\n\n{answer}\n\n{errors}\n\nThat did not work. Try again."
    assert len(lines_to_set(text)) == len(json.loads(answer)["edits"])
    return count
