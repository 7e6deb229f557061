"""Mappings and sequences of values as a few long strings of bytes, in which one value is found without making any other.

Of a file's facts a question needs a handful, and a value of Python costs a hundred times the bytes that it is made of. So all values of one
class lie in one pool, each under a number; a mapping has its keys sorted, and is searched by bisection. The order of keys is kept.
"""

import marshal
from abc import abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K")

Raw = tuple[Any, ...]
"""What marshal takes: tuples, strings, bytes and numbers."""


class Filling:
    """A pool while values are put into it: those that come out as the same bytes are one."""

    def __init__(self, down: Callable[[Any], Any]) -> None:
        self._down = down
        self._numbers: dict[bytes, int] = {}
        self._seen: dict[int, int] = {}

    def number(self, held: object) -> int:
        """The number of a value, which must live until the pool is written."""
        found = self._seen.get(id(held))
        if found is None:
            found = self._seen[id(held)] = self._numbers.setdefault(marshal.dumps(self._down(held)), len(self._numbers))
        return found

    def raw(self) -> Raw:
        return _bounds(map(len, self._numbers)), b"".join(self._numbers)


class Pool(Generic[T]):
    """Values by number, each made when it is first asked for, and then kept."""

    __slots__ = ("_bounds", "_data", "_made", "_up")

    def __init__(self, raw: Raw, up: Callable[[Any], T]) -> None:
        self._bounds = memoryview(raw[0]).cast("I")
        self._data: bytes = raw[1]
        self._up = up
        self._made: dict[int, T] = {}

    def __getitem__(self, number: int) -> T:
        made = self._made.get(number)
        if made is None:
            bounds = self._bounds
            made = self._made[number] = self._up(marshal.loads(self._data[bounds[number] : bounds[number + 1]]))
        return made


class Items(Sequence[T]):
    """Values of a pool, one after another."""

    __slots__ = ("_made", "_numbers", "_pool")

    def __init__(self, raw: bytes, pool: Pool[T]) -> None:
        self._numbers = memoryview(raw).cast("I")
        self._pool = pool
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self._numbers))))
        made = self._made.get(index)
        if made is None:
            made = self._made[index] = self._pool[self._numbers[index]]
        return made

    def __len__(self) -> int:
        return len(self._numbers)


def items_raw(held: Sequence[object], pool: Filling) -> bytes:
    """The counterpart of `Items`."""
    return array("I", [pool.number(each) for each in held]).tobytes()


class Packed(Mapping[K, T]):
    """A mapping to values of a pool, or to tuples of them. What was found once is kept."""

    __slots__ = ("_bounds", "_made", "_numbers", "_pool")

    def __init__(self, values: Raw, pool: Pool[Any]) -> None:
        numbers, bounds = values
        self._numbers = memoryview(numbers).cast("I")
        self._bounds = memoryview(bounds).cast("I") if bounds is not None else None
        self._pool = pool
        self._made: dict[K, T] = {}

    @abstractmethod
    def place(self, key: K) -> int:
        """The place of a key among all keys, -1 where it is none."""

    def __getitem__(self, key: K) -> T:
        made = self._made.get(key)
        if made is None:
            if (place := self.place(key)) < 0:
                raise KeyError(key)
            made = self._made[key] = self._at(place)
        return made

    # As in Mapping, without an exception for each key that is not there.
    def get(self, key: K, default: Any = None) -> Any:  # noqa: ANN401
        made = self._made.get(key)
        if made is None:
            if (place := self.place(key)) < 0:
                return default
            made = self._made[key] = self._at(place)
        return made

    def __contains__(self, key: object) -> bool:
        return key in self._made or self.place(key) >= 0  # type: ignore[arg-type]  # a key of another kind is none

    def __len__(self) -> int:
        return len(self._numbers) if self._bounds is None else len(self._bounds) - 1

    def _at(self, place: int) -> Any:  # noqa: ANN401  # one value of the pool, or several
        if (bounds := self._bounds) is None:
            return self._pool[self._numbers[place]]
        return tuple([self._pool[number] for number in self._numbers[bounds[place] : bounds[place + 1]]])


class ByNumber(Packed[int, T]):
    """Keys are numbers."""

    __slots__ = ("_codes", "_places")

    def __init__(self, keys: Raw, values: Raw, pool: Pool[Any]) -> None:
        super().__init__(values, pool)
        self._codes = memoryview(keys[0]).cast("q")
        self._places = memoryview(keys[1]).cast("I") if keys[1] else None

    def place(self, key: int) -> int:
        at = bisect_left(self._codes, key)
        if at == len(self._codes) or self._codes[at] != key:
            return -1
        return at if self._places is None else self._places[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._codes if self._places is None else _by_place(self._codes, self._places))


class ByPair(Packed[tuple[int, int], T]):
    """Keys are two numbers of less than 32 bits."""

    __slots__ = ("_inner",)

    def __init__(self, keys: Raw, values: Raw, pool: Pool[Any]) -> None:
        super().__init__(values, pool)
        self._inner = ByNumber[T](keys, values, pool)

    def place(self, key: tuple[int, int]) -> int:
        return self._inner.place(key[0] << 32 | key[1])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((code >> 32, code & 0xFFFFFFFF) for code in self._inner)


class ByName(Packed[tuple[int, str], T]):
    """Keys are a number and a name."""

    __slots__ = ("_first", "_names", "_places", "_scopes")

    def __init__(self, keys: Raw, values: Raw, pool: Pool[Any]) -> None:
        super().__init__(values, pool)
        self._names: tuple[str, ...] = keys[0]
        self._first = memoryview(keys[1]).cast("I")
        self._scopes = memoryview(keys[2]).cast("I")
        self._places = memoryview(keys[3]).cast("I") if keys[3] else None

    def numbers_of(self, name: str) -> Sequence[int]:
        """The numbers that stand with a name in a key."""
        at = bisect_left(self._names, name)
        if at == len(self._names) or self._names[at] != name:
            return ()
        return self._scopes[self._first[at] : self._first[at + 1]].tolist()

    def place(self, key: tuple[int, str]) -> int:
        names, name = self._names, key[1]
        at = bisect_left(names, name)
        if at == len(names) or names[at] != name:
            return -1
        for each in range(self._first[at], self._first[at + 1]):
            if self._scopes[each] == key[0]:
                return each if self._places is None else self._places[each]
        return -1

    def __iter__(self) -> Iterator[tuple[int, str]]:
        spans = zip(self._names, self._first, self._first[1:], strict=False)
        keys = [(self._scopes[each], name) for name, first, last in spans for each in range(first, last)]
        return iter(keys if self._places is None else _by_place(keys, self._places))


class ByWord(Packed[str, T]):
    """Keys are a few words."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Raw, values: Raw, pool: Pool[Any]) -> None:
        super().__init__(values, pool)
        self._keys: tuple[str, ...] = keys

    def place(self, key: str) -> int:
        return self._keys.index(key) if key in self._keys else -1

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)


def numbers_raw(keys: Sequence[int]) -> Raw:
    """The counterpart of `ByNumber`: its keys."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return array("q", [keys[place] for place in order]).tobytes(), _order(order)


def pairs_raw(keys: Sequence[tuple[int, int]]) -> Raw:
    """The counterpart of `ByPair`."""
    return numbers_raw([first << 32 | second for first, second in keys])


def names_raw(keys: Sequence[tuple[int, str]]) -> Raw:
    """The counterpart of `ByName`."""
    order = sorted(range(len(keys)), key=lambda place: keys[place][1])
    counts: dict[str, int] = {}
    for place in order:
        counts[keys[place][1]] = counts.get(keys[place][1], 0) + 1
    return tuple(counts), _bounds(counts.values()), array("I", [keys[place][0] for place in order]).tobytes(), _order(order)


def values_raw(held: Sequence[Any], pool: Filling, several: bool) -> Raw:
    """The counterpart of what `Packed` maps to: values of a pool, or tuples of `several`."""
    if not several:
        return items_raw(held, pool), None
    return items_raw([each for values in held for each in values], pool), _bounds(map(len, held))


def _bounds(lengths: Any) -> bytes:  # noqa: ANN401  # any iterable of numbers
    bounds = array("I", [0])
    for length in lengths:
        bounds.append(bounds[-1] + length)
    return bounds.tobytes()


def _order(order: Sequence[int]) -> bytes:
    """Nothing where the keys are sorted as they come."""
    return b"" if all(place == at for at, place in enumerate(order)) else array("I", order).tobytes()


def _by_place(keys: Sequence[K], places: Sequence[int]) -> list[K]:
    ordered = list(keys)
    for key, place in zip(keys, places, strict=True):
        ordered[place] = key
    return ordered
