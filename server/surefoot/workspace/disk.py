"""Files as bytes: read whole or refused with a reason, written whole or not at all."""

import mmap
import os
import stat
import tempfile
from pathlib import Path

from surefoot.core.errors import ApplyFailed
from surefoot.core.text import TextFile, Unreadable

LARGEST = 8 * 1024 * 1024
"""Bytes; a larger file is reported as not scanned."""

_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_TOO_LARGE = f"larger than {LARGEST // 1024 // 1024} MiB"
# A pipe is opened without waiting for somebody to write to it; where there is no such flag, no pipe stands among the files.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_file(path: Path) -> TextFile | Unreadable | None:
    """The text of a regular UTF-8 file (BOM and line ends as they stand), why it cannot be used, or None where there is none."""
    data = read_bytes(path)
    return text_of(path, data) if isinstance(data, bytes) else data


def read_bytes(path: Path | str) -> bytes | Unreadable | None:
    """The bytes of a regular file that look like text, why they do not, or None where there is no file."""
    try:
        data = _read(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Unreadable(Path(path), error.strerror or str(error))
    if isinstance(data, str):
        return Unreadable(Path(path), data)
    if data.startswith(_UTF16):
        return Unreadable(Path(path), "not UTF-8 (UTF-16)")
    return Unreadable(Path(path), "binary") if b"\0" in data else data


def _read(path: Path | str) -> bytes | str:
    """The bytes of a regular file, or why they are not read."""
    handle = os.open(path, _READ)
    try:
        held = os.fstat(handle)
        if not stat.S_ISREG(held.st_mode):
            return "not a regular file"
        if held.st_size > LARGEST:
            return _TOO_LARGE
        size, parts = held.st_size + 1, list[bytes]()
        for _ in range(LARGEST // size + 1):
            parts.append(os.read(handle, size))
            if len(parts[-1]) < size:  # else it grew meanwhile
                break
        data = b"".join(parts)
        return data if len(data) <= LARGEST else _TOO_LARGE
    finally:
        os.close(handle)


def text_of(path: Path, data: bytes, version: int | None = None) -> TextFile | Unreadable:
    """Bytes as a text, or why they cannot be one: files and buffers alike."""
    if len(data) > LARGEST:
        return Unreadable(path, _TOO_LARGE)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Unreadable(path, f"not UTF-8 (byte {error.start})")
    return TextFile.of(path, data, version)


def holds_bytes(path: Path, word: bytes) -> bool:
    """Whether a file that cannot be used as text has `word` in it all the same; True where that cannot be known."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            return held.find(word) >= 0
    except ValueError:
        return False  # an empty file cannot be mapped
    except OSError:
        return True


def locked(path: Path) -> str:
    """Why the file at `path` cannot be written, "" where it can be.

    A file without any write bit counts as read-only for everybody: the superuser may write it all the same, and yet nobody meant that.
    """
    try:
        held = path.stat()
    except OSError as error:
        return error.strerror or str(error)
    if not held.st_mode & _ANY_WRITE or not os.access(path, os.W_OK):
        return "read-only"
    return ""


def write_file(path: Path, data: bytes) -> None:
    """Replace the bytes of a file that is there, keeping its mode, owner and links. Raises ApplyFailed."""
    if reason := locked(path):
        raise ApplyFailed(f"{path} could not be written: {reason}")
    try:
        real = path.resolve(strict=True)
        held = real.stat()
        if held.st_nlink > 1 or not _replace(real, data, held):
            real.write_bytes(data)
    except OSError as error:
        raise ApplyFailed(f"{path} could not be written: {error.strerror or error}") from error


def _replace(real: Path, data: bytes, held: os.stat_result) -> bool:
    """Put a new file in place of `real` at once; False where that would lose the owner or the folder does not allow it."""
    try:
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=".surefoot-")
    except PermissionError:
        return False
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        made.chmod(stat.S_IMODE(held.st_mode))
        fresh = made.stat()
        if (fresh.st_uid, fresh.st_gid) != (held.st_uid, held.st_gid) and not _given_to(made, held):
            return False
        made.replace(real)
    finally:
        made.unlink(missing_ok=True)
    return True


def _given_to(made: Path, held: os.stat_result) -> bool:
    if not hasattr(os, "chown"):
        return True
    try:
        os.chown(made, held.st_uid, held.st_gid)
        made.chmod(stat.S_IMODE(held.st_mode))  # chown drops the set-id bits
    except OSError:
        return False
    return True
