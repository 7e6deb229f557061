"""Files that no model gets to see, whatever it asks for."""

from fnmatch import fnmatch
from pathlib import Path, PurePath

NOWHERE = "there is no such text file"
OUTSIDE = "a path has to be inside the workspace, relative to its root"
KEPT = "this file is kept from models"

_KEYS = ("*.pem", "*.key", "*.p12", "*.pfx", "*.keystore", "*.jks", "*.ppk", "id_rsa*", "id_ed25519*", "id_ecdsa*")
_NAMES = (
    *_KEYS,
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    "*.tfvars",
)
_FOLDERS = frozenset({".git", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker"})


def withheld(path: PurePath) -> bool:
    """Whether a file holds keys and passwords by its very name."""
    return any(fnmatch(path.name.lower(), name) for name in _NAMES) or not _FOLDERS.isdisjoint(part.lower() for part in path.parts)


def hidden(path: Path, root: Path) -> str:
    """Why no model may see a file, "" where it may: what counts is its own place and name, and those of what it is a link to."""
    try:
        real, top = path.resolve(), root.resolve()
    except (OSError, ValueError, RuntimeError):
        # A name that no system takes, or links that lead to each other.
        return NOWHERE
    if ".." in path.parts or not path.is_relative_to(root) or not real.is_relative_to(top):
        return OUTSIDE
    return KEPT if withheld(path.relative_to(root)) or withheld(real.relative_to(top)) else ""
