"""`workspace/executeCommand`."""

from lsprotocol import types as t

from surefoot.lsp.commands import COMMANDS
from surefoot.lsp.host import Host


async def execute(host: Host, params: t.ExecuteCommandParams) -> object:
    """Run one of our commands as this very request: what cancels the request cancels the command."""
    return await COMMANDS[params.command](host, await host.service(), params)
