"""The words of a task that changes a signature, and what is said about words that are none."""

import pytest

from surefoot.engines.aims import Aim, NotATask
from surefoot.engines.signature_tasks import PassedAt, SignatureTask, Verb
from surefoot.engines.tasks import RenameTask, parse_task


def _aim(name: str = "f", again: str = "", container: str = "", path: str = "", line: int = 0, column: int = 0) -> Aim:
    return Aim(name, container, path, line, column, again)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "add parameter timeout=30 to fetch",
            SignatureTask(Verb.ADD, _aim("fetch", "add parameter timeout=30 to PATH:LINE:COLUMN"), "timeout", default="30"),
        ),
        (
            "Add parameter timeout: float = 30 to Api.fetch passing 5, leaving unseen callers.",
            SignatureTask(
                Verb.ADD,
                _aim("fetch", "Add parameter timeout: float = 30 to PATH:LINE:COLUMN passing 5, leaving unseen callers", "Api"),
                "timeout",
                type="float",
                default="30",
                value="5",
                unseen=True,
            ),
        ),
        (
            "add parameter sep = ' to ' to a/b.py:join first",
            SignatureTask(
                Verb.ADD,
                _aim("join", "add parameter sep = ' to ' to PATH:LINE:COLUMN first", "", "a/b.py"),
                "sep",
                default="' to '",
                where="first",
            ),
        ),
        (
            "add parameter cb: (x: number) => void to a.ts:3:7 passing () => 1; log at b.ts:3",
            SignatureTask(
                Verb.ADD,
                _aim("", "add parameter cb: (x: number) => void to PATH:LINE:COLUMN passing () => 1; log at b.ts:3", "", "a.ts", 3, 7),
                "cb",
                type="(x: number) => void",
                value="() => 1",
                values=(PassedAt("b.ts", 3, "log"),),
            ),
        ),
        (
            "add parameter x?: string to f after y",
            SignatureTask(
                Verb.ADD,
                _aim(again="add parameter x?: string to PATH:LINE:COLUMN after y"),
                "x",
                type="string",
                maybe=True,
                where="after y",
            ),
        ),
        (
            "remove unused parameter `x` from f dropping effects",
            SignatureTask(Verb.REMOVE, _aim(again="remove unused parameter `x` from PATH:LINE:COLUMN dropping effects"), "x", effects=True),
        ),
        (
            "reorder parameters of f to b, a",
            SignatureTask(Verb.REORDER, _aim(again="reorder parameters of PATH:LINE:COLUMN to b, a"), order=("b", "a")),
        ),
        (
            "rename parameter a of f to b",
            SignatureTask(Verb.RENAME, _aim(again="rename parameter a of PATH:LINE:COLUMN to b"), "a", "b"),
        ),
        (
            "make parameter x of f keyword-only",
            SignatureTask(Verb.KEYWORD_ONLY, _aim(again="make parameter x of PATH:LINE:COLUMN keyword-only"), "x"),
        ),
        (
            "make parameter x of f optional with default 0",
            SignatureTask(Verb.OPTIONAL, _aim(again="make parameter x of PATH:LINE:COLUMN optional with default 0"), "x", value="0"),
        ),
        (
            "change default of x in f to g(1, 2) keeping calls",
            SignatureTask(
                Verb.DEFAULT,
                _aim(again="change default of x in PATH:LINE:COLUMN to g(1, 2) keeping calls"),
                "x",
                value="g(1, 2)",
                keeping=True,
            ),
        ),
    ],
)
def test_words_of_a_signature(text: str, wanted: SignatureTask) -> None:
    assert parse_task(text) == wanted


@pytest.mark.parametrize("text", ["rename parameter to x", "rename parameters to x"])
def test_a_rename_of_something_called_parameter(text: str) -> None:
    assert isinstance(parse_task(text), RenameTask)


@pytest.mark.parametrize(
    "text",
    [
        "add parameter x",
        "add parameter x to f please",
        "add parameter x to a-b",
        "remove parameter x",
        "remove parameter x of f",
        "reorder parameters of f",
        "make parameter x of f static",
        "make parameter x of f.py:0:1 optional",
        "rename parameter a of f to 1b",
        "change default of x to 3",
    ],
)
def test_what_is_no_task_is_told_with_the_forms(text: str) -> None:
    found = parse_task(text)
    assert isinstance(found, NotATask)
    assert "`reorder parameters of F to b, a`" in found.reason or "these may follow: `passing VALUE`" in found.reason
