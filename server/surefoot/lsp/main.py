"""A language server over standard input and output, from its first log line to its exit code."""

import logging
import sys
from typing import TYPE_CHECKING

from surefoot.lsp.entrance import Entrance
from surefoot.lsp.server import Server

if TYPE_CHECKING:
    from surefoot.lsp.host import Load


def serve(name: str, version: str, load: "Load") -> int:
    """Serve one client; `load` imports what the service is made of, once the client is there."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # pygls logs the messages that it cannot handle, with the source text in them.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # One line for each request to a model, with its address, is nothing that a log needs.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    server = Server(name, version)
    Entrance(server, load).open()
    return server.serve()
