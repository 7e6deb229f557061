"""How long from spawning the server to its answer to `initialize`, beside a bare pygls server in the same run.

The two take turns, so that a busy machine slows both. Exits with 1 when a server does not answer, and with 2 over `--limit`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

BARE = [sys.executable, str(Path(__file__).with_name("bare.py"))]
OURS = [sys.executable, "-m", "surefoot", "serve"]
PARAMS = {"processId": None, "rootUri": None, "capabilities": {"general": {"positionEncodings": ["utf-16"]}}}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print one table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="measured starts of each server (default 15, after one that does not count)")
    parser.add_argument("--limit", type=float, help="exit with 2 when ours takes more than this many times as long")
    options = parser.parse_args(argv)
    bare, ours = measure(BARE, OURS, options.runs)
    ratio = statistics.median(ours) / statistics.median(bare)
    for name, times in (("bare pygls", bare), ("surefoot", ours)):
        median, fastest, slowest = (round(of(times) * 1000) for of in (statistics.median, min, max))
        print(f"{name:<11} median {median:5} ms   fastest {fastest:5} ms   slowest {slowest:5} ms")
    print(f"ratio of the medians {ratio:.2f} ({options.runs} starts each)")
    return 2 if options.limit and ratio > options.limit else 0


def measure(first: Sequence[str], second: Sequence[str], runs: int) -> tuple[list[float], list[float]]:
    """Seconds of `runs` starts of each command, taking turns; the first start of each only warms the disk."""
    pairs = [(start(first), start(second)) for _ in range(runs + 1)][1:]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def start(command: Sequence[str]) -> float:
    """Seconds from spawning `command` to its answer to `initialize`. Raises SystemExit with its errors when none comes."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        try:
            send(server.stdin, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": PARAMS})
            answered = "capabilities" in receive(server.stdout).get("result", {})
            took = time.perf_counter() - began
        except BrokenPipeError:
            answered, took = False, 0.0
        finally:
            server.kill()
        if not answered:
            raise SystemExit(f"{' '.join(command)} did not answer initialize:\n{server.stderr.read().decode()}")
    return took


def send(stream: IO[bytes], message: object) -> None:
    """Write one message with its header."""
    body = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


def receive(stream: IO[bytes]) -> dict[str, dict[str, object]]:
    """The first answer to request 1, notifications before it left out; {} when the stream ends."""
    while True:
        length = 0
        while header := stream.readline().strip():
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            return {}
        message = json.loads(stream.read(length))
        if message.get("id") == 1:
            return message


if __name__ == "__main__":
    sys.exit(main())
