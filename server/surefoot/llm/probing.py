"""Whether the models of a configuration answer: one small question for each, with what keeps it from answering."""

import asyncio
from dataclasses import replace

from surefoot.core.value import value
from surefoot.llm.ask import Ask, Deaf
from surefoot.llm.capabilities import ALL
from surefoot.llm.config import ModelConfig, Models
from surefoot.llm.transport import Transport
from surefoot.run.outcomes import Failure, Role

_QUESTION = Ask(Role.DISTILLER, ("Answer with the one word: ready",), limit=32)


@value
class Probed:
    """What came of asking one model: `does` are its roles in words, `trouble` is "" where it answered, after `seconds`."""

    model: str
    does: str
    seconds: float
    trouble: str = ""


async def probe(config: ModelConfig) -> tuple[Probed, ...]:
    """Each model once, side by side; what passes by itself is tried again as in a run."""
    return tuple(await asyncio.gather(*(_asked(config, model, does) for model, does in _roles(config.models).items())))


def _roles(models: Models) -> dict[str, str]:
    roles: dict[str, list[str]] = {}
    held = (
        (models.editor, "plans and edits"),
        (models.distiller, "makes notes"),
        (models.judge, "judges"),
        (models.stronger, "is the stronger one"),
    )
    for model, does in held:
        if model:
            roles.setdefault(model, []).append(does)
    return {model: ", ".join(does) for model, does in roles.items()}


async def _asked(config: ModelConfig, model: str, does: str) -> Probed:
    transport = Transport(replace(config, models=replace(config.models, distiller=model)))
    try:
        result, exchange = await transport.exchange(_QUESTION, _QUESTION.limit, ALL, Deaf())
    finally:
        await transport.close()
    return Probed(model, does, exchange.seconds, result.message if isinstance(result, Failure) else "")
