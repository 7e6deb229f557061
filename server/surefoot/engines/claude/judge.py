"""The judge and the distiller: two small requests that see nothing of how a change came about."""

from surefoot.engines.protocol import Case, Failed, Lesson, Mishap, Opinion
from surefoot.llm.answers import verdict_of
from surefoot.llm.ask import Ask, Hear, Model, Said
from surefoot.policy.secrets import covered, secrets_in
from surefoot.prompts import system
from surefoot.prompts.render import Data, Judged, rendered, version
from surefoot.prompts.render import Failed as FailedPage
from surefoot.run.limits import JUDGE_TOKENS, NOTE_TOKENS, NOTE_WORDS
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Role

UNREAD = "The result must do all that the task asks."
"""What a judge's answer without a verdict comes to: it passes nothing."""


class ModelJudge:
    """Asks a model for PASS or FAIL on task and diff."""

    def __init__(self, model: Model, hear: Hear) -> None:
        self._model, self._hear = model, hear

    async def judge(self, case: Case) -> Opinion | Failed:
        """The verdict. An answer that is none counts as one against the change: nothing unread passes."""
        page = Judged(_data("task", case.task), _data("diff", case.diff), _data("declarations", case.declarations))
        text = rendered("judge.case", page)
        ask = Ask(Role.JUDGE, (text,), system=system.judge(), limit=JUDGE_TOKENS, prompt=version(("judge.system", "judge.case")))
        done = await self._model.turn(ask, self._hear)
        if not isinstance(done.result, Said):
            unread = done.result.bucket is Bucket.OUTPUT and done.result.cls is FailureClass.SEMANTIC
            return Opinion(UNREAD, done.exchanges) if unread else Failed(done.result, done.exchanges)
        verdict = verdict_of(done.result.text)
        if isinstance(verdict, Failure):
            return Opinion(UNREAD, done.exchanges)
        return Opinion("" if verdict.passes else verdict.sentence, done.exchanges)


class ModelDistiller:
    """Asks a small model for one correction."""

    def __init__(self, model: Model, hear: Hear) -> None:
        self._model, self._hear = model, hear

    async def distil(self, mishap: Mishap) -> Lesson | Failed:
        """The words of the model as they are; whoever asked has to check them."""
        page = FailedPage(
            _data("task", mishap.task), _data("attempted", mishap.attempted), _data("error", mishap.error), mishap.runtime, NOTE_WORDS
        )
        text = rendered("distil.case", page)
        ask = Ask(Role.DISTILLER, (text,), system=system.distil(), limit=NOTE_TOKENS, prompt=version(("distil.system", "distil.case")))
        done = await self._model.turn(ask, self._hear)
        return Lesson(done.result.text.strip(), done.exchanges) if isinstance(done.result, Said) else Failed(done.result, done.exchanges)


def _data(what: str, text: str) -> Data:
    return Data(what, covered(text, secrets_in(text)))
