"""Runs of every ending, made by the real loop over scripted engines and checkers."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from surefoot.core.findings import Verdict
from surefoot.core.plan import Constraint
from surefoot.engines.protocol import Draft, Failed, Refusal
from surefoot.llm.ask import Exchange
from surefoot.report.account import Account
from surefoot.report.gather import account_of
from surefoot.run.events import Constrain as Demand
from surefoot.run.events import Told
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Role, Spent
from surefoot.run.view import View
from tests.support.scripts import Bench, Wordcheck, Words

CANARY = "canary-91bd"
SPENT = (Spent(Role.EDITOR, 1000, 200, 300, 0, 5100), Spent(Role.DISTILLER, 90, 10, 0, 0, 40))
CALLS = tuple(Exchange(b"", b"", "a-model", "", spent) for spent in SPENT)
DOWN = Failure(Bucket.TRANSPORT, FailureClass.TRANSIENT, "timeout", "the service did not answer within 30 seconds")
HALF = Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", "words.txt could not be written to its end")


@dataclass
class Asked(Words):
    """Words whose drafts cost something; with `down` its model cannot be reached."""

    down: bool = False

    async def edit(self, view: View) -> Draft | Refusal | Failed:
        drafted = await super().edit(view)
        if self.down:
            return Failed(DOWN, CALLS, CANARY.encode())
        return Draft(drafted.change, (), (), drafted.ledger, CALLS) if isinstance(drafted, Draft) else drafted


def better(number: int, view: View) -> str:
    """Does what the checker wants once it has been told."""
    return f"good{number}" if view.constraints else f"worse{number}"


def third_time(number: int, view: View) -> str:
    """Says something else with each constraint that it is told; the third draft holds."""
    return ("worse", "bad", "good")[min(len(view.constraints), 2)] + str(number)


async def _begun(bench: Bench, limits: Limits | None = None) -> str:
    return (await bench.drafted(limits)).run


async def _applied(bench: Bench, count: int) -> str:
    name = await _begun(bench)
    for index in range(count):
        assert (await bench.runs.apply(name, index, confirm=False)).done
        await bench.runs.drafted(name)
    return name


async def done(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2 <b>word3</b>", Words(Path(), steps=3))
    return bench, await _applied(bench, 3)


async def refused(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1", Words(Path(), refuses="two symbols are called word: say which"))
    return bench, await _begun(bench)


async def escalated(folder: Path) -> tuple[Bench, str]:
    words = Words(Path(), says=lambda n, v: f"bad{len(v.constraints)}")
    bench = Bench(folder, "word1", words, Wordcheck(bad=("bad0", "bad1", "bad2")))
    return bench, await _begun(bench)


async def limit(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    return bench, await _begun(bench, Limits(actions=4))


async def cancelled(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    name = await _applied(bench, 1)
    await bench.runs.cancel(name)
    return bench, name


async def recovered(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1", Asked(Path(), says=third_time), Wordcheck(bad=("worse1", "bad1")))
    return bench, await _applied(bench, 1)


async def winding(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2 word3", Words(Path(), steps=3), Wordcheck(bad=("done2",)))
    return bench, await _begun(bench)


async def ready(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    return bench, await _begun(bench)


async def reverted(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    name = await _applied(bench, 1)
    assert (await bench.runs.revert(name)).done
    await bench.runs.drafted(name)
    return bench, name


async def halted(folder: Path) -> tuple[Bench, str]:
    """An event with a canary in every field is rejected."""
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    name = await _begun(bench)
    bad = f'{{"kind":"moved","files":["{CANARY}"],"stale":[],"{CANARY}":"{CANARY}"}}'.encode()
    bench.runs.journal.commit(bench.state(name), bad, at=time.time())
    return bench, name


async def cut_short(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1", Words(Path()))
    bench.editor.answers = [Failure(HALF.bucket, HALF.cls, HALF.code, HALF.message, (bench.path,))]
    name = await _begun(bench)
    assert not (await bench.runs.apply(name, 0, confirm=False)).done
    return bench, name


async def damaged(folder: Path) -> tuple[Bench, str]:
    """A row that somebody edited by hand."""
    bench = Bench(folder, "word1", Words(Path()))
    name = await _begun(bench)
    bench.runs.journal.rows.run("UPDATE events SET body = ? WHERE run = ? AND seq = 9", (CANARY.encode(), name))
    return bench, name


async def no_tool(folder: Path) -> tuple[Bench, str]:
    bench = Bench(folder, "word1", checks=Wordcheck(verdict=Verdict.UNAVAILABLE))
    return bench, await _begun(bench)


async def no_service(folder: Path) -> tuple[Bench, str]:
    """Three time-outs in a row, a person letting the run go on after each."""
    bench = Bench(folder, "word1", Asked(Path(), down=True))
    name = await _begun(bench)
    for _ in range(2):
        bench.runs.resume(name)
        await bench.runs.drafted(name)
    return bench, name


async def told(folder: Path) -> tuple[Bench, str]:
    """A person skips a step and demands something; somebody types."""
    bench = Bench(folder, "word1 word2", Words(Path(), steps=2))
    name = await _begun(bench)
    bench.type("word2", "word2 ")
    await bench.runs.drafted(name)
    run = bench.runs.known(name)
    assert run is not None
    run.commit(Told(Demand(Constraint("person", bench.path, 1, "keep <script>alert(1)</script> out"))))
    bench.runs.skip(name, 1)
    await bench.runs.drafted(name)
    return bench, name


SAMPLES: Mapping[str, tuple[Callable[[Path], Awaitable[tuple[Bench, str]]], str]] = {
    "done": (done, "done"),
    "refused": (refused, "refused"),
    "escalated": (escalated, "escalated"),
    "limit": (limit, "limit"),
    "cancelled": (cancelled, "cancelled"),
    "recovered": (recovered, "done"),
    "winding": (winding, "escalated"),
    "ready": (ready, "open"),
    "reverted": (reverted, "open"),
    "halted": (halted, "attention"),
    "cut short": (cut_short, "attention"),
    "damaged": (damaged, "attention"),
    "no tool": (no_tool, "escalated"),
    "no service": (no_service, "attention"),
    "told": (told, "open"),
}
"""Each sample and the status that its report shows."""


async def account(name: str, folder: Path) -> Account:
    """The account of one sample."""
    bench, run = await SAMPLES[name][0](folder)
    story = bench.runs.journal.read(run)
    return account_of(story.entries, story.damage)
