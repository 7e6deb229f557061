"""Names, positions and edits between the protocol's form and ours."""

import time
from collections.abc import Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as t

from surefoot.core.change import Change, TextEdit
from surefoot.core.errors import OutsideText
from surefoot.core.text import TextFile, Units
from surefoot.lsp.capabilities import Client, read_client
from surefoot.lsp.convert import Ruler, Sending, from_diagnostic, from_diagnostics, kinds_wanted, to_diagnostic, workspace_edit
from surefoot.lsp.settings import Settings, read_settings
from surefoot.lsp.uris import file_uri, path_of, posix_path, uri_of, windows_path
from surefoot.workspace.session import Session

A = Path("/p/a.py")


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///p/a.py", "/p/a.py"),
        ("file:///p/a%20b%23%C3%A9.py", "/p/a b#é.py"),
        ("file:///p/a b#é.py", "/p/a b#é.py"),
        ("file://localhost/p/a.py", "/p/a.py"),
        ("FILE:///p/a.py", "/p/a.py"),
        ("file:/p/a.py", "/p/a.py"),
        ("file:///p/%F0%9F%98%80.py", "/p/😀.py"),
        ("file:///p/a%00.py", ""),
        ("file://server/share/a.py", ""),
        ("untitled:Untitled-1", ""),
        ("git:/p/a.py?ref=HEAD", ""),
        ("vscode-notebook-cell:/p/a.ipynb#C1", ""),
        ("", ""),
    ],
)
def test_uris_of_posix_clients(uri: str, path: str) -> None:
    assert posix_path(uri) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///C:/p/a.py", "C:\\p\\a.py"),
        ("file:///c%3A/p/a.py", "C:\\p\\a.py"),
        ("file:///c%3a/p/a%20b.py", "C:\\p\\a b.py"),
        ("file://server/share/a.py", "\\\\server\\share\\a.py"),
        ("file:///p/a.py", ""),
    ],
)
def test_uris_of_windows_clients(uri: str, path: str) -> None:
    assert windows_path(uri) == path
    if path:
        assert windows_path(file_uri(PureWindowsPath(path))) == path


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1).filter(lambda n: n not in {".", ".."}))
def test_any_name_goes_round(name: str) -> None:
    path = Path("/p") / name
    assert path_of(uri_of(path)) == path
    assert uri_of(path).isascii()
    assert posix_path(file_uri(PurePosixPath("/p") / name)) == str(path)


def test_paths_lose_their_detours() -> None:
    assert path_of("file:///p/../q/./a.py") == Path("/q/a.py")


@pytest.mark.parametrize(("units", "column"), [(Units.UTF8, 11), (Units.UTF16, 9), (Units.UTF32, 8)])
def test_positions_count_in_the_units_agreed_on(units: Units, column: int) -> None:
    text = TextFile.of(A, "x = 1\ny = '😀'; name\n".encode())
    measure = Ruler(text, units, hidden_bom=True)
    start = text.data.index(b" name")
    assert measure.position(start) == t.Position(1, column)
    assert measure.offset(t.Position(1, column)) == start


@pytest.mark.parametrize("units", list(Units))
def test_a_hidden_mark_is_not_counted_and_a_shown_one_is(units: Units) -> None:
    text = TextFile.of(A, b"\xef\xbb\xbfx = 1\ny\n")
    assert Ruler(text, units, hidden_bom=True).position(3) == t.Position(0, 0)
    assert Ruler(text, units, hidden_bom=True).offset(t.Position(0, 0)) == 3
    assert Ruler(text, units, hidden_bom=True).position(9) == t.Position(1, 0)
    assert Ruler(text, units, hidden_bom=False).position(3) == t.Position(0, 3 if units is Units.UTF8 else 1)


def session_with(text: str, version: int) -> Session:
    session = Session([A.parent])
    session.open("file:///p/%61.py", A, "python", version, text)
    return session


def edit_for(client: Client, sending: Sending) -> t.WorkspaceEdit:
    session = session_with("old = 1\n", 7)
    texts = session.snapshot(A.parent)
    change = Change((texts.edit(A, [TextEdit(0, 3, "new")]),))
    held = texts.read(A)
    assert isinstance(held, TextFile)
    return workspace_edit(change, lambda _: held, session, client, sending)


def test_an_edit_names_the_version_and_the_clients_own_uri() -> None:
    edit = edit_for(Client(document_changes=True), Sending("Rename"))
    assert edit.changes is None
    assert edit.change_annotations is None
    assert edit.document_changes
    [one] = edit.document_changes
    assert isinstance(one, t.TextDocumentEdit)
    assert (one.text_document.uri, one.text_document.version) == ("file:///p/%61.py", 7)
    assert one.edits == [t.TextEdit(t.Range(t.Position(0, 0), t.Position(0, 3)), "new")]


def test_an_edit_to_confirm_is_annotated_where_the_client_can_ask() -> None:
    edit = edit_for(Client(document_changes=True, annotations=True), Sending("Rename", confirm=True))
    assert edit.change_annotations == {"Rename": t.ChangeAnnotation("Rename", needs_confirmation=True)}
    assert edit.document_changes
    assert isinstance(edit.document_changes[0], t.TextDocumentEdit)
    assert isinstance(edit.document_changes[0].edits[0], t.AnnotatedTextEdit)
    assert edit_for(Client(document_changes=True), Sending("Rename", confirm=True)).change_annotations is None


def test_an_old_client_gets_plain_changes() -> None:
    edit = edit_for(Client(annotations=False), Sending("Rename", confirm=True))
    assert edit.document_changes is None
    assert edit.changes == {"file:///p/%61.py": [t.TextEdit(t.Range(t.Position(0, 0), t.Position(0, 3)), "new")]}


@pytest.mark.parametrize(
    ("only", "wanted"),
    [
        (None, True),
        ([], False),
        ([""], True),
        (["refactor"], True),
        (["refactor.rewrite"], True),
        ([t.CodeActionKind.Refactor], True),
        (["refactor.re"], False),
        (["refactor.rewrite.more"], False),
        (["quickfix"], False),
        (["quickfix", "refactor"], True),
    ],
)
def test_a_menu_shows_the_kinds_it_asked_for(only: list[str] | None, wanted: bool) -> None:
    assert kinds_wanted(only, "refactor.rewrite") is wanted


def test_diagnostics_go_round() -> None:
    measure = Ruler(TextFile.of(A, "'😀'; name\n".encode()), Units.UTF16, hidden_bom=True)
    sent = t.Diagnostic(t.Range(t.Position(0, 6), t.Position(0, 10)), "no", severity=t.DiagnosticSeverity.Warning, code="E1", source="ty")
    ours = from_diagnostic(sent, measure)
    assert (ours.place.line, ours.place.column, ours.code, ours.tool) == (1, 6, "E1", "ty")
    assert to_diagnostic(ours, measure) == sent
    with pytest.raises(OutsideText):
        from_diagnostic(t.Diagnostic(t.Range(t.Position(9, 0), t.Position(9, 1)), "gone"), measure)


def seconds(text: TextFile, shown: Sequence[t.Diagnostic]) -> float:
    """What it takes to read findings of one text, at best."""
    taken: list[float] = []
    for _ in range(3):
        began = time.perf_counter()
        assert len(from_diagnostics(shown, Ruler(text, Units.UTF16, hidden_bom=True))) == len(shown)
        taken.append(time.perf_counter() - began)
    return min(taken)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_many_findings_in_a_long_text_are_read_in_little_more_time_than_one(mark: bytes) -> None:
    text = TextFile.of(A, mark + b"x = 1\n" * 40_000)
    shown = [t.Diagnostic(t.Range(t.Position(i, 0), t.Position(i, 1)), "no") for i in range(300)]
    assert seconds(text, shown) < 20 * seconds(text, shown[:1])


def test_a_client_that_says_nothing_can_nothing() -> None:
    assert read_client(t.InitializeParams(capabilities=t.ClientCapabilities())) == Client()


@pytest.mark.parametrize(
    ("offered", "units"),
    [
        (["utf-8", "utf-16"], Units.UTF8),
        (["utf-32"], Units.UTF32),
        (["utf-7", "utf-8"], Units.UTF8),
        (["utf-7"], Units.UTF16),
        ([], Units.UTF16),
    ],
)
def test_the_first_encoding_that_is_known_wins(offered: list[str], units: Units) -> None:
    general = t.GeneralClientCapabilities(position_encodings=offered)
    assert read_client(t.InitializeParams(capabilities=t.ClientCapabilities(general=general))).units is units


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"diagnostics": False}, Settings(diagnostics=False)),
        ({"surefoot": {"diagnostics": {"enable": False}}}, Settings(diagnostics=False)),
        ({"rename": False, "diagnostics": "yes"}, Settings(rename=False)),
        ({"surefoot": 3}, Settings()),
        (None, Settings()),
        ([], Settings()),
    ],
)
def test_settings_in_every_form(given: object, expected: Settings) -> None:
    assert read_settings(given, Settings()) == expected
