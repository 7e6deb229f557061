"""Which files hold a word: the words of a few hundred files as one sorted array of numbers, so that a word is found by bisection.

A word here is a run of ASCII letters, digits and underscores, as 24 bits of its checksum. What is found this way is a superset: two words
may share a number, and a name with other characters (`größe`, `$total`) is looked for by the runs that it is made of.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

FILES = 256
"""Files in one segment: their number is the low byte of an entry."""

ALL = "*"
"""Asked for like a name: a file has it that takes over every name of another, or seems to."""

_WORD = re.compile(rb"[A-Za-z0-9_]+")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACED = bytes(byte if byte in _LETTERS else 32 for byte in range(256))
_MASK = 0xFFFFFF00


def words_of(data: bytes) -> Collection[int]:
    """The numbers of all words in a text, each in the high 24 bits."""
    found = {crc32(word) & _MASK for word in set(data.translate(_SPACED).split())}
    if _takes_all(data):
        found.add(crc32(ALL.encode()) & _MASK)
    return found


def holds_all(data: bytes, names: Collection[str]) -> bool:
    """Whether a text has each of the names somewhere."""
    return all(_takes_all(data) if name == ALL else name.encode("utf-8") in data for name in names)


def numbers_of(name: str) -> Sequence[int]:
    """The numbers that a file has to have if it holds `name`; none where nothing can be told."""
    if name == ALL:
        return [crc32(ALL.encode()) & _MASK]
    return [crc32(word) & _MASK for word in _WORD.findall(name.encode("utf-8"))]


def segment_of(files: Sequence[Collection[int]]) -> bytes:
    """One segment: the words of up to `FILES` files."""
    return array("I", sorted([word | slot for slot, words in enumerate(files) for word in words])).tobytes()


def slots_with(segment: Sequence[int], number: int) -> Iterator[int]:
    """The files of a segment that have a word."""
    at = bisect_left(segment, number)
    while at < len(segment) and segment[at] & _MASK == number:
        yield segment[at] & 0xFF
        at += 1


def _takes_all(data: bytes) -> bool:
    return b"import *" in data or b"export *" in data


def words_by_slot(segment: Iterable[int], slots: Collection[int]) -> Mapping[int, Collection[int]]:
    """The words of some files of a segment."""
    found: dict[int, list[int]] = {slot: [] for slot in slots}
    for entry in segment:
        if (held := found.get(entry & 0xFF)) is not None:
            held.append(entry & _MASK)
    return found
