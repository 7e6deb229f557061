"""Which files a root has: what git would not ignore, by git's own listing wherever there is a git to ask.

Three ways, best first. A root in a repository: its tracked files and those that no rule ignores. Any other folder, or one that the
repository around it ignores: the same question to an empty repository laid over it, so that the ignore files in the folder count. No git
at all: a walk that reads `.gitignore` files itself. `node_modules` counts only where it is tracked, a virtual environment never.
"""

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LIST = ("ls-files", "-z", "-o", "--exclude-standard", "-x", "node_modules/")
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules"})
_SECONDS = 60


def list_files(root: Path) -> Sequence[Path]:
    """Every regular file under `root` that ignore rules leave, each once; a link counts only where nothing else leads to its file."""
    names = _from_repository(root)
    if not names:
        names = _from_empty_repository(root)
    if names is None:
        names = _walk(root)
    return _real_files(root, _without_environments(names))


def _from_repository(root: Path) -> list[str] | None:
    return _git(root, *_LIST, "-c", "--deduplicate")


def _from_empty_repository(root: Path) -> list[str] | None:
    with tempfile.TemporaryDirectory(prefix="surefoot-") as empty:
        if _git(root, "init", "-q", "--bare", "--template=", empty) is None:
            return None
        return _git(root, f"--git-dir={empty}", f"--work-tree={root}", *_LIST)


def _git(root: Path, *arguments: str) -> list[str] | None:
    """The names that git prints, or None where it cannot: not there, not a repository, or one that it does not trust."""
    # A repository's own settings may name a program to be started at each listing; looking at a folder must not run anything in it.
    command = ["git", "-C", str(root), "--no-optional-locks", "-c", "core.fsmonitor=false", *arguments]
    environment = {name: held for name, held in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS, env=environment, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return [name for name in os.fsdecode(done.stdout).split("\0") if name]


def _walk(root: Path) -> list[str]:
    """What git would list in a folder that is no repository, by the ignore files found on the way down."""
    found: list[str] = []
    waiting: list[tuple[str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [("", ())]
    while waiting:
        folder, rules = waiting.pop()
        if (own := _rules_of(root / folder)) is not None:
            rules = (*rules, (folder, own))
        for entry in _entries(root / folder):
            name = folder + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _NEVER and not _ignored(name + "/", rules):
                    waiting.append((name + "/", rules))
            elif not _ignored(name, rules):
                found.append(name)
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _rules_of(folder: Path) -> "GitIgnoreSpec | None":
    from pathspec import GitIgnoreSpec  # only a machine without git pays for it

    try:
        return GitIgnoreSpec.from_lines((folder / ".gitignore").read_text("utf-8", "surrogateescape").splitlines())
    except OSError:
        return None


def _ignored(name: str, rules: Sequence[tuple[str, "GitIgnoreSpec"]]) -> bool:
    for folder, spec in reversed(rules):  # the nearest ignore file that says anything has the last word
        if (said := spec.check_file(name[len(folder) :]).include) is not None:
            return said
    return False


def _without_environments(names: Iterable[str]) -> Iterator[str]:
    held = list(names)
    homes = tuple(name[: -len("pyvenv.cfg")] for name in held if name.endswith("/pyvenv.cfg"))
    return (name for name in held if not (homes and name.startswith(homes)))


def _real_files(root: Path, names: Iterable[str]) -> list[Path]:
    files: dict[Path, None] = {}
    links: list[Path] = []
    for name in names:
        path = root / name
        try:
            mode = path.lstat().st_mode
        except OSError:
            continue  # tracked, and deleted since
        if stat.S_ISREG(mode):
            files[path] = None
        elif stat.S_ISLNK(mode):
            links.append(path)
        elif stat.S_ISDIR(mode):  # a repository in this one: git names its folder only
            files.update(dict.fromkeys(list_files(path)))
    files.update(dict.fromkeys(_only_ways(root.resolve(), root, links, files)))
    return list(files)


def _only_ways(real_root: Path, root: Path, links: Iterable[Path], files: dict[Path, None]) -> Iterator[Path]:
    """The links inside the root that lead to a file which the listing does not have yet; one link for each such file."""
    seen: set[Path] = set()
    for link in links:
        target = _target(link)
        if target is None or target in seen or not target.is_relative_to(real_root):
            continue
        seen.add(target)
        if root / target.relative_to(real_root) not in files:
            yield link


def _target(link: Path) -> Path | None:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return None  # it leads nowhere, or in a circle
    return target if target.is_file() else None
