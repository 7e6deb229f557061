"""A server of a few commands on our wire, for what the real one does not do on purpose. Started as a process by test_wire.py."""

import asyncio
import sys

from lsprotocol import types as t

from surefoot.core.errors import Unusable
from surefoot.lsp.failures import answers, hears
from surefoot.lsp.server import Server

Params = t.ExecuteCommandParams


def main() -> int:
    server = Server("wire", "0")

    def tell(message: str) -> None:
        server.window_log_message(t.LogMessageParams(t.MessageType.Log, message))

    async def wait(_: Params) -> None:
        tell("waiting")
        try:
            await asyncio.Event().wait()
        finally:
            tell("let go")

    async def impatient(_: Params) -> str:
        try:
            async with asyncio.timeout(0.05):
                await server.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(t.WorkspaceEdit(), label="late"))
        except TimeoutError:
            return "gave up"
        return "answered"

    async def noisy(_: Params) -> str:
        sys.stdout.write("this is not a message\n")
        return "heard"

    async def unusable(_: Params) -> None:
        raise Unusable("say it differently")

    async def broken(_: Params) -> None:
        raise RuntimeError("secret text of a file")

    def hear(_: t.DidSaveTextDocumentParams) -> None:
        raise RuntimeError("a notification went wrong")

    async def close() -> None:
        sys.stderr.write("closed\n")

    async def shutdown(_: None) -> None:
        tell("shutting down")

    for name, command in {"wait": wait, "impatient": impatient, "noisy": noisy, "unusable": unusable, "broken": broken}.items():
        server.command(name)(answers(name, command))
    server.feature(t.TEXT_DOCUMENT_DID_SAVE)(hears(t.TEXT_DOCUMENT_DID_SAVE, hear))
    server.feature(t.SHUTDOWN)(answers(t.SHUTDOWN, shutdown))
    server.on_close(close)
    return server.serve()


if __name__ == "__main__":
    sys.exit(main())
