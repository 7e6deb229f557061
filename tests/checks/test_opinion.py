"""A second opinion on sites: the real ty and TypeScript 7, scripted servers for gopls and rust-analyzer, and all ways to have none."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.checks.opinion import short_version
from surefoot.checks.settings import CheckSettings
from surefoot.checks.validate import Validator
from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile
from surefoot.run.limits import OPINIONS_ASKED
from surefoot.syntax.opinions import SecondOpinion
from surefoot.syntax.sites import find_sites
from surefoot.workspace.snapshot import Snapshot
from tests.checks.support import FIXTURES, all_end, children_of, snapshot_of, state_of
from tests.support.fixture import parse

SERVER = FIXTURES / "scripted_references.py"

PYTHON = """ty follows texts that are not saved yet and values whose type is not written, and does not follow an alias.

-- stock.py --
def total(items):
    return sum(items)


BADGE, AGAIN = "🧮", total
-- orders.py --
from stock import total as add

print(add([]))
-- guess.py --
import stock

print([stock][0].total([]))
-- other.py --
def total():
    return 0
-- @open/live.py --
import stock

print("🧮", stock.total([1]))
-- @said --
ty: 5 agreed, 2 of ours not in its answer
guess.py:3:18 likely both
live.py:3:18 exact both
orders.py:1:19 exact both
orders.py:1:28 exact ours not in ty's answer; through the alias add
orders.py:3:7 exact ours not in ty's answer; through the alias add
other.py:1:5 excluded -
stock.py:1:5 exact both
stock.py:5:21 exact both
"""

TYPESCRIPT = """TypeScript lists files that are ignored here, and counts links in comments.

-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "nodenext", "target": "es2022"}}
-- .gitignore --
made.ts
-- stock.ts --
export function total(x: number[]) {
  return x.length;
}
/** Ask {@link total} first. */
export const marks = { "🧮": total };
-- made.ts --
import { total } from "./stock";
export const made = total([]);
-- @said --
typescript: 2 agreed, 2 only there, 1 that we list as something else
made.ts:1:10 likely theirs only typescript says so
made.ts:2:21 likely theirs only typescript says so
stock.ts:1:17 exact both
stock.ts:4:16 mention theirs typescript counts it; in a comment
stock.ts:5:29 exact both
"""


@pytest.mark.parametrize(("case", "home"), [(PYTHON, "stock.py"), (TYPESCRIPT, "stock.ts")], ids=["ty", "typescript"])
async def test_what_a_server_says_is_united_with_ours(case: str, home: str, tmp_path: Path, settings: CheckSettings) -> None:
    made = parse(case)
    texts = snapshot_of(made, tmp_path)
    before = state_of(tmp_path)
    found = find_sites(texts, at(texts, home))
    heard = await asked(texts, at(texts, home), settings)
    assert told(heard, tmp_path) == made.sections["said"]
    assert [s.place for s in found.sites] == [s.place for s in heard.scan.sites if not s.reason.startswith("only ")]
    assert state_of(tmp_path) == before


def at(texts: Snapshot, name: str) -> Target:
    """The first `total` of a file."""
    held = texts.read(texts.root / name)
    assert isinstance(held, TextFile)
    return Target(path=str(held.path), offset=held.data.index(b"total"))


async def asked(texts: Snapshot, target: Target, settings: CheckSettings, scan: Scan | None = None) -> SecondOpinion:
    validator = Validator(texts.root, settings)
    try:
        return await validator.opinion(texts, scan or find_sites(texts, target), target)
    finally:
        await validator.close()


def told(heard: SecondOpinion, root: Path) -> str:
    """Who was asked, without versions, then each site with its side, and the reason where they differ."""
    lines = [replace(said, version="").told for said in heard.servers]
    for site in heard.scan.sites:
        side = heard.side(site)
        reason = f" {site.reason}" if side in {"ours", "theirs"} else ""
        place = site.place
        lines.append(f"{place.path.relative_to(root).as_posix()}:{place.line}:{place.column} {site.tier} {side or '-'}{reason}")
    return "".join(line + "\n" for line in lines)


RUST = {"lib.rs": 'mod cart;\npub fn total() {}\nfn f() { g("🧮", total()) }\n', "cart.rs": "use crate::total;\nfn h() { total() }\n"}
GO = {"go.mod": "module shop\n", "main.go": "package main\n\nfunc total() {}\n\nfunc main() { total() }\n"}
OTHER = {"Total.java": "class Total { static void total() {} }\n"}


def project(root: Path, files: dict[str, str]) -> Snapshot:
    root.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).write_text(text, "utf-8")
    return Snapshot(root)


def installed(folder: Path, name: str, mode: str) -> CheckSettings:
    """The scripted server on a search path of its own, under the name of another."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" "{SERVER}" {mode} "$0"\n')
    (folder / name).chmod(0o755)
    return CheckSettings(search_path=str(folder), opinion_timeout=30.0)


@pytest.mark.parametrize(
    ("files", "home", "said"),
    [
        (GO, "main.go", "gopls: not found on PATH"),
        (RUST, "lib.rs", "rust-analyzer: not found on PATH"),
        (OTHER, "Total.java", ".java: there is no language server to ask"),
    ],
    ids=["go", "rust", "java"],
)
async def test_a_server_that_is_not_there_is_said_and_ours_stay_as_they_are(
    files: dict[str, str], home: str, said: str, tmp_path: Path
) -> None:
    texts = project(tmp_path / "p", files)
    heard = await asked(texts, at(texts, home), CheckSettings(search_path=str(tmp_path / "nothing")))
    assert [one.told for one in heard.servers] == [said]
    assert heard.scan == find_sites(texts, at(texts, home))
    assert not heard.sides


async def test_python_without_ty_and_typescript_without_typescript_are_said(tmp_path: Path) -> None:
    texts = project(tmp_path / "p", {"a.py": "def total(): ...\n", "a.ts": "function total() {}\n"})
    nowhere = tmp_path / "nothing"
    heard = await asked(texts, Target(name="total"), CheckSettings(tools=nowhere, typescript=nowhere))
    assert sorted(one.told.partition(";")[0] for one in heard.servers) == [
        "ty: ty is not installed",
        "typescript: TypeScript 7 is not installed (the project has none)",
    ]


@pytest.mark.parametrize(
    ("name", "files", "home", "mode", "said"),
    [
        ("rust-analyzer", RUST, "lib.rs", "whole", "4 agreed"),
        ("rust-analyzer", RUST, "lib.rs", "busy", "4 agreed"),
        ("gopls", GO, "main.go", "whole", "2 agreed"),
        (
            "gopls",
            GO,
            "main.go",
            "partly",
            "gopls does not list the place that it was asked about in main.go, so it may not know the whole project; 1 agreed",
        ),
        ("rust-analyzer", RUST, "lib.rs", "unwell", "rust-analyzer is not well: no Cargo.toml; 4 agreed"),
        ("rust-analyzer", RUST, "lib.rs", "far", "1 of its places are in no text that can be read; 4 agreed"),
        ("gopls", GO, "main.go", "refuses", "gopls could not look for references: no package for this file"),
        ("gopls", GO, "main.go", "dies", "gopls ended with exit code 3: out of memory"),
        ("gopls", GO, "main.go", "odd", "gopls answered something unexpected in place of locations"),
    ],
)
async def test_how_a_server_answers_is_said(name: str, files: dict[str, str], home: str, mode: str, said: str, tmp_path: Path) -> None:
    texts = project(tmp_path / "p", files)
    heard = await asked(texts, at(texts, home), installed(tmp_path / "bin", name, mode))
    assert [replace(one, version="").told for one in heard.servers] == [f"{name}: {said}"]
    assert not [site for site in heard.scan.sites if heard.side(site) in {"ours", "theirs"}]


@pytest.mark.parametrize(
    ("name", "files", "home", "mode", "said"),
    [
        ("gopls", GO, "main.go", "slow", "gopls did not answer textDocument/references within "),
        ("rust-analyzer", RUST, "lib.rs", "late", "rust-analyzer was still loading the project after 0.5 s"),
    ],
)
async def test_a_server_that_is_slow_is_said(name: str, files: dict[str, str], home: str, mode: str, said: str, tmp_path: Path) -> None:
    texts = project(tmp_path / "p", files)
    settings = replace(installed(tmp_path / "bin", name, mode), opinion_timeout=0.5)
    heard = await asked(texts, at(texts, home), settings)
    assert [one.trouble.startswith(said) for one in heard.servers] == [True], heard.servers
    assert not [site for site in heard.scan.sites if heard.side(site)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("7.0.2", "7.0.2"),
        ("1.94.0 (abc 2026-01-01)", "1.94.0"),
        ('{"GoVersion": "go1.26", "Deps": [{"Version": "v1"}], "Version": "v0.23.0"}', "v0.23.0"),
        ('{"GoVersion": "go1.26"}', ""),
        ("[1]", "[1]"),
        ("v" * 500, "v" * 40),
        ("", ""),
    ],
)
def test_a_version_is_a_word(said: str, told: str) -> None:
    assert short_version(said) == told


async def test_a_server_inside_the_project_is_not_run(tmp_path: Path) -> None:
    texts = project(tmp_path, GO)
    heard = await asked(texts, at(texts, "main.go"), installed(tmp_path / "bin", "gopls", "whole"))
    assert [one.told for one in heard.servers] == ["gopls: not found on PATH"]


async def test_a_name_with_more_definitions_than_are_asked_about_is_not_held_against_us(tmp_path: Path) -> None:
    count = OPINIONS_ASKED + 2
    texts = project(
        tmp_path / "p", {"go.mod": "module shop\n"} | {f"m{n}.go": f"package m{n}\n\nfunc total() {{}}\n" for n in range(count)}
    )
    heard = await asked(texts, Target(name="total"), installed(tmp_path / "bin", "gopls", "whole"))
    [said] = heard.servers
    assert (said.agreed, said.missed, said.trouble) == (count, 0, f"asked about {OPINIONS_ASKED} of {count} definitions")


async def test_servers_stay_warm_between_questions_and_end_with_the_validator(tmp_path: Path) -> None:
    texts = project(tmp_path / "p", GO)
    validator = Validator(texts.root, installed(tmp_path / "bin", "gopls", "whole"))
    here = children_of(os.getpid())
    scan, target = find_sites(texts, at(texts, "main.go")), at(texts, "main.go")
    first = await validator.opinion(texts, scan, target)
    warm = children_of(os.getpid()) - here
    again = await validator.opinion(texts, scan, target)
    assert first == again
    assert len(warm) == 1
    assert children_of(os.getpid()) - here == warm
    await validator.close()
    await all_end(warm)


def surefoot(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "surefoot", "sites", *words], capture_output=True, text=True, timeout=120, check=False)


def test_the_command_says_who_was_asked_and_where_they_differ(tmp_path: Path) -> None:
    project(tmp_path, {"stock.py": "def total(): ...\n", "orders.py": "from stock import total as add\n\nadd()\n"})
    done = surefoot("total", "--root", str(tmp_path), "--second-opinion")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nsecond opinion:\n  ty " in done.stdout
    assert done.stdout.endswith(
        ": 2 agreed, 2 of ours not in its answer\n\nwhere they differ:\n"
        "  orders.py:1:28  exact: not in ty's answer; through the alias add  from stock import total as add\n"
        "  orders.py:3:1  exact: not in ty's answer; through the alias add  add()\n"
    )


def test_the_command_tells_programs_too_and_only_where_it_is_asked(tmp_path: Path) -> None:
    project(tmp_path, {"stock.py": "def total(): ...\n", "orders.py": "from stock import total as add\n"})
    answer = json.loads(surefoot("total", "--root", str(tmp_path), "--json", "--second-opinion").stdout)
    [server] = answer["second_opinion"]
    assert server.pop("version")
    assert server == {"server": "ty", "agreed": 2, "missed": 1, "added": 0, "denied": 0, "trouble": ""}
    assert [site["opinion"] for site in answer["sites"]] == ["both", "ours", "both"]
    plain = json.loads(surefoot("total", "--root", str(tmp_path), "--json").stdout)
    assert "second_opinion" not in plain
    assert "opinion" not in plain["sites"][0]
