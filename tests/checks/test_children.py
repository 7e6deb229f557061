"""Checkers that crash, hang, talk nonsense or talk too much: never clean, always a reason, nothing left behind."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from surefoot.checks.checker import Checker, CheckKind, Launch, Proof, Tool
from surefoot.checks.runner import Runner
from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.findings import CheckRun, Evidence, Verdict
from surefoot.run.limits import CHECKERS_KEPT
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import FIXTURES, all_end, replaced

SERVER = FIXTURES / "scripted_server.py"


class Ear:
    """Hears, once, which processes a scripted server consists of."""

    def __init__(self) -> None:
        self.pids: asyncio.Future[tuple[int, ...]] = asyncio.get_running_loop().create_future()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
        if not self.pids.done():
            self.pids.set_result(tuple(int(word) for word in line.split()))


@pytest.fixture
async def ear() -> AsyncIterator[tuple[Ear, int]]:
    made = Ear()
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    async with server:
        yield made, server.sockets[0].getsockname()[1]


def scripted(mode: str, port: int) -> Checker:
    """The scripted server as a type checker for `.scr` files."""
    argv = (sys.executable, str(SERVER), mode, str(port))
    return Checker(
        name="scripted",
        kind=CheckKind.TYPES,
        languages=MappingProxyType({".scr": "scripted"}),
        alone=False,
        required=True,
        find=lambda path, root, settings: Tool(Path(sys.executable), "", "project"),
        launch=lambda tool, texts: Launch(argv, dict(os.environ), None, MappingProxyType({"scripted": {"depth": 2}})),
        proof=lambda path, texts: Proof("BAD planted\n", "planted", "scripted sees nothing"),
        kin=MappingProxyType({}),
        is_syntax=lambda code: code == "syntax",
        unresolved=frozenset(),
        stubs=lambda path: (),
        keeps=lambda path, code, texts: True,
        governs=lambda path, root: (),
        fingerprint=lambda config: "",
        obstacle=lambda tool, config, root: "",
    )


def project(root: Path, after: str) -> tuple[Snapshot, dict[str, str]]:
    (root / "a.scr").write_text("fine\n")
    return Snapshot(root), {"a.scr": after}


async def check(root: Path, mode: str, after: str = "fine\nCANDIDATE\n", port: int = 0, timeout: float = 30.0) -> Evidence:
    texts, made = project(root, after)
    validator = Validator(root, CheckSettings(timeout=timeout, start_timeout=timeout), (scripted(mode, port),))
    try:
        return await validator.validate(replaced(texts, made), texts)
    finally:
        await validator.close()


def only(evidence: Evidence) -> CheckRun:
    assert len(evidence.checks) == 1
    return evidence.checks[0]


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("dies", "scripted was killed by signal 9: scripted: out of memory"),
        ("leaves", "scripted ended with exit code 3"),
        ("garbles", "scripted answered something that is not LSP: 'Traceback (most recent call last):' in place of a header"),
        ("rambles", "scripted answered something that is not LSP: more than 32 header lines"),
        ("lies", "scripted answered something unexpected (kind)"),
        ("strays", "scripted reported a place outside a.scr: line 1000 is outside a text of 6 lines"),
        ("refuses", "scripted could not check a.scr: no such file"),
    ],
)
async def test_a_checker_that_fails_is_unavailable_with_the_reason(mode: str, reason: str, tmp_path: Path) -> None:
    evidence = await check(tmp_path, mode)
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == reason


async def test_a_checker_that_hangs_is_unavailable_and_ended_with_its_children(tmp_path: Path, ear: tuple[Ear, int]) -> None:
    evidence = await check(tmp_path, "waits", port=ear[1], timeout=2.0)
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == "scripted did not answer textDocument/diagnostic within 2 s"
    await all_end(await ear[0].pids)


async def test_a_checker_that_never_starts_to_talk_is_unavailable(tmp_path: Path) -> None:
    evidence = await check(tmp_path, "mute", timeout=0.5)
    assert only(evidence).detail == "scripted did not answer initialize within 0.5 s"


@pytest.mark.parametrize("mode", ["floods", "interrupts", "asks", "plain"])
async def test_a_checker_that_is_only_difficult_gives_its_verdict(mode: str, tmp_path: Path) -> None:
    evidence = await check(tmp_path, mode, "fine\nCANDIDATE\nBAD one\n")
    assert evidence.verdict is Verdict.NEW
    assert [(d.place.line, d.message) for d in evidence.new] == [(3, "BAD one is not good")]
    assert only(evidence).version == "1.2"


async def test_a_checker_killed_in_the_middle_is_unavailable_and_comes_back(tmp_path: Path, ear: tuple[Ear, int]) -> None:
    texts, after = project(tmp_path, "fine\nCANDIDATE\n")
    validator = Validator(tmp_path, CheckSettings(), (scripted("waits", ear[1]),))
    running = asyncio.create_task(validator.validate(replaced(texts, after), texts))
    pids = await ear[0].pids
    os.kill(pids[0], signal.SIGKILL)
    evidence = await running
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == "scripted was killed by signal 9"
    await all_end(pids)
    again = await validator.validate(replaced(texts, {"a.scr": "fine\nmore\n"}), texts)
    assert again.verdict is Verdict.CLEAN
    await validator.close()


async def test_a_cancelled_check_leaves_the_checker_with_the_live_texts(tmp_path: Path, ear: tuple[Ear, int]) -> None:
    texts, after = project(tmp_path, "fine\nCANDIDATE\nBAD\n")
    validator = Validator(tmp_path, CheckSettings(), (scripted("waits", ear[1]),))
    running = asyncio.create_task(validator.validate(replaced(texts, after), texts))
    pids = await ear[0].pids
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    evidence = await validator.validate(replaced(texts, {"a.scr": "fine\nmore\n"}), texts)
    assert evidence.verdict is Verdict.CLEAN
    assert all(map(runs, pids))
    await validator.close()
    await all_end(pids)


async def test_checkers_of_many_environments_make_room_for_each_other(tmp_path: Path) -> None:
    """The ones not asked for longest are ended, the one asked for again is not."""
    for number in range(CHECKERS_KEPT + 1):
        (tmp_path / f"{number}.scr").write_text("CANDIDATE\n")
    texts, runner = Snapshot(tmp_path), Runner(tmp_path, CheckSettings())

    async def asked(environment: int) -> tuple[int, ...]:
        heard = Ear()
        server = await asyncio.start_server(heard.take, "127.0.0.1", 0)
        async with server:
            checker = scripted("plain", server.sockets[0].getsockname()[1])
            await runner.look(checker, Tool(Path(f"/tools/{environment}"), "", "project"), texts, (tmp_path / f"{environment}.scr",))
            return await heard.pids

    first, second, *others = [await asked(number) for number in range(CHECKERS_KEPT)]
    await runner.look(scripted("plain", 0), Tool(Path("/tools/0"), "", "project"), texts, (tmp_path / "1.scr",))
    others.append(await asked(CHECKERS_KEPT))
    await all_end(second)
    assert all(runs(pids[0]) for pids in (first, *others))
    await runner.close()
    await all_end(pid for pids in (first, *others) for pid in pids)


async def test_one_candidate_at_a_time(tmp_path: Path) -> None:
    texts, _ = project(tmp_path, "")
    validator = Validator(tmp_path, CheckSettings(), (scripted("plain", 0),))
    wanted = [f"fine\n{'BAD' if n % 2 else 'good'} {n}\n" for n in range(20)]
    got = await asyncio.gather(*(validator.validate(replaced(texts, {"a.scr": text}), texts) for text in wanted))
    assert [[d.message for d in e.new] for e in got] == [[f"BAD {n} is not good"] if n % 2 else [] for n in range(20)]
    await validator.close()


async def test_a_checker_that_sees_nothing_is_not_believed(tmp_path: Path) -> None:
    texts, after = project(tmp_path, "fine\nBAD\n")
    blind = scripted("plain", 0)
    checker = replace(blind, proof=lambda path, texts: Proof("planted\n", "planted", "scripted sees nothing"))
    validator = Validator(tmp_path, CheckSettings(), (checker,))
    evidence = await validator.validate(replaced(texts, after), texts)
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == "scripted sees nothing"
    await validator.close()


async def test_a_program_that_cannot_be_started_is_unavailable(tmp_path: Path) -> None:
    texts, after = project(tmp_path, "more\n")
    checker = scripted("plain", 0)
    broken = Launch((str(tmp_path / "nothing"),), dict(os.environ), None, MappingProxyType({}))
    gone = replace(checker, launch=lambda tool, texts: broken)
    validator = Validator(tmp_path, CheckSettings(), (gone,))
    evidence = await validator.validate(replaced(texts, after), texts)
    assert only(evidence).detail == f"{tmp_path / 'nothing'} could not be started: No such file or directory"
    await validator.close()


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
