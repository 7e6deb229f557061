"""The three forms of a report: Markdown, JSON that fits its schema, and a page that is whole, safe and small."""

import json
import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from surefoot.core.change import unified_diff
from surefoot.core.plan import PlannedStep, Stage, Take, Task
from surefoot.core.sites import Entry as Obligation
from surefoot.core.sites import Ledger, Site, SiteKind, SiteStatus, Tier
from surefoot.core.text import Place
from surefoot.journal.story import Entry
from surefoot.report.account import Account
from surefoot.report.data import to_json
from surefoot.report.diffs import parsed, words_of
from surefoot.report.forms import Form, written
from surefoot.report.gather import account_of
from surefoot.report.html import el, joined
from surefoot.report.page import page
from surefoot.report.text import markdown
from surefoot.run.events import Event
from surefoot.run.fold import fold
from surefoot.run.outcomes import Constrained, Planned, Validated, Verified
from tests.report import schema
from tests.report.samples import SAMPLES, account
from tests.support.story import DRAFTED, PATH, ROOT, STARTED, STORY, acted, evidence

VOID = {"meta", "br", "hr", "col"}
GOLDEN = Path(__file__).parent / "golden"


class Whole(HTMLParser):
    """Reads a page: every element is closed in order; keeps the elements, their attributes and the text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def check_page(text: str) -> Whole:
    """The page is whole, runs nothing, asks for nothing, and each link leads to a place in it."""
    read = Whole(text)
    tags = {tag for tag, _ in read.found}
    assert not tags & {"script", "iframe", "object", "embed", "form", "img", "link", "base"}
    ids = [attributes["id"] for _, attributes in read.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in read.found:
        assert not any(name.startswith("on") or name in {"src", "style", "srcset"} for name in attributes)
        if "href" in attributes:
            assert (attributes["href"] or "").removeprefix("#") in ids
    assert not re.search(r"https?://|url\(|@import", text)
    return read


@pytest.mark.parametrize("name", SAMPLES)
async def test_the_page_is_whole_and_stands_alone(name: str, tmp_path: Path) -> None:
    told = await account(name, tmp_path)
    read = check_page(page(told))
    for line in (*told.accomplished, *told.remaining):
        assert line.text in read.text
    assert told.workspace.text in read.text
    assert told.status.reason in read.text


@pytest.mark.parametrize("name", ["recovered", "cut short"])
async def test_a_run_that_was_killed_anywhere_has_a_report(name: str, tmp_path: Path) -> None:
    bench, run = await SAMPLES[name][0](tmp_path)
    entries = bench.runs.journal.read(run).entries
    validator = Draft202012Validator(schema.schema())
    for count in range(1, len(entries)):
        told = account_of(entries[:count])
        assert told.accomplished
        assert told.remaining
        check_page(page(told))
        validator.validate(json.loads(to_json(told)))
        assert markdown(told)


@pytest.mark.parametrize("name", SAMPLES)
async def test_json_fits_the_schema(name: str, tmp_path: Path) -> None:
    validator = Draft202012Validator(json.loads(schema.FILE.read_text(encoding="utf-8")))
    validator.validate(json.loads(to_json(await account(name, tmp_path))))


def test_the_published_schema_is_that_of_the_values() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == schema.text(), "python -m tests.report.schema writes it anew"
    Draft202012Validator.check_schema(schema.schema())


def test_json_that_does_not_fit_is_noticed() -> None:
    report = json.loads(to_json(story()))
    validator = Draft202012Validator(schema.schema())
    assert validator.is_valid(report)
    for broken in (
        report | {"more": 1},
        report | {"accomplished": []},
        report | {"head": report["head"] | {"seq": "1"}},
        {k: v for k, v in report.items() if k != "workspace"},
        report | {"remaining": [{"text": "a claim without an event"}]},
    ):
        assert not validator.is_valid(broken)


def story(events: tuple[Event, ...] = STORY) -> Account:
    """The account of a short run whose times are fixed."""
    return account_of([Entry(1_000_000_000.0 + n / 4, event) for n, event in enumerate(events)])


def golden(form: Form) -> str:
    """A whole report as it is stored: without the style sheet, which is looked at and not compared."""
    return re.sub("<style>.*</style>", "<style></style>", written(story(), form).decode(), flags=re.DOTALL)


@pytest.mark.parametrize("form", Form)
def test_a_whole_report(form: Form) -> None:
    """`python -m tests.report.golden` writes these files anew."""
    assert golden(form) == (GOLDEN / f"story{form.suffix}").read_text(encoding="utf-8")


NASTY = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'onmouseover='alert(1)",
    "<!-- </style> ]]> &lt;b&gt; &amp;",
    "\u202egnp.exe\u202c \x00 \x1b[31m",
)


def nasty(text: str) -> str:
    """A page in which one text stands wherever text from outside can."""
    step = PlannedStep(text, text, Stage.WHOLE, (Take(ROOT / text.replace("/", "_")),))
    site = Site(Place(PATH, 0, 1, 1, 1), SiteKind.CALL, Tier.EXACT, text, text, False, text, text)
    drafted = replace(DRAFTED, diff=unified_diff(text, f"{text}\nold\n".encode(), f"{text}\nnew {text}\n".encode()))
    found = replace(evidence(), not_run=(text,), checks=tuple(replace(c, tool=text, detail=text) for c in evidence().checks))
    events: list[Event] = [replace(STARTED, task=Task(text), engine=text)]
    outcomes = (Planned((step,), Ledger((Obligation(site, SiteStatus.PENDING, text),)), text), Constrained((text,)))
    for outcome in (*outcomes, drafted, Validated(found), Verified((text,))):
        state = fold(events)
        assert state is not None
        events += acted(state, outcome)
    return page(story(tuple(events)))


@pytest.mark.parametrize("text", NASTY)
def test_no_text_becomes_markup(text: str) -> None:
    harmless, read = check_page(nasty("harmless")), check_page(nasty(text))
    assert [tag for tag, _ in read.found if tag not in {"del", "ins"}] == [tag for tag, _ in harmless.found if tag not in {"del", "ins"}]
    shown = re.sub("[\u202e\u202c\x00\x1b]", lambda m: f"[U+{ord(m[0]):04X}]", text)
    assert read.text.count(shown) >= 10
    assert not re.search("[\u202e\u202c\x00\x1b]", read.text)


def test_elements_escape_text_and_attributes() -> None:
    assert el("p", "a < b", el("b", "&"), None, title='"x"', hidden=True, data_n=3, open=False).text == (
        '<p title="&quot;x&quot;" hidden data-n="3">a &lt; b<b>&amp;</b></p>'
    )
    assert joined((el("br"), "\r\n\t")).text == "<br>␍\n\t"


async def test_markdown_keeps_its_fences_and_shows_no_tag(tmp_path: Path) -> None:
    events = tuple(replace(e, task=Task("<img src=x> ![p](x)\n# loud")) if e is STARTED else e for e in STORY)
    text = markdown(story(events))
    assert text.startswith("# \\<img src=x> !\\[p](x) # loud\n")
    fenced = replace(DRAFTED, diff=unified_diff("a.md", b"```\n", b"````\n"))
    held: list[Event] = [STARTED]
    for outcome in (Planned((PlannedStep("t", "i", Stage.WHOLE, (Take(PATH),)),), Ledger(()), "s"), Constrained(()), fenced):
        state = fold(held)
        assert state is not None
        held += acted(state, outcome)
    assert "\n`````diff\n" in markdown(story(tuple(held)))


def test_a_diff_line_that_looks_like_a_header_is_text() -> None:
    (file,) = parsed(unified_diff("a b.sql", b"x\n-- old\ny\n", b"x\n++ new\ny"))
    assert (file.name, file.added, file.removed, file.notes) == ("a b.sql", 2, 2, ("no newline at the end of the file",))
    rows = [(r.left_number, "".join(t for t, _ in r.left), r.right_number, "".join(t for t, _ in r.right)) for r in file.hunks[0].rows]
    assert rows == [(1, "x", 1, "x"), (2, "-- old", 2, "++ new"), (3, "y", 3, "y")]


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("return total(a, b)", "return sum_all(a, b)", (["total"], ["sum_all"])),
        ("f(a)", "f(a, tax)", ([], [", tax"])),
        ("alpha", "while True:", ([], [])),
        ("x" * 500, "x" * 501, ([], [])),
    ],
)
def test_words_that_differ_are_marked(old: str, new: str, marked: tuple[list[str], list[str]]) -> None:
    here, there = words_of(old, new)
    assert "".join(text for text, _ in here) == old
    assert "".join(text for text, _ in there) == new
    assert ([t for t, differs in here if differs], [t for t, differs in there if differs]) == marked


def test_a_name_of_a_file_that_is_no_text_is_shown(tmp_path: Path) -> None:
    odd = PATH.parent / b"caf\xe9.py".decode("utf-8", "surrogateescape")
    step = PlannedStep("t", "i", Stage.WHOLE, (Take(odd),))
    state = fold([STARTED])
    assert state is not None
    told = story((STARTED, *acted(state, Planned((step,), Ledger(()), "s"))))
    assert "caf[U+DCE9].py" in written(told, Form.HTML).decode()
    assert json.loads(written(told, Form.JSON))["workspace"]["documents"][0]["path"] == "caf\udce9.py"
    assert "caf\\udce9.py" in written(told, Form.MARKDOWN).decode()


def test_a_huge_run_stays_small_and_quick() -> None:
    """1,000 sites and 20 steps of 150 changed lines, each tried three times."""
    old = "".join(f"    value_{n} = compute(value_{n}, {n}, name)  # line {n} of the text\n" for n in range(150))
    new = re.sub(r"compute\((value_\d*[02468], )", r"calculate(\1", old)
    diff = unified_diff("src/package/module.py", old.encode(), new.encode())
    site = Site(Place(PATH, 0, 1, 1, 1), SiteKind.CALL, Tier.EXACT, "resolves to the symbol", "Some.method", False, "x = compute(1)", "n")
    ledger = Ledger(tuple(Obligation(replace(site, place=Place(PATH, n, n, n, 1)), SiteStatus.UPDATED, "") for n in range(1000)))
    steps = tuple(PlannedStep(f"step {n}", "do it", Stage.MIGRATE, (Take(PATH),)) for n in range(20))
    told = story()
    (one,) = told.steps
    draft = one.attempts[0].draft
    assert draft is not None
    assert sum(f.added + f.removed for f in parsed(diff)) == 150
    tried = tuple(replace(one.attempts[0], number=n, draft=replace(draft, diff=diff)) for n in (1, 2, 3))
    state = fold([STARTED])
    assert state is not None
    sites = story((STARTED, *acted(state, Planned(steps, ledger, "1000 sites")))).sites
    huge = replace(told, sites=sites, steps=tuple(replace(one, number=n, attempts=tried) for n in range(1, 21)))
    began = time.process_time()
    text = written(huge, Form.HTML)
    assert time.process_time() - began < 10
    assert len(text) < 3_000_000
    assert check_page(text.decode()).text.count("src/package/module.py") == 60
