"""The parts of JSON-RPC and LSP that child servers speak to us, parsed once into typed values.

Only what Surefoot reads is declared; everything else in a message is ignored, because servers differ in what they add.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Wire(BaseModel):
    """A message part: extra fields ignored, names as on the wire."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)


class Failure(Wire):
    """A JSON-RPC error object."""

    code: int
    message: str = ""


class Incoming(Wire):
    """Any message of a child: an answer (id, no method), a request (both) or a notification (method only)."""

    id: int | str | None = None
    method: str | None = None
    params: JsonValue = None
    result: JsonValue = None
    error: Failure | None = None


class Position(Wire):
    """0-based, in the negotiated units."""

    line: int
    character: int


class Range(Wire):
    """From `start` up to `end`."""

    start: Position
    end: Position


class Item(Wire):
    """One LSP diagnostic; `data` goes back unread with a request for fixes."""

    range: Range
    message: str
    severity: int = 1
    code: int | str | None = None
    source: str | None = None
    data: JsonValue = None


class Report(Wire):
    """The answer to `textDocument/diagnostic`."""

    kind: Literal["full"]
    items: tuple[Item, ...]


class Published(Wire):
    """The params of `textDocument/publishDiagnostics`."""

    uri: str
    version: int | None = None
    diagnostics: tuple[Item, ...] = ()


class ServerInfo(Wire):
    """Who a server says it is."""

    name: str
    version: str = ""


class Capabilities(Wire):
    """The capabilities that we ask about."""

    position_encoding: str = Field("utf-16", alias="positionEncoding")


class Initialized(Wire):
    """The answer to `initialize`."""

    capabilities: Capabilities
    server_info: ServerInfo | None = Field(None, alias="serverInfo")


class ConfigurationItem(Wire):
    """One question of `workspace/configuration`."""

    section: str = ""


class ConfigurationAsked(Wire):
    """The params of `workspace/configuration`."""

    items: tuple[ConfigurationItem, ...]


class WireEdit(Wire):
    """One replaced range."""

    range: Range
    new_text: str = Field(alias="newText")


class Location(Wire):
    """Where something is: a range of a document."""

    uri: str
    range: Range


class Status(Wire):
    """How far a server is with loading a project: `quiescent` when it has nothing to do."""

    quiescent: bool
    health: str = "ok"
    message: str | None = None


class DocumentName(Wire):
    """Which document a group of edits is for."""

    uri: str


class DocumentEdits(Wire):
    """The edits of one document; a create, rename or delete operation has none of these fields and does not parse."""

    document: DocumentName = Field(alias="textDocument")
    edits: tuple[WireEdit, ...]


class WorkspaceEdit(Wire):
    """What an action would change, in either of LSP's two shapes."""

    changes: dict[str, tuple[WireEdit, ...]] | None = None
    document_changes: tuple[DocumentEdits, ...] | None = Field(None, alias="documentChanges")


class Action(Wire):
    """A code action, or a bare command (which has no edit and is of no use here)."""

    title: str
    kind: str = ""
    edit: WorkspaceEdit | None = None
    data: JsonValue = None
