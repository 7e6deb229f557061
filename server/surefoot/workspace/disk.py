"""Files as bytes: read whole or refused with a reason, written whole or not at all."""

import os
import stat
import tempfile
from pathlib import Path

from surefoot.core.errors import ApplyFailed
from surefoot.core.text import TextFile, Unreadable

LARGEST = 8 * 1024 * 1024
"""Bytes; a larger file is reported as not scanned."""


def read_file(path: Path) -> TextFile | Unreadable | None:
    """The text of a regular UTF-8 file (BOM and line ends as they stand), why it cannot be used, or None where there is none."""
    try:
        held = path.stat()
        if not stat.S_ISREG(held.st_mode):
            return Unreadable(path, "not a regular file")
        if held.st_size > LARGEST:
            return Unreadable(path, f"larger than {LARGEST // 1024 // 1024} MiB")
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return Unreadable(path, error.strerror or str(error))
    if b"\0" in data:
        return Unreadable(path, "binary")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Unreadable(path, f"not UTF-8 (byte {error.start})")
    return TextFile.of(path, data)


def write_file(path: Path, data: bytes) -> None:
    """Replace a file's bytes at once, keeping its mode and following links. Raises ApplyFailed."""
    real = path.resolve()
    try:
        if not os.access(real, os.W_OK):
            raise ApplyFailed(f"{path} is read-only")
        mode = stat.S_IMODE(real.stat().st_mode)
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=".surefoot-")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            os.chmod(name, mode)
            os.replace(name, real)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ApplyFailed(f"{path} could not be written: {error.strerror or error}") from error
