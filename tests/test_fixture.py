"""The mini-language says what it means."""

from pathlib import Path

import pytest

from tests.support.fixture import Cursor, Mark, parse

CASE = """\
What is tested,
over two lines.

-- pkg/a.py --
def tot$0al(items):
    return "😀", total(items), 1
    #           ^^^^^ @exact.call
    #  ^ @first               ^ @other
total([1])
# <- @exact.value
price = "\\$0 and $0"
#        ^^^ @literal
-- b.tsx --
const x = <Total />
//         ^^^^^ @exact.call
-- @after/pkg/a.py --
def $0kept(): ...
# <- @kept
-- @refused --
"""


def test_a_case_is_read_into_its_parts() -> None:
    got = parse(CASE)
    assert got.prose == "What is tested,\nover two lines."
    assert list(got.files) == ["pkg/a.py", "b.tsx"]
    assert got.files["pkg/a.py"] == 'def total(items):\n    return "😀", total(items), 1\ntotal([1])\nprice = "$0 and "\n'
    assert got.sections == {"after/pkg/a.py": "def $0kept(): ...\n# <- @kept\n", "refused": ""}


def test_cursors_are_offsets_in_the_clean_text() -> None:
    assert parse(CASE).cursors == (Cursor("pkg/a.py", 7, 1, 8), Cursor("pkg/a.py", 80, 4, 17))


@pytest.mark.parametrize(
    ("label", "line", "column", "text"),
    [("exact.call", 2, 17, "total"), ("other", 2, 31, "1"), ("exact.value", 3, 1, "total"), ("literal", 4, 10, "$0")],
)
def test_marks_name_the_bytes_under_them(label: str, line: int, column: int, text: str) -> None:
    case = parse(CASE)
    (mark,) = [m for m in case.marks if m.path == "pkg/a.py" and m.label == label]
    assert (mark.line, mark.column) == (line, column)
    assert case.files["pkg/a.py"].encode()[mark.start : mark.end].decode() == text


def test_a_caret_after_a_cursor_counts_as_written() -> None:
    assert parse("-- a.py --\nf$0oo(bar)\n#     ^^^ @arg\n").marks == (Mark("a.py", 4, 7, 1, 5, "arg"),)


@pytest.mark.parametrize(
    "text",
    ["-- a --\nx\n-- a --\ny\n", "-- a --\n# <- @nothing\n", "-- a --\nab\n# ^^^ @outside\n"],
    ids=["a name twice", "a mark above all code", "a mark outside its line"],
)
def test_a_broken_case_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"twice|no code|outside"):
        parse(text)


def test_a_case_is_written_byte_for_byte(tmp_path: Path) -> None:
    parse(CASE).write_to(tmp_path)
    assert (tmp_path / "pkg" / "a.py").read_bytes().decode() == parse(CASE).files["pkg/a.py"]
