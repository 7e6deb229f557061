"""What the client can do, read once from `initialize`."""

from typing import cast

from lsprotocol import types as t

from surefoot.core.text import Units
from surefoot.core.value import value

ENCODINGS = frozenset(Units)


@value
class Client:
    """Each field answers one question that a handler has; all are False for a client that says nothing."""

    name: str = ""
    units: Units = Units.UTF16
    apply_edit: bool = False
    document_changes: bool = False
    annotations: bool = False
    action_literals: bool = False
    disabled: bool = False
    progress: bool = False
    shows_documents: bool = False
    pulls_settings: bool = False
    registers_settings: bool = False
    registers_watchers: bool = False
    diagnostic_versions: bool = False
    commands: frozenset[str] = frozenset()


def read_client(params: t.InitializeParams) -> Client:
    """The client that sent `params`."""
    held = params.capabilities
    workspace = held.workspace or t.WorkspaceClientCapabilities()
    document = held.text_document or t.TextDocumentClientCapabilities()
    edit = workspace.workspace_edit or t.WorkspaceEditClientCapabilities()
    action = document.code_action or t.CodeActionClientCapabilities()
    publish = document.publish_diagnostics or t.PublishDiagnosticsClientCapabilities()
    watched = workspace.did_change_watched_files or t.DidChangeWatchedFilesClientCapabilities()
    settings = workspace.did_change_configuration or t.DidChangeConfigurationClientCapabilities()
    return Client(
        name=params.client_info.name if params.client_info else "",
        units=_units(held.general),
        apply_edit=bool(workspace.apply_edit),
        document_changes=bool(edit.document_changes),
        annotations=bool(edit.document_changes and edit.change_annotation_support),
        action_literals=action.code_action_literal_support is not None,
        disabled=bool(action.disabled_support and action.code_action_literal_support),
        progress=bool(held.window and held.window.work_done_progress),
        shows_documents=bool(held.window and held.window.show_document and held.window.show_document.support),
        pulls_settings=bool(workspace.configuration),
        registers_settings=bool(settings.dynamic_registration),
        registers_watchers=bool(watched.dynamic_registration),
        diagnostic_versions=bool(publish.version_support),
        commands=_commands(params.initialization_options),
    )


def _units(general: t.GeneralClientCapabilities | None) -> Units:
    """The first encoding of the client's list that we know; pygls tells the client the same one."""
    offered = (general and general.position_encodings) or ()
    return next((Units(str(e.value if isinstance(e, t.PositionEncodingKind) else e)) for e in offered if _known(e)), Units.UTF16)


def _known(encoding: t.PositionEncodingKind | str) -> bool:
    return (encoding.value if isinstance(encoding, t.PositionEncodingKind) else encoding) in ENCODINGS


def _commands(options: object) -> frozenset[str]:
    """Ids of commands that the client itself offers, so that an action may name them."""
    if not isinstance(options, dict):
        return frozenset()
    listed = cast(dict[str, object], options).get("clientCommands")
    return frozenset(c for c in cast(list[object], listed) if isinstance(c, str)) if isinstance(listed, list) else frozenset()
