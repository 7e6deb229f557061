"""What a change takes away from other files: names that it no longer defines or brings in, and who may use them.

A name of a module is out of reach for a file that does not name the module, unless some file hands the module on under another name
(`import a as b`) or hands on all that is in it (`from a import *`). Half the files of a project may mention `os`; few of them could mean
the `os` of one module. Members, and names of `__init__` and `index` files, are reached without naming their file, so there every mention
counts.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.change import Change, apply_edits
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.index import Index
from surefoot.syntax.languages import language_of
from surefoot.syntax.outline import ScopeKind
from surefoot.syntax.roles import occurrences
from surefoot.workspace.snapshot import Snapshot

_REACHABLE = frozenset({ScopeKind.CLASS, ScopeKind.NAMESPACE, ScopeKind.OBJECT})
_UNNAMED = frozenset({"__init__", "index", "__main__"})


@value
class _Offer:
    """Names that other files can reach: `own` those of a module, `members` those of classes and objects."""

    own: frozenset[str]
    members: frozenset[str]


def users_of_lost(change: Change, texts: Snapshot) -> tuple[Path, ...]:
    """Files beside those of `change`, in the same language, that may use a name which `change` removes from a module, class or object.

    Reads every file of the root when a name is lost: call it from a thread.
    """
    index = Index()
    found: dict[Path, None] = {}
    for edit in change.files:
        held = texts.read(edit.path)
        if isinstance(held, TextFile):
            before, after = _offered(index, held), _offered(index, TextFile.of(edit.path, apply_edits(held.data, edit.edits)))
            lost = _Offer(before.own - after.own, before.members - after.members)
            if lost.own or lost.members:
                found.update(dict.fromkeys(_users(lost, held.path, texts)))
    return tuple(path for path in found if path not in change.paths)


def _offered(index: Index, file: TextFile) -> _Offer:
    """An ECMAScript import is seen by nobody else; a Python one is a name of the module like any other."""
    outline = index.outline(file)
    if outline is None:
        return _Offer(frozenset(), frozenset())
    python = _family(file.path) == "python"
    own = {n for (scope, n), bound in outline.bindings.items() if scope == 0 and (python or any(b.source is None for b in bound))}
    members = {n for (scope, n) in outline.bindings if outline.scopes[scope].kind in _REACHABLE}
    return _Offer(frozenset(own | outline.exports.keys()), frozenset(members))


def _users(lost: _Offer, home: Path, texts: Snapshot) -> Iterable[Path]:
    held = [texts.read(path) for path in texts.files() if _family(path) == _family(home)]
    files = [file for file in held if isinstance(file, TextFile)]
    dollar = _family(home) == "ecmascript"
    module = home.name.partition(".")[0]
    naming = [file for file in files if _holds(file.data, (module,), dollar)]
    narrow = not dollar and module not in _UNNAMED and not any(_hands_on(file.data, module) for file in naming)
    users = {file.path for file in (naming if narrow else files) if _holds(file.data, lost.own, dollar)}
    return sorted(users | {file.path for file in files if _holds(file.data, lost.members, dollar)})


def _hands_on(data: bytes, module: str) -> bool:
    return re.search(rb"\b" + re.escape(module.encode()) + rb"\s+(?:as\b|import\s*\(?\s*\*)", data) is not None


def _holds(data: bytes, names: Iterable[str], dollar: bool) -> bool:
    # Plain search first: most files do not have the name at all.
    return any(name.encode("utf-8") in data and any(True for _ in occurrences(data, name, b"$" if dollar else b"")) for name in names)


def _family(path: Path) -> str:
    language = language_of(path)
    return language.family if language is not None else ""
