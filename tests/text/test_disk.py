"""Files keep their bytes, or are refused with a reason; what cannot be written stays as it was."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import ApplyFailed
from surefoot.core.text import TextFile, Unreadable
from surefoot.workspace.disk import LARGEST, locked, read_file, write_file

TEXTS = {
    "crlf": b"a = 1\r\nb = 2\r\n",
    "bom": b"\xef\xbb\xbfa = 1\n",
    "no final newline": b"a = 1\nb = 2",
    "lone cr": b"a = 1\rb = 2\r",
    "mixed": b"a\r\nb\nc\r",
    "empty": b"",
    "astral": "s = '😀'\n".encode(),
}


@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS.keys())
def test_bytes_go_round(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"before\n")
    write_file(path, data)
    held = read_file(path)
    assert isinstance(held, TextFile)
    assert held.data == data
    assert held.text.encode() == data
    assert list(tmp_path.iterdir()) == [path]


@given(st.text().map(str.encode))
def test_any_text_goes_round(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("disk") / "a.txt"
    path.touch()
    write_file(path, data)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("caf\xe9 = 1\n".encode("latin-1"), "not UTF-8 (byte 3)"),
        ("a = 1\n".encode("utf-16"), "not UTF-8 (UTF-16)"),
        (b"\x7fELF\0\0", "binary"),
        (b"\xed\xa0\x80", "not UTF-8 (byte 0)"),
    ],
)
def test_what_is_no_text_is_refused_with_a_reason(data: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    assert read_file(path) == Unreadable(path, reason)


def test_odd_files_are_refused_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "large").write_bytes(b"x" * (LARGEST + 1))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    assert read_file(tmp_path / "missing") is None
    assert read_file(tmp_path / "file" / "below") is None
    assert read_file(tmp_path) == Unreadable(tmp_path, "not a regular file")
    assert read_file(tmp_path / "pipe") == Unreadable(tmp_path / "pipe", "not a regular file")
    assert read_file(tmp_path / "large") == Unreadable(tmp_path / "large", "larger than 8 MiB")
    assert isinstance(read_file(tmp_path / "loop"), Unreadable)


def test_mode_and_links_stay(tmp_path: Path) -> None:
    real, link, twin = tmp_path / "real.sh", tmp_path / "link.sh", tmp_path / "twin.sh"
    real.write_bytes(b"old\n")
    real.chmod(0o751)
    link.symlink_to(real.name)
    write_file(link, b"new\n")
    assert (link.is_symlink(), real.read_bytes(), real.stat().st_mode & 0o777) == (True, b"new\n", 0o751)
    twin.hardlink_to(real)
    write_file(twin, b"both\n")
    assert (real.read_bytes(), real.stat().st_nlink) == (b"both\n", 2)


def test_a_file_without_any_write_bit_is_read_only_even_for_root(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old\n")
    path.chmod(0o444)
    assert locked(path) == "read-only"
    with pytest.raises(ApplyFailed, match="read-only"):
        write_file(path, b"new\n")
    assert path.read_bytes() == b"old\n"
    path.chmod(0o644)
    assert locked(path) == ""


def test_a_file_that_went_away_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(ApplyFailed, match="No such file"):
        write_file(tmp_path / "gone.py", b"new\n")
    assert list(tmp_path.iterdir()) == []
