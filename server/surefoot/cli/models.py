"""What `surefoot doctor` says of models: whether there is a key, whether the address answers, which model does not, and what to do."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value

if TYPE_CHECKING:
    from surefoot.llm.probing import Probed


@value
class Models:
    """The models of a project: where they are asked, why nobody is asked, and what each one said."""

    address: str
    trouble: str
    answers: "tuple[Probed, ...]"

    @property
    def well(self) -> bool:
        """A project without a key is well: what needs no model works. One whose settings are off is not, and has no address."""
        return bool(self.address) and not any(answer.trouble for answer in self.answers)

    def lines(self) -> tuple[str, ...]:
        """One line for each model, or one that says how to get there."""
        if self.trouble:
            return (f"{'model':<12} none       {self.trouble}",)
        return tuple(_line(answer, self.address) for answer in self.answers)

    def shown(self) -> dict[str, object]:
        """The same for a program to read."""
        answers = [{"model": a.model, "does": a.does, "seconds": round(a.seconds, 3), "trouble": a.trouble} for a in self.answers]
        return {"address": self.address, "trouble": self.trouble, "answers": answers}


def ask(root: Path) -> Models:
    """Ask each model of a project one small question; none where there is no key."""
    from surefoot.core.errors import Unusable
    from surefoot.loop.staffing import without_a_model
    from surefoot.policy.settings import model_of

    try:
        config = model_of(root, os.environ)
        if why := without_a_model("a rename needs no model", config.endpoint):
            return Models(config.endpoint.base_url, why, ())
        from surefoot.llm.probing import probe

        return Models(config.endpoint.base_url, "", asyncio.run(probe(config)))
    except Unusable as error:
        return Models("", str(error), ())


def _line(answer: "Probed", address: str) -> str:
    if answer.trouble:
        return f"{answer.model}: no answer from {address}\n{'':<12} {answer.trouble}"
    return f"{answer.model}: answers after {answer.seconds:.1f} s, {answer.does}  {address}"
