"""What one file of text cannot say: replanning half way, findings that come back, texts that move, and a rename there and back."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.checks.imports import with_sorted_imports
from surefoot.core.plan import Constraint, Stage, Task
from surefoot.core.sites import SiteStatus
from surefoot.core.text import TextFile
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_rename import DirectFinder, rename

LIMITS = Limits(diff_soft=8)
FILES = {
    "m.py": "def total(items):\n    return sum(items)\n",
    "a.py": "from m import total\n\ntotal([1])\ntotal([2])\n",
    "b.py": "from m import total\n\ntotal([1])\ntotal([2])\n",
}


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).write_bytes(text.encode())


def _view(root: Path, text: str, **more: object) -> View:
    return replace(View(Task(text), None, (), Snapshot(root), (), "", LIMITS), **more)


async def _planned(view: View) -> Plan:
    plan = await RenameEngine(DirectFinder()).plan(view)
    assert isinstance(plan, Plan), plan.reason
    return plan


async def _drafted(view: View) -> Draft:
    draft = await RenameEngine(DirectFinder()).edit(view)
    assert isinstance(draft, Draft), draft.reason
    return draft


async def test_a_plan_half_way_holds_what_is_left(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    view = _view(tmp_path, "rename total to add_up")
    steps = (await _planned(view)).steps
    assert [s.stage for s in steps] == [Stage.FORWARD, Stage.MIGRATE, Stage.MIGRATE, Stage.CONTRACT]
    texts = Snapshot(tmp_path)
    for number in range(2):
        texts = texts.with_change((await _drafted(replace(view, step=steps[number], done=steps[:number], texts=texts))).change)
    rest = await _planned(replace(view, done=steps[:2], texts=texts))
    assert rest.steps == steps[2:]


async def test_the_old_name_is_not_taken_away_while_something_uses_it(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    view = _view(tmp_path, "rename total to add_up")
    steps = (await _planned(view)).steps
    texts = Snapshot(tmp_path).with_change((await _drafted(replace(view, step=steps[0]))).change)
    refused = await RenameEngine(DirectFinder()).edit(replace(view, step=steps[3], done=steps[:1], texts=texts))
    assert isinstance(refused, Refusal)
    assert refused.reason.startswith("`total` is still used (a.py:3, a.py:4, b.py:3, b.py:4): apply the steps")


async def test_sites_that_wait_for_their_step_fit_meanwhile(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    view = _view(tmp_path, "rename total to add_up")
    steps = (await _planned(view)).steps
    draft = await _drafted(replace(view, step=steps[0]))
    waiting = [e for e in draft.ledger.entries if e.status is SiteStatus.FITS]
    assert len(waiting) == 6
    assert {e.proof for e in waiting} == {"total is still offered as another name of add_up"}
    assert draft.impacted == tuple(sorted(tmp_path / name for name in FILES))
    assert draft.renames == (("total", "add_up"),)


async def test_a_step_follows_text_that_has_moved(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    steps = (await _planned(_view(tmp_path, "rename total to add_up", limits=Limits()))).steps
    (tmp_path / "a.py").write_text("# a line above\n" + FILES["a.py"])
    draft = await _drafted(_view(tmp_path, "rename total to add_up", step=steps[0]))
    after = Snapshot(tmp_path).with_change(draft.change).read(tmp_path / "a.py")
    assert after is not None
    assert after == replace(after, data=b"# a line above\nfrom m import add_up\n\nadd_up([1])\nadd_up([2])\n")


async def test_a_step_whose_definition_is_gone_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    steps = (await _planned(_view(tmp_path, "rename total to add_up"))).steps
    (tmp_path / "m.py").write_text("")
    refused = await RenameEngine(DirectFinder()).edit(_view(tmp_path, "rename total to add_up", step=steps[0]))
    assert refused == Refusal("`total` is no longer defined in m.py: give the task again")


async def test_a_finding_against_the_rename_is_quoted(tmp_path: Path) -> None:
    _write(tmp_path, FILES)
    against = Constraint("diagnostic", tmp_path / "a.py", 3, "no ty unresolved-reference about total")
    refused = await RenameEngine(DirectFinder()).plan(_view(tmp_path, "rename total to add_up", constraints=(against,)))
    assert isinstance(refused, Refusal)
    assert "no ty unresolved-reference about total (a.py:3)" in refused.reason


async def test_imports_are_put_in_order_where_a_linter_asks(tmp_path: Path) -> None:
    files = {**FILES, "a.py": "from m import (\n    LIMIT,\n    shelf,\n    total,\n)\n\ntotal(shelf)\n"}
    _write(tmp_path, files)
    order = Constraint("diagnostic", tmp_path / "a.py", 1, "no ruff I001")
    view = _view(tmp_path, "rename total to add_up", constraints=(order,), limits=Limits())
    draft = await _drafted(replace(view, step=(await _planned(view)).steps[0]))
    after = Snapshot(tmp_path).with_change(draft.change).read(tmp_path / "a.py")
    assert after is not None
    assert after == replace(after, data=b"from m import (\n    LIMIT,\n    add_up,\n    shelf,\n)\n\nadd_up(shelf)\n")


async def test_a_type_and_a_value_of_one_name_are_offered_on_together(tmp_path: Path) -> None:
    both = "export interface Fault { code: number }\nconst made = { code: 1 };\nexport const Fault: (n: number) => Fault = made.of;\n"
    uses = 'import { Fault } from "./m";\n\n' + "export const OLD: Fault = Fault(1);\n" * 4
    _write(tmp_path, {"m.ts": both, "a.ts": uses, "b.ts": uses})
    view = _view(tmp_path, "rename Fault to Failure")
    draft = await _drafted(replace(view, step=(await _planned(view)).steps[0]))
    after = Snapshot(tmp_path).with_change(draft.change).read(tmp_path / "m.ts")
    assert isinstance(after, TextFile)
    assert after.text == both.replace("Fault", "Failure") + "\nexport { Failure as Fault };\n"


async def test_one_import_a_line_stays_so_in_every_step(tmp_path: Path) -> None:
    """Both names stand in statements of their own where the linter's settings want that, and the old one's goes as a whole."""
    settings_file = '[tool.ruff.lint]\nselect = ["I"]\n[tool.ruff.lint.isort]\nforce-single-line = true\n'
    face = "from .m import mean as mean\nfrom .m import shelf as shelf\nfrom .m import total as total\n"
    use = "from . import shelf\nfrom . import total\n\n" + "total([shelf])\n" * 8
    files = {"pyproject.toml": settings_file, "p/m.py": FILES["m.py"], "p/__init__.py": face, "p/a.py": use, "p/b.py": use}
    (tmp_path / "p").mkdir()
    _write(tmp_path, files)
    order = Constraint("diagnostic", tmp_path / "p/__init__.py", 1, "no ruff I001")
    view = _view(tmp_path, "rename total to add_up", constraints=(order,), limits=Limits(diff_soft=12))
    steps, texts, faces = (await _planned(view)).steps, Snapshot(tmp_path), list[str]()
    for number, step in enumerate(steps):
        texts = texts.with_change((await _drafted(replace(view, step=step, done=steps[:number], texts=texts))).change)
        for name in (name for name in files if name.endswith(".py")):
            held = texts.read(tmp_path / name)
            assert isinstance(held, TextFile)
            assert await with_sorted_imports(held.path, tmp_path, held.data) == held.data, f"{name} after {step.title}"
            faces += [held.text] if name == "p/__init__.py" else []
    assert [s.stage for s in steps] == [Stage.FORWARD, Stage.MIGRATE, Stage.MIGRATE, Stage.MIGRATE, Stage.MIGRATE, Stage.CONTRACT]
    added = "from .m import add_up as add_up\n"
    assert faces[0] == faces[-2] == added + face
    assert faces[-1] == (added + face).replace("from .m import total as total\n", "")


_NAMES = st.from_regex(r"[a-z][a-z_0-9]{2,9}", fullmatch=True).map(lambda name: f"x_{name}")
_USES = ["OLD(1)\n", "OLD\n", "# OLD 🙂\n", "g = OLD\n", "def h(OLD):\n    return OLD\n", "print(f'{OLD(2)} ü', \"OLD\")\n", "\n"]
_LINES = st.lists(st.sampled_from(_USES), max_size=8).map("".join)


@settings(max_examples=25, deadline=None)
@given(
    names=st.lists(_NAMES, min_size=2, max_size=2, unique=True),
    home=_LINES,
    away=_LINES,
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    limit=st.sampled_from([8, 50]),
)
async def test_there_and_back_restores_every_byte(names: list[str], home: str, away: str, end: str, mark: str, limit: int) -> None:
    old, new = names
    files = {"m.py": f"{mark}def OLD(a):\n    return a\n\n\n{home}", "n.py": f"{mark}from m import OLD\n\n{away.removesuffix(chr(10))}"}
    texts = {name: text.replace("OLD", old).replace("\n", end) for name, text in files.items()}
    with TemporaryDirectory() as folder:
        root = Path(folder)
        _write(root, texts)
        await _renamed_on_disk(root, old, new, limit)
        assert {name: (root / name).read_bytes().decode() for name in files} != texts
        await _renamed_on_disk(root, new, old, limit)
        assert {name: (root / name).read_bytes().decode() for name in files} == texts


async def _renamed_on_disk(root: Path, old: str, new: str, limit: int) -> None:
    outcome = await rename(root, Task(f"rename {old} to {new}"), Limits(diff_soft=limit))
    assert isinstance(outcome.plan, Plan), outcome.plan.reason
    for path, held in outcome.texts.overlay.items():
        path.write_bytes(held.data)
