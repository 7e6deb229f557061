"""Names of files: the client's URIs and our absolute paths.

Clients disagree about what to escape (`c%3A`, `#`, spaces, non-ASCII letters), so that a URI is never compared as text: it becomes a path,
and an answer about an open document uses the client's own spelling.
"""

import os
import re
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote_from_bytes, unquote_to_bytes

_FILE = re.compile(r"file:(?://(?P<host>[^/]*))?(?P<path>/.*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"/[A-Za-z](?::|%3[Aa])(?=/|$)")


def path_of(uri: str) -> Path | None:
    """The absolute path that a `file:` URI names, None for anything else."""
    named = posix_path(uri) if os.name != "nt" else windows_path(uri)
    return Path(os.path.normpath(named)) if named else None


def uri_of(path: Path) -> str:
    """The URI of an absolute path, with the escapes that every client reads."""
    return file_uri(path)


def posix_path(uri: str) -> str:
    """The path in a URI of a POSIX client, "" where there is none."""
    found = _FILE.fullmatch(uri)
    if not found or (found["host"] or "").lower() not in {"", "localhost"} or "%00" in found["path"]:
        return ""
    return os.fsdecode(unquote_to_bytes(found["path"]))


def windows_path(uri: str) -> str:
    """The path in a URI of a Windows client, its drive letter in upper case, "" where there is none."""
    found = _FILE.fullmatch(uri)
    if not found or "%00" in found["path"]:
        return ""
    host, path = found["host"] or "", unquote_to_bytes(found["path"]).decode("utf-8", "replace")
    if _DRIVE.match(found["path"]):
        path = path[1].upper() + path[2:]
    elif host.lower() not in {"", "localhost"}:
        path = f"//{host}{path}"
    else:
        return ""
    return str(PureWindowsPath(path))


def file_uri(path: PurePath) -> str:
    """A `file:` URI of an absolute path of either system."""
    if not isinstance(path, PureWindowsPath):
        return "file://" + quote_from_bytes(os.fsencode(path))
    named = path.as_posix()
    if named.startswith("//"):
        return "file:" + quote_from_bytes(named.encode())
    return f"file:///{named[0].lower()}%3A{quote_from_bytes(named[2:].encode())}"
