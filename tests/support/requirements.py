"""Reads tests/requirements.toml and says what a resolved requirement still lacks."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NODE_TESTS = ("tests/vscode/**/*.mjs", "clients/vscode/tests/**/*.mjs", "clients/vscode/tests/**/*.ts")
NODE_TEST_NAME = re.compile(r"""\b(?:test|it|scenario)\(\s*(["'`])(?P<name>.+?)\1""")


@dataclass(frozen=True)
class Requirements:
    """The known ids, the names that tests must bear, what each milestone calls resolved, and the tests of each id."""

    ids: frozenset[str]
    names: frozenset[str]
    resolved: Mapping[str, Sequence[str]]
    tests: Mapping[str, Sequence[str]]


def read_requirements(text: str) -> Requirements:
    """Parse the file; `A = 3` stands for A1, A2 and A3."""
    data = tomllib.loads(text)
    names = frozenset[str](data["ids"].pop("names"))
    numbered = {f"{letter}{number}" for letter, count in data["ids"].items() for number in range(1, count + 1)}
    return Requirements(names | numbered, names, data["resolved"], data["tests"])


def faults(requirements: Requirements, collected: Collection[str]) -> list[str]:
    """Why the file is not true: unknown ids, resolved ids without a test, and tests that are not there."""
    plain = {re.sub(r"\[.*\]$", "", test) for test in collected} | set(collected)
    resolved = [(milestone, one) for milestone, ids in requirements.resolved.items() for one in ids]
    found = [f"{one}: no such requirement" for one in {*requirements.tests, *(one for _, one in resolved)} - requirements.ids]
    found += [f"{one}: resolved in {milestone}, but no test shows it" for milestone, one in resolved if not requirements.tests.get(one)]
    for one, tests in requirements.tests.items():
        found += [f"{one}: {test} does not exist" for test in tests if test not in plain]
        if one in requirements.names and not any(one in test for test in tests):
            found.append(f"{one}: none of its tests bears that name")
    return sorted(found)


def collect_tests(root: Path) -> set[str]:
    """Every test of the checkout, as pytest or node would name it. Raises when a test file cannot be collected."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return {line for line in done.stdout.splitlines() if "::" in line} | _node_tests(root)


def _node_tests(root: Path) -> set[str]:
    files = {file for pattern in NODE_TESTS for file in root.glob(pattern) if "node_modules" not in file.parts}
    return {
        f"{file.relative_to(root).as_posix()}::{match['name']}"
        for file in files
        for match in NODE_TEST_NAME.finditer(file.read_text(encoding="utf-8"))
    }
