"""The shadow: the file tree of one root as checkers see it, with every unsaved buffer and a candidate laid over it.

The user's tree is read and never written. Where the system allows it, the shadow stands at the tree's own path, in namespaces that only the
checkers share (`shadow_overlay`); elsewhere it is a copy, and paths are translated on their way in and out (`shadow_copy`). Never are files
linked: tools write through hard links, and follow symbolic ones out of the shadow.
"""

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from surefoot.checks.outcome import Ended
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.value import value
from surefoot.run.limits import OUTPUT_BYTES

Laid = Mapping[Path, bytes | None]
"""Files under a root, absolute, and what they hold; None for one that is gone."""


class ShadowKind(StrEnum):
    """How a shadow is made, as evidence tells it."""

    OVERLAY = "overlay"
    COPY = "copy"


@value
class Asked:
    """A program to run to its end: paths as they are in the user's tree; `inside` makes of them what the program is told."""

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    seconds: float
    most: int = OUTPUT_BYTES
    """Bytes of output after which it is ended."""


class Shadow(Protocol):
    """One root's shadow. Whoever lays something and then runs something holds it alone meanwhile."""

    @property
    def kind(self) -> ShadowKind: ...

    @property
    def reason(self) -> str:
        """Why it is no overlay, "" for one that is."""
        ...

    async def lay(self, laid: Laid) -> None:
        """Make the shadow the user's tree as it is now, with `laid` over it and nothing else. Raises CheckerUnavailable."""
        ...

    async def run(self, asked: Asked) -> Ended:
        """Run a program in the shadow. When this is over, so is everything that it started. Raises OSError when it cannot start."""
        ...

    def inside(self, path: Path) -> Path:
        """Where a file of the user's tree is for a program in the shadow."""
        ...

    def outside(self, path: Path) -> Path:
        """Which file of the user's tree a program in the shadow means."""
        ...

    async def close(self) -> None:
        """End what runs and leave nothing behind."""
        ...


async def open_shadow(root: Path, state: Path) -> Shadow:
    """The best shadow that can be had of `root`; one that is a copy keeps it below `state`. Raises CheckerUnavailable."""
    from surefoot.checks.shadow_copy import CopyShadow

    if sys.platform != "linux":
        return await CopyShadow.open(root, state, f"{sys.platform} has no namespaces")
    from surefoot.checks.shadow_overlay import OverlayShadow

    try:
        return await OverlayShadow.open(root)
    except CheckerUnavailable as error:
        return await CopyShadow.open(root, state, str(error))
