"""What a name can turn out to mean. An answer is a set of them: a name may be bound in two ways (`try: import … except: def …`)."""

from pathlib import Path

from surefoot.core.value import value


@value
class Key:
    """A definition: a name in one scope of one file, however often it is bound there."""

    path: Path
    scope: int
    name: str


@value
class Module:
    """A file or a folder as a value. A namespace that has no place of its own has a `name`; `path` is then a file that speaks of it.

    `family` says whose rules tell what it offers, "" those of the path's own language.
    """

    path: Path
    family: str = ""
    name: str = ""


@value
class Klass:
    """A class, interface, namespace or object literal, or an instance of it: something that has members."""

    path: Path
    scope: int


@value
class Unknown:
    """It could not be followed, and why. `outside` says that all that is known of it is a type that is not of this root: it is one of ours
    only where one of ours is such a type."""

    why: str
    outside: bool = False


@value
class Elsewhere:
    """It certainly means something that is not defined in this root."""

    what: str


Ref = Key | Module | Klass | Unknown | Elsewhere
Refs = frozenset[Ref]


def unknown(why: str) -> Refs:
    """The answer for what could not be followed."""
    return frozenset({Unknown(why)})


def certain(refs: Refs) -> Refs:
    """Those that could be followed."""
    return frozenset(ref for ref in refs if not isinstance(ref, Unknown))
