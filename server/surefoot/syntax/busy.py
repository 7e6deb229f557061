"""What keeps following a value finite: what is being followed already gives nothing new, and there is an end to all work."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

MOST = 20_000
"""Expressions looked at for one question; beyond it the answer is unknown."""


class Busy:
    """What one question is in the middle of. A value that is taken out of itself (`a = a[1:]`) would else be followed in all orders."""

    def __init__(self) -> None:
        self._inside: set[object] = set()
        self._depth = 0
        self._work = 0

    @contextlib.contextmanager
    def question(self) -> Generator[bool]:
        """Count one more expression; False when the outermost question has cost too much."""
        if self._depth == 0:
            self._work = 0
        self._depth += 1
        self._work += 1
        try:
            yield self._work <= MOST
        finally:
            self._depth -= 1

    @contextlib.contextmanager
    def following(self, what: object) -> Generator[bool]:
        """Follow something; False when it is being followed already, further out."""
        if what in self._inside:
            yield False
            return
        self._inside.add(what)
        try:
            yield True
        finally:
            self._inside.discard(what)
