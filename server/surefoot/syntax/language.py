"""What a language is to the index: one grammar and the names that it gives to few nodes."""

from collections.abc import Mapping
from dataclasses import field

from surefoot.core.value import value
from surefoot.syntax.outline import ClassNames


@value
class Language:
    """One grammar and the names it gives to the few nodes that the resolver looks into; `docs/adding-a-language.md` explains each.

    `family` groups languages that can import one another and names their linker. `queries` are folders below `queries/`, read in order.
    `members` maps a node type to its fields (object, member); `calls` and `news` to the field that is called; `items` to the field of the
    container that one element is taken from; `casts` to the field of the type that is asserted. `wrappers` stand for the expression they
    hold first; `types` are types where an expression may stand; a call of one of the `makers` gives a value of the type that is its first
    argument. `identifiers` are the nodes that names are; `letters` the bytes beside letters, digits and `_` that belong to one, `sigils`
    those before a bound name that do not. `selves` name the instance, `supers` its bases. `classes` says who sees the names of a class.
    `separator` stands between the parts of a module's name, `passed` after the name of an argument. `apart` says that functions and
    variables do not share names: one hides the other nowhere; `members_apart` that methods and fields do not. `paths` are members in which
    the name of the instance means the module, `nests` nodes around an import that say the beginning of what it takes, by the field that
    says it, and `inside` those that are modules within the file. What the methods `opens` give is taken out of what they are called on.
    What the functions `holders` give has the members of what they are given.
    `otherwise` is a suffix, a pattern of text that makes its files another language, and the name of that.
    What matches `hidden` is kept from the parser, which stumbles over it: macros that say how something is linked.
    """

    name: str
    family: str
    suffixes: tuple[str, ...]
    grammar: tuple[str, str]
    queries: tuple[str, ...]
    members: Mapping[str, tuple[str, str]]
    calls: Mapping[str, str]
    news: Mapping[str, str] = field(default_factory=dict[str, str])
    items: Mapping[str, str] = field(default_factory=dict[str, str])
    casts: Mapping[str, str] = field(default_factory=dict[str, str])
    wrappers: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()
    identifiers: frozenset[str] = frozenset({"identifier"})
    letters: bytes = b""
    sigils: str = ""
    selves: frozenset[str] = frozenset()
    supers: frozenset[str] = frozenset()
    classes: ClassNames = ClassNames.HIDDEN
    separator: str = "."
    passed: str = ""
    apart: bool = False
    members_apart: bool = False
    paths: frozenset[str] = frozenset()
    nests: Mapping[str, str] = field(default_factory=dict[str, str])
    inside: Mapping[str, str] = field(default_factory=dict[str, str])
    opens: frozenset[str] = frozenset()
    holders: frozenset[str] = frozenset()
    otherwise: tuple[str, bytes, str] = ("", b"", "")
    hidden: bytes = b""

    @property
    def calls_apart(self) -> bool:
        """Whether the name of something that is called may be another than the same name elsewhere."""
        return self.apart or self.members_apart
