"""The one way in which tests of checks ask: a case of files and texts in, evidence out, rendered as lines."""

import asyncio
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.change import Change, TextEdit
from surefoot.core.findings import Diagnostic, Evidence
from surefoot.core.text import TextFile
from surefoot.workspace.snapshot import Snapshot
from tests.support.fixture import Fixture

FIXTURES = Path(__file__).parent.parent / "fixtures" / "checks"
ALWAYS = frozenset({"build: not run", "tests: not run"})


def snapshot_of(case: Fixture, root: Path) -> Snapshot:
    """The files on disk and, over them, the buffers of the `@open/...` sections."""
    case.write_to(root)
    opened = {root / name.removeprefix("open/"): text for name, text in case.sections.items() if name.startswith("open/")}
    return Snapshot(root, {path: TextFile.of(path, text.encode(), 1) for path, text in opened.items()})


def replaced(texts: Snapshot, after: Mapping[str, str]) -> Change:
    """A change that turns whole texts into others by the smallest single edit for each."""
    return Change(tuple(texts.edit(texts.root / name, (smallest(texts, texts.root / name, text),)) for name, text in after.items()))


def smallest(texts: Snapshot, path: Path, text: str) -> TextEdit:
    held = texts.read(path)
    assert isinstance(held, TextFile), path
    old, new = held.text, text
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    start, end = (len(part.encode()) for part in (old[:head], old[: len(old) - tail]))
    return TextEdit(start, end, new[head : len(new) - tail])


def _common(one: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


async def evidence_of(case: Fixture, root: Path, settings: CheckSettings) -> tuple[Evidence, Snapshot]:
    """Validate the change of the `@after/...` sections."""
    texts = snapshot_of(case, root)
    change = replaced(texts, {n.removeprefix("after/"): t for n, t in case.sections.items() if n.startswith("after/")})
    also = [root / name for name in case.sections.get("also", "").split()]
    renames = tuple((old, new) for old, new in (line.split() for line in case.sections.get("renames", "").splitlines()))
    validator = Validator(root, settings)
    try:
        return await validator.validate(change, texts, also, renames), texts
    finally:
        await validator.close()


def render(evidence: Evidence, root: Path) -> str:
    """Everything that the evidence says and that does not change from run to run."""
    lines = [f"verdict: {evidence.verdict}"]
    lines += [f"new: {_finding(d, root)}" for d in _ordered(evidence.new)]
    lines += [f"fixed: {_finding(d, root)}" for d in _ordered(evidence.fixed)]
    for run in evidence.checks:
        files = " ".join(_name(p, root) for p in run.scope)
        lines.append(f"check: {run.tool} {run.status}, {files}" + (f", {run.detail}" if run.detail else ""))
    lines += [f"not run: {note}" for note in evidence.not_run if note not in ALWAYS]
    return "".join(line + "\n" for line in lines)


def state_of(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file and folder below `root`: mode, time of change, bytes."""
    out: dict[str, tuple[int, int, bytes]] = {}
    for path in sorted(root.rglob("*")):
        held = path.lstat()
        out[str(path.relative_to(root))] = (held.st_mode, held.st_mtime_ns, path.read_bytes() if path.is_file() else b"")
    return out


def children_of(pid: int) -> set[int]:
    """The processes that a process started and has not collected."""
    tasks = Path(f"/proc/{pid}/task")
    return {int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()}


async def all_end(pids: Iterable[int]) -> None:
    """Wait until the kernel says that every process has ended. Raises TimeoutError when one goes on."""
    loop = asyncio.get_running_loop()
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        over = loop.create_future()
        loop.add_reader(handle, over.set_result, None)
        try:
            await asyncio.wait_for(over, 5)
        finally:
            loop.remove_reader(handle)
            os.close(handle)


def _ordered(found: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
    return sorted(found, key=lambda d: (d.place.path, d.place.start, d.code))


def _finding(found: Diagnostic, root: Path) -> str:
    where = f" in {found.function}" if found.function else ""
    return f"{_name(found.place.path, root)}:{found.place.line}:{found.place.column} {found.tool} {found.code}{where}"


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
