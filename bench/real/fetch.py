"""Source distributions, fetched once by the registries' own clients, kept in the user's cache, and believed only by their hash."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.real.targets import Target, Unfit
from platformdirs import user_cache_path

FETCH_SECONDS = 300


def cache_folder() -> Path:
    """Where archives are kept between runs."""
    return user_cache_path("surefoot", appauthor=False) / "bench-real"


def fetch(target: Target, cache: Path) -> Path:
    """The archive of a target, from the cache or its registry. Raises Unfit when it cannot be had or is not the one that was named."""
    home = cache / f"{target.name.replace('/', '+')}-{target.version}"
    archive = next(iter(sorted(home.glob("*.t*gz")) + sorted(home.glob("*.tar.*"))), None) or _download(target, home)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != target.sha256:
        raise Unfit(f"{archive} has the hash {found}, and targets.toml says {target.sha256}")
    return archive


def unpack(archive: Path, folder: Path) -> None:
    """The files of an archive in `folder`, without the one folder that they all stand in."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        with tarfile.open(archive) as held:
            held.extractall(scratch, filter="data")
        (inside,) = Path(scratch).iterdir()
        shutil.move(inside, folder)


def run(command: Sequence[str], cwd: Path, what: str, seconds: float = FETCH_SECONDS) -> str:
    """Output of a command that has to succeed. Raises Unfit with its last words."""
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError as error:
        raise Unfit(f"{what}: {command[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise Unfit(f"{what}: no end after {seconds:.0f} s") from error
    if done.returncode:
        raise Unfit(f"{what}: {' '.join(command[:4])} failed\n{(done.stderr or done.stdout).strip()[-800:]}")
    return done.stdout


def _download(target: Target, home: Path) -> Path:
    home.mkdir(parents=True, exist_ok=True)
    if target.registry == "pypi":
        named = f"{target.name}=={target.version}"
        command = [sys.executable, "-m", "pip", "download", "--no-binary", target.name, "--no-deps", "--dest", str(home), named]
    elif target.registry == "npm":
        command = ["npm", "pack", "--silent", f"{target.name}@{target.version}"]
    else:
        raise Unfit(f"{target.name}: {target.registry!r} is neither pypi nor npm")
    run(command, home, f"fetch {target.label}")
    return next(home.glob("*.t*gz"))
