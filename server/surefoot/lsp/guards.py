"""What must hold before an edit is handed to an editor, whoever applies it there."""

from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.text import TextFile, Unreadable
from surefoot.run.outcomes import Bucket, Failure, FailureClass
from surefoot.workspace.disk import locked, read_file
from surefoot.workspace.session import Session

MOVED = "moved"
"""The code of a failure that a new look at the texts may cure."""


def live_text(session: Session, path: Path) -> TextFile | Unreadable | None:
    """The text of a file this very moment: the buffer over it, else what is on disk."""
    document = session.document_at(path)
    return document.text if document else read_file(path)


def obstacle(session: Session, change: Change) -> Failure | None:
    """Why `change` must not be sent on the texts as they are now, None where nothing stands against it."""
    for edit in change.files:
        held = live_text(session, edit.path)
        if not isinstance(held, TextFile) or held.digest != edit.before:
            why = f": {held.reason}" if isinstance(held, Unreadable) else " has changed" if held else " is gone"
            return failure(MOVED, f"{edit.path.name}{why}")
        if reason := locked(edit.path) if edit.path.exists() else "":
            return failure("read-only", f"{edit.path.name} is {reason}")
        if session.document_at(edit.path) is None and _mixed_ends(held.data):
            return failure("line ends", f"{edit.path.name} mixes line ends, which the editor would change: open and save it first")
    return None


def failure(code: str, message: str, cls: FailureClass = FailureClass.PERMANENT, changed: tuple[Path, ...] = ()) -> Failure:
    """An edit that did not land."""
    return Failure(Bucket.TOOL, cls, code, message, changed)


def _mixed_ends(data: bytes) -> bool:
    pairs, feeds, returns = data.count(b"\r\n"), data.count(b"\n"), data.count(b"\r")
    return returns > pairs or 0 < pairs < feeds
