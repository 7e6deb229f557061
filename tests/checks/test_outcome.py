"""The boundary suite "subprocess output": however a program ends, that is an answer or one failure of one class."""

import errno
import json
import os
import select
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from surefoot.checks.outcome import Ended, Ran, as_text, normalise, not_started
from surefoot.checks.program import run_program
from surefoot.run.outcomes import Bucket, Failure, FailureClass

CANARY = "canary-7f3a"
TRANSIENT, PERMANENT = FailureClass.TRANSIENT, FailureClass.PERMANENT
SEMANTIC, CANCELLED = FailureClass.SEMANTIC, FailureClass.CANCELLED
FINDINGS = TypeAdapter(list[str])
REPORTS = frozenset({0, 1})


def read(data: bytes) -> list[str]:
    return FINDINGS.validate_json(data)


def ended(code: int, stdout: str = "", stderr: str = "", *, timed_out: bool = False, killed: bool = False) -> Ended:
    return Ended("lint", code, stdout.encode(), stderr.encode(), 1.5, timed_out, killed)


def check_failure(outcome: object, cls: FailureClass, code: str) -> Failure:
    assert isinstance(outcome, Failure), outcome
    assert (outcome.bucket, outcome.cls, outcome.code) == (Bucket.TOOL, cls, code), outcome
    assert outcome.message.startswith("lint")
    assert "\n" not in outcome.message
    assert "\x1b" not in outcome.message
    return outcome


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(
    "found", [[], ["a.py:1: timeout 429"], ["Permission denied: EACCES"], ["<html>503 Service Unavailable</html>"], ["connection refused"]]
)
@pytest.mark.parametrize("stderr", ["", "warning: the request timed out, HTTP 429, EACCES"])
def test_a_finding_is_a_finding_whatever_it_says(code: int, found: list[str], stderr: str) -> None:
    assert normalise(ended(code, json.dumps(found), stderr), read, REPORTS) == Ran(found, code, stderr, 1.5)


@pytest.mark.parametrize(
    "stdout",
    ["", "  \n", f"<html><body>{CANARY}", f'["{CANARY}"', f'["{CANARY}"] trailing', f'{{"a": "{CANARY}"}}', "[1]", "null", "\ufffd\0\x01"],
)
@pytest.mark.parametrize("stderr", ["", "request timed out (HTTP 429)"])
def test_output_that_makes_no_sense_is_not_asked_for_again(stdout: str, stderr: str) -> None:
    failure = check_failure(normalise(ended(1, stdout, stderr), read, REPORTS), SEMANTIC, "garbled")
    assert CANARY not in failure.message


def test_output_that_is_not_even_text() -> None:
    check_failure(normalise(Ended("lint", 0, b"\xff\xfe[", b"\xff", 0.1), read), SEMANTIC, "garbled")


@pytest.mark.parametrize(
    ("outcome", "cls", "code"),
    [
        (ended(-9, timed_out=True), TRANSIENT, "timeout"),
        (ended(0, '["done"]', timed_out=True), TRANSIENT, "timeout"),
        (ended(1, "", "EACCES: permission denied", timed_out=True), TRANSIENT, "timeout"),
        (ended(-9, killed=True), CANCELLED, "killed"),
        (ended(-9, timed_out=True, killed=True), CANCELLED, "killed"),
        (ended(-9), TRANSIENT, "signal 9"),
        (ended(-15, "", "EACCES"), TRANSIENT, "signal 15"),
        (ended(-11, "", "timed out"), PERMANENT, "signal 11"),
        (ended(-6), PERMANENT, "signal 6"),
        (ended(126, "", "timed out"), PERMANENT, "exit 126"),
        (ended(127, "", "env: 'node': No such file or directory"), PERMANENT, "exit 127"),
        (ended(2, "[]"), PERMANENT, "exit 2"),
        (ended(2, '["timed out, HTTP 429"]'), PERMANENT, "exit 2"),
        (ended(2, "", "error: unknown option --frob"), PERMANENT, "exit 2"),
        (ended(2, "", "error: Permission denied (os error 13)"), PERMANENT, "exit 2"),
        (ended(2, "", "Error: EACCES: permission denied, open 'timeout.txt'"), PERMANENT, "exit 2"),
        (ended(2, "", "Error: ENOENT: no such file, scandir 'x'"), PERMANENT, "exit 2"),
        (ended(2, "", "npm error code E404\nnpm error 404 Not Found"), PERMANENT, "exit 2"),
        (ended(2, "", "npm error code ETIMEDOUT"), TRANSIENT, "exit 2"),
        (ended(2, "", "connect ECONNREFUSED 127.0.0.1:9"), TRANSIENT, "exit 2"),
        (ended(2, "", "getaddrinfo EAI_AGAIN example.org"), TRANSIENT, "exit 2"),
        (ended(2, "", "the request timed out"), TRANSIENT, "exit 2"),
        (ended(2, "", "read timeout"), TRANSIENT, "exit 2"),
        (ended(2, "", "curl: Connection refused"), TRANSIENT, "exit 2"),
        (ended(2, "", "Temporary failure in name resolution"), TRANSIENT, "exit 2"),
        (ended(2, "", "server said: status 503"), TRANSIENT, "exit 2"),
        (ended(2, "", "HTTP/429"), TRANSIENT, "exit 2"),
        (ended(2, "", "error in a.py, line 429"), PERMANENT, "exit 2"),
        (ended(2, "", "503 files checked, then a panic"), PERMANENT, "exit 2"),
    ],
)
def test_every_end_has_one_class(outcome: Ended, cls: FailureClass, code: str) -> None:
    check_failure(normalise(outcome, read, REPORTS), cls, code)


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        ("", "lint ended with exit code 2"),
        ("one\ntwo\n", "lint ended with exit code 2: two"),
        ("\x1b[31merror\x1b[0m: no rule\n\n  hint: x\n", "lint ended with exit code 2: error: no rule"),
        ("npm error code E1\nnpm error more\nA log is in x", "lint ended with exit code 2: npm error code E1"),
        ("Traceback (most recent call last):\n  x\nValueError: why", "lint ended with exit code 2: ValueError: why"),
        ("x" * 900, "lint ended with exit code 2: " + "x" * 200),
    ],
)
def test_a_failure_says_in_one_line_what_the_program_said(stderr: str, told: str) -> None:
    assert check_failure(normalise(ended(2, CANARY, stderr), read), PERMANENT, "exit 2").message == told


@pytest.mark.parametrize(
    ("number", "cls", "code"),
    [
        (errno.ENOENT, PERMANENT, "ENOENT"),
        (errno.EACCES, PERMANENT, "EACCES"),
        (errno.EPERM, PERMANENT, "EPERM"),
        (errno.ENOEXEC, PERMANENT, "ENOEXEC"),
        (errno.E2BIG, PERMANENT, "E2BIG"),
        (errno.EAGAIN, TRANSIENT, "EAGAIN"),
        (errno.ENOMEM, TRANSIENT, "ENOMEM"),
        (errno.EMFILE, TRANSIENT, "EMFILE"),
        (errno.ETXTBSY, TRANSIENT, "ETXTBSY"),
    ],
)
def test_a_start_that_fails_has_the_class_of_its_error_number(number: int, cls: FailureClass, code: str) -> None:
    check_failure(not_started("lint", OSError(number, os.strerror(number))), cls, code)


def test_a_start_that_fails_without_a_number() -> None:
    check_failure(not_started("lint", OSError("what")), PERMANENT, "not started")


def python(cwd: Path, source: str, seconds: float = 20.0) -> object:
    return run_program("lint", [sys.executable, "-c", source], cwd, seconds, as_text)


def test_a_program_is_run_to_its_end(tmp_path: Path) -> None:
    done = python(tmp_path, "import os, sys; print(os.getcwd()); sys.stderr.write('hm'); sys.exit(len(sys.stdin.read()))")
    assert isinstance(done, Ran)
    assert (done.answer, done.code, done.stderr) == (f"{tmp_path.resolve()}\n", 0, "hm")


@pytest.mark.parametrize(
    ("source", "cls", "code"),
    [
        ("raise SystemExit(3)", PERMANENT, "exit 3"),
        ("import os; os.kill(os.getpid(), 9)", TRANSIENT, "signal 9"),
        ("import os; os.abort()", PERMANENT, "signal 6"),
        ("open('no/such/file')", PERMANENT, "exit 1"),
        ("raise TimeoutError('timed out')", TRANSIENT, "exit 1"),
    ],
)
def test_a_program_that_ends_badly(tmp_path: Path, source: str, cls: FailureClass, code: str) -> None:
    check_failure(python(tmp_path, source), cls, code)


def test_a_program_that_is_not_there_or_not_for_us(tmp_path: Path) -> None:
    check_failure(run_program("lint", [str(tmp_path / "lint")], tmp_path, 5, as_text), PERMANENT, "ENOENT")
    (tmp_path / "lint").write_text("#!/bin/sh\n")
    check_failure(run_program("lint", [str(tmp_path / "lint")], tmp_path, 5, as_text), PERMANENT, "EACCES")


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    child = "import time; held = open('held', 'w'); held.write('up'); held.flush(); time.sleep(60)"
    source = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    check_failure(python(tmp_path, source, 3.0), TRANSIENT, "timeout")
    assert os.read(held, 9) == b"up"
    assert select.select([held], [], [], 10)[0]  # the child's end of the pipe is closed: it is gone
    assert os.read(held, 9) == b""
    os.close(held)
