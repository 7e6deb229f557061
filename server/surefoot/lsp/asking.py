"""Questions to a person that any editor can show: a sentence and buttons, and the report of a run beside them."""

import logging
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import SurefootError
from surefoot.lsp.host import Host
from surefoot.lsp.uris import uri_of

if TYPE_CHECKING:
    from surefoot.run.state import RunState

logger = logging.getLogger(__name__)


class Asking:
    """Asks the person at one client."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def picked(self, question: str, buttons: tuple[str, ...]) -> str:
        """The button that was pressed, "" for none."""
        params = t.ShowMessageRequestParams(t.MessageType.Warning, question, [t.MessageActionItem(title) for title in buttons])
        try:
            picked = await self._host.server.window_show_message_request_async(params)
        except JsonRpcException as error:
            logger.warning("the editor could not ask: %s", error.message)
            return ""
        return picked.title if picked is not None else ""

    async def show(self, state: "RunState") -> None:
        """The run's report, in the editor where it can show a file."""
        try:
            page = (await self._host.service()).write_report(state.root, state.run)
        except SurefootError as error:
            self.say(str(error))
            return
        if self._host.client.shows_documents:
            shown = await self._host.server.window_show_document_async(t.ShowDocumentParams(uri_of(page), external=True))
            if shown.success:
                return
        self.say(f"the report is in {page}", t.MessageType.Info)

    def say(self, words: str, how: t.MessageType = t.MessageType.Warning) -> None:
        self._host.server.window_show_message(t.ShowMessageParams(how, f"Surefoot: {words}"))
