"""The languages that are parsed, as a table: adding one is adding a record and its queries."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from surefoot.core.value import value


@value
class Language:
    """One grammar and the names it gives to the few nodes that the resolver looks into.

    `family` groups languages that can import one another. `queries` are folders below `queries/`, read in order. `members` maps a node
    type to its fields (object, member); `calls` and `news` to the field that is called; `wrappers` stand for the expression they hold;
    `selves` name the instance; with `open_classes` bare names in a class body see its members.
    """

    name: str
    family: str
    suffixes: tuple[str, ...]
    grammar: tuple[str, str]
    queries: tuple[str, ...]
    members: Mapping[str, tuple[str, str]]
    calls: Mapping[str, str]
    news: Mapping[str, str]
    wrappers: frozenset[str]
    identifiers: frozenset[str]
    selves: frozenset[str]
    open_classes: bool


_NAMES = frozenset({"identifier"})
_ECMA_NAMES = _NAMES | {
    "property_identifier",
    "private_property_identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
    "type_identifier",
    "statement_identifier",
}
_ECMA_MEMBERS = MappingProxyType(
    {
        "member_expression": ("object", "property"),
        "nested_type_identifier": ("module", "name"),
        "nested_identifier": ("object", "property"),
    }
)
_ECMA_WRAPPERS = frozenset({"parenthesized_expression", "non_null_expression", "await_expression", "satisfies_expression"})

PYTHON = Language(
    name="python",
    family="python",
    suffixes=(".py", ".pyi"),
    grammar=("tree_sitter_python", "language"),
    queries=("python",),
    members=MappingProxyType({"attribute": ("object", "attribute")}),
    calls=MappingProxyType({"call": "function"}),
    news=MappingProxyType({}),
    wrappers=frozenset({"parenthesized_expression", "await"}),
    identifiers=_NAMES,
    selves=frozenset({"self", "cls"}),
    open_classes=True,
)


def _ecma(name: str, suffixes: tuple[str, ...], grammar: tuple[str, str], *queries: str) -> Language:
    return Language(
        name=name,
        family="ecmascript",
        suffixes=suffixes,
        grammar=grammar,
        queries=("ecmascript", *queries),
        members=_ECMA_MEMBERS,
        calls=MappingProxyType({"call_expression": "function"}),
        news=MappingProxyType({"new_expression": "constructor"}),
        wrappers=_ECMA_WRAPPERS,
        identifiers=_ECMA_NAMES,
        selves=frozenset({"this"}),
        open_classes=False,
    )


TYPESCRIPT = _ecma("typescript", (".ts", ".mts", ".cts"), ("tree_sitter_typescript", "language_typescript"), "typescript")
TSX = _ecma("tsx", (".tsx",), ("tree_sitter_typescript", "language_tsx"), "typescript", "jsx")
JAVASCRIPT = _ecma("javascript", (".js", ".jsx", ".mjs", ".cjs"), ("tree_sitter_javascript", "language"), "javascript", "jsx")

LANGUAGES: tuple[Language, ...] = (PYTHON, TYPESCRIPT, TSX, JAVASCRIPT)
_BY_SUFFIX: Mapping[str, Language] = MappingProxyType({suffix: language for language in LANGUAGES for suffix in language.suffixes})


def language_of(path: Path) -> Language | None:
    """The language that a file's suffix says, None where it is not one that is parsed."""
    return _BY_SUFFIX.get(path.suffix)
