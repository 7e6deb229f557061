"""The shape of the code as tests: what must not be there, each shown to be found when it is."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter

from surefoot.syntax.languages import LANGUAGES
from tests.support import absences, planted
from tests.support.doors import other_doors
from tests.support.lifetimes import FINITE, SHORT_LIVED, idle_lifetimes, unbounded_collections
from tests.support.loops import STREAMS, idle_streams, unbounded_loops
from tests.support.prompts import open_system_prompts
from tests.support.sources import Finder

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = {
    "Imports point down": ("core/planted.py", "import surefoot.workspace\n"),
    "Only lsp/ knows pygls and lsprotocol": ("core/planted_wire.py", "import lsprotocol\n"),
    "Only syntax/ knows tree-sitter": ("core/planted_parser.py", "import tree_sitter\n"),
    "Only journal/ and the index's rows know SQLite": ("core/planted_rows.py", "import sqlite3\n"),
    "Only llm/ talks to a model": ("core/planted_model.py", "import anthropic\n"),
    "run/ and core/ do no input or output, know no clock and no tasks": ("run/planted.py", "import time\n"),
}
PLANTED: list[tuple[Finder, str, str]] = [
    (absences.oversized, "server/surefoot/core/planted.py", "x = 1\n" * 401),
    (absences.oversized, "server/surefoot/loop/driver.py", "x = 1\n" * 121),
    (absences.oversized, "tests/unit/test_planted.py", "x = 1\n" * 601),
    (absences.printing, "server/surefoot/loop/planted.py", "def f() -> None:\n    print('x')\n"),
    (absences.printing, "server/surefoot/lsp/planted.py", "import sys\n\n\ndef f() -> None:\n    sys.stdout.write('x')\n"),
    (absences.module_state, "server/surefoot/core/planted.py", "CACHE = {}\n"),
    (absences.module_state, "server/surefoot/core/planted.py", "SEEN: list[str] = []\n"),
    (absences.module_state, "server/surefoot/core/planted.py", "from collections import deque\nQUEUE = deque(maxlen=3)\n"),
    (absences.module_state, "server/surefoot/core/planted.py", "class A:\n    shared = set()\n"),
    (absences.module_state, "server/surefoot/core/planted.py", "N = 0\n\n\ndef f() -> None:\n    global N\n    N += 1\n"),
    (absences.work_at_import, "server/surefoot/core/planted.py", "import logging\n\nlogging.basicConfig()\n"),
    (absences.work_at_import, "server/surefoot/core/planted.py", "from pathlib import Path\n\nTEXT = Path('x').read_text()\n"),
    (absences.stray_pydantic, "server/surefoot/core/planted.py", "from pydantic import BaseModel\n"),
    (absences.model_traces, "server/surefoot/loop/planted.py", "def f() -> None:\n    import anthropic\n"),
    (absences.model_traces, "server/surefoot/loop/planted.py", "TEXT = 'You are a careful engineer.'\n"),
    (absences.leaks, "docs/planted.md", "See /" + "home/somebody/notes.txt\n"),
    (absences.leaks, "planted-lock.json", '"resolved' + '": "https://registry.example/x.tgz"\n'),
    (absences.leaks, "planted.env", "KEY=sk-" + "ant-api03-abcdefghijkl\n"),
    (other_doors, "server/surefoot/loop/planted.py", "def f(run, state):\n    run.state = state\n"),
    (other_doors, "server/surefoot/cli/planted.py", "def f(state):\n    return replace(state, attention='')\n"),
    (other_doors, "server/surefoot/service.py", "def f(run):\n    return replace(run.state.steps[0], status='ready')\n"),
    (other_doors, "server/surefoot/loop/planted.py", "def f(planned):\n    return StepState(planned)\n"),
    (other_doors, "server/surefoot/lsp/planted.py", "def f(journal, event):\n    journal.commit(None, event, at=0.0)\n"),
    *((unbounded_loops, "server/surefoot/core/planted.py", planted.looped(body)) for body in planted.LOOPS),
    *((unbounded_collections, "server/surefoot/core/planted.py", text) for text in planted.COLLECTIONS),
    *((open_system_prompts, "server/surefoot/llm/planted.py", text) for text in planted.PROMPTS),
    *((open_system_prompts, f"server/surefoot/prompts/{name}", text) for name, text in planted.TEMPLATES),
]
INNOCENT = {
    "server/surefoot/core/innocent.py": '''"""A module that breaks no rule."""

import re
from collections.abc import Mapping
from typing import Final

WORD = re.compile(r"\\w+")
TABLE: Mapping[str, int] = {"a": 1}
NAMES: Final[frozenset[str]] = frozenset({"a"})


def f() -> list[int]:
    return list(TABLE.values())
''',
    "server/surefoot/core/innocent_loops.py": planted.FINE_LOOPS,
    "server/surefoot/core/innocent_collections.py": planted.FINE_COLLECTIONS,
    "server/surefoot/llm/innocent.py": planted.FINE_PROMPTS,
    **{f"server/surefoot/prompts/{name}": text for name, text in planted.FINE_TEMPLATES},
}


@pytest.mark.parametrize("find", dict.fromkeys(find for find, _, _ in PLANTED), ids=lambda find: find.__name__)
def test_absent(find: Finder) -> None:
    assert find(ROOT) == []


@pytest.mark.parametrize(("find", "path", "text"), PLANTED)
def test_a_planted_violation_is_found(find: Finder, path: str, text: str, tmp_path: Path) -> None:
    for name, fine in (INNOCENT | {path: text}).items():
        _write(tmp_path, name, fine)
    if find is absences.leaks:
        _track(tmp_path)
    found = find(tmp_path)
    assert len(found) == 1, found
    assert found[0].startswith(path)


def test_every_exception_to_a_rule_is_still_needed(tmp_path: Path) -> None:
    assert [*idle_streams(ROOT), *idle_lifetimes(ROOT)] == []
    assert idle_streams(tmp_path) == sorted(STREAMS)
    assert sorted(idle_lifetimes(tmp_path)) == sorted([*FINITE, *SHORT_LIVED])


def test_import_contracts_hold() -> None:
    done = _lint_imports(ROOT / "server")
    assert done.returncode == 0, done.stdout


def test_every_import_contract_can_break(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "server" / "surefoot", tmp_path / "surefoot", ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in CONTRACTS.values():
        _write(tmp_path / "surefoot", path, text)
    output = _lint_imports(tmp_path).stdout
    assert [name for name in CONTRACTS if f"{name} BROKEN" not in output] == [], output


def test_every_query_compiles() -> None:
    files = sorted((ROOT / "server" / "surefoot" / "syntax" / "queries").rglob("*.scm"))
    assert files
    for file in files:
        _compile_query(file)


def test_a_query_with_an_unknown_node_does_not_compile(tmp_path: Path) -> None:
    _write(tmp_path, "python/planted.scm", "(no_such_node) @definition")
    with pytest.raises(tree_sitter.QueryError):
        _compile_query(tmp_path / "python" / "planted.scm")


def _compile_query(file: Path) -> None:
    # A folder of queries holds what several grammars have in common.
    grammars = {language.grammar for language in LANGUAGES if file.parent.name in language.queries}
    assert grammars
    for module, function in grammars:
        grammar = getattr(importlib.import_module(module), function)()
        tree_sitter.Query(tree_sitter.Language(grammar), file.read_text(encoding="utf-8"))


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml on the package `surefoot` inside `folder`, which comes first on the path."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"]
    options = ["--no-cache", "--no-logo", str(ROOT / "pyproject.toml")]
    return subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, encoding="utf-8")


def _write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _track(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
