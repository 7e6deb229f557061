"""Diagnostics of our checkers for open buffers: by version, once typing rests, and nothing at all where the setting says so."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types as t

from surefoot.checks.watch import is_settings
from surefoot.core.errors import SurefootError
from surefoot.core.findings import CheckStatus, Findings
from surefoot.core.text import TextFile
from surefoot.lsp.convert import ruler, to_diagnostic
from surefoot.lsp.host import Host
from surefoot.run.limits import SAID_ONCE
from surefoot.syntax.languages import language_of
from surefoot.workspace.session import Document, Touch, What

logger = logging.getLogger(__name__)

REST_SECONDS = 0.3
"""How long the text must rest before it is looked at."""


class Publisher:
    """Publishes for one client. Typing cancels the look at its root and begins the next one; what happens on disk waits for the look
    under way, so that a program which writes all the time does not put it off for ever."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._looks: dict[Path, asyncio.Task[None]] = {}
        self._once_more: set[Path] = set()
        self._shown: set[str] = set()
        self._told: deque[str] = deque(maxlen=SAID_ONCE)

    def heard(self, touch: Touch) -> None:
        """Take back what is no longer true, and look again at the root of a text that was touched."""
        self._sweep()
        root = self._host.session.root_of(touch.path)
        if touch.what is What.ROOTS:
            self._rooted(touch.path)
        elif root is None:
            return
        elif touch.what is not What.DISK:
            self._look(root)
        elif matters(touch.path):
            self._look_later(root)

    def settle(self) -> None:
        """Begin to publish, or take back everything, as the settings now say."""
        if self._host.settings.diagnostics:
            for root in self._host.session.roots:
                self._look(root)
            return
        self._stop(*self._looks)
        for uri in tuple(self._shown):
            self._take_back(uri)

    def _rooted(self, root: Path) -> None:
        """A folder came or went: its documents may belong to another one now."""
        if root not in self._host.session.roots:
            self._stop(root)
        for each in self._host.session.roots:
            self._look(each)

    def _look(self, root: Path) -> None:
        if not self._host.settings.diagnostics:
            return
        self._stop(root)
        look = self._looks[root] = self._host.spawn(self._looked(root))
        look.add_done_callback(lambda ended: self._ended(root, ended))

    def _look_later(self, root: Path) -> None:
        if root in self._looks:
            self._once_more.add(root)
        else:
            self._look(root)

    def _ended(self, root: Path, look: asyncio.Task[None]) -> None:
        if self._looks.get(root) is not look:
            return
        del self._looks[root]
        if root in self._once_more and not look.cancelled():
            self._look(root)

    def _stop(self, *roots: Path) -> None:
        for root in roots:
            self._once_more.discard(root)
            if (look := self._looks.pop(root, None)) is not None:
                look.cancel()

    async def _looked(self, root: Path) -> None:
        await asyncio.sleep(REST_SECONDS)
        service = await self._host.service()
        documents = self._open(root)
        if not documents:
            return
        try:
            findings = await service.diagnose(root, [d.path for d in documents if d.path])
        except SurefootError as error:
            logger.warning("cannot look at %s: %s", root, error)
            return
        self._tell_unavailable(findings)
        for document in documents:
            self._publish(document, findings)

    def _open(self, root: Path) -> Sequence[Document]:
        session = self._host.session
        return [d for d in session.documents if d.path and isinstance(d.text, TextFile) and session.root_of(d.path) == root]

    def _publish(self, document: Document, findings: Findings) -> None:
        """Send what was found in a text that still stands."""
        if self._host.session.document(document.uri) != document or not isinstance(document.text, TextFile):
            return
        measure = ruler(document.text, document, self._host.client.units)
        found = [to_diagnostic(d, measure) for d in findings.diagnostics if d.place.path == document.path]
        self._shown.add(document.uri)
        self._send(document.uri, document.version, found)

    def _sweep(self) -> None:
        """Take back what was said about buffers that are closed, hold no text any more, or are in no open folder."""
        session = self._host.session
        for uri in tuple(self._shown):
            held = session.document(uri)
            if held is None or held.path is None or not isinstance(held.text, TextFile) or session.root_of(held.path) is None:
                self._take_back(uri)

    def _take_back(self, uri: str) -> None:
        self._shown.discard(uri)
        self._send(uri, None, [])

    def _send(self, uri: str, version: int | None, found: list[t.Diagnostic]) -> None:
        number = version if self._host.client.diagnostic_versions else None
        self._host.server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=number))

    def _tell_unavailable(self, findings: Findings) -> None:
        """Say once why a checker could not look."""
        for check in findings.checks:
            words = f"{check.tool}: {check.detail}"
            if check.status is CheckStatus.UNAVAILABLE and words not in self._told:
                self._told.append(words)
                self._host.log(f"not checked with {words}", t.MessageType.Warning)


def matters(path: Path) -> bool:
    """Whether a checker may see a file that was touched on disk: code, settings, or a folder with whatever is in it."""
    return language_of(path) is not None or is_settings(path) or os.path.isdir(path) or not (path.suffix or os.path.exists(path))
