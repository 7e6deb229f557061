"""TypeScript's own tsserver as a child: another protocol than LSP, the same promises.

Answers come in the order of the requests, so what is asked after a text was told is about that text. Files that are not open are never
asked about: for those the server answers that all is well.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from surefoot.checks.child import Child, Refused
from surefoot.checks.messages import Action, Failure, Incoming, Item, Location, Position, Range, Wire, WireEdit, WorkspaceEdit
from surefoot.checks.wire import Garbled, read_body
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile

M = TypeVar("M", bound=Wire)
_BOM = b"\xef\xbb\xbf"
_SEVERITIES = MappingProxyType({"error": 1, "warning": 2, "message": 3, "suggestion": 4})


class _Spot(Wire):
    """A line and a column, both from 1."""

    line: int
    offset: int

    @property
    def position(self) -> Position:
        return Position(line=self.line - 1, character=self.offset - 1)


class _Said(Wire):
    """A message of the server: an answer, or an event that nobody waits for."""

    type: str
    request_seq: int | None = None
    success: bool = True
    body: JsonValue = None
    message: str = ""


class _Finding(Wire):
    message: str
    category: str = "error"
    code: int = 0
    start: _Spot = Field(alias="startLocation")
    end: _Spot = Field(alias="endLocation")


class _TextChange(Wire):
    start: _Spot
    end: _Spot
    new_text: str = Field(alias="newText")


class _FileChanges(Wire):
    file: str = Field(alias="fileName")
    changes: tuple[_TextChange, ...] = Field(alias="textChanges")


class _Fix(Wire):
    description: str
    changes: tuple[_FileChanges, ...] = ()


class _Reference(Wire):
    file: str
    start: _Spot
    end: _Spot


class _References(Wire):
    refs: tuple[_Reference, ...] = ()


class _Status(Wire):
    version: str = ""


class TsserverChild(Child):
    """One warm tsserver over one root."""

    async def _greet(self, timeout: float) -> None:
        await self._ask("configure", {"hostInfo": "surefoot", "preferences": {}}, timeout)
        self.version = _read(_Status, await self._ask("status", {}, timeout), self.name).version

    def mirror(self, texts: Mapping[Path, TextFile]) -> None:
        """Make the open documents exactly `texts`, in one request; to open a file again gives it another text."""
        gone = [path for path in self._open if path not in texts]
        opened: list[JsonValue] = []
        for path, file in texts.items():
            if self._open.get(path, ("", 0))[0] == file.digest:
                continue
            text = file.data.removeprefix(_BOM).decode("utf-8")
            opened.append({"file": str(path), "fileContent": text, "projectRootPath": str(self._root)})
            self._open[path] = (file.digest, 1)
        for path in gone:
            del self._open[path]
        if opened or gone:
            self._tell("updateOpen", {"openFiles": opened, "closedFiles": [str(path) for path in gone]})

    def files_moved(self, created: Sequence[Path], changed: Sequence[Path], deleted: Sequence[Path]) -> None:
        """Have all that is not open read again: what the server notices by itself, it notices at a time of its own."""
        if created or changed or deleted:
            self._tell("reloadProjects", {})

    async def pull(self, path: Path, *, quiet: bool = False) -> tuple[Item, ...]:
        """What does not parse in `path` as mirrored, and what else is wrong with it. Raises CheckerUnavailable."""
        asked: dict[str, JsonValue] = {"file": str(path), "includeLinePosition": True}
        found: list[Item] = []
        try:
            for command in ("syntacticDiagnosticsSync", "semanticDiagnosticsSync"):
                answer = await self._ask(command, asked, self._timeout)
                found += map(_item, _read_all(_Finding, answer, self.name))
        except Refused as refused:
            raise CheckerUnavailable(f"{self.name} could not check {path.name}: {refused}") from refused
        return tuple(found)

    async def actions(self, path: Path, item: Item) -> tuple[Action, ...]:
        """The code fixes for one finding. Raises CheckerUnavailable."""
        start, end = item.range.start, item.range.end
        params: dict[str, JsonValue] = {
            "file": str(path),
            "startLine": start.line + 1,
            "startOffset": start.character + 1,
            "endLine": end.line + 1,
            "endOffset": end.character + 1,
            "errorCodes": [item.code],
        }
        try:
            fixes = _read_all(_Fix, await self._ask("getCodeFixes", params, self._timeout), self.name)
        except Refused:
            return ()
        return tuple(Action(title=fix.description, kind="quickfix", edit=_edit(fix)) for fix in fixes)

    async def references(self, path: Path, line: int, column: int, timeout: float) -> tuple[Location, ...]:
        """Every reference to what stands at a place of `path` as mirrored. Raises CheckerUnavailable."""
        params: dict[str, JsonValue] = {"file": str(path), "line": line + 1, "offset": column + 1}
        try:
            held = _read(_References, await self._ask("references", params, timeout), self.name)
        except Refused as refused:
            raise CheckerUnavailable(f"{self.name} could not look for references: {refused}") from refused
        return tuple(
            Location(uri=Path(ref.file).as_uri(), range=Range(start=ref.start.position, end=ref.end.position)) for ref in held.refs
        )

    def _tell(self, method: str, params: JsonValue) -> None:
        """A request whose answer nobody waits for."""
        self._next += 1
        self._process.write(self._request(self._next, method, params))

    def _request(self, number: int, method: str, params: JsonValue) -> bytes:
        message = {"seq": number, "type": "request", "command": method, "arguments": params}
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"

    async def _receive(self) -> Incoming | None:
        body = await read_body(self._process.output)
        if body is None:
            return None
        try:
            said = _Said.model_validate_json(body)
        except ValidationError as error:
            raise Garbled(f"a message of {len(body)} bytes that is not of tsserver") from error
        if said.type != "response" or said.request_seq is None:
            return Incoming(method="event")
        failure = None if said.success else Failure(code=0, message=said.message.partition("\n")[0][:200])
        return Incoming(id=said.request_seq, result=said.body, error=failure)

    async def close(self) -> None:
        """End: it is asked, and then seen to."""
        if self.usable:
            self._tell("exit", {})
            await self._end(1.0)
        else:
            await self._end(0.0)


def _read(model: type[M], answer: JsonValue, name: str) -> M:
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        raise CheckerUnavailable(f"{name} answered something unexpected") from error


def _read_all(model: type[M], answer: JsonValue, name: str) -> tuple[M, ...]:
    try:
        return tuple(model.model_validate(one) for one in TypeAdapter(list[JsonValue]).validate_python(answer or []))
    except ValidationError as error:
        raise CheckerUnavailable(f"{name} answered something unexpected") from error


def _item(found: _Finding) -> Item:
    where = Range(start=found.start.position, end=found.end.position)
    return Item(range=where, message=found.message, severity=_SEVERITIES.get(found.category, 1), code=found.code, source="ts")


def _edit(fix: _Fix) -> WorkspaceEdit:
    edits = {
        Path(file.file).as_uri(): tuple(
            WireEdit(range=Range(start=one.start.position, end=one.end.position), newText=one.new_text) for one in file.changes
        )
        for file in fix.changes
    }
    return WorkspaceEdit(changes=edits, documentChanges=None)
