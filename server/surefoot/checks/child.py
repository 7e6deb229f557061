"""Our own client for checkers that speak LSP.

A child judges texts that it is told, never texts that we write: `mirror` brings its open documents to exactly the texts wanted, and a pull
that follows is about them. Whoever asks holds `lock`, so one candidate is in a child at a time. A child that crashes, hangs or answers
something else than LSP ends in CheckerUnavailable with the reason, and is never asked again.
"""

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from surefoot.checks.checker import Dialect, Launch
from surefoot.checks.messages import Action, ConfigurationAsked, Incoming, Initialized, Item, Location, Published, Report, Status
from surefoot.checks.places import path_of
from surefoot.checks.process import ChildProcess
from surefoot.checks.wire import Garbled, frame, read_message
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile, Units
from surefoot.run.limits import PUSH_SECONDS

if TYPE_CHECKING:
    from surefoot.checks.planting import Sight

M = TypeVar("M", bound=BaseModel)
_BOM = b"\xef\xbb\xbf"
_RETRY_CODES = frozenset({-32802, -32801})
_PULLS = 4
_PUSHES = 1000
"""Pushed messages, of all files, that are let go by while the one for a text is waited for."""


class Refused(Exception):
    """The child answered a request with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Child:
    """One warm checker process over one root."""

    def __init__(self, name: str, process: ChildProcess, root: Path, launch: Launch, languages: Mapping[str, str], timeout: float) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        self.version = ""
        self.units = Units.UTF16
        self.obstacles: dict[tuple[Path, str], str] = {}
        self.sights: dict[tuple[Path, str], Sight] = {}
        self._process, self._root, self._launch, self._languages, self._timeout = process, root, launch, languages, timeout
        self._next = 0
        self._waiting: dict[int, asyncio.Future[JsonValue]] = {}
        self._open: dict[Path, tuple[str, int]] = {}
        self._fault = ""
        self._loaded = asyncio.Event()
        self._health = ""
        self._stamp = 0
        self._pushed: dict[Path, Published] = {}
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, name: str, root: Path, launch: Launch, languages: Mapping[str, str], start_timeout: float, timeout: float
    ) -> "Child":
        """Spawn and initialize. Raises CheckerUnavailable."""
        process = await ChildProcess.start(launch.argv, root, launch.env)
        child = cls(name, process, root, launch, languages, timeout)
        try:
            await child._greet(start_timeout)
        except BaseException:
            await child.kill()
            raise
        return child

    async def _greet(self, timeout: float) -> None:
        answer = await self._ask("initialize", _initialize(self._root, self._launch), timeout)
        made = _parsed(Initialized, answer, self.name)
        self.version = made.server_info.version if made.server_info else ""
        with contextlib.suppress(ValueError):
            self.units = Units(made.capabilities.position_encoding)
        self._tell("initialized", {})

    @property
    def usable(self) -> bool:
        return not self._fault and self._process.alive

    @property
    def pid(self) -> int:
        return self._process.pid

    def mirror(self, texts: Mapping[Path, TextFile]) -> None:
        """Make the open documents exactly `texts`: open, change and close what differs."""
        for path in [p for p in self._open if p not in texts]:
            self._tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
            del self._open[path]
            self._pushed.pop(path, None)
        for path, file in texts.items():
            digest, version = self._open.get(path, ("", 0))
            if digest == file.digest:
                continue
            text = file.data.removeprefix(_BOM).decode("utf-8")
            self._stamp += 1
            name: dict[str, JsonValue] = {"uri": path.as_uri(), "version": self._stamp}
            if version:
                self._tell("textDocument/didChange", {"textDocument": name, "contentChanges": [{"text": text}]})
            else:
                opened = {**name, "languageId": self._languages.get(path.suffix, "plaintext"), "text": text}
                self._tell("textDocument/didOpen", {"textDocument": opened})
            self._open[path] = (file.digest, self._stamp)

    def files_moved(self, created: Sequence[Path], changed: Sequence[Path], deleted: Sequence[Path]) -> None:
        """Say what happened on disk, as an editor that watches would."""
        events: list[JsonValue] = [
            {"uri": path.as_uri(), "type": kind} for kind, paths in ((1, created), (2, changed), (3, deleted)) for path in paths
        ]
        if events:
            self._tell("workspace/didChangeWatchedFiles", {"changes": events})

    async def pull(self, path: Path, *, quiet: bool = False) -> tuple[Item, ...]:
        """What the checker finds in `path` as mirrored; one that may be `quiet` may also keep silent, if it only pushes.

        Raises CheckerUnavailable.
        """
        if self._launch.dialect is Dialect.PUSH:
            return await self._heard(path, quiet=quiet)
        for _ in range(_PULLS):
            try:
                answer = await self._ask("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}, self._timeout)
                return _parsed(Report, answer, self.name).items
            except Refused as refused:
                if refused.code not in _RETRY_CODES:
                    raise CheckerUnavailable(f"{self.name} could not check {path.name}: {refused}") from refused
        raise CheckerUnavailable(f"{self.name} was interrupted {_PULLS} times while it checked {path.name}")

    async def _heard(self, path: Path, *, quiet: bool) -> tuple[Item, ...]:
        """What is pushed for the version of `path` that the child was told."""
        until = asyncio.get_running_loop().time() + min(self._timeout, PUSH_SECONDS)
        version = self._open[path][1]
        for _ in range(_PUSHES):
            if self._fault:
                raise CheckerUnavailable(self._fault)
            held = self._pushed.get(path)
            if held is not None and held.version == version:
                return held.diagnostics
            self._news.clear()
            try:
                async with asyncio.timeout_at(until):
                    await self._news.wait()
            except TimeoutError:
                break
        if quiet:
            return ()
        raise CheckerUnavailable(f"{self.name} said nothing of {path.name} within {min(self._timeout, PUSH_SECONDS):g} s")

    async def actions(self, path: Path, item: Item) -> tuple[Action, ...]:
        """The quick fixes offered for one finding, with their edits where the server has any. Raises CheckerUnavailable."""
        found = item.model_dump(mode="json", by_alias=True, exclude_none=True)
        params: dict[str, JsonValue] = {
            "textDocument": {"uri": path.as_uri()},
            "range": found["range"],
            "context": {"diagnostics": [found], "only": ["quickfix"], "triggerKind": 1},
        }
        try:
            answer = await self._ask("textDocument/codeAction", params, self._timeout)
            return tuple([await self._resolved(one, raw) for raw, one in _actions(answer)])
        except Refused:
            return ()

    async def loaded(self, timeout: float) -> str:
        """Wait until a server that reports it has loaded the project; what keeps its answers from being whole, "" if nothing does.

        One that takes longer goes on, and may be asked later. Raises CheckerUnavailable.
        """
        if not self._launch.reports:
            return ""
        waits = asyncio.ensure_future(self._loaded.wait())
        try:
            await asyncio.wait((waits, self._reader), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waits.cancel()
        if self._fault:
            raise CheckerUnavailable(self._fault)
        return self._health if self._loaded.is_set() else f"{self.name} was still loading the project after {timeout:.3g} s"

    async def references(self, path: Path, line: int, column: int, timeout: float) -> tuple[Location, ...]:
        """Every reference to what stands at a place of `path` as mirrored, counted from 0 in the child's units, its declaration included.

        Raises CheckerUnavailable.
        """
        params: dict[str, JsonValue] = {
            "textDocument": {"uri": path.as_uri()},
            "position": {"line": line, "character": column},
            "context": {"includeDeclaration": True},
        }
        until = asyncio.get_running_loop().time() + timeout
        for _ in range(_PULLS):
            try:
                answer = await self._ask("textDocument/references", params, until - asyncio.get_running_loop().time())
                return _locations(answer, self.name)
            except Refused as refused:
                if refused.code not in _RETRY_CODES:
                    raise CheckerUnavailable(f"{self.name} could not look for references: {refused}") from refused
        raise CheckerUnavailable(f"{self.name} was interrupted {_PULLS} times while it looked for references")

    async def _resolved(self, action: Action, raw: JsonValue) -> Action:
        if action.edit is not None or action.data is None:
            return action
        return _parsed(Action, await self._ask("codeAction/resolve", raw, self._timeout), self.name)

    async def close(self) -> None:
        """End politely, then surely: no process of the child's group is left."""
        if self.usable:
            with contextlib.suppress(CheckerUnavailable, Refused):
                await self._ask("shutdown", None, 2.0)
                self._tell("exit", None)
            await self._end(1.0)
        else:
            await self._end(0.0)

    async def kill(self) -> None:
        """End at once."""
        await self._end(0.0)

    async def _end(self, patience: float) -> None:
        self._fail(f"{self.name} was ended")
        await self._process.end(patience)
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader

    def _tell(self, method: str, params: JsonValue) -> None:
        self._process.write(frame({"method": method, "params": params}))

    async def _ask(self, method: str, params: JsonValue, timeout: float) -> JsonValue:
        """Send a request and wait for its answer. A child that is late is ended: nobody knows what it would answer next."""
        if self._fault:
            raise CheckerUnavailable(self._fault)
        self._next += 1
        number = self._next
        waiter = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._process.write(self._request(number, method, params))
        try:
            async with asyncio.timeout(timeout):
                await self._process.flush()
                return await waiter
        except TimeoutError as error:
            self._fail(f"{self.name} did not answer {method} within {timeout:g} s")
            await self.kill()
            raise CheckerUnavailable(self._fault) from error
        except asyncio.CancelledError:
            self._tell("$/cancelRequest", {"id": number})
            raise
        finally:
            self._waiting.pop(number, None)

    def _request(self, number: int, method: str, params: JsonValue) -> bytes:
        return frame({"id": number, "method": method} if params is None else {"id": number, "method": method, "params": params})

    async def _read(self) -> None:
        try:
            while (message := await self._receive()) is not None:
                self._take(message)
            self._fail(f"{self.name} {await self._process.how_it_ended()}")
        except (Garbled, ValidationError) as error:
            # What a child says in place of LSP is not repeated: it may be anything.
            what = f"{error.error_count()} fields that are off" if isinstance(error, ValidationError) else str(error)
            self._fail(f"{self.name} answered something that is not LSP: {what}")
            await self._process.how_it_ended()

    async def _receive(self) -> Incoming | None:
        return await read_message(self._process.output)

    def _take(self, message: Incoming) -> None:
        if message.method is not None:
            if message.id is not None:
                self._process.write(frame({"id": message.id, "result": self._reply(message.method, message.params)}))
            elif message.method == "experimental/serverStatus":
                self._note(Status.model_validate(message.params))
            elif message.method == "textDocument/publishDiagnostics" and self._launch.dialect is Dialect.PUSH:
                self._hear(Published.model_validate(message.params))
            return
        waiter = self._waiting.get(message.id) if isinstance(message.id, int) else None
        if waiter is None or waiter.done():
            return
        if message.error is not None:
            waiter.set_exception(Refused(message.error.code, message.error.message))
        else:
            waiter.set_result(message.result)

    def _hear(self, said: Published) -> None:
        if (path := path_of(said.uri)) in self._open:
            self._pushed[path] = said
            self._news.set()

    def _note(self, status: Status) -> None:
        said = (status.message or "").strip().partition("\n")[0]
        self._health = f"{self.name} is not well: {said or status.health}" if status.health != "ok" else ""
        if status.quiescent:
            self._loaded.set()
        else:
            self._loaded.clear()

    def _reply(self, method: str, params: JsonValue) -> JsonValue:
        """What a server is told when it asks: settings, folders, and that edits of its own are not applied."""
        match method:
            case "workspace/configuration":
                asked = ConfigurationAsked.model_validate(params)
                return [self._launch.configuration.get(item.section) for item in asked.items]
            case "workspace/workspaceFolders":
                return [{"uri": self._root.as_uri(), "name": self._root.name}]
            case "workspace/applyEdit":
                return {"applied": False, "failureReason": "checks change nothing"}
            case _:
                return None

    def _fail(self, reason: str) -> None:
        self._fault = self._fault or reason
        self._news.set()
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_exception(CheckerUnavailable(self._fault))


def _parsed(model: type[M], answer: JsonValue, name: str) -> M:
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise CheckerUnavailable(f"{name} answered something unexpected ({where or 'no object'})") from error


def _locations(answer: JsonValue, name: str) -> tuple[Location, ...]:
    try:
        return TypeAdapter(tuple[Location, ...] | None).validate_python(answer) or ()
    except ValidationError as error:
        raise CheckerUnavailable(f"{name} answered something unexpected in place of locations") from error


def _actions(answer: JsonValue) -> list[tuple[JsonValue, Action]]:
    """Actions that parse; an edit that also creates or renames files does not, and is left out."""
    out: list[tuple[JsonValue, Action]] = []
    for raw in TypeAdapter(list[JsonValue] | None).validate_python(answer) or []:
        with contextlib.suppress(ValidationError):
            out.append((raw, Action.model_validate(raw)))
    return out


def _initialize(root: Path, launch: Launch) -> dict[str, JsonValue]:
    folder: dict[str, JsonValue] = {"uri": root.as_uri(), "name": root.name}
    kinds: list[JsonValue] = ["quickfix"]
    document: dict[str, JsonValue] = {
        "synchronization": {"dynamicRegistration": False},
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "publishDiagnostics": {"versionSupport": True, "codeDescriptionSupport": True, "dataSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": kinds}},
            "dataSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    }
    workspace: dict[str, JsonValue] = {
        "configuration": True,
        "workspaceFolders": True,
        "applyEdit": False,
        "workspaceEdit": {"documentChanges": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    }
    return {
        "processId": os.getpid(),
        "clientInfo": {"name": "surefoot"},
        "rootUri": root.as_uri(),
        "workspaceFolders": [folder],
        "initializationOptions": launch.options,
        "capabilities": {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "textDocument": document,
            "workspace": workspace,
            "window": {"workDoneProgress": True},
            "experimental": {"serverStatusNotification": launch.reports},
        },
    }
