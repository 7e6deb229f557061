"""What moved on disk since somebody last looked, where the client watches it for us."""

from collections.abc import Sequence
from pathlib import Path

from surefoot.workspace.session import Session, Touch, What

LONGEST = 5000
"""Moves that are remembered; after more than that it is cheaper to look at everything."""

_ON_DISK = frozenset({What.DISK, What.SAVED, What.CLOSED})


class Watching:
    """The moves that a session hears of, in order. Lives on the event loop's thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._moves: list[Path] = []
        self._forgotten = 0
        session.listen(self._heard)

    @property
    def mark(self) -> int:
        """The number of moves up to now."""
        return self._forgotten + len(self._moves)

    def since(self, root: Path, mark: int) -> Sequence[Path] | None:
        """What moved below a root after a mark, None where nobody can say: no client watches, or it is too long ago."""
        if not self._session.watched or mark < self._forgotten:
            return None
        return tuple(dict.fromkeys(path for path in self._moves[mark - self._forgotten :] if path.is_relative_to(root)))

    def _heard(self, touch: Touch) -> None:
        if touch.what in _ON_DISK:
            self._moves.append(touch.path)
        if len(self._moves) > LONGEST:
            self._forgotten += len(self._moves)
            self._moves.clear()
