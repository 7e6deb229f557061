"""The words of a task, and what is said about words that are none."""

import pytest

from surefoot.core.plan import Strings
from surefoot.core.sites import SymbolKind
from surefoot.engines.tasks import NotATask, RenameTask, name_fault, parse_task
from surefoot.syntax.languages import PYTHON, TSX, TYPESCRIPT, Language


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("rename getUser to fetchCurrentUser", RenameTask("getUser", "fetchCurrentUser")),
        ("  Rename `a` to `b`  ", RenameTask("a", "b")),
        ("rename Shop.total to add_up", RenameTask("total", "add_up", "Shop")),
        ("rename total() to add_up", RenameTask("total", "add_up")),
        ("rename shop/a b.py:Shop.total to add_up", RenameTask("total", "add_up", "Shop", "shop/a b.py")),
        ("rename shop/a.py:12:5 to add_up", RenameTask("", "add_up", "", "shop/a.py", 12, 5)),
        ("rename a to b including strings", RenameTask("a", "b", strings=Strings.UPDATE)),
        ("rename a to b, leaving strings and including comments.", RenameTask("a", "b", strings=Strings.LEAVE, comments=True)),
        ("rename a to b including strings and comments", RenameTask("a", "b", strings=Strings.UPDATE, comments=True)),
        ("rename a to b leaving comments.", RenameTask("a", "b")),
        ("rename #a to #b", RenameTask("#a", "#b")),
        ("rename größe to 大きさ", RenameTask("größe", "大きさ")),
    ],
)
def test_words_of_a_rename(text: str, wanted: RenameTask) -> None:
    assert parse_task(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "make it faster",
        "rename a",
        "rename a b",
        "rename a to 1b",
        "rename a-b to c",
        "rename a to b please",
        "rename a to b and comments",
        "rename a.py:0:1 to b",
    ],
)
def test_what_is_no_task_is_told_with_an_example(text: str) -> None:
    found = parse_task(text)
    assert isinstance(found, NotATask)
    assert "for example `rename getUser to fetchCurrentUser`" in found.reason


@pytest.mark.parametrize(
    ("name", "language", "kind", "legal"),
    [
        ("match", PYTHON, SymbolKind.FUNCTION, True),
        ("class", PYTHON, SymbolKind.FUNCTION, False),
        ("None", PYTHON, SymbolKind.VARIABLE, False),
        ("$f", PYTHON, SymbolKind.FUNCTION, False),
        ("$f", TYPESCRIPT, SymbolKind.FUNCTION, True),
        ("delete", TYPESCRIPT, SymbolKind.FUNCTION, False),
        ("delete", TYPESCRIPT, SymbolKind.METHOD, True),
        ("constructor", TYPESCRIPT, SymbolKind.METHOD, False),
        ("string", TYPESCRIPT, SymbolKind.TYPE, False),
        ("string", TSX, SymbolKind.FUNCTION, True),
    ],
)
def test_names_that_a_language_would_not_take(name: str, language: Language, kind: SymbolKind, legal: bool) -> None:
    assert (name_fault(name, language, kind) == "") is legal
