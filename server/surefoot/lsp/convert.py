"""Our values as the protocol's, and back: the one place where byte offsets meet positions."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from lsprotocol import types as t

from surefoot.core.change import Change, FileEdit
from surefoot.core.errors import OutsideText
from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place, TextFile, Units
from surefoot.core.value import value
from surefoot.lsp.capabilities import Client
from surefoot.lsp.uris import uri_of
from surefoot.workspace.session import BOM, Document, Session

SEVERITIES = (
    (Severity.ERROR, t.DiagnosticSeverity.Error),
    (Severity.WARNING, t.DiagnosticSeverity.Warning),
    (Severity.INFORMATION, t.DiagnosticSeverity.Information),
    (Severity.HINT, t.DiagnosticSeverity.Hint),
)


class Ruler:
    """Positions in one text as the client counts them. A byte order mark that editors hide is not counted.

    Finds the lines of its text once: measure all positions in one text with one ruler.
    """

    def __init__(self, text: TextFile, units: Units, *, hidden_bom: bool) -> None:
        self._text = text
        self._units = units
        self._skip = len(BOM) if hidden_bom and text.data.startswith(BOM) else 0

    @cached_property
    def _whole(self) -> LineIndex:
        return LineIndex(self._text.data)

    @cached_property
    def _index(self) -> LineIndex:
        return LineIndex(self._text.data[self._skip :]) if self._skip else self._whole

    def position(self, offset: int) -> t.Position:
        """The position of a byte offset. Raises OutsideText."""
        return t.Position(*self._index.position(max(0, offset - self._skip), self._units))

    def offset(self, position: t.Position) -> int:
        """The byte offset of a position. Raises OutsideText."""
        return self._skip + self._index.offset(position.line, position.character, self._units)

    def range(self, start: int, end: int) -> t.Range:
        return t.Range(self.position(start), self.position(end))

    def place(self, held: t.Range) -> Place:
        """The place that a range covers. Raises OutsideText."""
        return Place.of(self._text.path, self.offset(held.start), self.offset(held.end), self._whole)


def ruler(text: TextFile, document: Document | None, units: Units) -> Ruler:
    """Positions in `text`, which stands in `document` or, where that is None, on disk: no editor shows the mark of a file that it opens."""
    return Ruler(text, units, hidden_bom=document.hidden_bom if document else True)


@value
class Sending:
    """How an edit is to be shown: `label` names it, and with `confirm` the editor asks before it touches anything."""

    label: str
    confirm: bool = False


def workspace_edit(change: Change, read: Callable[[Path], TextFile], session: Session, client: Client, sending: Sending) -> t.WorkspaceEdit:
    """`change` as an edit, as well as the client can take it. `read` gives each text that the change was made for."""
    annotation = sending.label if client.annotations and sending.confirm else ""
    edits = [_file_edits(edit, read(edit.path), session.document_at(edit.path), client.units, annotation) for edit in change.files]
    if not client.document_changes:
        return t.WorkspaceEdit(changes={e.text_document.uri: [_plain(one) for one in e.edits] for e in edits})
    made = t.WorkspaceEdit(document_changes=list(edits))
    if annotation:
        made.change_annotations = {annotation: t.ChangeAnnotation(label=sending.label, needs_confirmation=True)}
    return made


def _file_edits(edit: FileEdit, text: TextFile, document: Document | None, units: Units, annotation: str) -> t.TextDocumentEdit:
    measure = ruler(text, document, units)
    name = t.OptionalVersionedTextDocumentIdentifier(
        uri=document.uri if document else uri_of(edit.path), version=document.version if document else None
    )
    made: list[t.TextEdit | t.AnnotatedTextEdit | t.SnippetTextEdit] = []
    for one in edit.edits:
        covered = measure.range(one.start, one.end)
        made.append(t.AnnotatedTextEdit(annotation, covered, one.text) if annotation else t.TextEdit(covered, one.text))
    return t.TextDocumentEdit(text_document=name, edits=made)


def _plain(edit: t.TextEdit | t.AnnotatedTextEdit | t.SnippetTextEdit) -> t.TextEdit:
    assert isinstance(edit, t.TextEdit)
    return edit


def to_diagnostic(found: Diagnostic, measure: Ruler) -> t.Diagnostic:
    """A finding for the editor, on the text that `measure` was made for. Raises OutsideText."""
    return t.Diagnostic(
        range=measure.range(found.place.start, found.place.end),
        message=found.message,
        severity=next(theirs for ours, theirs in SEVERITIES if ours is found.severity),
        code=found.code or None,
        source=found.tool,
    )


def from_diagnostic(held: t.Diagnostic, measure: Ruler) -> Diagnostic:
    """A finding that the editor shows, whoever made it. Raises OutsideText where it no longer fits the text."""
    return Diagnostic(
        place=measure.place(held.range),
        tool=held.source or "",
        code="" if held.code is None else str(held.code),
        severity=next((ours for ours, theirs in SEVERITIES if theirs is held.severity), Severity.ERROR),
        message=held.message,
    )


def from_diagnostics(shown: Sequence[t.Diagnostic], measure: Ruler) -> dict[Diagnostic, t.Diagnostic]:
    """The findings that the editor shows, ours and others', each with its own form; one that no longer fits the text is dropped."""
    found: dict[Diagnostic, t.Diagnostic] = {}
    for diagnostic in shown:
        try:
            found[from_diagnostic(diagnostic, measure)] = diagnostic
        except OutsideText:
            continue
    return found


def kind_names(only: Sequence[t.CodeActionKind | str] | None) -> tuple[str, ...] | None:
    """Kinds of actions as their names."""
    return None if only is None else tuple(k.value if isinstance(k, t.CodeActionKind) else k for k in only)


def kinds_wanted(only: Sequence[t.CodeActionKind | str] | None, kind: str) -> bool:
    """True when a menu restricted to `only` may show an action of `kind`: kinds are dotted, and the empty one holds all."""
    names = kind_names(only)
    return names is None or any(name == "" or kind == name or kind.startswith(name + ".") for name in names)
