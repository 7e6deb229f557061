"""Files that a checker sees, and yet not as users of what is edited: its silence about them says nothing.

Either it cannot find a module that they import and that is one of this root, so that every name from there may mean anything; or a stub
stands in for the edited module, so that nobody else sees the edit.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from surefoot.checks.checker import Checker
from surefoot.checks.closure import Closure
from surefoot.core.change import Change
from surefoot.core.findings import Diagnostic
from surefoot.core.text import TextFile
from surefoot.workspace.snapshot import Snapshot

_QUOTED = re.compile(r"[`'\"\u2018]([^`'\"\u2019]+)[`'\"\u2019]")
_UNNAMED = frozenset({"__init__", "index"})


def detached(checker: Checker, change: Change, texts: Snapshot, scope: Sequence[Path], found: Iterable[Diagnostic]) -> Mapping[Path, str]:
    """Those files of `scope`, each with the reason, by what was `found` before the change. Lists the root: call it from a thread."""
    out: dict[Path, str] = {}
    if checker.alone:
        return out
    for path in change.paths:
        stub = next((stub for stub in checker.stubs(path) if isinstance(texts.read(stub), TextFile)), None)
        if stub is not None and stub not in change.paths:
            reason = f"other files see {stub.name} in place of {path.name}, which was changed"
            out |= {other: reason for other in scope if other not in (path, stub)}
    missing = [one for one in found if one.code in checker.unresolved]
    if missing and len(scope) > 1:
        closure = Closure(texts)
        names = {path.parent.name if path.stem in _UNNAMED else path.name.partition(".")[0] for path in change.paths}
        for one in missing:
            source = _QUOTED.search(one.message)
            if source is not None and (closure.find(one.place.path, source[1]) or names & set(re.split(r"[./]", source[1]))):
                out.setdefault(one.place.path, f"{checker.name} does not find {source[1]}, which {one.place.path.name} imports")
    return out
