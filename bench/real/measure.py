"""One rename of one code base, through the server, and what came of it."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.real.editor import DiskEditor
from bench.real.project import Health, Project
from bench.real.targets import Unfit
from examples.drive_shop import RunView
from pygls.exceptions import JsonRpcException

_TASK = re.compile(r"rename (?:(?P<path>\S+):)?(?P<container>[\w$.]+\.)?(?P<old>[\w$#]+) to (?P<new>[\w$#]+)")


@dataclass(frozen=True, slots=True)
class Site:
    """One site as `surefoot sites` lists it."""

    path: str
    line: int
    column: int
    tier: str


@dataclass
class Row:
    """What one rename found and did. `found` counts sites by tier, `left` those that still have the old name, `fits` those that reach the
    symbol by another one; `strayed` lists changes that it should not have made; `trouble` says why it did not get to its end."""

    target: str
    task: str
    lines: int
    found: dict[str, int] = field(default_factory=dict[str, int])
    left: dict[str, int] = field(default_factory=dict[str, int])
    fits: int = 0
    steps: int = 0
    largest: int = 0
    files: int = 0
    changed: int = 0
    checks: list[str] = field(default_factory=list[str])
    drafting: float = 0.0
    applying: float = 0.0
    findings: tuple[int, int] | None = None
    types: tuple[str, str] = ("none", "none")
    tests: tuple[str, str] = ("none", "none")
    same: bool = False
    strayed: list[str] = field(default_factory=list[str])
    trouble: str = ""

    @property
    def updated(self) -> int:
        """Sites that no longer have the old name."""
        return sum(self.found.values()) - sum(self.left.values()) - self.fits

    @property
    def good(self) -> bool:
        """Every step held and was applied, nothing else changed, and the project's own checks say what they said before."""
        return not self.trouble and self.same and not self.strayed

    def as_json(self) -> dict[str, object]:
        """The row for programs."""
        return {**asdict(self), "updated": self.updated, "good": self.good}


async def measure(project: Project, task: str) -> Row:
    """Rename on the committed copy, and hold it against what it was. Raises Unfit when the project's own checks cannot run."""
    words = _TASK.match(task)
    if words is None:
        raise Unfit(f"{task!r} is not `rename OLD to NEW`")
    old, new = words["old"], words["new"]
    row = Row(project.target.label, task, project.lines())
    before = (project.types(), project.tests())
    sites = sites_of(project.root, words["path"], f"{words['container'] or ''}{old}")
    row.found = dict(Counter(site.tier for site in sites).most_common())
    editor = DiskEditor(project.root)
    row.trouble = await drive(editor, task, row)
    named = [site for site in sites if called(project, site, old)]
    row.fits = len(sites) - len(named)
    left = [site for site in named if not renamed(project, site, old, new)]
    row.left = dict(Counter(site.tier for site in left).most_common())
    row.strayed = strayed(project, editor.written, old, new)
    after = (project.types(), project.tests())
    row.types, row.tests = (pair(*both) for both in zip(before, after, strict=True))
    if before[0] is not None and after[0] is not None:
        row.findings = (sum(before[0].findings.values()), sum(after[0].findings.values()))
    row.same = all(alike(one, two, old, new) for one, two in zip(before, after, strict=True))
    numbers = project.git("diff", "--numstat", "HEAD").split("\n")
    row.files = sum(1 for line in numbers if line)
    row.changed = sum(int(word) for line in numbers if line for word in line.split("\t")[:2] if word.isdigit())
    project.commit(task)
    return row


async def drive(editor: DiskEditor, task: str, row: Row) -> str:
    """Start the run, wait until every step is ready, apply them all; "" or why that did not go to its end."""
    await editor.start()
    try:
        return await _rename(editor, task, row)
    except (JsonRpcException, TimeoutError) as error:
        return str(error) or "nothing happened for too long"
    finally:
        await editor.stop()


async def _rename(editor: DiskEditor, task: str, row: Row) -> str:
    began = time.monotonic()
    answer = await editor.command("start", root=editor.root.as_uri(), task=task)
    run = await editor.settled(answer["run"])
    row.drafting = time.monotonic() - began
    row.steps = len(run.steps)
    row.largest = max((step.added + step.removed for step in run.steps), default=0)
    row.checks = list(dict.fromkeys(step.checks or step.reason for step in run.steps))
    if not run.steps or any(step.status != "ready" for step in run.steps):
        return _why(run, "not every step was validated")
    began = time.monotonic()
    await editor.command("applyAll", run=run.run)
    run = await editor.settled(run.run)
    row.applying = time.monotonic() - began
    return "" if all(step.status == "applied" for step in run.steps) else _why(run, "not every step was applied")


def _why(run: RunView, short: str) -> str:
    counts = Counter(step.status for step in run.steps)
    return f"{run.message or short} ({run.status}; steps: {', '.join(f'{n} {status}' for status, n in counts.items()) or 'none'})"


def sites_of(root: Path, path: str | None, name: str) -> list[Site]:
    """Every site of the symbol called `name` (in the file `path`, where the task says so) on what is on disk."""
    answer = _sites(root, name)
    if path:
        place = next((s for s in answer["symbols"] if s["path"] == path), None)
        if place is None:
            raise Unfit(f"{name} is not defined in {path}")
        answer = _sites(root, f"{path}:{place['line']}:{place['column']}")
    return [Site(str(s["path"]), int(s["line"]), int(s["column"]), str(s["tier"])) for s in answer["sites"]]


def _sites(root: Path, target: str) -> Mapping[str, Sequence[Mapping[str, str | int]]]:
    command = [sys.executable, "-m", "surefoot", "sites", target, "--root", str(root), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode > 1:
        raise Unfit(f"surefoot sites failed: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def called(project: Project, site: Site, name: str) -> bool:
    """Whether a site of the committed text is spelled with the name, and not with another one that an import gave it."""
    return project.committed(site.path)[site.line - 1].startswith(name, site.column - 1)


def renamed(project: Project, site: Site, old: str, new: str) -> bool:
    """Whether the name at a site of the committed text is the new one now, wherever its line went."""
    was, now = project.committed(site.path), project.now(site.path)
    if was == now:
        return False
    either = word(old, new)
    line = was[site.line - 1]
    nth = sum(match.start() < site.column - 1 for match in either.finditer(line))
    key = either.sub("NAME", line)
    same = [at for at, text in enumerate(was) if either.sub("NAME", text) == key].index(site.line - 1)
    after = [text for text in now if either.sub("NAME", text) == key]
    names = either.findall(after[same]) if same < len(after) else []
    return nth < len(names) and names[nth] == new


def word(*names: str) -> re.Pattern[str]:
    """Any of these names as a whole word."""
    return re.compile(rf"(?<![\w$])(?:{'|'.join(re.escape(name) for name in names)})(?![\w$])")


def strayed(project: Project, written: set[Path], old: str, new: str) -> list[str]:
    """Changed files that the server did not ask to change, and files in which more than the name changed; imports may trade places."""
    out: list[str] = []
    for name in project.git("diff", "--name-only", "-z", "HEAD").split("\0"):
        if not name:
            continue
        if project.root / name not in written:
            out.append(f"{name}: changed, and no edit asked for it")
            continue
        if lines_of(project.committed(name), old, new) != lines_of(project.now(name), old, new):
            out.append(f"{name}: more than the name changed")
    untracked = project.git("ls-files", "--others", "--exclude-standard").split()
    return out + [f"{name}: is new" for name in untracked]


def lines_of(text: Sequence[str], old: str, new: str) -> list[str]:
    """The lines with both names taken for one, imports in one order."""
    lines = [word(old, new).sub("NAME", line) for line in text]
    moved = sorted(line for line in lines if line.startswith(("from ", "import ")))
    return [line for line in lines if not line.startswith(("from ", "import "))] + moved


def pair(before: Health | None, after: Health | None) -> tuple[str, str]:
    """Both in words for the table."""
    return (_words(before), _words(after))


def _words(health: Health | None) -> str:
    if health is None:
        return "none"
    if health.counts:
        return ", ".join(f"{number} {word}" for word, number in health.counts.items())
    if health.exit:
        return f"{sum(health.findings.values())} findings" if health.findings else f"exit {health.exit}"
    return "clean"


def alike(before: Health | None, after: Health | None, old: str, new: str) -> bool:
    """Whether the project's own check says the same but for the name."""
    if before is None or after is None:
        return before is after
    same = _named(before.findings, old, new) == _named(after.findings, old, new)
    return same and (before.exit, before.counts) == (after.exit, after.counts)


def _named(findings: Counter[str], old: str, new: str) -> Counter[str]:
    """Findings with the old name taken for the new one."""
    out = Counter[str]()
    for finding, count in findings.items():
        out[word(old).sub(new, finding)] += count
    return out
