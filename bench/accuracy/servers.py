"""Language servers as witnesses: each is asked for the references of every symbol of a code base until its answers stay the same."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast
from urllib.parse import unquote, urlparse

from bench.accuracy.choose import Chosen
from bench.accuracy.codebases import CodeBase, cache_folder
from bench.real.fetch import run
from bench.real.targets import Unfit

from surefoot.core.text import LineIndex, Units

ANSWER_SECONDS = 180.0
STEADY_SECONDS = 6.0
WARM_SECONDS = 300.0
PASSES = 4
_LANGUAGES: Mapping[str, str] = {
    ".py": "python",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescriptreact",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascriptreact",
    ".go": "go",
    ".rs": "rust",
}
Spot = tuple[str, int, int]
"""A reference: path below the root, line and column from 1, the column in code points."""


@dataclass(frozen=True, slots=True)
class Server:
    """How a server is had and started. `mark` is the letter that stands for it in a truth file."""

    name: str
    mark: str
    language: str
    command: Callable[[CodeBase], Sequence[str]]
    settings: Callable[[CodeBase], Mapping[str, object]] = lambda _: {}
    options: Mapping[str, object] = field(default_factory=dict[str, object])


def references(server: Server, base: CodeBase, chosen: Sequence[Chosen]) -> list[set[Spot]]:
    """For every symbol what the server says, united over passes until one says nothing new. Raises Unfit when it cannot be run."""
    with Child(server, base) as child:
        child.warm(chosen[:2])
        found: list[set[Spot]] = [set() for _ in chosen]
        for turn in range(PASSES):
            news = 0
            for at, symbol in enumerate(chosen):
                said = child.references(symbol)
                news += len(said - found[at])
                found[at] |= said
            print(f"  {server.name}: pass {turn + 1}, {news} new", file=sys.stderr, flush=True)
            if not news:
                break
    return found


class Child:
    """One running server."""

    def __init__(self, server: Server, base: CodeBase) -> None:
        self._server = server
        self._base = base
        self._root = base.root.resolve()
        self._settings = server.settings(base)
        self._waiting: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._number = 0
        self._lines: dict[Path, LineIndex] = {}
        venv = base.home / "venv"
        environment = {**os.environ, "VIRTUAL_ENV": str(venv), "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        log = (base.home / f"{server.name}.log").open("wb")
        try:
            self._process = subprocess.Popen(
                server.command(base),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._root,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise Unfit(f"{server.name} cannot be started: {error}") from error
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> "Child":
        uri = self._root.as_uri()
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True, "didChangeConfiguration": {"dynamicRegistration": False}},
            "textDocument": {"references": {}, "synchronization": {"didSave": True}},
            "general": {"positionEncodings": ["utf-16"]},
        }
        self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "rootPath": str(self._root),
                "workspaceFolders": [{"uri": uri, "name": "root"}],
                "initializationOptions": self._server.options,
                "capabilities": capabilities,
            },
        )
        self._tell("initialized", {})
        self._tell("workspace/didChangeConfiguration", {"settings": self._settings})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # The whole group: some are started through a small program that would leave them behind.
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def warm(self, symbols: Iterable[Chosen]) -> None:
        """Ask until the answers have stayed the same for a while: servers begin with incomplete ones and do not say so."""
        for symbol in symbols:
            began = since = time.monotonic()
            last: set[Spot] = set()
            while time.monotonic() - began < WARM_SECONDS and not (last and time.monotonic() - since > STEADY_SECONDS):
                said = self.references(symbol)
                if said != last:
                    last, since = said, time.monotonic()
                time.sleep(0.5)

    def references(self, symbol: Chosen) -> set[Spot]:
        """What the server says now, declaration included, below the root."""
        path = self._root / symbol.path
        uri = path.as_uri()
        text = path.read_bytes().decode("utf-8")
        language = _LANGUAGES[path.suffix]
        self._tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        lines = self._index(path)
        line, column = lines.position(lines.offset(symbol.line - 1, symbol.column - 1), Units.UTF16)
        asked = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}, "context": {"includeDeclaration": True}}
        said = self.ask("textDocument/references", asked)
        self._tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        return {spot for each in cast(list[dict[str, Any]], said or []) if (spot := self._spot(each, symbol.name)) is not None}

    def ask(self, method: str, params: object) -> object:
        """The result of one request; None for an error, which servers give while they load. Raises Unfit when none comes."""
        self._number += 1
        box = self._waiting[self._number] = queue.Queue()
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        try:
            return box.get(timeout=ANSWER_SECONDS).get("result")
        except queue.Empty as error:
            raise Unfit(f"{self._server.name}: no answer to {method} after {ANSWER_SECONDS:.0f} s") from error

    def _spot(self, location: Mapping[str, Any], name: str) -> Spot | None:
        path = Path(unquote(urlparse(location["uri"]).path))
        if not path.is_relative_to(self._root) or not path.is_file():
            return None
        lines = self._index(path)
        start = location["range"]["start"]
        offset = lines.offset(start["line"], start["character"], Units.UTF16)
        data = path.read_bytes()
        # A string is reported with its quotes by some.
        if data[offset : offset + 1] in (b'"', b"'", b"`") and data[offset + 1 :].startswith(name.encode()):
            offset += 1
        line, column = lines.position(offset)
        return path.relative_to(self._root).as_posix(), line + 1, column + 1

    def _index(self, path: Path) -> LineIndex:
        if path not in self._lines:
            self._lines[path] = LineIndex(path.read_bytes())
        return self._lines[path]

    def _tell(self, method: str, params: object) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise Unfit(f"{self._server.name} has ended; see {self._base.home / self._server.name}.log") from error

    def _listen(self) -> None:
        """Answer what the server asks for, and pass on what it answers."""
        assert self._process.stdout is not None
        while (message := _message(self._process.stdout)) is not None:
            if "method" in message and "id" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message)})
            elif (box := self._waiting.pop(message.get("id", -1), None)) is not None:
                box.put(message)
        for box in list(self._waiting.values()):
            box.put({})

    def _answer(self, message: Mapping[str, Any]) -> object:
        if message["method"] == "workspace/configuration":
            return [self._setting(item.get("section") or "") for item in message["params"]["items"]]
        if message["method"] == "workspace/workspaceFolders":
            return [{"uri": self._root.as_uri(), "name": "root"}]
        return None

    def _setting(self, section: str) -> object:
        value: object = self._settings
        for part in filter(None, section.split(".")):
            value = cast(Mapping[str, object], value).get(part, {}) if isinstance(value, Mapping) else {}
        return value


def _message(stream: IO[bytes]) -> dict[str, Any] | None:
    length = 0
    while line := stream.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(stream.read(length)) if length else None


def versions(base: CodeBase, servers: Sequence[Server]) -> dict[str, str]:
    """Name and version of each, for the truth file."""
    return {server.mark: f"{server.name} {_version(server, base)}".strip() for server in servers}


def _version(server: Server, base: CodeBase) -> str:
    command = [server.command(base)[0], "--version"]
    if server.name in {"gopls", "rust-analyzer"}:
        return {"gopls": GOPLS, "rust-analyzer": RUST_ANALYZER}[server.name]
    if server.name == "pyright":
        command = [str(_ROOT / "node_modules" / ".bin" / "pyright"), "--version"]
    try:
        return run(command, base.root, server.name, 60).split("\n")[0].replace(server.name, "").replace("Version", "").strip()
    except Unfit:
        return ""


_ROOT = Path(__file__).parents[2]


def _tool(package: str, binary: str) -> Callable[[CodeBase], Sequence[str]]:
    """A server from PyPI in an environment of its own, installed when it is first asked for."""

    def find(_: CodeBase) -> str:
        home = cache_folder() / "tools"
        found = home / "venv" / "bin" / binary
        if not found.exists():
            home.mkdir(parents=True, exist_ok=True)
            uv = [sys.executable, "-m", "uv"]
            if not (home / "venv").exists():
                run([*uv, "venv", "--quiet", "--python", sys.executable, "venv"], home, "make an environment")
            run([*uv, "pip", "install", "--quiet", "--python", "venv", package], home, f"install {package}")
        return str(found)

    words = {"ty": ["server"], "pyrefly": ["lsp"], "zuban": ["server"]}[binary]
    return lambda base: [find(base), *words]


def _node_tool(base: CodeBase, binary: str, *packages: str) -> str:
    home = cache_folder() / "tools" / binary
    found = home / "node_modules" / ".bin" / binary
    if not found.exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text('{"private": true}')
        run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", *packages], home, f"install {binary}")
    return str(found)


def _gopls(_: CodeBase) -> list[str]:
    home = cache_folder() / "tools" / "go"
    if not (home / "gopls").exists():
        home.mkdir(parents=True, exist_ok=True)
        run(["env", f"GOBIN={home}", "go", "install", f"golang.org/x/tools/gopls@{GOPLS}"], home, "install gopls", 1800)
    return [str(home / "gopls")]


def _rust_analyzer(_: CodeBase) -> list[str]:
    """From its own crates: the official binary comes from nowhere but a release page."""
    home = cache_folder() / "tools" / "rust"
    if not (home / "bin" / "rust-analyzer").exists():
        home.mkdir(parents=True, exist_ok=True)
        run(
            ["cargo", "install", "--locked", "--root", str(home), "ra_ap_rust-analyzer", "--version", RUST_ANALYZER],
            home,
            "install rust-analyzer",
            3600,
        )
    return [str(home / "bin" / "rust-analyzer")]


def _environment(base: CodeBase) -> str:
    return str(base.home / "venv" / "bin" / "python")


GOPLS = "v0.23.0"
RUST_ANALYZER = "0.0.330"
SERVERS: tuple[Server, ...] = (
    Server(
        "ty",
        "t",
        "python",
        _tool("ty>=0.0.108,<0.1", "ty"),
        lambda base: {"ty": {"configuration": {"environment": {"python": str(base.home / "venv")}}}},
    ),
    Server(
        "pyright",
        "p",
        "python",
        lambda _: [str(_ROOT / "node_modules" / ".bin" / "pyright-langserver"), "--stdio"],
        lambda base: {"python": {"pythonPath": _environment(base), "analysis": {"diagnosticMode": "openFilesOnly", "include": ["**"]}}},
    ),
    Server("pyrefly", "f", "python", _tool("pyrefly>=1.5,<2", "pyrefly"), lambda base: {"python": {"pythonPath": _environment(base)}}),
    Server("zuban", "z", "python", _tool("zuban>=0.10,<0.11", "zuban")),
    Server(
        "typescript",
        "7",
        "typescript",
        lambda base: [_node_tool(base, "tsc", "typescript@7.0.2"), "--lsp", "--stdio"],
        lambda _: {"js/ts": {"tsserver": {"automaticTypeAcquisition": {"enabled": False}}}},
    ),
    Server(
        "typescript-language-server",
        "5",
        "typescript",
        lambda base: [
            _node_tool(base, "typescript-language-server", "typescript@5.9.3", "typescript-language-server@5.1.3"),
            "--stdio",
        ],
        options={"disableAutomaticTypingAcquisition": True},
    ),
    Server("gopls", "g", "go", _gopls),
    Server("rust-analyzer", "r", "rust", _rust_analyzer, options={"cargo": {"features": "all"}}),
)
