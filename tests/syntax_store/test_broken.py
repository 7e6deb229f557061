"""A buffer that does not parse for a moment still defines what it defined; what was deleted is gone."""

from pathlib import Path

import pytest

from surefoot.core.text import TextFile
from surefoot.syntax.index import Index
from tests.syntax_store.support import Root

PYTHON = "import os\n\n\ndef other():\n    pass\n\n\ndef total(items):\n    return items\n\n\nclass Cart:\n    pass\n"
SCRIPT = "export function other() {}\nexport function total(items) {\n  return items;\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "whole", "broken", "use", "found"),
    [
        ("core.py", PYTHON, "def total(items):", "def total(items", "from core import total\ntotal()\n", True),
        ("core.py", PYTHON, "def total(items):", "def total((items:", "from core import total\ntotal()\n", True),
        ("core.py", PYTHON, "def total(items):\n    return items", "def (", "from core import total\ntotal()\n", False),
        ("core.ts", SCRIPT, "function total(items) {", "function total(items {", 'import { total } from "./core";\ntotal(1);\n', True),
        ("core.ts", SCRIPT, "function total(items) {", "function (((", 'import { total } from "./core";\ntotal(1);\n', False),
    ],
)
def test_a_broken_buffer_keeps_what_it_can_no_longer_say(
    tmp_path: Path, name: str, text: str, whole: str, broken: str, use: str, found: bool
) -> None:
    root = Root(tmp_path)
    (root.path / name).write_text(text)
    (root.path / f"use{Path(name).suffix}").write_text(use)
    buffer = TextFile.of(root.path / name, text.replace(whole, broken).encode(), 2)
    for stored in (False, True):
        scan = root.find("total", buffer, index=Index())
        used = {site.tier.value for site in scan.sites if site.place.path.stem == "use"}
        assert used == ({"exact"} if found else {"likely"}), stored
        root.build()


def test_the_last_text_that_parsed_counts_and_not_the_one_on_disk(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="x = 1\n", use__py="from core import total\ntotal()\n")
    index = Index()
    good = TextFile.of(root.path / "core.py", b"x = 1\ndef total(items):\n    pass\n", 2)
    broken = TextFile.of(root.path / "core.py", b"x = 1\ndef total((items:\n    pass\n", 3)
    assert {site.tier.value for site in root.find("total", good, index=index).sites} == {"exact"}
    scan = root.find("total", broken, index=index)
    assert {site.tier.value for site in scan.sites} == {"exact"}
    assert [held.path.name for held in scan.not_scanned] == ["core.py"]
