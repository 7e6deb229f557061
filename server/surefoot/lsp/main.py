"""A language server over standard input and output, from its first log line to its exit code."""

import logging
import sys

from surefoot.lsp.handlers import register
from surefoot.lsp.host import Host, Load
from surefoot.lsp.server import Server


def serve(name: str, version: str, load: Load) -> int:
    """Serve one client; `load` imports what the service is made of, once the client is there."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # pygls logs the messages that it cannot handle, with the source text in them.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server(name, version)
    host = Host(server)
    register(host, load)
    server.on_close(host.close)
    return server.serve()
