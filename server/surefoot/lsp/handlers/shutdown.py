"""`shutdown`: let go of everything while the client still waits for the answer."""

from surefoot.lsp.host import Host


async def shutdown(host: Host, params: None) -> None:
    """Children end before the answer is sent: an editor may kill what takes longer."""
    await host.close()
