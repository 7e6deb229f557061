"""The staff of runs that a model drafts: one connection, opened when it is first needed, and what a person hears of it meanwhile."""

from collections.abc import Callable, Mapping
from pathlib import Path

from surefoot.core.plan import Task
from surefoot.engines.claude.engine import ClaudeEngine
from surefoot.engines.claude.judge import ModelDistiller, ModelJudge
from surefoot.engines.claude.reader import CodeReader
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.llm.ask import Retry
from surefoot.llm.config import ModelConfig
from surefoot.llm.transport import Transport
from surefoot.llm.turns import Turns
from surefoot.loop.ports import Progress, Staff
from surefoot.run.outcomes import Role

_DOES: Mapping[Role, str] = {Role.EDITOR: "writes", Role.DISTILLER: "makes a note", Role.JUDGE: "judges"}


class Told:
    """Tells a person how a request is going."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def waiting(self, role: Role, retry: Retry) -> None:
        """A retry is a line of its own: nobody should wonder why nothing happens."""
        self._progress.report(f"the provider does not answer ({retry.why}): try {retry.number} of {retry.most} in {retry.wait:g} s")

    def writing(self, role: Role, characters: int) -> None:
        """How much has come."""
        self._progress.report(f"the model {_DOES[role]}: {characters} characters")


class Connections:
    """The connections of a process, one for each way of asking; closed together."""

    def __init__(self, config: Callable[[Path], ModelConfig], surveyor: Surveyor) -> None:
        self._config = config
        self._surveyor = surveyor
        self._open: dict[str, Turns] = {}

    def staff(self, root: Path, task: Task, progress: Progress) -> Staff:
        """Who works on a free-form task of a root. Raises Unusable for a setting that is off."""
        config = self._config(root)
        turns = self._turns(config.with_stronger() if task.stronger else config)
        told = Told(progress)
        surveyor = self._surveyor
        engine = ClaudeEngine(turns, surveyor, told)
        return Staff(engine, CodeReader(surveyor), ModelJudge(turns, told), ModelDistiller(turns, told), surveyor)

    def usable(self, root: Path) -> bool:
        """Whether there is a model to ask for this root."""
        return self._config(root).endpoint.usable

    async def close(self) -> None:
        """Let go of all connections."""
        held, self._open = tuple(self._open.values()), {}
        for turns in held:
            await turns.close()

    def _turns(self, config: ModelConfig) -> Turns:
        # What no `repr` shows tells two ways of asking apart as well.
        key = f"{config!r}{config.endpoint.key}{sorted(config.endpoint.headers.items())}"
        if key not in self._open:
            if len(self._open) >= MOST_OPEN:
                self._open.pop(next(iter(self._open)))
            self._open[key] = Turns(config, Transport(config))
        return self._open[key]


MOST_OPEN = 8
"""Ways of asking that are kept open: roots have one each, and another for the stronger model."""
