"""`initialized`: build the service, ask for what only a client can tell, begin to publish."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.lsp.handlers.did_change_configuration import pull_settings
from surefoot.lsp.host import Host
from surefoot.lsp.publish import Publisher

if TYPE_CHECKING:
    from surefoot.run.state import RunState
    from surefoot.service import Service

WATCHED = "**/*"


def initialized(host: Host, params: t.InitializedParams) -> None:
    """Everything heavy starts here, after the client has its answer."""
    host.publisher = Publisher(host)
    host.session.listen(host.publisher.heard)
    host.build(_built(host))
    host.spawn(_asked(host))


async def _built(host: Host) -> "Service":
    build = await asyncio.to_thread(host.load)
    from surefoot.lsp.applier import EditorApplier
    from surefoot.lsp.attention import Attention
    from surefoot.lsp.choices import Choices
    from surefoot.lsp.extensions import RUN_CHANGED, to_wire
    from surefoot.lsp.runs import Coalesced, run_changed

    attention, choices = Attention(host), Choices(host)

    def tell(state: "RunState") -> None:
        attention(state)
        choices(state)
        host.server.protocol.notify(RUN_CHANGED, to_wire(run_changed(state)))

    async def ask(question: str, button: str) -> bool:
        params = t.ShowMessageRequestParams(t.MessageType.Info, question, [t.MessageActionItem(button)])
        picked = await host.server.window_show_message_request_async(params)
        return picked is not None and picked.title == button

    host.spawn(attention.look())
    applier = EditorApplier(host.session, host.client, host.server.workspace_apply_edit_async, ask)
    return build(host.session, applier, Coalesced(asyncio.get_running_loop().call_soon, tell))


async def _asked(host: Host) -> None:
    """Register for what changes beside the open documents, and read the settings, as far as the client can."""
    registrations: list[t.Registration] = []
    if host.client.registers_watchers:
        options = t.DidChangeWatchedFilesRegistrationOptions(watchers=[t.FileSystemWatcher(glob_pattern=WATCHED)])
        registrations.append(t.Registration("surefoot-files", t.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if host.client.registers_settings:
        section = t.DidChangeConfigurationRegistrationOptions(section="surefoot")
        registrations.append(t.Registration("surefoot-settings", t.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    try:
        if registrations:
            await host.server.client_register_capability_async(t.RegistrationParams(registrations))
        host.session.watched = host.client.registers_watchers
    except JsonRpcException as error:
        host.log(f"the editor does not tell of changed files: {error.message}")
    await pull_settings(host)
