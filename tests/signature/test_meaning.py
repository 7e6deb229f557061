"""Programs that are run before and after: every call gives each parameter what it gave, and evaluates its arguments in the same order."""

import asyncio
import inspect
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from surefoot.core.plan import Task
from surefoot.core.text import TextFile
from surefoot.engines.protocol import Draft, Refusal
from surefoot.engines.refactor.signature import SignatureEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_signature import DirectShaper

NAMES = ("a", "b", "c", "d")


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """A function, calls of it that fit, and a task that lets them mean the same."""
    kinds = draw(st.lists(st.sampled_from(["placed", "either", "named"]), min_size=1, max_size=4))
    kinds.sort(key=["placed", "either", "named"].index)
    optional = draw(st.integers(0, len([k for k in kinds if k != "named"])))
    star, twice = draw(st.booleans()), draw(st.booleans())
    parts: list[str] = []
    placed = [k for k in kinds if k != "named"]
    for i, kind in enumerate(kinds):
        if kind == "named" and (i == 0 or kinds[i - 1] != "named"):
            parts.append("*args" if star else "*")
        has = i >= len(placed) - optional if kind != "named" else draw(st.booleans())
        parts.append(f"{NAMES[i]}={i * 100}" if has else NAMES[i])
        if kind == "placed" and (i + 1 == len(kinds) or kinds[i + 1] != "placed"):
            parts.append("/")
    if star and "named" not in kinds:
        parts.append("*args")
    if twice:
        parts.append("**kw")
    names = NAMES[: len(kinds)]
    gives = ", ".join(f"{n}={n}" for n in names) + (", args=args" if star else "") + (", kw=kw" if twice else "")
    head = f"def f({', '.join(parts)}):\n    return dict({gives})\n"
    calls = draw(st.lists(_calls(names), min_size=1, max_size=5))
    return head + "".join(f"out.append(f({call}))\n" for call in calls if _fits(head, call)), draw(_tasks(names))


@st.composite
def _calls(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """Arguments by place and by name, some of which do something, some of them spread."""
    made = [
        draw(st.sampled_from(["{}", "t({})", "o.x + {}", "*[t({})]", "{}"])).format(i) for i in range(draw(st.integers(0, len(names) + 1)))
    ]
    for i, name in enumerate(draw(st.permutations([*names, "z"]))[: draw(st.integers(0, 3))]):
        made.append(f"{name}=" + draw(st.sampled_from(["{}", "t({})"])).format(50 + i))
    return ", ".join([*made, *draw(st.sampled_from([[], [], [], ["**{'y': t(70)}"]]))])


def _tasks(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    kinds = st.sampled_from(["keyword-only", "positional-only", "positional", "required"])
    return st.one_of(
        st.builds("make parameter {} of f {}".format, st.sampled_from(names), kinds),
        st.builds(lambda order: f"reorder parameters of f to {', '.join(order)}", st.permutations(names)),
        st.builds(lambda name: f"change default of {name} in f to 999 keeping calls", st.sampled_from(names)),
    )


def _fits(head: str, call: str) -> bool:
    space: dict[str, Any] = {"t": lambda x: x, "o": type("O", (), {"x": 1000})}
    exec(head, space)
    try:
        eval(f"f({call})", space)
    except (TypeError, SyntaxError):
        return False
    return bool(inspect.signature(space["f"]))


def _run(text: str) -> tuple[list[object], list[object]]:
    out: list[object] = []
    log: list[object] = []
    exec(text, {"out": out, "t": lambda x: log.append(x) or x, "o": type("O", (), {"x": 1000})})
    return out, log


async def _changed(text: str, task: str) -> str | None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "m.py").write_text(text)
        engine = SignatureEngine(DirectShaper())
        view = View(Task(task), None, (), Snapshot(Path(folder)), (), "", Limits())
        plan = await engine.plan(view)
        if isinstance(plan, Refusal):
            note(plan.reason)
            return None
        draft = await engine.edit(View(view.task, plan.steps[0], (), view.texts, (), "", view.limits))
        assert isinstance(draft, Draft), draft
        after = Snapshot(Path(folder)).with_change(draft.change).read(Path(folder) / "m.py")
        assert isinstance(after, TextFile)
        return after.text


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_calls_mean_what_they_meant(program: tuple[str, str]) -> None:
    text, task = program
    after = asyncio.run(_changed(text, task))
    if after is not None:
        note(f"{task}\n{text}\n{after}")
        assert _run(after) == _run(text), f"{task}\n{text}\n{after}"
