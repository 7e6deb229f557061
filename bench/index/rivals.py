"""The same questions to other tools: searchers are started for each one, language servers are asked until their answers are steady."""

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.accuracy.choose import Chosen
from bench.accuracy.codebases import cache_folder
from bench.accuracy.servers import SERVERS, Child
from bench.index.inputs import Workspace
from bench.real.fetch import run
from bench.real.targets import Unfit

PACKAGES = ("ast-grep-cli==0.51.1", "ripgrep==15.1.0")
ASKED = 10


@dataclass(slots=True)
class Rival:
    """Times of one tool in seconds: of its first complete answer where it has to load, and of each question after that."""

    name: str
    first: float = 0.0
    times: list[float] = field(default_factory=list[float])


def measure(place: Workspace, symbols: Sequence[Chosen]) -> list[Rival]:
    """Every rival that speaks the workspace's language. Raises Unfit when one cannot be had."""
    tools = _tools()
    found = [_ripgrep(tools, place.root, symbols), _ast_grep(tools, place.root, symbols)]
    wanted = {"python": ("pyright",), "typescript": ("typescript",)}.get(place.language, ())
    return found + [_server(name, place, symbols) for name in wanted]


def _tools() -> Path:
    home = cache_folder() / "tools" / "index"
    if not (home / "venv" / "bin" / "rg").exists():
        home.mkdir(parents=True, exist_ok=True)
        uv = [sys.executable, "-m", "uv"]
        run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, "venv"], home, "make an environment")
        run([*uv, "pip", "install", "--quiet", "--python", "venv", *PACKAGES], home, "install ast-grep and ripgrep")
    return home / "venv" / "bin"


def _ripgrep(tools: Path, root: Path, symbols: Sequence[Chosen]) -> Rival:
    return Rival("ripgrep", times=[_timed([str(tools / "rg"), "-n", "-w", symbol.name, "."], root) for symbol in symbols[:ASKED]])


def _ast_grep(tools: Path, root: Path, symbols: Sequence[Chosen]) -> Rival:
    """One pattern of one language: calls alone. Whoever wants imports, values and other languages too asks again for each."""
    rival = Rival("ast-grep")
    for symbol in symbols[:ASKED]:
        language = {".py": "python", ".ts": "ts", ".js": "js"}[Path(symbol.path).suffix]
        rival.times.append(
            _timed([str(tools / "ast-grep"), "run", "-p", f"{symbol.name}($$$)", "-l", language, "--json=stream", "."], root)
        )
    return rival


def _timed(command: Sequence[str], root: Path) -> float:
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
    if done.returncode > 1:
        raise Unfit(f"{Path(command[0]).name}: {done.stderr.decode(errors='replace')[-300:]}")
    return time.perf_counter() - began


def _server(name: str, place: Workspace, symbols: Sequence[Chosen]) -> Rival:
    server = next(each for each in SERVERS if each.name == name)
    rival = Rival({"typescript": "TypeScript 7"}.get(name, name))
    settings = place.root / "tsconfig.json"
    own = name == "typescript" and not settings.exists()
    if own:
        settings.write_text('{"compilerOptions": {"allowJs": true, "skipLibCheck": true, "noEmit": true}, "include": ["**/*"]}')
    try:
        began = time.perf_counter()
        with Child(server, place) as child:
            complete = child.references(symbols[0])
            rival.first = time.perf_counter() - began
            child.warm(symbols[:1])
            del complete
            for symbol in symbols[:ASKED]:
                began = time.perf_counter()
                child.references(symbol)
                rival.times.append(time.perf_counter() - began)
    finally:
        if own:
            settings.unlink()
    return rival
