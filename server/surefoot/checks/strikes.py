"""Tools that fail again and again are left alone, so that another one can take their place."""

from pathlib import Path

from surefoot.run.limits import STRIKES


class Strikes:
    """Failures in a row, by program; a success clears them."""

    def __init__(self) -> None:
        self._held: dict[Path, list[str]] = {}

    def failed(self, program: Path, reason: str) -> None:
        """Note one more failure; beyond `STRIKES` they are not counted."""
        held = self._held.setdefault(program, [])
        del held[STRIKES - 1 :]
        held.append(reason)

    def worked(self, program: Path) -> None:
        """Forget what was before."""
        self._held.pop(program, None)

    def left_alone(self, program: Path) -> str:
        """Why the program is not asked any more, "" while it is."""
        held = self._held.get(program, [])
        return f"left alone after {STRIKES} failures in a row, the last: {held[-1]}" if len(held) >= STRIKES else ""
