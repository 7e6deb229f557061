"""What the next plan is told of a finding: cases of real captured output, ten or more of each tool, in `cases/constraints`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from surefoot.checks.constraints import constraint_text, tokens_in
from surefoot.checks.facts import fact_of
from surefoot.checks.naming import Namer
from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place
from surefoot.run.limits import CONSTRAINT_TOKENS
from surefoot.workspace.snapshot import Snapshot
from tests.support.fixture import Fixture, parse

CASES = sorted((Path(__file__).parent.parent / "cases" / "constraints").glob("*.txt"))
_WORD = re.compile(rb"[\w$]+")


def findings_of(case: Fixture, tool: str, root: Path) -> tuple[Diagnostic, ...]:
    """The captured records, placed in the code that they were captured from."""
    return tuple(_placed(json.loads(line), case, tool, root) for line in case.sections["found"].splitlines())


def _placed(record: dict[str, Any], case: Fixture, tool: str, root: Path) -> Diagnostic:
    data = case.files[record["path"]].encode()
    index = LineIndex(data)
    line = data.split(b"\n")[record["line"] - 1].decode()
    start = index.starts[record["line"] - 1] + len(line[: max(0, record["column"] - 1)].encode())
    word = _WORD.match(data, start)
    symbol = word[0].decode() if word else ""
    severity = Severity.INFORMATION if record["severity"] in ("info", "note") else Severity(record["severity"])
    return Diagnostic(Place.of(root / record["path"], start, start, index), tool, record["code"], severity, record["message"], symbol)


async def constraints_of(case: Fixture, tool: str, root: Path) -> list[tuple[Diagnostic, str]]:
    """The one way in: every captured finding with the constraint that is made of it."""
    case.write_to(root)
    found = findings_of(case, tool, root)
    texts, namer, told = Snapshot(root), Namer(), list[Diagnostic]()
    for one in found:
        told += await namer.with_alternatives([one], texts)
    return [(one, constraint_text(one)) for one in told]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
async def test_golden(path: Path, tmp_path: Path) -> None:
    case = parse(path.read_text(encoding="utf-8"))
    made = await constraints_of(case, path.stem, tmp_path)
    assert [text for _, text in made] == case.sections["constraints"].splitlines()
    assert len(made) >= 10


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
async def test_a_constraint_is_short_has_code_and_names_and_nothing_else_of_the_tools_line(path: Path, tmp_path: Path) -> None:
    case = parse(path.read_text(encoding="utf-8"))
    for found, text in await constraints_of(case, path.stem, tmp_path):
        assert tokens_in(text) <= CONSTRAINT_TOKENS, text
        assert found.code in text
        assert not _shared(found, text), text


def _shared(found: Diagnostic, text: str) -> list[str]:
    """Runs of three words of the tool's message that stand in `text`, its names and types taken out of both."""
    fact = fact_of(found)
    names = {found.code, found.symbol, found.function, *found.admissible, *(fact.fields.values() if fact is not None else ())}
    ours, theirs = text, found.message
    for name in sorted(filter(None, names), key=len, reverse=True):
        ours, theirs = (re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " | ", side) for side in (ours, theirs))
    words = re.findall(r"[a-z]+", theirs.lower())
    runs = {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}
    said = re.findall(r"[a-z]+|\|", ours.lower())
    return [run for at in range(len(said) - 2) if (run := " ".join(said[at : at + 3])) in runs]


async def test_unknown_members_come_with_real_ones(tmp_path: Path) -> None:
    """Of every tool that knows types: what may stand there are members that the class has."""
    typed = [path for path in CASES if path.stem not in ("ruff", "eslint", "biome", "govet")]
    for path in typed:
        case = parse(path.read_text(encoding="utf-8"))
        made = [
            (d, text) for d, text in await constraints_of(case, path.stem, tmp_path / path.stem) if (f := fact_of(d)) and f.kind == "member"
        ]
        assert any("; use " in text for _, text in made), path.stem
        source = "\n".join(case.files.values())
        assert all(name in source for found, _ in made for name in found.admissible)


def _found(message: str, code: str = "x", symbol: str = "", function: str = "", admissible: tuple[str, ...] = ()) -> Diagnostic:
    place = Place.of(Path("/p/a.py"), 0, 0, LineIndex(b""))
    return Diagnostic(place, "ty", code, Severity.ERROR, message, symbol, function, admissible)


def test_what_does_not_fit_goes_from_the_end_inwards() -> None:
    message = "Object of type `Item` has no attribute `amuont`"
    names = ("amount", "amount_of_everything", "amounts_by_currency", "another_amount")
    long = "Warehouse.Shelf.a_rather_long_name_of_a_function"
    assert constraint_text(_found(message, function="f", admissible=names[:1])) == "ty x in f: amuont is no member of Item; use amount"
    assert constraint_text(_found(message, function=long, admissible=names)).endswith("; use amount, amount_of_everything")
    endless = "_".join(["piece"] * 40)
    assert constraint_text(_found(message, function=f"C.{endless}", admissible=names)) == "ty x: amuont is no member of Item; use amount"


def test_a_message_that_no_pattern_knows_leaves_code_symbol_and_function() -> None:
    found = _found("Something that nobody has thought of", "new-rule", "total", "Cart.pay")
    assert constraint_text(found) == "no ty new-rule about total in Cart.pay"


def test_endless_names_and_types_are_cut() -> None:
    found = _found(f"Return type does not match returned value: expected `{'a' * 500}`, found `{'dict[str, ' * 50}`")
    assert tokens_in(constraint_text(found)) <= CONSTRAINT_TOKENS


def test_a_finding_that_talks_of_timeouts_is_a_finding() -> None:
    assert constraint_text(_found("Name `timeout_429` used when not defined", "unresolved-reference")) == (
        "ty unresolved-reference: timeout_429 is unknown here"
    )
