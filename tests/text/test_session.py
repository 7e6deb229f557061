"""Open buffers stand over files, snapshots stand still, listeners hear what moved."""

import pickle
from pathlib import Path

from surefoot.core.change import Change, TextEdit
from surefoot.core.text import TextFile, Unreadable
from surefoot.workspace.session import Session, Touch, What


def text(held: TextFile | Unreadable | None) -> bytes:
    assert isinstance(held, TextFile), held
    return held.data


def test_a_snapshot_stands_still_while_buffers_and_files_move(tmp_path: Path) -> None:
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_bytes(b"disk a\n")
    b.write_bytes(b"disk b\n")
    session = Session([tmp_path])
    session.open("file:///a", a, "python", 1, "open a\n")
    before = session.snapshot(tmp_path)
    assert (text(before.read(a)), text(before.read(b))) == (b"open a\n", b"disk b\n")
    session.change("file:///a", 2, "changed a\n")
    b.write_bytes(b"later b\n")
    assert (text(before.read(a)), text(before.read(b))) == (b"open a\n", b"disk b\n")
    after = session.snapshot(tmp_path)
    assert (text(after.read(a)), text(after.read(b))) == (b"changed a\n", b"later b\n")
    session.close("file:///a")
    assert text(session.snapshot(tmp_path).read(a)) == b"disk a\n"


def test_overlays_stack_and_share_what_was_read(tmp_path: Path) -> None:
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_bytes(b"old = 1\n")
    b.write_bytes(b"first\n")
    base = Session([tmp_path]).snapshot(tmp_path)
    one = base.with_change(Change((base.edit(a, [TextEdit(0, 3, "new")]),)))
    assert text(one.read(b)) == b"first\n"
    b.write_bytes(b"second\n")
    two = one.with_change(Change((one.edit(a, [TextEdit(0, 3, "newer")]),)))
    assert [text(s.read(a)) for s in (base, one, two)] == [b"old = 1\n", b"new = 1\n", b"newer = 1\n"]
    assert {text(s.read(b)) for s in (base, one, two)} == {b"first\n"}


def test_the_innermost_root_holds_a_file_and_unsaved_files_are_listed(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    session = Session([tmp_path, inner])
    assert session.root_of(inner / "a.py") == inner
    assert session.root_of(tmp_path / "b.py") == tmp_path
    assert session.root_of(Path("/elsewhere/c.py")) is None
    session.open("file:///new", inner / "new.py", "python", 1, "x = 1\n")
    assert list(session.snapshot(inner).files()) == [inner / "new.py"]


def test_what_is_no_file_is_known_and_in_no_snapshot(tmp_path: Path) -> None:
    session = Session([tmp_path])
    session.open("untitled:Untitled-1", None, "python", 1, "x = 1\n")
    held = session.document("untitled:Untitled-1")
    assert held is not None
    assert held.text is None
    assert session.snapshot(tmp_path).overlay == {}


def test_a_hidden_byte_order_mark_keeps_buffer_and_file_the_same_text(tmp_path: Path) -> None:
    a = tmp_path / "a.py"
    a.write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    session = Session([tmp_path])
    from_disk = session.snapshot(tmp_path).read(a)
    held = session.open("file:///a", a, "python", 1, "x = 1\r\n")
    assert held.hidden_bom
    assert isinstance(held.text, TextFile)
    assert isinstance(from_disk, TextFile)
    assert held.text.digest == from_disk.digest
    kept = session.change("file:///a", 2, "y = 1\r\n")
    assert kept is not None
    assert text(kept.text) == b"\xef\xbb\xbfy = 1\r\n"
    shown = session.open("file:///a", a, "python", 3, "\ufeffx = 1\r\n")
    assert (shown.hidden_bom, text(shown.text)) == (False, b"\xef\xbb\xbfx = 1\r\n")


def test_half_a_character_makes_a_buffer_unusable_not_the_file_below_it(tmp_path: Path) -> None:
    a = tmp_path / "a.py"
    a.write_bytes(b"x = 1\n")
    session = Session([tmp_path])
    session.open("file:///a", a, "python", 1, "x = '\ud800'\n")
    snapshot = session.snapshot(tmp_path)
    again = pickle.loads(pickle.dumps(snapshot))
    for held in (snapshot.read(a), again.read(a)):
        assert isinstance(held, Unreadable)
        assert "lone surrogate" in held.reason


def test_a_buffer_opened_through_a_link_is_the_file_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"x = 1\n")
    (tmp_path / "link.py").symlink_to("real.py")
    session = Session([tmp_path])
    held = session.open("file:///link", tmp_path / "link.py", "python", 1, "open\n")
    assert held.path == tmp_path / "real.py"
    assert text(session.snapshot(tmp_path).read(tmp_path / "real.py")) == b"open\n"


def test_listeners_hear_each_touch_until_they_stop(tmp_path: Path) -> None:
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    session, heard = Session([tmp_path]), list[Touch]()
    stop = session.listen(heard.append)
    session.open("file:///a", a, "python", 1, "")
    session.change("file:///a", 2, "x")
    session.touched([a, b])
    session.saved("file:///a")
    session.close("file:///a")
    session.set_roots([tmp_path / "other"])
    stop()
    session.touched([b])
    assert [(t.path, t.what) for t in heard] == [
        (a, What.OPENED),
        (a, What.CHANGED),
        (b, What.DISK),
        (a, What.SAVED),
        (a, What.CLOSED),
        (tmp_path, What.ROOTS),
        (tmp_path / "other", What.ROOTS),
    ]


def test_changes_to_what_is_not_open_are_dropped(tmp_path: Path) -> None:
    session = Session([tmp_path])
    assert session.change("file:///a", 2, "x") is None
    session.saved("file:///a")
    session.close("file:///a")
    assert session.documents == ()
