"""Files that are not parsed, and the words that make a path a test."""

import os.path
import re
from pathlib import Path

from surefoot.core.sites import SiteKind

_BINARY = frozenset(
    [
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".webp",
        ".ico",
        ".bmp",
        ".tiff",
        ".avif",
        ".pdf",
        ".zip",
        ".gz",
        ".bz2",
        ".xz",
        ".zst",
        ".tar",
        ".tgz",
        ".7z",
        ".whl",
        ".jar",
        ".so",
        ".dylib",
        ".dll",
        ".exe",
        ".o",
        ".a",
        ".pyc",
        ".pyd",
        ".woff",
        ".woff2",
        ".ttf",
        ".otf",
        ".eot",
        ".mp3",
        ".mp4",
        ".mov",
        ".avi",
        ".webm",
        ".wav",
        ".ogg",
        ".flac",
        ".db",
        ".sqlite",
        ".sqlite3",
        ".mo",
        ".pack",
        ".bin",
        ".wasm",
        ".node",
        ".class",
    ]
)
_PROSE = frozenset({".md", ".rst", ".txt", ".adoc", ".html", ".htm", ".mdx", ""})
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing", "e2e"})
_TEST_FILE = re.compile(r"(^test_|_test$|_spec$|\.test$|\.spec$|^conftest$|^tests?$|(?<=[a-z0-9])(?:Tests?|Spec|IT)$|^Test[A-Z])")
_TEST_PROJECT = re.compile(r"[._-]tests?$", re.IGNORECASE)


def is_binary(name: str) -> bool:
    """Whether the suffix of a file's name says that it holds no text."""
    return os.path.splitext(name)[1].lower() in _BINARY


def is_test(path: Path, root: Path) -> bool:
    """Whether a file is a test by the conventions of its path."""
    parts = path.relative_to(root).parts if path.is_relative_to(root) else path.parts
    folders = any(part in _TEST_FOLDERS or _TEST_PROJECT.search(part) for part in parts[:-1])
    return folders or _TEST_FILE.search(path.stem) is not None


def kind_in(path: Path) -> SiteKind:
    """How a file that is not parsed mentions a name: prose as a comment, data as a string."""
    return SiteKind.COMMENT if path.suffix.lower() in _PROSE else SiteKind.STRING
