"""Diagnostics of our checkers for open buffers: by version, once typing rests, and nothing at all where the setting says so."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types as t

from surefoot.core.errors import SurefootError
from surefoot.core.findings import CheckStatus, Findings
from surefoot.core.text import TextFile
from surefoot.lsp.convert import ruler, to_diagnostic
from surefoot.lsp.host import Host
from surefoot.workspace.session import Document, Touch, What

logger = logging.getLogger(__name__)

REST_SECONDS = 0.3
"""How long the text must rest before it is looked at."""


class Publisher:
    """Publishes for one client. A change of any text of a root cancels the look at that root and begins the next one."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._looks: dict[Path, asyncio.Task[None]] = {}
        self._shown: set[str] = set()
        self._told: set[str] = set()

    def heard(self, touch: Touch) -> None:
        """Look again at the root of a text that was touched."""
        if touch.what is What.CLOSED:
            self._sweep()
        root = self._host.session.root_of(touch.path)
        if root is not None and touch.what is not What.ROOTS:
            self._look(root)

    def settle(self) -> None:
        """Begin to publish, or take back everything, as the settings now say."""
        if self._host.settings.diagnostics:
            for root in self._host.session.roots:
                self._look(root)
            return
        for look in self._looks.values():
            look.cancel()
        for uri in tuple(self._shown):
            self._send(uri, None, [])
            self._shown.discard(uri)

    def _look(self, root: Path) -> None:
        if not self._host.settings.diagnostics:
            return
        if (before := self._looks.get(root)) is not None:
            before.cancel()
        self._looks[root] = self._host.spawn(self._looked(root))

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
        """Take back what was said about buffers that are closed."""
        for uri in tuple(self._shown):
            if self._host.session.document(uri) is None:
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
                self._told.add(words)
                self._host.log(f"not checked with {words}", t.MessageType.Warning)
