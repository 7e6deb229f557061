"""`surefoot sites` and `surefoot impact`: what is printed, what the options leave out, and how both end."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHOP = {
    "shop.py": (
        "class Cart:\n    def total(self, tax):\n        return tax\n\n\n"
        "class Big(Cart):\n    def total(self, tax):\n        return super().total(tax)\n\n\n"
        "def invoice(cart: Cart):\n    return cart.total(1) + cart.total(2)\n\n\n"
        "def send(cart: Cart):\n    return invoice(cart)\n\n\n"
        "def guess(x):\n    return x.total(1)\n"
    ),
    "other.py": "total = 1\nprint(total, total)\n",
    "tests/test_shop.py": (
        "from shop import Cart, send\n\n\ndef test_send():\n    assert send(Cart()) == 3\n\n\n"
        "class TestCart:\n    def test_total(self):\n        assert Cart().total(1) == 1\n"
    ),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    for name, text in SHOP.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


def surefoot(root: Path, *words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "surefoot", *words, "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def answer(root: Path, *words: str) -> dict[str, Any]:
    code, out, err = surefoot(root, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def places(sites: list[dict[str, Any]]) -> list[str]:
    return [f"{s['path']}:{s['line']} {s['tier']}" for s in sites]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--tier", "exact", "--tests"), ["tests/test_shop.py:10 exact"]),
        (("--tier", "family,likely"), ["shop.py:7 family", "shop.py:20 likely"]),
        (("--no-tests", "--tier", "exact"), ["shop.py:2 exact", "shop.py:8 exact", "shop.py:12 exact", "shop.py:12 exact"]),
        (("--tier", "excluded"), ["other.py:1 excluded", "other.py:2 excluded", "other.py:2 excluded"]),
    ],
)
def test_only_what_is_asked_for(root: Path, words: tuple[str, ...], expected: list[str]) -> None:
    assert places(answer(root, "sites", "Cart.total", *words)["sites"]) == expected


def test_without_options_nothing_is_left_out(root: Path) -> None:
    found = answer(root, "sites", "Cart.total")
    assert len(found["sites"]) == 10
    assert {site["tier"] for site in found["sites"]} == {"exact", "family", "likely", "excluded"}


def test_what_is_excluded_is_counted_by_reason_until_somebody_asks(root: Path) -> None:
    _, out, _ = surefoot(root, "sites", "Cart.total")
    assert "excluded: 3 sites in 1 file (resolve to something else)\n  3: is the variable total" in out
    assert "--tier excluded lists them" in out
    assert "\n  other.py\n" not in out
    _, out, _ = surefoot(root, "sites", "Cart.total", "--tier", "excluded")
    assert "  other.py\n    1:1 " in out


def test_a_tier_that_there_is_not_and_one_that_has_nothing(root: Path) -> None:
    code, out, err = surefoot(root, "sites", "total", "--tier", "sure")
    assert (code, out) == (2, "")
    assert "there is no 'sure'; there are exact, family" in err
    code, _, err = surefoot(root, "sites", "Cart.total", "--tier", "string")
    assert code == 1
    assert "none of the 10 sites in 3 files" in err
    code, _, err = surefoot(root, "sites", "nothing_like_it")
    assert code == 1
    assert "nothing called nothing_like_it" in err


def told(callers: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    return [(c["function"], c["depth"], c["tier"]) for c in callers]


def test_impact_names_callers_and_theirs_and_the_tests_that_come_by(root: Path) -> None:
    found = answer(root, "impact", "shop.py:2:9")
    assert places(found["family"]) == ["shop.py:7 family"]
    assert told(found["callers"]) == [
        ("Big.total", 1, "exact"),
        ("invoice", 1, "exact"),
        ("TestCart.test_total", 1, "exact"),
        ("guess", 1, "likely"),
        ("send", 2, "exact"),
        ("test_send", 3, "exact"),
    ]
    assert told(found["tests"]) == [("TestCart.test_total", 1, "exact"), ("test_send", 3, "exact")]
    assert [c["uses"] for c in found["callers"] if c["function"] == "invoice"] == [2]
    assert [c["through"] for c in found["tests"]] == ["total", "send"]


def test_impact_says_how_far_it_went(root: Path) -> None:
    assert answer(root, "impact", "shop.py:2:9")["whole"]
    near = answer(root, "impact", "shop.py:2:9", "--depth", "1")
    assert (near["depth"], near["whole"]) == (1, False)
    assert {c["depth"] for c in near["callers"]} == {1}
    _, out, _ = surefoot(root, "impact", "shop.py:2:9", "--depth", "2")
    assert "there is more: this went 2 calls far" in out
    assert "tests that reach it: 1" in out
    assert "  exact  shop.py:12  invoice, 2 uses\n" in out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("shop.py:2",), 2, "is not PATH:LINE:COLUMN"),
        (("shop.py:99:1",), 2, "shop.py:99:1 is no place"),
        (("gone.py:1:1",), 2, "there is no such file below the root"),
        (("shop.py:2:9", "--depth", "0"), 2, "a caller is at least one call away"),
        (("shop.py:4:1",), 1, "there is no name at shop.py:4:1"),
        (("../shop.py:4:1",), 2, "../shop.py is not below "),
    ],
)
def test_impact_of_what_is_no_function(root: Path, words: tuple[str, ...], code: int, told: str) -> None:
    got, out, err = surefoot(root, "impact", *words)
    assert (got, out) == (code, "")
    assert told in err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("shop.py:4:1",), 1, "there is no name at shop.py:4:1"),
        (("shop.py:4:1", "--second-opinion"), 1, "there is no name at shop.py:4:1"),
        (("../shop.py:4:1",), 2, "../shop.py is not below "),
        (("/shop.py:4:1",), 2, "/shop.py is not below "),
        (("shop.py:1:500",), 1, "there is no name at shop.py:1:500"),
        (("nowhere",), 1, "nothing called nowhere is in "),
        (("a b",), 2, "is neither NAME nor PATH:LINE:COLUMN"),
    ],
)
def test_sites_of_what_is_no_place(root: Path, words: tuple[str, ...], code: int, told: str) -> None:
    got, _, err = surefoot(root, "sites", *words)
    assert got == code
    assert told in err


def test_a_type_reaches_who_names_it_and_a_constructor_who_makes_one(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text(
        "class Item:\n    def __init__(self, price=0): ...\n\n\n"
        "class Toy(Item): ...\n\n\n"
        "def show(item: Item) -> None: ...\n\n\n"
        "def make():\n    return Toy(price=3)\n\n\n"
        "def offered(): ...\n"
    )
    (tmp_path / "shop.py").write_text('from kinds import offered\n\n__all__ = ["offered"]\n')
    assert told(answer(tmp_path, "impact", "kinds.py:1:7")["callers"]) == [("Toy", 1, "exact"), ("show", 1, "exact"), ("make", 2, "exact")]
    assert told(answer(tmp_path, "impact", "kinds.py:2:9")["callers"]) == [("make", 1, "exact")]
    code, out, _ = surefoot(tmp_path, "impact", "kinds.py:15:5")
    assert (code, out.endswith("nobody in this folder uses it; imported or re-exported in shop.py\n")) == (0, True)


def test_a_function_that_nobody_uses(root: Path) -> None:
    code, out, _ = surefoot(root, "impact", "shop.py:19:5")
    assert code == 0
    assert "nobody in this folder uses it" in out


@pytest.mark.parametrize("command", ["sites", "impact"])
def test_help_shows_an_example(root: Path, command: str) -> None:
    assert "example:\n  surefoot" in surefoot(root, command, "--help")[1]
