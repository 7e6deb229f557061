"""What facts depend on besides the text: as long as this stays the same, so do they."""

import hashlib
import sys
from functools import cache
from importlib import metadata, resources

from surefoot.syntax.languages import LANGUAGES

SHAPE = 1
"""The tables of the file that facts are kept in."""


@cache
def facts_version() -> str:
    """A digest of the Python that packs, the grammars, the queries and the code that reads them."""
    told = hashlib.sha256(f"{SHAPE} {sys.implementation.cache_tag} {sys.byteorder}".encode())
    for package in sorted({"tree_sitter", *(language.grammar[0] for language in LANGUAGES)}):
        told.update(f"{package} {metadata.version(package)}\n".encode())
    folder = resources.files("surefoot.syntax")
    # Any module of this folder may have a say in what an outline holds: the code as a whole is the version of its answers.
    sources = [(file.name, file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".py")]
    sources += [(f"store/{file.name}", file.read_bytes()) for file in (folder / "store").iterdir() if file.name.endswith(".py")]
    for language in (folder / "queries").iterdir():
        sources += [(f"{language.name}/{file.name}", file.read_bytes()) for file in language.iterdir() if file.name.endswith(".scm")]
    for name, text in sorted(sources):
        told.update(f"{name} {len(text)}\n".encode())
        told.update(text)
    return told.hexdigest()[:16]
