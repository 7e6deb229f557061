"""What each kind of change owes to each site, and what an edit and a person make of that."""

from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.core.change import Change, FileEdit, TextEdit
from surefoot.core.sites import Ledger, Scan, SiteKind, SiteStatus, Target, Tier, Waiver
from surefoot.syntax.arity_read import Reader
from surefoot.syntax.index import Index
from surefoot.syntax.ledger import entries_for, is_waived, settled, unmatched
from surefoot.syntax.obligations import Async, ChangeKind, Delete, Move, NewSignature, Rename, Visibility, obligations
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.view import View
from surefoot.workspace.snapshot import Snapshot

SHOP = {
    "shop.py": "def total(items, tax=0):\n    return tax\n\n\ndef twice(items):\n    return total(items) + total(items, 1)\n",
    "use.py": "from shop import total\n\nprint(total([1]))\nprint(sorted([], key=total))\n",
    "other.py": "import shop\nfrom shop import total as add_up\n\nprint(shop.total([], 1), add_up([]))\n",
    "__init__.py": "",
    "doc.md": "Call total.\n",
    "tests/test_shop.py": 'from unittest.mock import patch\n\nwith patch("shop.total"):\n    pass\n',
    "guess.py": "def f(x):\n    return x.total()\n",
}
FAMILY = {
    "m.py": (
        "class A:\n    def go(self, a):\n        return a\n\n\nclass B(A):\n    def go(self, a):\n        return a\n\n\n"
        "def f(b: B):\n    b.go(1)\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in (SHOP | FAMILY).items():
        path = tmp_path / "old" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    return (tmp_path / "old").resolve()


def scanned(root: Path, name: str) -> tuple[Scan, Reader]:
    texts, index, ground = Snapshot(root), Index(), Ground(root)
    ground.refresh()
    return find_sites(texts, Target(name=name), index, ground=ground), Reader(Resolver(View(texts, ground), index), index)


def told(root: Path, ledger: Ledger) -> list[str]:
    """One line for each entry of a tier that demands something: where, what, and for what reason."""
    return [
        f"{e.site.place.path.relative_to(root).as_posix()}:{e.site.place.line} {e.site.kind} {e.status}: {e.proof}"
        for e in ledger.entries
        if e.site.tier in (Tier.EXACT, Tier.FAMILY, Tier.STRING)
    ]


def check(root: Path, name: str, kind: ChangeKind, *expected: str) -> None:
    """Each expected line begins a line of the ledger, in order, and there are no others."""
    scan, _ = scanned(root, name)
    lines = told(root, obligations(kind, scan))
    assert len(lines) == len(expected), lines
    assert all(line.startswith(begin) for line, begin in zip(lines, expected, strict=True)), lines


def test_a_rename_is_owed_by_whoever_writes_the_name(root: Path) -> None:
    check(
        root,
        "total",
        Rename(),
        "other.py:2 import pending",
        "other.py:2 alias fits: through the alias add_up",
        "other.py:4 call pending",
        "other.py:4 call fits: through the alias add_up",
        "shop.py:1 definition pending",
        "shop.py:6 call pending",
        "shop.py:6 call pending",
        "tests/test_shop.py:3 string pending",
        "use.py:1 import pending",
        "use.py:3 call pending",
        "use.py:4 value pending",
    )


def test_a_move_is_owed_by_whoever_says_where_it_is(root: Path) -> None:
    scan, _ = scanned(root, "total")
    bare = frozenset(
        (s.place.path, s.place.start)
        for s in scan.sites
        if not s.place.path.read_bytes()[: s.place.start].endswith(b".") and s.kind in (SiteKind.CALL, SiteKind.VALUE)
    )
    check(
        root,
        "total",
        Move(root / "use.py", bare),
        "other.py:2 import pending: it says where the symbol is",
        "other.py:2 alias fits: it is another name, given here",
        "other.py:4 call pending: it reaches the symbol through the place that it leaves",
        "other.py:4 call fits: it means what its file imports",
        "shop.py:1 definition pending: it says where the symbol is",
        "shop.py:6 call pending: it reaches the symbol through the place",
        "shop.py:6 call pending",
        "tests/test_shop.py:3 string pending: it says where the symbol is",
        "use.py:1 import pending: it says where the symbol is",
        "use.py:3 call fits: it stands where the symbol moves to",
        "use.py:4 value fits: it stands where the symbol moves to",
    )


def test_what_is_deleted_is_used_by_nobody(root: Path) -> None:
    scan, _ = scanned(root, "total")
    assert len(obligations(Delete(), scan).pending) == 11
    check(
        root,
        "B.go",
        Delete(),
        "m.py:2 definition fits: another definition of the family",
        "m.py:7 definition pending: it is deleted here",
        "m.py:12 call pending: it uses what is deleted",
    )


def test_what_is_hidden_is_seen_from_inside_alone(root: Path) -> None:
    check(
        root,
        "total",
        Visibility(frozenset({root / "shop.py"})),
        "other.py:2 import pending: the symbol is not seen from here",
        "other.py:2 alias pending",
        "other.py:4 call pending",
        "other.py:4 call pending",
        "shop.py:1 definition pending: it says who sees it",
        "shop.py:6 call fits: it stands where the symbol is still seen",
        "shop.py:6 call fits",
        "tests/test_shop.py:3 string pending",
        "use.py:1 import pending",
        "use.py:3 call pending",
        "use.py:4 value pending",
    )
    check(
        root,
        "B.go",
        Visibility(frozenset({root / "m.py"}), "B"),
        "m.py:2 definition pending: a family is seen by the same",
        "m.py:7 definition pending",
        "m.py:12 call pending: the symbol is not seen from here any more",
    )
    scan, _ = scanned(root, "total")
    assert [e.site.kind for e in obligations(Visibility(frozenset()), scan).pending] == [SiteKind.DEFINITION]


def test_what_is_awaited_is_owed_by_callers(root: Path) -> None:
    scan, _ = scanned(root, "total")
    first = next(s for s in scan.sites if s.place.path.name == "use.py" and s.kind is SiteKind.CALL)
    check(
        root,
        "total",
        Async(frozenset({(first.place.path, first.place.start)})),
        "other.py:2 import fits: it names the function",
        "other.py:2 alias fits",
        "other.py:4 call pending: what the call gives is not awaited",
        "other.py:4 call pending",
        "shop.py:1 definition pending: it is declared here",
        "shop.py:6 call pending",
        "shop.py:6 call pending",
        "tests/test_shop.py:3 string pending: whoever calls it from here is not seen",
        "use.py:1 import fits",
        "use.py:3 call fits: what the call gives is awaited already",
        "use.py:4 value pending: whoever calls it from here is not seen",
    )


def resigned(root: Path, name: str, new: str) -> tuple[Scan, Ledger, Reader]:
    """The ledger of a function that takes what `new`, a definition of the same name, takes."""
    scan, reader = scanned(root, name)
    other = root.parent / "new"
    other.mkdir()
    (other / "n.py").write_text(new)
    rescan, rereader = scanned(other.resolve(), name)
    return scan, obligations(NewSignature(reader.signatures(scan), rereader.signatures(rescan), reader.calls(scan)), scan), reader


def test_a_signature_is_owed_by_callers_that_it_does_not_fit(root: Path) -> None:
    _, ledger, _ = resigned(root, "total", "def total(items, rate=1, tax=0): ...")
    assert told(root, ledger) == [
        "other.py:2 import fits: it names the function and gives it nothing",
        "other.py:2 alias fits: it names the function and gives it nothing",
        "other.py:4 call pending: shift: argument 2 would land in `rate`, not in `tax`",
        "other.py:4 call fits: its arguments land as before: items",
        "shop.py:1 definition pending: it is declared here",
        "shop.py:6 call fits: its arguments land as before: items",
        "shop.py:6 call pending: shift: argument 2 would land in `rate`, not in `tax`",
        "tests/test_shop.py:3 string pending: whoever calls it from here is not seen",
        "use.py:1 import fits: it names the function and gives it nothing",
        "use.py:3 call fits: its arguments land as before: items",
        "use.py:4 value pending: whoever calls it from here is not seen",
    ]


def test_a_constructor_is_owed_by_whoever_makes_one_and_by_no_other_constructor(tmp_path: Path) -> None:
    root = (tmp_path / "old").resolve()
    root.mkdir()
    (root / "m.py").write_text(
        "class Cart:\n    def __init__(self, owner, limit=3): ...\n\n\n"
        "class Big(Cart):\n    def __init__(self):\n        super().__init__('me', 9)\n\n\n"
        "class Small(Cart): ...\n\n\n"
        "print(Cart('me'), Big(), Small('me', 1))\n"
    )
    _, ledger, _ = resigned(root, "Cart.__init__", "class Cart:\n    def __init__(self, owner, rate=1, limit=3): ...\n")
    assert told(root, ledger) == [
        "m.py:2 definition pending: it is declared here",
        "m.py:7 call pending: shift: argument 2 would land in `rate`, not in `limit`",
        "m.py:13 call fits: its arguments land as before: owner",
        "m.py:13 call pending: shift: argument 2 would land in `rate`, not in `limit`",
    ]
    scan, _ = scanned(root, "Cart.__init__")
    assert all(e.status is SiteStatus.FITS for e in entries_for(scan, Change(()), frozenset()).entries if e.site.name in ("Cart", "Small"))


def test_a_family_takes_the_same(root: Path) -> None:
    _, ledger, _ = resigned(root, "B.go", "class B:\n    def go(self, a, b=1): ...\n")
    assert told(root, ledger) == [
        "m.py:2 definition pending: it has to take what the whole family takes",
        "m.py:7 definition pending: it is declared here",
        "m.py:12 call fits: its arguments land as before: a",
    ]


def test_an_edit_of_its_arguments_updates_a_call(root: Path) -> None:
    scan, ledger, reader = resigned(root, "total", "def total(items, rate=1, tax=0): ...")
    edits = (TextEdit(15, 15, "rate=1, "), TextEdit(SHOP["shop.py"].rindex("1)"), SHOP["shop.py"].rindex("1)"), "tax="))
    change = Change((FileEdit(root / "shop.py", "before", "after", edits),))
    after = settled(ledger, change, spans=reader.spans(scan))
    assert [line for line in told(root, after) if line.startswith("shop.py")] == [
        "shop.py:1 definition updated: an edit changes what it takes or gives",
        "shop.py:6 call fits: its arguments land as before: items",
        "shop.py:6 call updated: an edit changes what it takes or gives",
    ]
    assert [line for line in told(root, settled(ledger, change)) if "updated" in line] == []


def test_a_person_lets_a_site_be(root: Path) -> None:
    scan, _ = scanned(root, "total")
    string = next(s for s in scan.sites if s.tier is Tier.STRING)
    waiver = Waiver(string.place.path, string.place.line, string.place.column, "the mock is generated")
    other = Waiver(string.place.path, 1, 1, "a mistake")
    ledger = entries_for(scan, Change(()), frozenset(), (waiver,))
    assert [e.proof for e in ledger.entries if e.status is SiteStatus.WAIVED] == ["a person: the mock is generated"]
    assert len(ledger.pending) == len(entries_for(scan, Change(()), frozenset()).pending) - 1
    assert unmatched(scan, (waiver, other)) == (other,)
    assert [s for s in scan.sites if is_waived(s, (waiver, other))] == [string]
    likely = next(s for s in scan.sites if s.tier is Tier.LIKELY)
    let_be = Waiver(likely.place.path, likely.place.line, likely.place.column, "of another shop")
    assert [e.site for e in entries_for(scan, Change(()), frozenset(), (let_be,)).entries if e.status is SiteStatus.WAIVED] == [likely]


def test_an_edit_counts_more_than_a_waiver_and_a_proof_needs_none(root: Path) -> None:
    scan, _ = scanned(root, "total")
    at = scan.sites[-1].place
    change = Change((FileEdit(at.path, "before", "after", (TextEdit(at.start, at.end, "x"),)),))
    waivers = tuple(Waiver(s.place.path, s.place.line, s.place.column, "all") for s in scan.sites)
    ledger = entries_for(scan, change, frozenset(), waivers)
    assert ledger.entries[-1].status is SiteStatus.UPDATED
    assert [e.site.name for e in ledger.entries if e.status is SiteStatus.FITS] == ["add_up", "add_up"]
    assert ledger.pending == ()


OVERLOADS = (
    "class Cart {\n    int total(int a) { return a; }\n    int total(int a, String b) { return total(a); }\n"
    '    int use() { return total(1, "x") + total(2); }\n}\n'
)


def test_another_overload_owes_nothing(tmp_path: Path) -> None:
    (tmp_path / "Cart.java").write_text(OVERLOADS)
    texts, index, ground = Snapshot(tmp_path), Index(), Ground(tmp_path)
    ground.refresh()
    scan = find_sites(texts, Target(path="Cart.java", offset=OVERLOADS.index("total")), index, ground=ground)
    for kind in (Delete(), Visibility(frozenset({tmp_path / "Cart.java"})), Async()):
        stays = [line for line in told(tmp_path, obligations(kind, scan)) if line.endswith("another overload, which stays as it is")]
        assert [line.partition(" fits")[0] for line in stays] == ["Cart.java:3 definition", "Cart.java:4 call"]


def test_a_new_signature_is_held_against_all_overloads(tmp_path: Path) -> None:
    (tmp_path / "Cart.java").write_text(OVERLOADS)
    texts, index, ground = Snapshot(tmp_path), Index(), Ground(tmp_path)
    ground.refresh()
    scan = find_sites(texts, Target(path="Cart.java", offset=OVERLOADS.index("total")), index, ground=ground)
    reader = Reader(Resolver(View(texts, ground), index), index)
    old = reader.signatures(scan)
    assert [len(signature.parameters) for signature in old if signature] == [1, 2]
    assert old[0] is not None
    new = (replace(old[0], parameters=(*old[0].parameters, *old[0].parameters, *old[0].parameters)), old[1])
    assert told(tmp_path, obligations(NewSignature(old, new, reader.calls(scan)), scan)) == [
        "Cart.java:2 definition pending: it is declared here",
        "Cart.java:3 definition fits: it is another overload, which stays as it is",
        "Cart.java:3 call pending: break: nothing is given for `a`",
        "Cart.java:4 call fits: it takes what it took",
        "Cart.java:4 call pending: break: nothing is given for `a`",
    ]
