"""What starting the server must not load. Its time is measured by bench/startup, never asserted here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("anthropic", "pydantic", "tree_sitter", "sqlite3")
# Speaks the wire to the real server in this process's child, then has the child say which modules it holds.
PROBE = """
import atexit, json, os, sys
report = os.environ["SUREFOOT_TEST_REPORT"]
atexit.register(lambda: open(report, "w").write(json.dumps(sorted(sys.modules))))
from surefoot.__main__ import main
sys.exit(main(["serve"]))
"""


def loaded_modules(report: Path, *, prelude: str = "") -> set[str]:
    """Modules in memory after `initialize` was answered and the wire was closed."""
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
    )
    leave = json.dumps({"jsonrpc": "2.0", "method": "exit"})
    wire = "".join(f"Content-Length: {len(message)}\r\n\r\n{message}" for message in (body, leave))
    done = subprocess.run(
        [sys.executable, "-c", prelude + PROBE],
        input=wire.encode(),
        capture_output=True,
        timeout=60,
        env={**os.environ, "SUREFOOT_TEST_REPORT": str(report)},
    )
    assert b'"capabilities"' in done.stdout, done.stderr.decode()
    return set(json.loads(report.read_text()))


def test_answering_initialize_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded_modules(tmp_path / "report.json") & set(HEAVY) == set()


@pytest.mark.parametrize("name", HEAVY[1:])
def test_a_heavy_module_is_noticed(name: str, tmp_path: Path) -> None:
    assert name in loaded_modules(tmp_path / "report.json", prelude=f"import {name}\n")


def test_the_bench_compares_two_servers() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "bench/startup/run.py"), "--runs", "1"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "ratio of the medians" in done.stdout


def test_the_bench_fails_when_a_server_does_not_answer() -> None:
    code = "import runpy, sys; start = runpy.run_path('bench/startup/run.py')['start']; start([sys.executable, '-c', 'raise OSError(5)'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "did not answer initialize" in done.stderr
