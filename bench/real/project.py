"""A code base on a copy of its own: committed, with what its checks need installed, and asked how it is before and after."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.real.fetch import fetch, run, unpack
from bench.real.targets import Target, Unfit

TEST_SECONDS = 600
_FINDING = re.compile(r"^(?P<path>[^\s:(][^:(]*)(?::\d+(?::\d+)?|\(\d+,\d+\)): (?P<what>error.*)$")
_COUNT = re.compile(r"(\d+) (passed|failed|errors?)\b")
_IGNORED = (".venv/", "node_modules/", "__pycache__/", ".mypy_cache/", ".pytest_cache/", ".ruff_cache/", "*.tsbuildinfo")


@dataclass(frozen=True, slots=True)
class Health:
    """What a project's own type check or tests said: the exit code, findings without their lines, counts of tests, seconds."""

    exit: int
    findings: Counter[str]
    counts: Counter[str]
    seconds: float

    def same(self, other: "Health") -> bool:
        """Whether both said the same, apart from lines and seconds."""
        return (self.exit, self.findings, self.counts) == (other.exit, other.findings, other.counts)


class Project:
    """The copy of one target in `root`."""

    def __init__(self, target: Target, root: Path) -> None:
        self.target = target
        self.root = root
        self._committed: dict[str, list[str]] = {}

    def prepare(self, cache: Path) -> None:
        """Fetch or copy the code, commit it, and install what it needs. Raises Unfit."""
        if self.target.folder is not None:
            skipped = shutil.ignore_patterns(".git", "__pycache__", ".venv", "node_modules")
            shutil.copytree(self.target.folder, self.root, symlinks=True, ignore=skipped)
        else:
            unpack(fetch(self.target, cache), self.root)
        self._trim()
        self.git("init", "--quiet")
        (self.root / ".git" / "info").mkdir(exist_ok=True)
        (self.root / ".git" / "info" / "exclude").write_text("\n".join(_IGNORED) + "\n")
        self.git("add", "--all")
        self.commit("as published")
        if self.target.folder is None:
            self._install()

    def git(self, *words: str) -> str:
        """What git says in the copy. Raises Unfit when it fails."""
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.autocrlf=false", "-c", "core.quotepath=false")
        return run(["git", *identity, *words], self.root, f"git {words[0]}")

    def commit(self, message: str) -> None:
        """Everything as it stands."""
        self.git("commit", "--quiet", "--all", "--allow-empty", "--message", message)
        self._committed.clear()

    def committed(self, name: str) -> list[str]:
        """The lines of a file as they were committed, split at line feeds only."""
        if name not in self._committed:
            self._committed[name] = _lines(run(["git", "cat-file", "blob", f"HEAD:{name}"], self.root, "git cat-file"))
        return self._committed[name]

    def now(self, name: str) -> list[str]:
        """The lines of a file as it is on disk."""
        return _lines((self.root / name).read_text(encoding="utf-8"))

    def types(self) -> Health | None:
        """What the project's own type check finds, None where it has none."""
        return self._ask(self.target.typecheck)

    def tests(self) -> Health | None:
        """What the project's own tests say, None where there are none."""
        return self._ask(self.target.tests)

    def lines(self) -> int:
        """Lines of code in the languages that are renamed."""
        names = self.git("ls-files", "-z", "*.py", "*.pyi", "*.ts", "*.tsx", "*.js", "*.mjs").split("\0")
        return sum((self.root / name).read_bytes().count(b"\n") for name in names if name)

    def _trim(self) -> None:
        """Take out built files, and write the settings that were not published."""
        for path in self.root.iterdir():
            if path.name in self.target.drop or (self.target.keep and path.name not in self.target.keep):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, text in self.target.files.items():
            (self.root / name).write_text(text.lstrip(), encoding="utf-8")

    def _install(self) -> None:
        what = f"install what {self.target.name} needs"
        if self.target.registry == "npm":
            self._install_beside(what)
            return
        uv = [sys.executable, "-m", "uv"]
        run([*uv, "venv", "--quiet", "--python", sys.executable, ".venv"], self.root, what)
        itself = f".[{','.join(self.target.extras)}]" if self.target.extras else "."
        run([*uv, "pip", "install", "--quiet", "--python", ".venv", "--editable", itself, *self.target.packages], self.root, what)

    def _install_beside(self, what: str) -> None:
        """Packages by name alone: what a published manifest asks for its development is years old and often cannot be installed."""
        flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--silent")
        with tempfile.TemporaryDirectory(dir=self.root.parent) as scratch:
            (Path(scratch) / "package.json").write_text('{"private": true}')
            run(["npm", "install", *flags, *self.target.packages], Path(scratch), what)
            (Path(scratch) / "node_modules").rename(self.root / "node_modules")

    def _ask(self, command: str) -> Health | None:
        if not command:
            return None
        began = time.monotonic()
        words = shlex.split(command)
        bins = [str(self.root / part) for part in (".venv/bin", "node_modules/.bin")]
        outside = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH", "FORCE_COLOR"}}
        environment = {**outside, "PATH": os.pathsep.join([*bins, os.environ["PATH"]]), "NO_COLOR": "1", "CI": "1"}
        words[0] = shutil.which(words[0], path=environment["PATH"]) or words[0]
        try:
            done = subprocess.run(
                words, cwd=self.root, env=environment, capture_output=True, text=True, timeout=TEST_SECONDS, stdin=subprocess.DEVNULL
            )
        except FileNotFoundError as error:
            raise Unfit(f"{self.target.name}: {command.split()[0]} is not installed") from error
        except subprocess.TimeoutExpired as error:
            raise Unfit(f"{self.target.name}: `{command}` did not end after {TEST_SECONDS} s") from error
        return Health(done.returncode, *_read((done.stdout + "\n" + done.stderr).splitlines()), time.monotonic() - began)


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _read(lines: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Findings by file and words, and the counts of the last line that has any."""
    found = (_FINDING.match(line) for line in lines)
    findings = Counter(f"{match['path']}: {match['what']}" for match in found if match is not None)
    counted = [line for line in lines if _COUNT.search(line)]
    return findings, Counter({word: int(number) for number, word in _COUNT.findall(counted[-1] if counted else "")})
