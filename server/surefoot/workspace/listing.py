"""Which files a root has: what git would not ignore, by git's own listing wherever there is a git to ask.

Three ways, best first. A root in a repository: its tracked files and those that no rule ignores. Any other folder, or one that the
repository around it ignores: the same question to an empty repository laid over it, so that the ignore files in the folder count. No git
at all: a walk that reads `.gitignore` files itself. `node_modules` counts only where it is tracked, a virtual environment never.
"""

import os
import re
import stat
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value
from surefoot.workspace.environment import for_programs

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LIST = ("ls-files", "-z", "-o", "--exclude-standard", "-x", "node_modules/")
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules"})
_SECONDS = 60
_CLOSED = re.compile(r"^warning: could not open directory '(?P<folder>.*?)/?': (?P<reason>.*)$", re.MULTILINE)


@value
class Listing:
    """The files of a root by their names below it (with `/`), each with a stamp; folders that nobody could look into, with the reason; and
    links that lead out of the root, which are not followed.

    Two stamps of one file differ if anything wrote to it between them; files that are the same bytes may differ in theirs.
    """

    stamps: Mapping[str, int]
    closed: Mapping[str, str] = field(default_factory=dict[str, str])
    outward: Sequence[str] = ()


def list_files(root: Path) -> Sequence[Path]:
    """Every regular file under `root` that ignore rules leave, each once; a link counts only where nothing else leads to its file."""
    return [root / name for name in list_stamped(root).stamps]


def list_stamped(root: Path) -> Listing:
    """The same files with their stamps, in the order of their names."""
    closed: dict[str, str] = {}
    names = _from_repository(root, closed)
    if not names:
        names = _from_empty_repository(root, closed)
    if names is None:
        names = _walk(root, closed)
    found, outward = _real_files(root, _without_environments(names), closed)
    return Listing({name: found[name] for name in sorted(found)}, closed, outward)


def stamp_of(path: str) -> int:
    """The stamp of the regular file at `path`, 0 where there is none."""
    try:
        held = os.stat(path)
    except OSError:
        return 0
    return stamp(held) if stat.S_ISREG(held.st_mode) else 0


def stamp(held: os.stat_result) -> int:
    """Size, times and identity as one number. The time of the last change of any kind is in it: a program can set the other one back."""
    return hash((held.st_size, held.st_mtime_ns, held.st_ctime_ns, held.st_ino)) or 1


def _from_repository(root: Path, closed: dict[str, str]) -> list[str] | None:
    return _git(root, closed, *_LIST, "-c", "--deduplicate")


def _from_empty_repository(root: Path, closed: dict[str, str]) -> list[str] | None:
    with tempfile.TemporaryDirectory(prefix="surefoot-") as empty:
        if _git(root, closed, "init", "-q", "--bare", "--template=", empty) is None:
            return None
        return _git(root, closed, f"--git-dir={empty}", f"--work-tree={root}", *_LIST)


def _git(root: Path, closed: dict[str, str], *arguments: str) -> list[str] | None:
    """The names that git prints, or None where it cannot: not there, not a repository, or one that it does not trust.

    Folders that it could not open come into `closed`.
    """
    # A repository's own settings may name a program to be started at each listing; looking at a folder must not run anything in it.
    command = ["git", "-C", str(root), "--no-optional-locks", "-c", "core.fsmonitor=false", *arguments]
    environment = {name: held for name, held in for_programs().items() if not name.startswith("GIT_")} | {"LC_ALL": "C"}
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS, env=environment, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    closed.update((found["folder"], found["reason"]) for found in _CLOSED.finditer(os.fsdecode(done.stderr)))
    return [name for name in os.fsdecode(done.stdout).split("\0") if name]


def _walk(root: Path, closed: dict[str, str]) -> list[str]:
    """What git would list in a folder that is no repository, by the ignore files found on the way down."""
    found: list[str] = []
    waiting: list[tuple[str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [("", ())]
    while waiting:
        folder, rules = waiting.pop()
        if (own := _rules_of(root / folder)) is not None:
            rules = (*rules, (folder, own))
        for entry in _entries(root, folder, closed):
            name = folder + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _NEVER and not _ignored(name + "/", rules):
                    waiting.append((name + "/", rules))
            elif not _ignored(name, rules):
                found.append(name)
    return found


def _entries(root: Path, folder: str, closed: dict[str, str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / folder) as entries:
            return list(entries)
    except OSError as error:
        closed[folder.rstrip("/")] = error.strerror or str(error)
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


def _real_files(root: Path, names: Iterable[str], closed: dict[str, str]) -> tuple[dict[str, int], Sequence[str]]:
    """The stamps of files, and links that lead out of the root."""
    files: dict[str, int] = {}
    links: list[str] = []
    above = f"{root}{os.sep}"
    for name in names:
        try:
            held = os.lstat(above + name)
        except PermissionError as error:  # a tracked file in a folder that is closed to us
            closed[os.path.dirname(name)] = error.strerror or str(error)
            continue
        except OSError:
            continue  # tracked, and deleted since
        if stat.S_ISREG(held.st_mode):
            files[name] = stamp(held)
        elif stat.S_ISLNK(held.st_mode):
            links.append(name)
        elif stat.S_ISDIR(held.st_mode):  # a repository in this one: git names its folder only
            inner, folder = list_stamped(root / name), name.rstrip("/")
            files.update((f"{folder}/{below}", number) for below, number in inner.stamps.items())
            closed.update((f"{folder}/{below}".rstrip("/"), reason) for below, reason in inner.closed.items())
            links += [f"{folder}/{below}" for below in inner.outward]
    only, outward = _followed(root, links, files) if links else ((), ())
    files.update((link, stamp_of(above + link)) for link in only)
    return _told_apart(root, files), outward


def _told_apart(root: Path, files: dict[str, int]) -> dict[str, int]:
    """Without names that differ in case alone and mean one file, on a disk that cannot tell them apart: the first one stands for all."""
    if len(set(map(str.casefold, files))) == len(files):
        return files
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in files:
        alike[name.casefold()].append(name)
    twice = {other for first, *others in alike.values() for other in others if os.path.samefile(root / first, root / other)}
    return {name: number for name, number in files.items() if name not in twice}


def _followed(root: Path, links: Iterable[str], files: Mapping[str, int]) -> tuple[Sequence[str], Sequence[str]]:
    """Links that lead to a file of the root which the listing does not have yet, one for each such file; and links that lead out."""
    real_root, seen = root.resolve(), set[Path]()
    only: list[str] = []
    outward: list[str] = []
    for link in links:
        try:
            target = (root / link).resolve(strict=True)
        except (OSError, RuntimeError):
            continue  # it leads nowhere, or in a circle: there is no text
        if not target.is_relative_to(real_root):
            outward.append(link)
        elif target not in seen and target.is_file():
            seen.add(target)
            if target.relative_to(real_root).as_posix() not in files:
                only.append(link)
    return only, sorted(outward)
