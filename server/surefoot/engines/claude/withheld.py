"""Files that no model gets to see, whatever it asks for."""

from fnmatch import fnmatch
from pathlib import Path

_KEYS = ("*.pem", "*.key", "*.p12", "*.pfx", "*.keystore", "id_rsa*", "id_ed25519*", "id_ecdsa*")
_NAMES = (*_KEYS, ".env", ".env.*", ".netrc", ".npmrc", ".pypirc")
_FOLDERS = frozenset({".git", ".ssh", ".gnupg", ".aws"})


def withheld(path: Path) -> bool:
    """Whether a file holds keys and passwords by its very name."""
    return any(fnmatch(path.name.lower(), name) for name in _NAMES) or not _FOLDERS.isdisjoint(path.parts)
