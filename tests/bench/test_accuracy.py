"""The bench on recall and precision, as far as it needs no network and no language server."""

import json
from pathlib import Path

import pytest
from bench.accuracy.audit import audited, read_audit
from bench.accuracy.choose import Chosen, choose, read_symbols, write_symbols
from bench.accuracy.codebases import CodeBase, read_codebases
from bench.accuracy.grammar import parsed, surroundings
from bench.accuracy.run import RESULTS, Result, main, published, read_results, record
from bench.accuracy.score import Score, score
from bench.accuracy.servers import Spot
from bench.accuracy.table import differences_text, meets_goals, percent
from bench.accuracy.truth import Truth, read_truth, write_truth

SHOP = """class Cart:
    def total(self):
        return add_up([1])

def add_up(items):
    \"\"\"Like add_up of a till.\"\"\"
    return sum(items)
"""
USES = """from shop import add_up, Cart

Cart().total()
é = add_up([2]); add_up
def other(add_up):
    return add_up
"""
ADD_UP = Chosen("function", "add_up", "shop.py", 5, 5)
TOTAL = Chosen("method", "total", "shop.py", 2, 9)
RIGHT: dict[Chosen, dict[Spot, str]] = {
    ADD_UP: {
        ("shop.py", 5, 5): "t",
        ("shop.py", 3, 16): "t",
        ("uses.py", 1, 18): "t",
        ("uses.py", 4, 5): "t",
        ("uses.py", 4, 18): "t",
    },
    TOTAL: {("shop.py", 2, 9): "t", ("uses.py", 3, 8): "t"},
}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CodeBase:
    """A code base of two files, in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = CodeBase("small", "python", version="1")
    made.root.mkdir(parents=True)
    (made.root / "shop.py").write_text(SHOP)
    (made.root / "uses.py").write_text(USES)
    return made


def _scored(base: CodeBase, references: dict[Chosen, dict[Spot, str]]) -> Score:
    return score(base, Truth({"t": "test"}, references))


def test_both_rounds_have_seven_code_bases() -> None:
    languages = ["python", "python", "typescript", "typescript", "go", "java", "rust"]
    for number in (1, 2):
        assert [base.language for base in read_codebases() if base.round == number] == languages


@pytest.mark.parametrize("base", read_codebases(), ids=lambda base: base.short)
def test_forty_of_each_kind_are_drawn_and_have_a_truth(base: CodeBase) -> None:
    chosen = read_symbols(base)
    assert [each.kind for each in chosen] == ["function"] * 40 + ["method"] * 40
    truth = read_truth(base)
    assert list(truth.references) == chosen
    assert all((each.path, each.line, each.column) in truth.references[each] for each in chosen)


def test_what_is_drawn_depends_on_the_seed_alone(base: CodeBase, tmp_path: Path) -> None:
    assert choose(base) == [ADD_UP, TOTAL] == choose(base)
    write_symbols(base, [ADD_UP, TOTAL], tmp_path)
    assert read_symbols(base, tmp_path) == [ADD_UP, TOTAL]


def test_a_truth_survives_its_file(base: CodeBase, tmp_path: Path) -> None:
    truth = Truth({"t": "test 1"}, RIGHT)
    write_symbols(base, list(RIGHT), tmp_path)
    (tmp_path / "truth").mkdir()
    write_truth(base, truth, tmp_path / "truth")
    assert read_truth(base, tmp_path / "truth", tmp_path) == truth


def test_everything_found(base: CodeBase) -> None:
    held = _scored(base, RIGHT)
    function, method = held.rows["function"], held.rows["method"]
    assert (function.references, function.found, function.exact, function.confirmed) == (4, 4, 4, 4)
    assert (method.references, method.found) == (1, 1)
    assert held.differences == []
    assert (TOTAL, ("uses.py", 3, 8)) in held.calls
    assert meets_goals(base, held)


def test_what_servers_alone_say_is_missed_and_what_they_do_not_say_is_extra(base: CodeBase) -> None:
    wrong = {("shop.py", 5, 5): "t", ("uses.py", 6, 12): "t", ("shop.py", 1, 7): "t", ("shop.py", 6, 13): "t", ("uses.py", 1, 18): "t"}
    held = _scored(base, {ADD_UP: wrong})
    row = held.rows["function"]
    assert (dict(row.tiers), dict(row.beside)) == ({"excluded": 1, "absent": 1, "exact": 1}, {"mention": 1})
    assert [(each.what, each.spot, each.tier) for each in held.differences] == [
        ("missed", ("uses.py", 6, 12), "excluded"),
        ("missed", ("shop.py", 1, 7), "absent"),
        ("extra", ("shop.py", 3, 16), "exact"),
        ("extra", ("uses.py", 4, 5), "exact"),
        ("extra", ("uses.py", 4, 18), "exact"),
    ]
    assert not meets_goals(base, held)


def test_an_audit_corrects_the_truth_and_nothing_else(base: CodeBase, tmp_path: Path) -> None:
    held = _scored(base, {ADD_UP: {("shop.py", 5, 5): "t", ("uses.py", 6, 12): "t", ("uses.py", 1, 18): "t"}})
    printed = differences_text(base, held).splitlines()
    lines = [line for line in printed if line.startswith("- ")]
    assert len(lines) == 4
    verdicts = ("truth, a parameter hides it", "truth, a call", "ours, let us say", "open, who knows")
    (tmp_path / "small.md").write_text("\n".join(f"{line}{verdict}" for line, verdict in zip(lines, verdicts, strict=True)))
    after = audited(held.rows["function"], held.differences, read_audit(base, tmp_path))
    assert (after.references, after.found, after.exact, after.confirmed, after.excluded) == (2, 2, 4, 2, 0)


def test_text_and_code_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(b'x = 1  # x\ny = f"x {x}"\n')
    tree = parsed(path)
    assert [surroundings(tree, at) for at in (0, 9, 17, 20)] == ["code", "comment", "string", "code"]


def test_shares_are_never_rounded_up() -> None:
    assert [percent(999, 1000), percent(9999, 10000), percent(1, 1), percent(0, 0)] == ["99.9 %", "99.9 %", "100.0 %", "100.0 %"]


def test_a_wrong_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nothing"]) == 2
    assert "no code base is called nothing" in capsys.readouterr().err


def test_first_figures_are_of_every_kind() -> None:
    for short, held in json.loads((RESULTS / "first.json").read_text()).items():
        assert {"commit", "date", "function", "method"} <= held.keys(), short


@pytest.mark.parametrize("mark", ["round 1", "round 2", "latest"])
def test_the_document_shows_the_kept_figures(mark: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text(encoding="utf-8")
    shown = text.partition(f"<!-- {mark} -->\n")[2].partition(f"\n<!-- /{mark} -->")[0]
    assert shown == published()[mark]


def test_first_figures_are_never_replaced(tmp_path: Path, base: CodeBase) -> None:
    record([Result(base, _scored(base, RIGHT), 0.1)], "first", "one", tmp_path)
    before = read_results("first", tmp_path)
    record([Result(base, _scored(base, {ADD_UP: RIGHT[ADD_UP]}), 0.1)], "first", "one", tmp_path)
    record([Result(base, _scored(base, RIGHT), 0.1)], "first", "two", tmp_path)
    assert read_results("first", tmp_path) == before
    record([Result(base, _scored(base, RIGHT), 0.1)], "latest", "two", tmp_path)
    assert read_results("latest", tmp_path)["small"]["commit"] == "two"
