"""Programs that are killed, hang, crash, talk nonsense or too much, or fill the disk: the right verdict in time, and nothing is left."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from surefoot.checks.command import Command
from surefoot.checks.command_output import Fields, Pattern
from surefoot.checks.custom import CheckEntry, Matcher, command_of
from surefoot.checks.settings import CheckSettings
from surefoot.checks.shadow_copy import CopyShadow
from surefoot.checks.validate import Validator
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Verdict
from surefoot.run.limits import STRIKES
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import FIXTURES, replaced, state_of

PROGRAM = "scripted_program.py"
LINE = Pattern(regexp=r"^(.+?):(\d+):(\d+): (error|warning): (.*) \[(\w+)\]$", file=1, line=2, column=3, severity=4, message=5, code=6)
FIELDS = Fields(file="file", line="at.line", column="at.column", message="message", code="code")


@pytest.fixture(autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(params=["overlay", "copy"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "copy":

        async def copied(root: Path, state: Path) -> CopyShadow:
            return await CopyShadow.open(root, state, "no namespaces")

        monkeypatch.setattr("surefoot.checks.commands.open_shadow", copied)
    return request.param


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    # A copy of its own: programs of other tests are not this one's.
    shutil.copy(FIXTURES / PROGRAM, tmp_path)
    (made / "a.scr").write_text("fine\n")
    (made / "b.scr").write_text("BAD before\n")
    return made


def scripted(
    root: Path, mode: str, seconds: float = 20.0, as_json: bool = False, planted: str = "BAD planted\n", program: str = sys.executable
) -> Command:
    entry = CheckEntry(
        name="scripted",
        command=[program, str(root.parent / PROGRAM), mode, "json" if as_json else "text", "{files}"],
        files=["*.scr"],
        seconds=seconds,
        planted=planted,
        says="planted",
        fields=FIELDS if as_json else None,
        matcher=None if as_json else Matcher(pattern=LINE),
    )
    return command_of(entry)


async def check(root: Path, command: Command, after: str = "fine\nCANDIDATE\n") -> Evidence:
    before = state_of(root)
    texts = Snapshot(root)
    validator = Validator(root, CheckSettings(), (), lambda: (command,))
    try:
        evidence = await validator.validate(replaced(texts, {"a.scr": after}), texts)
        assert programs(root) == []
    finally:
        await validator.close()
    assert state_of(root) == before
    return evidence


def programs(root: Path) -> list[bytes]:
    """Scripted programs that run, this user's or those of a namespace."""
    out: list[bytes] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes()
        except OSError:
            continue
        if os.fsencode(root.parent / PROGRAM) in line:
            out.append(line)
    return out


def only(evidence: Evidence) -> CheckRun:
    assert len(evidence.checks) == 1
    return evidence.checks[0]


async def test_a_program_that_behaves(kind: str, root: Path) -> None:
    evidence = await check(root, scripted(root, "plain"), "fine\nBAD new\n")
    assert (evidence.verdict, [(d.place.line, d.code, d.message) for d in evidence.new]) == (
        Verdict.NEW,
        [(2, "bad", "BAD new is not good")],
    )
    evidence = await check(root, scripted(root, "plain", as_json=True), "fine\nstill\n")
    assert (evidence.verdict, only(evidence).status) == (Verdict.CLEAN, CheckStatus.CLEAN)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("dies", "scripted was killed by signal 9: scripted: out of memory"),
        ("leaves", "scripted ended with exit code 3: error: no such plugin"),
        ("shrugs", "scripted ended with exit code 1 and reported nothing"),
        ("garbles", "scripted answered a web page in place of what it is asked for"),
        ("points away", "scripted reported a place that is not there: line 1000 is outside a text of 3 lines"),
        ("hangs", "scripted was ended after 2 s without an answer"),
    ],
)
async def test_a_program_that_fails_is_unavailable_with_the_reason(kind: str, mode: str, reason: str, root: Path) -> None:
    if (mode, kind) == ("hangs", "copy"):
        pytest.skip("a process that leaves its group is out of reach without namespaces")
    evidence = await check(root, scripted(root, mode, seconds=2.0 if mode == "hangs" else 20.0))
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail.startswith(reason)


async def test_half_a_line_of_json_is_no_answer(kind: str, root: Path) -> None:
    evidence = await check(root, scripted(root, "halves", as_json=True))
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == "scripted answered 29 bytes that make no sense in place of what it is asked for"


async def test_a_program_that_floods_is_ended(kind: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = await check(root, scripted(root, "floods"))
    assert only(evidence).detail.startswith("scripted was ended, because it printed more than 3")


async def test_a_program_that_only_shouts_gives_its_verdict(kind: str, root: Path) -> None:
    evidence = await check(root, scripted(root, "shouts"), "fine\nCANDIDATE\nBAD one\n")
    assert (evidence.verdict, [d.place.line for d in evidence.new]) == (Verdict.NEW, [3])


async def test_a_full_disk_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surefoot.checks.shadow_overlay.SHADOW_BYTES", 16 * 2**20)
    evidence = await check(root, scripted(root, "fills"))
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert "No space left on device" in only(evidence).detail


async def test_a_daemon_is_ended_with_its_program(root: Path) -> None:
    assert (await check(root, scripted(root, "leaves a daemon"))).verdict is Verdict.CLEAN


async def test_a_program_that_writes_does_so_in_the_shadow(kind: str, root: Path) -> None:
    assert (await check(root, scripted(root, "writes"))).verdict is Verdict.CLEAN


async def test_a_program_that_sees_nothing_is_not_believed(kind: str, root: Path) -> None:
    evidence = await check(root, scripted(root, "blind"))
    assert evidence.verdict is Verdict.UNAVAILABLE
    assert only(evidence).detail == "scripted does not report the fault that was planted in a.scr"
    evidence = await check(root, scripted(root, "plain", planted=""))
    assert only(evidence).detail == "what shows that scripted sees a .scr file is not known: say `planted` in the settings"


async def test_a_program_that_stops_at_the_first_fault_is_shown_the_files_one_by_one(root: Path) -> None:
    (root / "c.scr").write_text("fine\n")
    texts = Snapshot(root)
    validator = Validator(root, CheckSettings(), (), lambda: (scripted(root, "stops"),))
    evidence = await validator.validate(replaced(texts, {"a.scr": "more\n", "c.scr": "more\n"}), texts)
    await validator.close()
    assert (evidence.verdict, {path.name for path in only(evidence).scope}) == (Verdict.CLEAN, {"a.scr", "c.scr"})


async def test_a_program_killed_in_the_middle_is_unavailable_and_comes_back(root: Path) -> None:
    validator = Validator(root, CheckSettings(), (), lambda: (scripted(root, "hangs"),))
    texts = Snapshot(root)
    running = asyncio.create_task(validator.validate(replaced(texts, {"a.scr": "CANDIDATE\n"}), texts))
    for place in await started(root):
        os.kill(int(place.parent.name), 9)
    evidence = await running
    assert (evidence.verdict, only(evidence).detail) == (Verdict.UNAVAILABLE, "scripted was killed by signal 9")
    evidence = await validator.validate(replaced(texts, {"a.scr": "more\n"}), texts)
    assert evidence.verdict is Verdict.CLEAN
    await validator.close()


async def test_a_cancelled_check_ends_the_program(root: Path) -> None:
    validator = Validator(root, CheckSettings(), (), lambda: (scripted(root, "hangs"),))
    texts = Snapshot(root)
    running = asyncio.create_task(validator.validate(replaced(texts, {"a.scr": "CANDIDATE\n"}), texts))
    await started(root)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert programs(root) == []
    assert (await validator.validate(replaced(texts, {"a.scr": "more\n"}), texts)).verdict is Verdict.CLEAN
    await validator.close()


async def started(root: Path) -> list[Path]:
    """The program that hangs and its daemon, once both are there."""
    for _ in range(200):
        await asyncio.sleep(0.05)
        found = [place for place in Path("/proc").glob("[0-9]*/cmdline") if _is_program(place, root)]
        if any(b"\0sleeps\0" in place.read_bytes() for place in found):
            return [place for place in found if b"\0sleeps\0" not in place.read_bytes()]
    raise AssertionError("it did not start")


def _is_program(place: Path, root: Path) -> bool:
    try:
        return os.fsencode(root.parent / PROGRAM) in place.read_bytes()
    except OSError:
        return False


async def test_a_program_that_goes_on_failing_is_left_alone(root: Path) -> None:
    validator = Validator(root, CheckSettings(), (), lambda: (scripted(root, "leaves"),))
    texts = Snapshot(root)
    said: list[str] = []
    for number in range(STRIKES + 1):
        evidence = await validator.validate(replaced(texts, {"a.scr": f"CANDIDATE {number}\n"}), texts)
        assert evidence.verdict is Verdict.UNAVAILABLE
        said.append(only(evidence).detail)
    assert said[:STRIKES] == ["scripted ended with exit code 3: error: no such plugin"] * STRIKES
    assert said[STRIKES].startswith(f"scripted is left alone after {STRIKES} failures in a row")
    (root / "surefoot.toml").write_text("")
    evidence = await validator.validate(replaced(texts, {"a.scr": "more\n"}), texts)
    await validator.close()
    assert evidence.verdict is Verdict.CLEAN


async def test_a_program_that_may_not_be_run_has_one_try(root: Path) -> None:
    (root / "locked").write_text("#!/bin/sh\n")
    validator = Validator(root, CheckSettings(), (), lambda: (scripted(root, "plain", program="./locked"),))
    texts = Snapshot(root)
    said = [only(await validator.validate(replaced(texts, {"a.scr": f"{n}\n"}), texts)).detail for n in range(2)]
    await validator.close()
    assert said[0] == "scripted could not be started: Permission denied"
    assert said[1].startswith("scripted is left alone")
