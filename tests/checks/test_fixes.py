"""Fixes under the cursor: what tools offer and messages suggest, and which of them hold."""

from pathlib import Path

import pytest

from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.findings import Diagnostic, Evidence, Severity, ToolFix
from surefoot.core.text import LineIndex, Place, TextFile
from surefoot.engines import toolfix
from surefoot.engines.losses import users_of_lost
from surefoot.workspace.snapshot import Snapshot

TYPESCRIPT = {
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext" } }',
    "money.ts": "export interface Money { amount: number }\nexport function format(m: Money): string { return `${m.amount}`; }\n",
}
CASES = {
    "unused import": ({}, "a.py", "import os\n\nA = 1\n", "os", "Remove unused import: `os`", "\nA = 1\n"),
    "missing import": ({}, "a.py", 'A = Path("x")\n', "Path", "import pathlib.Path", 'from pathlib import Path\nA = Path("x")\n'),
    "did you mean": (
        TYPESCRIPT,
        "a.ts",
        'import type { Money } from "./money";\nexport const s = ["😀", (m: Money) => m.amuont];\n',
        "amuont",
        "Change amuont to amount",
        'import type { Money } from "./money";\nexport const s = ["😀", (m: Money) => m.amount];\n',
    ),
    "add to import": (
        TYPESCRIPT,
        "a.ts",
        'import { Money } from "./money";\nexport const s = (m: Money) => format(m);\n',
        "format",
        'Update import from "./money"',
        'import { format, Money } from "./money";\nexport const s = (m: Money) => format(m);\n',
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_fix_is_offered_holds_and_does_what_it_says(name: str, tmp_path: Path, settings: CheckSettings) -> None:
    files, path, text, under, title, after = CASES[name]
    for file, content in {**files, path: text}.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, settings)
    at = text.encode().index(under.encode())
    try:
        offered = {fix.title: fix for fix in await toolfix.candidates(validator, texts, tmp_path / path, at, at)}
        assert title in offered
        fix = offered[title]
        assert holds(await validator.validate(fix.change, texts))
        assert apply_edits(text.encode(), fix.change.files[0].edits).decode() == after
        assert not any(toolfix.silences(one) for one in offered.values())
    finally:
        await validator.close()


async def test_a_suggestion_that_makes_it_worse_does_not_hold(tmp_path: Path, settings: CheckSettings) -> None:
    (tmp_path / "a.ts").write_text("const format = 1;\nexport const s: string = fromat;\n")
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, settings)
    try:
        fixes = await toolfix.candidates(validator, texts, tmp_path / "a.ts", 45, 45)
        assert [fix.title for fix in fixes] == ["Change fromat to format"]
        assert not holds(await validator.validate(fixes[0].change, texts))
    finally:
        await validator.close()


def holds(evidence: Evidence) -> bool:
    return evidence.green and bool(evidence.fixed)


def told(root: Path, text: str, under: str, message: str, source: str = "mypy") -> tuple[Snapshot, Diagnostic]:
    data = text.encode()
    path = root / "a.py"
    start = data.index(under.encode())
    place = Place.of(path, start, start + len(under.encode()), LineIndex(data))
    return Snapshot(root, {path: TextFile.of(path, data, 1)}), Diagnostic(place, source, "c", Severity.ERROR, message)


@pytest.mark.parametrize(
    ("under", "message", "title"),
    [
        ("amuont", 'Money has no attribute "amuont"; did you mean "amount"?', "Change amuont to amount"),
        ("m.amuont", 'Name "amuont" is not known. Did you mean: "amount"?', "Change amuont to amount"),
        ("amuont", "'amuont' was not found. Did you mean the instance member 'this.amount'?", "Change amuont to this.amount"),
        ("amuont", "\u2018amuont\u2019 undeclared; did you mean \u2018amount\u2019?", "Change amuont to amount"),
        ("amuont", "'other' is not known. Did you mean 'amount'?", None),
        ("amuont", "'amuont' is not known.", None),
        ("m.amuont + 1", "'amuont' is not known. Did you mean 'amount'?", None),
    ],
)
def test_a_suggestion_of_any_tool_replaces_the_name_it_speaks_of(under: str, message: str, title: str | None, tmp_path: Path) -> None:
    texts, found = told(tmp_path, "é = m.amuont + 1\n", under, message)
    assert [fix.title for fix in toolfix.suggestions(texts, [found])] == ([title] if title else [])


async def test_a_finding_that_the_client_sends_is_answered_too(tmp_path: Path, settings: CheckSettings) -> None:
    texts, found = told(tmp_path, "amount = 1\nprint(amuont)\n", "amuont", 'Name "amuont" is not defined; did you mean "amount"?')
    validator = Validator(tmp_path, settings)
    try:
        fixes = await toolfix.candidates(validator, texts, tmp_path / "a.py", found.place.start, found.place.end, [found])
        fix = next(fix for fix in fixes if fix.title == "Change amuont to amount")
        assert fix.origin == "mypy"
        assert holds(await validator.validate(fix.change, texts))
    finally:
        await validator.close()


@pytest.mark.parametrize(
    ("title", "text", "silent"),
    [
        ("Ruff (F401): Disable for this line", "", True),
        ("Ignore 'unresolved-reference' for this line", "", True),
        ("Do it", "  # type: ignore[name]", True),
        ("Do it", "// @ts-expect-error", True),
        ("Do it", "/* eslint-disable */", True),
        ("Remove unused import", "", False),
        ("Add noise", "ignored = 1", False),
    ],
)
def test_what_only_silences_is_told_apart(title: str, text: str, silent: bool, tmp_path: Path) -> None:
    _, found = told(tmp_path, "amuont", "amuont", "m")
    fix = ToolFix(title, Change((FileEdit(found.place.path, "", "", (TextEdit(0, 0, text),)),)), "t", found)
    assert toolfix.silences(fix) is silent


async def test_a_fix_that_takes_a_name_away_names_the_files_that_mention_it(tmp_path: Path, settings: CheckSettings) -> None:
    files = {
        "a.py": "import os\n\nA = 1\n",
        "b.py": "from a import os\n\nprint(os.name)\n",
        "c.py": "import os\n\nprint(os.name)\n",
        "d.ts": "export const os = 1;\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, settings)
    try:
        (fix,) = [f for f in await toolfix.candidates(validator, texts, tmp_path / "a.py", 7, 7) if "Remove unused import" in f.title]
        assert fix.impacted == (tmp_path / "b.py",)
        assert not holds(await validator.validate(fix.change, texts, fix.impacted))
    finally:
        await validator.close()


async def test_a_fix_that_may_break_too_many_files_is_not_offered(tmp_path: Path, settings: CheckSettings) -> None:
    (tmp_path / "a.py").write_text("import os\n\nA = 1\n")
    for n in range(toolfix.MOST_IMPACTED + 1):
        (tmp_path / f"m{n}.py").write_text("from a import os\n\nprint(os.name)\n")
    texts, validator = Snapshot(tmp_path), Validator(tmp_path, settings)
    try:
        fixes = await toolfix.candidates(validator, texts, tmp_path / "a.py", 7, 7)
        assert [fix.title for fix in fixes if "Remove unused import" in fix.title] == []
    finally:
        await validator.close()


@pytest.mark.parametrize(
    ("other", "impacted"),
    [
        ("import a as b\n", ("c.py", "d.py")),
        ("from a import *\n", ("c.py", "d.py")),
        ("from a import A\n", ("d.py",)),
    ],
)
def test_a_name_that_is_handed_on_may_be_used_anywhere(other: str, impacted: tuple[str, ...], tmp_path: Path) -> None:
    files = {"a.py": "import os\nA = 1\n", "b.py": other, "c.py": "from b import os\n", "d.py": "import a\n\nprint(a.os)\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    texts = Snapshot(tmp_path)
    change = Change((texts.edit(tmp_path / "a.py", (TextEdit(0, 10, ""),)),))
    assert users_of_lost(change, texts) == tuple(tmp_path / name for name in impacted)


def test_a_member_that_is_lost_impacts_every_file_that_mentions_it(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("export class A { total() {} }\n")
    (tmp_path / "b.ts").write_text("declare const x: any;\nx.total();\n")
    texts = Snapshot(tmp_path)
    change = Change((texts.edit(tmp_path / "a.ts", (TextEdit(17, 22, "sum"),)),))
    assert users_of_lost(change, texts) == (tmp_path / "b.ts",)
