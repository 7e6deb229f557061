"""Who works on a task: the deterministic engine where the task is of a form that it knows, else the model where one is at hand."""

from collections.abc import Callable, Sequence

from surefoot.core.errors import Unusable
from surefoot.core.plan import Task
from surefoot.engines.protocol import Engine
from surefoot.llm.config import Endpoint
from surefoot.loop.ports import Progress, Staff, Staffing

KEYLESS = "Any other words are planned by Claude once there is a key in ANTHROPIC_API_KEY, or a server of your own in ANTHROPIC_BASE_URL"
OTHER_ADDRESS = "A file of this project names another address: set SUREFOOT_API_KEY to the key for"

Modelled = Callable[[Task, Progress], Staff]


def staffed(
    known: Engine,
    knows: Callable[[Task], bool] = lambda task: True,
    modelled: Callable[[], Modelled | None] = lambda: None,
    others: Sequence[tuple[Engine, Callable[[Task], bool]]] = (),
) -> Staffing:
    """The engine `known` works on every task that it `knows`, and the first of `others` on what is theirs; the rest goes to whom `modelled`
    names, looked up anew for each task.

    Where there is no model, `known` gets these as well: it says which forms of tasks there are.
    """

    def choose(task: Task, progress: Progress, engine: str = "") -> Staff:
        for each, takes in (*others, (known, knows)):
            if engine == each.name or (not engine and takes(task)):
                return Staff(each)
        make = modelled()
        staff = make(task, progress) if make is not None else Staff(known)
        if engine and staff.engine.name != engine:
            raise Unusable(f"this run was drafted by the engine {engine!r}, which is not here; set the key of a model, then resume it")
        return staff

    return choose


def without_a_model(reason: str, endpoint: Endpoint) -> str:
    """Why a task that needs a model cannot be done here, `reason` being which words need none; "" where there is a model to ask."""
    if endpoint.usable:
        return ""
    return f"{reason}. {KEYLESS if endpoint.trusted else f'{OTHER_ADDRESS} {endpoint.base_url}'}"
