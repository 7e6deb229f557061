"""Who parses during a rename, and how often: the finder's process, and every text once, however many files there are."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tree_sitter import Tree

from surefoot.core.plan import Stage, Task
from surefoot.core.text import digest
from surefoot.engines.protocol import Draft, Plan
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.syntax.languages import Language
from surefoot.syntax.parse import Grammars
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_rename import DirectFinder

USERS = 12
IN_A_PROCESS = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from surefoot.core.plan import Task
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.syntax.worker import SiteWorker
from surefoot.workspace.snapshot import Snapshot

async def main():
    worker = SiteWorker()
    view = View(Task("rename total to add_up"), None, (), Snapshot(Path(sys.argv[1])), (), "", Limits(diff_soft=12))
    plan = await RenameEngine(worker).plan(view)
    for number, step in enumerate(plan.steps):
        draft = await RenameEngine(worker).edit(replace(view, step=step, done=plan.steps[:number]))
        view = replace(view, texts=view.texts.with_change(draft.change))
    await worker.close()
    print(len(plan.steps), "tree_sitter" in sys.modules)

asyncio.run(main())
"""


class Counting(Grammars):
    """Counts how often each text is parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed: Counter[str] = Counter()

    def parse(self, language: Language, data: bytes) -> Tree:
        self.parsed[digest(data)] += 1
        return super().parse(language, data)


def _write(root: Path) -> None:
    (root / "m.py").write_text("def total(items):\n    return sum(items)\n")
    for number in range(USERS):
        (root / f"u{number}.py").write_text(f"from m import total\n\ntotal([{number}])\n\n\ndef late():\n    return total([])\n")


async def test_every_text_is_parsed_once(tmp_path: Path) -> None:
    _write(tmp_path)
    grammars = Counting()
    engine = RenameEngine(DirectFinder(grammars))
    view = View(Task("rename total to add_up"), None, (), Snapshot(tmp_path), (), "", Limits(diff_soft=12))
    plan = await engine.plan(view)
    assert isinstance(plan, Plan), plan.reason
    assert len(grammars.parsed) == USERS + 1
    assert set(grammars.parsed.values()) == {1}
    texts = Snapshot(tmp_path)
    for number, step in enumerate(plan.steps):
        draft = await engine.edit(replace(view, step=step, done=plan.steps[:number], texts=texts))
        assert isinstance(draft, Draft), draft.reason
        texts = texts.with_change(draft.change)
    assert [s.stage for s in plan.steps] == [Stage.FORWARD, *[Stage.MIGRATE] * (USERS // 2), Stage.CONTRACT]
    assert len(grammars.parsed) == (USERS + 1) + 1 + USERS, "the forwarder's text and each moved file are new, the last is not looked at"
    assert set(grammars.parsed.values()) == {1}


def test_the_process_of_the_engine_parses_nothing(tmp_path: Path) -> None:
    _write(tmp_path)
    command = [sys.executable, "-c", IN_A_PROCESS, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [str(USERS // 2 + 2), "False"]
