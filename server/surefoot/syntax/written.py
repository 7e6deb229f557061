"""Definitions and calls of a function as they are written: what a change of its signature has to edit, byte by byte.

Python, TypeScript, TSX and JavaScript. A definition in another language is told with the reason why it is left alone.
"""

from collections.abc import Mapping
from enum import IntEnum

from surefoot.core.sites import Scan, Site
from surefoot.core.value import value
from surefoot.syntax.arity import Given, Slot
from surefoot.syntax.obligations import At


class Effect(IntEnum):
    """What evaluating an expression means: nothing, a name that nothing sets anew, a value that others may set, something done."""

    NONE = 0
    STEADY = 1
    READS = 2
    ACTS = 3


@value
class Piece:
    """One entry of a list in brackets; `alone` says that it is the first thing in its line."""

    start: int
    end: int
    alone: bool = False


@value
class Written(Piece):
    """One parameter, or a mark (`*` or `/`) between two.

    `at` is where its name starts; `default`, `type` and `uses` are bytes of the value that it is given, of what is written as its type,
    and the places in the body that mean it. What is `bound` is given by nobody: the first parameter of a method that is called on a value
    is a receiver, that of a class method is bound. `pattern` takes a value apart, `member` declares a member of the class as well.
    """

    name: str = ""
    at: int = -1
    slot: Slot = Slot.EITHER
    optional: bool = False
    mark: str = ""
    default: tuple[int, int] | None = None
    type: tuple[int, int] | None = None
    uses: tuple[int, ...] = ()
    bound: bool = False
    pattern: bool = False
    member: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is one of the parameters of the signature."""
        return not self.mark and not self.bound


@value
class Definition:
    """A function as it is declared in one place.

    `open` to `close` is what stands between the brackets; `bare` says that there are none. `body` are the bytes of its body, none where it
    has none. `docs` are the bytes of its documentation. `captured` are places in the body that would mean a parameter of the name that was
    asked for. `dynamic` reads its parameters without naming them. `obstacle` is why others may call it, or call it otherwise than written,
    and `firm` says that this cannot be let be.
    """

    site: Site
    open: int
    close: int
    pieces: tuple[Written, ...]
    bare: bool = False
    body: tuple[int, int] = (0, 0)
    docs: tuple[int, int] = (0, 0)
    captured: tuple[int, ...] = ()
    dynamic: str = ""
    obstacle: str = ""
    firm: bool = False
    outside: str = ""

    @property
    def parameters(self) -> tuple[Written, ...]:
        """Those of the signature, in order."""
        return tuple(piece for piece in self.pieces if piece.counts)


@value
class Passed(Piece):
    """One argument. `at` to `until` is what is given, without the name before it."""

    name: str = ""
    spread: bool = False
    effect: Effect = Effect.NONE
    at: int = -1


@value
class Called:
    """A call as it stands. `bare` has no brackets around its arguments; a `partial` one leaves some to be given later."""

    site: Site
    open: int
    close: int
    pieces: tuple[Passed, ...]
    given: Given
    bare: bool = False
    partial: bool = False


@value
class Element:
    """An element in JSX: `at` is where its first attribute goes, right after its name; `whole` says that it gives what it does not name."""

    site: Site
    at: int
    attributes: tuple[Passed, ...]
    whole: bool = False


@value
class Props:
    """What a component takes apart: the entries of the pattern in its one parameter, the members of their type, and its elements.

    `open` to `close` is what stands between the brackets of the pattern; `unread` is why the type is not known, "" for a language without.
    """

    definition: Site
    open: int
    close: int
    pieces: tuple[Written, ...]
    members: tuple[Written, ...]
    typed: tuple[int, int]
    elements: tuple[Element, ...]
    unread: str = ""
    captured: tuple[int, ...] = ()


@value
class Shaped:
    """A symbol with all that its signature touches. `spans` are the bytes in which an edit counts as one of a site."""

    scan: Scan
    definitions: tuple[Definition, ...]
    calls: tuple[Called, ...]
    spans: Mapping[At, tuple[int, int]]
    unread: Mapping[At, str]
    props: Props | None = None
