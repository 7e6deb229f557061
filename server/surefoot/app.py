"""The composition root: builds and wires everything. Heavy parts are imported when a service is built, not before."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from surefoot.checks.command import Command
from surefoot.checks.table import COMMANDS
from surefoot.checks.validate import Validator
from surefoot.core.plan import Task
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.engines.refactor.signature import SignatureEngine
from surefoot.engines.toolfix import candidates
from surefoot.journal.journal import state_dir
from surefoot.llm.config import ModelConfig
from surefoot.loop.background import FixSource
from surefoot.loop.modelled import Connections
from surefoot.loop.ports import Applier
from surefoot.loop.staffing import staffed
from surefoot.policy.permits import Permissions
from surefoot.run.limits import Limits
from surefoot.run.state import RunState
from surefoot.service import Parts, Service
from surefoot.syntax.worker import SiteWorker
from surefoot.workspace.session import Session
from surefoot.workspace.watching import Watching


def build(session: Session, applier: Applier, changed: Callable[[RunState], None], state: Path | None = None) -> Service:
    """A service over `session` that delivers through `applier` and tells `changed` of every new state of a run."""
    finder = SiteWorker(Watching(session))
    engine, signatures = RenameEngine(finder), SignatureEngine(finder)
    models = Connections(_models, finder)
    parts = Parts(
        checks=_checks,
        finder=finder,
        engine=engine,
        staff=lambda root: staffed(
            engine, _knows, lambda: partial(models.staff, root) if models.usable(root) else None, [(signatures, _signs)]
        ),
        close=models.close,
        obstacle=_obstacle,
        policy=Permissions(),
        applier=applier,
        state_dir=state or state_dir(),
        limits=_limits,
        changed=changed,
    )
    return Service(session, parts)


def _checks(root: Path) -> tuple[Validator, FixSource]:
    validator = Validator(root, commands=partial(_commands, root))
    return validator, partial(candidates, validator)


def _commands(root: Path) -> Sequence[Command]:
    """The programs that check, those of the project's own settings among them, as these are now."""
    from surefoot.policy.settings import commands_of

    return (*COMMANDS, *commands_of(root))


def _knows(task: Task) -> bool:
    """Whether the words of a task are of a form that needs no model."""
    from surefoot.engines.tasks import NotATask, parse_task

    return not isinstance(parse_task(task.text), NotATask)


def _signs(task: Task) -> bool:
    """Whether a task is about what a function takes."""
    from surefoot.engines.signature_tasks import SignatureTask
    from surefoot.engines.tasks import parse_task

    return isinstance(parse_task(task.text), SignatureTask)


def _obstacle(root: Path, task: Task) -> str:
    """Why there is nobody for a task: its words are of no form that needs no model, and there is no model."""
    from surefoot.loop.staffing import without_a_model

    return "" if _knows(task) else without_a_model("these words need a model; `rename OLD to NEW` needs none", _models(root).endpoint)


def _models(root: Path) -> ModelConfig:
    """Settings and environment are read when a task is taken on."""
    from surefoot.policy.settings import model_of

    return model_of(root, os.environ)


def _limits(root: Path) -> Limits:
    """Settings are read when a run starts: only then is what reads them imported."""
    from surefoot.policy.settings import limits_of

    return limits_of(root)
