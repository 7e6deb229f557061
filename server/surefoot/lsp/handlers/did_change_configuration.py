"""`workspace/didChangeConfiguration`, and pulling the settings where the client wants to be asked."""

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.lsp.host import Host
from surefoot.lsp.settings import read_settings

SECTION = "surefoot"


def did_change_configuration(host: Host, params: t.DidChangeConfigurationParams) -> None:
    """Take the settings that were sent, or ask for them."""
    if params.settings:
        _take(host, params.settings)
    else:
        host.spawn(pull_settings(host))


async def pull_settings(host: Host) -> None:
    """Ask the client for its settings; one that has none keeps what it said first."""
    if not host.client.pulls_settings:
        return
    try:
        items = await host.server.workspace_configuration_async(t.ConfigurationParams([t.ConfigurationItem(section=SECTION)]))
    except JsonRpcException:
        return
    _take(host, items[0] if items else None)


def _take(host: Host, given: object) -> None:
    before = host.settings
    host.settings = read_settings(given, before)
    if host.settings.diagnostics != before.diagnostics and host.publisher is not None:
        host.publisher.settle()
