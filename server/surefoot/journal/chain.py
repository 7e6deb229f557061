"""Each stored row names the one before it: a row that was changed, left out or put in breaks the chain there."""

import hashlib


def first(run: str) -> str:
    """What the first row of a run names."""
    return hashlib.sha256(f"run\0{run}".encode()).hexdigest()


def link(before: str, seq: int, at: float, body: bytes) -> str:
    """The name of a row: all that it holds, and the row before it. `at` is in seconds since the epoch."""
    return hashlib.sha256(f"{before}\0{seq}\0{at!r}\0".encode() + body).hexdigest()
