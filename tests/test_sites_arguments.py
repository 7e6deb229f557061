"""Arguments of call sites, in the languages that are parsed."""

from pathlib import Path

import pytest

from surefoot.core.text import TextFile
from surefoot.syntax.arguments import call_of
from surefoot.syntax.index import Index


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


def check_call(index: Index, name: str, text: str) -> tuple[str, list[str]] | None:
    """The call of the last `total` in a text, and its arguments: `name=` before one that is named, `*` before one that is spread."""
    file = TextFile.of(Path("/p") / name, text.encode())
    parsed = index.parsed(file)
    assert parsed is not None
    start = file.data.rindex(b"total")
    call = call_of(index, parsed, start, start + len(b"total"))
    if call is None:
        return None

    def cut(first: int, last: int) -> str:
        return file.data[first:last].decode()

    told = [f"{'*' if a.spread else ''}{a.name + '=' if a.name else ''}{cut(a.start, a.end)}" for a in call.arguments]
    return cut(call.start, call.end), told


@pytest.mark.parametrize(
    ("name", "text", "call", "arguments"),
    [
        ("a.py", "x = '😀', total(1, b=2, *c, **d)", "total(1, b=2, *c, **d)", ["1", "b=b=2", "**c", "***d"]),
        ("a.py", "shop.cart.total()", "shop.cart.total()", []),
        ("a.py", "total(x for x in y)", "total(x for x in y)", ["(x for x in y)"]),
        ("a.py", "@shop.total(1)\ndef f(): ...", "shop.total(1)", ["1"]),
        ("a.py", "f(1, total(2)(3))", "total(2)", ["2"]),
        ("a.py", "total[int](1)", "total[int](1)", ["1"]),
        ("a.ts", "new shop.total<A>(1, ...b /* c */)", "new shop.total<A>(1, ...b /* c */)", ["1", "*...b"]),
        ("a.ts", "cart!.total?.(a => a, { b })", "cart!.total?.(a => a, { b })", ["a => a", "{ b }"]),
        ("a.tsx", "const a = <p>{total(<i/>)}</p>", "total(<i/>)", ["<i/>"]),
        ("a.js", "(total)(1)", "(total)(1)", ["1"]),
        ("a.go", "package a\nfunc f() { c.total(1, xs...) }", "c.total(1, xs...)", ["1", "*xs..."]),
        ("a.go", "package a\nvar x = shop.total(func(a, b int) {}, 2)", "shop.total(func(a, b int) {}, 2)", ["func(a, b int) {}", "2"]),
    ],
)
def test_a_call_has_its_arguments(index: Index, name: str, text: str, call: str, arguments: list[str]) -> None:
    assert check_call(index, name, text) == (call, arguments)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "x = total"),
        ("a.py", "total.add(1)"),
        ("a.py", "f(total)"),
        ("a.py", "f(1, b=total)"),
        ("a.py", "def total(a): ..."),
        ("a.ts", "total`text`"),
        ("a.ts", "total.call(null)"),
        ("a.tsx", "const a = <total b={1} />"),
        ("a.go", "package a\nvar x = total.Sum(1)"),
    ],
)
def test_what_is_not_called_has_none(index: Index, name: str, text: str) -> None:
    assert check_call(index, name, text) is None
