"""The engine of free-form tasks: a model that plans and edits, one clean turn at a time."""

from surefoot.engines.claude.editing import edited
from surefoot.engines.claude.planning import planned
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.protocol import Draft, Failed, Look, Plan, Refusal
from surefoot.llm.ask import Hear, Model
from surefoot.run.view import View


class ClaudeEngine:
    """Every answer is one request, made of nothing but the view; it keeps nothing from one to the next."""

    name = "claude"
    repeats = False

    def __init__(self, model: Model, surveyor: Surveyor, hear: Hear) -> None:
        self._model, self._surveyor, self._hear = model, surveyor, hear

    async def plan(self, view: View) -> Plan | Refusal | Look | Failed:
        """Ordered steps that account for every site of what the task names or the plan touches."""
        return await planned(view, self._model, self._surveyor, self._hear)

    async def edit(self, view: View) -> Draft | Refusal | Look | Failed:
        """Exact replacements for one step, and how its sites stand after them."""
        return await edited(view, self._model, self._surveyor, self._hear)
