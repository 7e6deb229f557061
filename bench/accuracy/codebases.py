"""Which code bases are measured: the entries of codebases.toml as values, each on a copy of its own in the user's cache."""

import hashlib
import json
import shutil
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from bench.real.fetch import fetch, run, unpack
from bench.real.targets import Target, Unfit
from platformdirs import user_cache_path

LIST = Path(__file__).with_name("codebases.toml")
INSTALL_SECONDS = 900


@dataclass(frozen=True, slots=True)
class CodeBase:
    """One code base by name, version and hash. `home` holds the copy (`src`) and, beside it, what language servers need to know."""

    name: str
    language: str
    registry: str = ""
    version: str = ""
    sha256: str = ""
    drop: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    packages: tuple[str, ...] = ()
    round: int = 1

    @property
    def short(self) -> str:
        """A name that a file can have."""
        part = self.name.removeprefix("@").rpartition(":")[2]
        return part.removeprefix("github.com/").replace("/", "-")

    @property
    def home(self) -> Path:
        """Its folder in the user's cache."""
        return cache_folder() / f"{self.short}-{self.version}"

    @property
    def root(self) -> Path:
        """The copy."""
        return self.home / "src"


def cache_folder() -> Path:
    """Where archives, copies and answers of servers are kept between runs."""
    return user_cache_path("surefoot", appauthor=False) / "bench-accuracy"


def read_codebases(path: Path = LIST) -> tuple[CodeBase, ...]:
    """Every entry of the list. Raises Unfit when the file is not what it should be."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["codebase"]
        return tuple(_codebase(cast(dict[str, object], entry)) for entry in entries)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Unfit(f"{path.name} cannot be used: {error}") from error


def _codebase(entry: dict[str, object]) -> CodeBase:
    held = {key: tuple(cast(list[str], value)) if isinstance(value, list) else value for key, value in entry.items()}
    return CodeBase(**held)  # pyright: ignore[reportArgumentType] # the file is ours, and a wrong key is told


def prepare(base: CodeBase) -> None:
    """The copy in the cache, made once. Raises Unfit when it cannot be had or is not the one that was named."""
    if base.root.is_dir():
        return
    with tempfile.TemporaryDirectory(dir=_made(base.home)) as scratch:
        copy = Path(scratch) / "src"
        _UNPACK[base.registry](base, copy)
        for name in base.drop:
            gone = copy / name
            shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        for name, text in base.files.items():
            (copy / name).write_text(text.lstrip(), encoding="utf-8")
        track(copy)
        copy.rename(base.root)


def track(copy: Path) -> None:
    """Everything tracked: ignore rules of the project are about files that were not published anyway."""
    run(["git", "init", "--quiet"], copy, "git init")
    run(["git", "-c", "core.autocrlf=false", "add", "--all", "--force"], copy, "git add")


def install(base: CodeBase) -> None:
    """What language servers need beside the copy, installed once. Raises Unfit."""
    prepare(base)
    done = base.home / "installed"
    if not done.exists():
        _INSTALL[base.language](base)
        done.touch()


def _tarball(base: CodeBase, copy: Path) -> None:
    target = Target(base.name, base.language, (), registry=base.registry, version=base.version, sha256=base.sha256)
    unpack(fetch(target, cache_folder() / "archives"), copy)


def _go_module(base: CodeBase, copy: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        run(["go", "mod", "init", "fetch"], Path(scratch), "go mod init")
        said = run(["go", "mod", "download", "-json", f"{base.name}@{base.version}"], Path(scratch), f"fetch {base.name}")
    archive = _believed(base, Path(json.loads(said)["Zip"]))
    with zipfile.ZipFile(archive) as held, tempfile.TemporaryDirectory(dir=copy.parent) as scratch:
        held.extractall(scratch)
        (Path(scratch) / f"{base.name}@{base.version}").rename(copy)


def _sources_jar(base: CodeBase, copy: Path) -> None:
    home = _made(cache_folder() / "archives" / base.short)
    artifact = f"-Dartifact={base.name}:{base.version}:jar:sources"
    if not list(home.glob("*.jar")):
        run(["mvn", "-q", "-B", "dependency:copy", artifact, f"-DoutputDirectory={home}"], home, f"fetch {base.name}")
    with zipfile.ZipFile(_believed(base, next(home.glob("*.jar")))) as held:
        held.extractall(copy)


def _crate(base: CodeBase, copy: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        run(["cargo", "init", "--quiet", "--name", "fetch", "."], Path(scratch), "cargo init")
        run(["cargo", "add", "--quiet", f"{base.name}@={base.version}"], Path(scratch), f"cargo add {base.name}")
        run(["cargo", "vendor", "--quiet", "vendor"], Path(scratch), f"fetch {base.name}")
        sums = json.loads((Path(scratch) / "vendor" / base.name / ".cargo-checksum.json").read_text())
        if sums["package"] != base.sha256:
            raise Unfit(f"{base.name} has the hash {sums['package']}, and codebases.toml says {base.sha256}")
        shutil.move(Path(scratch) / "vendor" / base.name, copy)


def _believed(base: CodeBase, archive: Path) -> Path:
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != base.sha256:
        raise Unfit(f"{archive} has the hash {found}, and codebases.toml says {base.sha256}")
    return archive


def prepare_environment(base: CodeBase) -> None:
    """An empty Python environment beside the copy."""
    if not (base.home / "venv").is_dir():
        run([sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, "venv"], base.home, "make an environment")


def _python_packages(base: CodeBase) -> None:
    uv = [sys.executable, "-m", "uv"]
    prepare_environment(base)
    pip = [*uv, "pip", "install", "--quiet", "--python", "venv", *base.packages]
    run(pip, base.home, f"install what {base.name} needs", INSTALL_SECONDS)
    # The copy is what is asked about: an installed twin of it would draw references away.
    run([*uv, "pip", "uninstall", "--quiet", "--python", "venv", base.name], base.home, "take out the twin")


def _node_packages(base: CodeBase) -> None:
    flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--silent", "--legacy-peer-deps")
    (base.home / "package.json").write_text('{"private": true}')
    run(["npm", "install", *flags, *base.packages], base.home, f"install what {base.name} needs", INSTALL_SECONDS)
    shutil.rmtree(base.home / "node_modules" / base.name)


def _go_packages(base: CodeBase) -> None:
    run(["go", "mod", "download"], base.root, f"fetch what {base.name} needs", INSTALL_SECONDS)


def _java_packages(base: CodeBase) -> None:
    needed = "".join(_DEPENDENCY.format(*artifact.split(":")) for artifact in base.packages)
    (base.home / "pom.xml").write_text(_POM.format(needed))
    run(["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars"], base.home, f"fetch {needed}", INSTALL_SECONDS)
    for twin in (base.home / "jars").glob(f"{base.short}-{base.version}*.jar"):
        twin.unlink()


def _crates(base: CodeBase) -> None:
    run(["cargo", "fetch"], base.root, f"fetch what {base.name} needs", INSTALL_SECONDS)


_POM = """<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
<dependencies>{}</dependencies></project>
"""
_DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


_UNPACK: Mapping[str, Callable[[CodeBase, Path], None]] = {
    "pypi": _tarball,
    "npm": _tarball,
    "go": _go_module,
    "maven": _sources_jar,
    "crates": _crate,
}
_INSTALL: Mapping[str, Callable[[CodeBase], None]] = {
    "python": _python_packages,
    "typescript": _node_packages,
    "go": _go_packages,
    "java": _java_packages,
    "rust": _crates,
}
