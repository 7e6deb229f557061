"""Where a fault is planted in a text."""

from pathlib import Path

import pytest

from surefoot.checks.checker import Proof
from surefoot.checks.planting import plant
from surefoot.core.text import TextFile

PATH = Path("/p/a.py")
PROOF = Proof("PLANTED\n", "PLANTED", "", early=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "|"),
        ("a = 1\n", "|a = 1\n"),
        ('"""Doc."""\na = 1\n', '"""Doc."""\n|a = 1\n'),
        ('# note\n"""Two\nlines."""\n# why\n\nfrom __future__ import (\n    annotations,\n)\n\n@d\ndef f(): ...\n',) * 2,
        ('"""Doc."""; a = 1\n', '|"""Doc."""; a = 1\n'),
        ('"""Only a docstring."""\n', '"""Only a docstring."""\n\n\n|'),
        ("def (\n", "def (\n\n\n|"),
        ("é = 1\r\nb = 2\r\n", "|é = 1\r\nb = 2\r\n"),
        ("if x:\n    a = 1\n", "|if x:\n    a = 1\n"),
    ],
)
def test_a_fault_goes_before_the_first_statement(before: str, after: str) -> None:
    made = plant(TextFile.of(PATH, before.encode()), PROOF)
    want = after.replace("|", "PLANTED\n") if "|" in after else before.replace("@d\n", "PLANTED\n@d\n")
    assert made.file.text == want
    assert made.file.text.split("\n")[made.first : made.last + 1].count("PLANTED") == 1


def test_a_fault_goes_to_the_end_where_there_are_no_statements_to_know() -> None:
    made = plant(TextFile.of(PATH, b"a"), Proof("PLANTED\n", "PLANTED", ""))
    assert made.file.text == "a\n\nPLANTED\n"
