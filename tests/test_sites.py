"""Sites: each case is a small code base with every hit marked; then hostile input, the worker, the gate, the ledger, the command."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.core.change import Change, FileEdit, TextEdit
from surefoot.core.sites import Scan, SiteStatus, SymbolKind, Target, Tier
from surefoot.core.text import TextFile, digest
from surefoot.syntax.gate import parse_faults
from surefoot.syntax.index import Index
from surefoot.syntax.jsonc import read_jsonc
from surefoot.syntax.ledger import entries_for
from surefoot.syntax.sites import Abandoned, find_sites
from surefoot.syntax.worker import SiteWorker
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_sites import check_sites

CASES = Path(__file__).parent / "cases" / "sites"
FOUND = sorted(CASES.rglob("*.txt"))


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


@pytest.mark.parametrize("case", FOUND, ids=[path.relative_to(CASES).with_suffix("").as_posix() for path in FOUND])
def test_every_hit_is_told_with_its_tier(case: Path, tmp_path: Path, index: Index) -> None:
    check_sites(case, tmp_path, index)


NOT_TSX = re.compile(r"(?m)^-- .*(?:\.d\.ts|\.js|\.mjs|\.vue|\.tsx|@reasons|@not_scanned) --$|<\w+>\w|\.ts[\"']")
AS_TSX = [case for case in FOUND if case.parent.name == "typescript" and not NOT_TSX.search(case.read_text("utf-8"))]
"""The cases of TypeScript whose files may as well be TSX: no other language beside them, no assertion of a type in angle brackets."""


@pytest.mark.parametrize("case", AS_TSX, ids=[path.stem for path in AS_TSX])
def test_typescript_reads_the_same_where_elements_may_stand(case: Path, tmp_path: Path, index: Index) -> None:
    text = re.sub(r"(?m)^-- (.*[^d])\.ts --$", r"-- \1.tsx --", case.read_text("utf-8"))
    (copy := tmp_path / case.name).write_text(re.sub(r"(?m)^([\w/]+)\.ts:", r"\1.tsx:", text), "utf-8")
    check_sites(copy, tmp_path / "root", index)


def write(folder: Path, **files: str) -> Snapshot:
    """A folder with these files; `__` in a name stands for the dot of its suffix."""
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")
    return Snapshot(folder)


def told(scan: Scan) -> list[tuple[str, int, str, str]]:
    return [(site.place.path.name, site.place.line, site.tier.value, site.name) for site in scan.sites]


# Hostile input


@pytest.mark.parametrize("suffix", ["py", "ts", "tsx", "js"])
@pytest.mark.parametrize(
    "text",
    [
        "total(" + "(" * 3000 + ")" * 3000 + ")",
        "x = " + "[" * 3000 + "total" + "]" * 3000,
        "x = " + "[" * 3000 + "total",
        "total" + ".a" * 5000 + "()",
        "a" + "()" * 3000 + ".total()",
        "x = " + " + ".join(["total"] * 3000),
        "total " * 3000,
        "x = '" + "total." * 5000 + "'",
        "\x0c\u2028total\x85 = 'total'\r\n",
    ],
    ids=["calls", "lists", "unclosed", "members", "called", "sums", "words", "dotted", "odd spaces"],
)
def test_hostile_text_is_searched_to_its_end(tmp_path: Path, index: Index, suffix: str, text: str) -> None:
    (tmp_path / f"hostile.{suffix}").write_text(text, "utf-8", newline="")
    scan = find_sites(write(tmp_path, core__py="def total(): ...\n"), Target(name="total"), index)
    assert len([site for site in scan.sites if site.place.path.name != "core.py"]) == text.count("total")


def test_a_search_that_nobody_waits_for_ends_at_the_next_file(tmp_path: Path, index: Index) -> None:
    texts = write(tmp_path, a__py="def total(): ...\n", b__py="total()\n", c__py="total()\n")
    answers = iter([False, True])
    with pytest.raises(Abandoned):
        find_sites(texts, Target(name="total"), index, lambda: next(answers))


def test_bases_that_go_in_a_circle_end(tmp_path: Path, index: Index) -> None:
    texts = write(tmp_path, a__py="from a import B\nclass A(B):\n    def f(self): self.g()\nclass B(A): ...\n")
    assert told(find_sites(texts, Target(name="g"), index)) == [("a.py", 3, "likely", "g")]


def test_what_cannot_be_read_is_told(tmp_path: Path, index: Index) -> None:
    (tmp_path / "latin.py").write_bytes(b"# caf\xe9 total\n")
    (tmp_path / "large.ts").write_text("total();\n" + "// filler\n" * 500_000)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0total")
    scan = find_sites(write(tmp_path, core__py="def total(): ...\n"), Target(name="total"), index)
    assert [(held.path.name, held.reason) for held in scan.not_scanned] == [
        ("large.ts", "larger than 4 MiB, not parsed"),
        ("latin.py", "not UTF-8 (byte 5)"),
    ]


def test_an_open_buffer_stands_over_its_file(tmp_path: Path, index: Index) -> None:
    write(tmp_path, core__py="def total(): ...\n", use__py="from core import total\n")
    buffer = TextFile.of(tmp_path / "use.py", b"import core\ncore.total()\n", version=3)
    new = TextFile.of(tmp_path / "new.py", b"from core import total\n", version=1)
    scan = find_sites(Snapshot(tmp_path, {buffer.path: buffer, new.path: new}), Target(name="total"), index)
    assert told(scan) == [("core.py", 1, "exact", "total"), ("new.py", 1, "exact", "total"), ("use.py", 2, "exact", "total")]


def test_a_byte_order_mark_and_carriage_returns_move_nothing(tmp_path: Path, index: Index) -> None:
    (tmp_path / "core.py").write_bytes("\ufeffdef total(): ...\r\ntotal()".encode())
    scan = find_sites(Snapshot(tmp_path), Target(name="total"), index)
    assert [(s.place.line, s.place.column, s.place.start) for s in scan.sites] == [(1, 6, 7), (2, 1, 21)]


# The worker


async def test_the_worker_answers_and_outlives_its_death(tmp_path: Path) -> None:
    texts = write(tmp_path, core__py="def total(): ...\ntotal()\n")
    worker = SiteWorker()
    try:
        before = await worker.find(texts, Target(name="total"))
        assert told(before) == [("core.py", 1, "exact", "total"), ("core.py", 2, "exact", "total")]
        pid = await worker.pid()
        os.kill(pid, signal.SIGKILL)
        assert await worker.find(texts, Target(name="total")) == before
        assert await worker.pid() not in (pid, os.getpid())
    finally:
        await worker.close()
    with pytest.raises(RuntimeError):
        await worker.pid()


async def test_the_worker_names_what_is_under_the_cursor(tmp_path: Path) -> None:
    worker = SiteWorker()
    file = TextFile.of(tmp_path / "core.py", b"class Cart:\n    def total(self): return self.rate\n")
    try:
        here = await worker.symbol_at(file, file.data.index(b"tal"))
        assert here is not None
        assert (here.name, here.kind, here.container) == ("total", SymbolKind.METHOD, "Cart")
        assert await worker.symbol_at(file, file.data.index(b":") + 3) is None
        assert [fault.place.line for fault in await worker.parse_errors([TextFile.of(tmp_path / "b.py", b"x = (\n")])] == [1]
    finally:
        await worker.close()


async def test_a_cancelled_question_leaves_the_worker_at_work(tmp_path: Path) -> None:
    texts = write(tmp_path, core__py="def total(): ...\n")
    worker = SiteWorker()
    try:
        asked = asyncio.create_task(worker.find(texts, Target(name="total")))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert told(await worker.find(texts, Target(name="total"))) == [("core.py", 1, "exact", "total")]
    finally:
        await worker.close()


# The gate


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.py", "def f(:\n    pass\n", 1),
        ("a.py", "x = 1\nreturn x\n", 2),
        ("a.pyi", "def f(\n", 1),
        ("a.ts", "const x = ;\n", 1),
        ("a.ts", "let a = 1;\nfunction f( {\n", 2),
        ("a.tsx", "const a = <div>;\n", 1),
        ("a.js", "import { a from 'b';\n", 1),
    ],
)
def test_the_gate_tells_what_does_not_parse(name: str, text: str, line: int) -> None:
    faults = parse_faults(Path("/p") / name, text.encode())
    assert line in [fault.place.line for fault in faults]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", 'x = "\\d"\nmatch x:\n    case 1: pass\n'),
        ("a.pyi", "def f(x: int) -> str: ...\n"),
        ("a.ts", "enum A { B }\nconst x = <T,>(y: T) => y as unknown;\n"),
        ("a.tsx", "const a = <div>{'x'}</div>;\n"),
        ("a.ts", "using a = f();\nasync function g() { await using b: B = a; for await (using c of b) c; }\n"),
        ("a.js", "const { a, ...b } = require('c');\n"),
        ("a.md", "( not code"),
        ("empty.py", ""),
    ],
)
def test_the_gate_lets_good_text_pass(name: str, text: str) -> None:
    assert parse_faults(Path("/p") / name, text.encode()) == ()


# The ledger


def test_the_ledger_tells_what_an_edit_left_open(tmp_path: Path, index: Index) -> None:
    texts = write(
        tmp_path,
        core__py="def total(): ...\n# total\n",
        use__py="from core import total as t\nt()\nimport core\ncore.total()\ngetattr(core, 'total')\n",
    )
    scan = find_sites(texts, Target(name="total"), index)
    data = (tmp_path / "core.py").read_bytes()
    edit = TextEdit(4, 9, "sum_up")
    change = Change((FileEdit(tmp_path / "core.py", digest(data), "", (edit,)),))
    ledger = entries_for(scan, change, frozenset({Tier.STRING}))
    assert [(e.site.place.path.name, e.site.place.line, e.site.name, e.status) for e in ledger.entries] == [
        ("core.py", 1, "total", SiteStatus.UPDATED),
        ("core.py", 2, "total", SiteStatus.PENDING),
        ("use.py", 1, "total", SiteStatus.PENDING),
        ("use.py", 1, "t", SiteStatus.FITS),
        ("use.py", 2, "t", SiteStatus.FITS),
        ("use.py", 4, "total", SiteStatus.PENDING),
        ("use.py", 5, "total", SiteStatus.WAIVED),
    ]
    assert [(e.site.place.path.name, e.site.place.line) for e in ledger.pending] == [("use.py", 1), ("use.py", 4)]


# Settings files


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('{"a": "//b", /* c */ "d": [1, 2,], // e\n}', {"a": "//b", "d": [1, 2]}),
        ('\ufeff{"a": "x,}", "b": {},\n}', {"a": "x,}", "b": {}}),
        ('{"a": "\\"/*", "paths": {"@/*": ["./src/*"]}}', {"a": '"/*', "paths": {"@/*": ["./src/*"]}}),
        ("{", None),
        ("[" * 100_000, None),
    ],
)
def test_json_is_read_with_comments_and_trailing_commas(text: str, held: object) -> None:
    assert read_jsonc(text) == held


# The command


def surefoot(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "surefoot", *words], capture_output=True, text=True, timeout=120, check=False)


def test_the_command_prints_json_alone(tmp_path: Path) -> None:
    write(tmp_path, core__py="def total(): ...\n", test_use__py="from core import total\n\ndef check():\n    x = '😀', total()\n")
    done = surefoot("sites", "total", "--root", str(tmp_path), "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["symbol"] == "total"
    assert answer["symbols"] == [{"name": "total", "path": "core.py", "line": 1, "column": 5}]
    assert answer["not_scanned"] == []
    assert answer["sites"][-1] == {
        "path": "test_use.py",
        "line": 4,
        "column": 14,
        "kind": "call",
        "tier": "exact",
        "reason": "resolves to the symbol",
        "function": "check",
        "test": True,
        "text": "x = '😀', total()",
    }


def test_the_command_tells_a_person_where(tmp_path: Path) -> None:
    write(tmp_path, core__py="def total(): ...\n# total\n", use__py="from core import total as t\nt()\n")
    done = surefoot("sites", "core.py:1:5", "--root", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 sites in 2 files" in done.stdout
    assert "exact: 4 sites in 2 files" in done.stdout
    assert "    2:1  call  (through the alias t)  t()" in done.stdout


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        ("nowhere", 1, "nothing called nowhere"),
        ("not a name", 2, "neither NAME nor PATH:LINE:COLUMN"),
        ("gone.py:1:1", 2, "there is no such file"),
        ("core.py:99:1", 2, "is no place"),
    ],
)
def test_the_command_says_what_to_do(tmp_path: Path, target: str, code: int, words: str) -> None:
    write(tmp_path, core__py="def total(): ...\n")
    done = surefoot("sites", target, "--root", str(tmp_path))
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr


def test_a_root_that_is_no_folder_is_a_usage_error(tmp_path: Path) -> None:
    done = surefoot("sites", "total", "--root", str(tmp_path / "gone"))
    assert done.returncode == 2
    assert "--root DIR" in done.stderr
