"""The languages that are parsed, as a table: adding one is adding a record and its queries."""

import os.path
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from surefoot.syntax.language import Language
from surefoot.syntax.outline import ClassNames

_ECMA_NAMES = frozenset(
    {
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "type_identifier",
        "statement_identifier",
    }
)
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
    items=MappingProxyType({"subscript": "value"}),
    wrappers=frozenset({"parenthesized_expression", "await"}),
    selves=frozenset({"self", "cls"}),
    classes=ClassNames.BODY,
    passed="=",
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
        items=MappingProxyType({"subscript_expression": "object"}),
        wrappers=_ECMA_WRAPPERS,
        identifiers=_ECMA_NAMES,
        letters=b"$",
        selves=frozenset({"this"}),
        supers=frozenset({"super"}),
    )


TYPESCRIPT = _ecma("typescript", (".ts", ".mts", ".cts"), ("tree_sitter_typescript", "language_typescript"), "typescript")
TSX = _ecma("tsx", (".tsx",), ("tree_sitter_typescript", "language_tsx"), "typescript", "jsx")
JAVASCRIPT = _ecma("javascript", (".js", ".jsx", ".mjs", ".cjs"), ("tree_sitter_javascript", "language"), "javascript", "jsx")


GO = Language(
    name="go",
    family="go",
    suffixes=(".go",),
    grammar=("tree_sitter_go", "language"),
    queries=("go",),
    members=MappingProxyType({"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")}),
    calls=MappingProxyType({"call_expression": "function"}),
    news=MappingProxyType({"composite_literal": "type", "type_conversion_expression": "type"}),
    items=MappingProxyType({"index_expression": "operand"}),
    casts=MappingProxyType({"type_assertion_expression": "type"}),
    wrappers=frozenset({"parenthesized_expression", "unary_expression", "slice_expression"}),
    types=frozenset({"pointer_type", "slice_type", "array_type", "map_type", "channel_type", "implicit_length_array_type"}),
    makers=frozenset({"new", "make"}),
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"}),
    separator="/",
)

JAVA = Language(
    name="java",
    family="java",
    suffixes=(".java",),
    grammar=("tree_sitter_java", "language"),
    queries=("java",),
    members=MappingProxyType(
        {
            "method_invocation": ("object", "name"),
            "field_access": ("object", "field"),
            "scoped_identifier": ("scope", "name"),
            "scoped_type_identifier": ("", ""),
        }
    ),
    calls=MappingProxyType({"method_invocation": "name"}),
    news=MappingProxyType({"object_creation_expression": "type"}),
    items=MappingProxyType({"array_access": "array"}),
    casts=MappingProxyType({"cast_expression": "type"}),
    wrappers=frozenset({"parenthesized_expression", "generic_type"}),
    types=frozenset({"string_literal", "class_literal", "array_type", "integral_type", "floating_point_type", "boolean_type"}),
    identifiers=frozenset({"identifier", "type_identifier"}),
    letters=b"$",
    selves=frozenset({"this"}),
    supers=frozenset({"super"}),
    classes=ClassNames.OPEN,
    apart=True,
)

RUST = Language(
    name="rust",
    family="rust",
    suffixes=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    queries=("rust",),
    members=MappingProxyType(
        {"field_expression": ("value", "field"), "scoped_identifier": ("path", "name"), "scoped_type_identifier": ("path", "name")}
    ),
    calls=MappingProxyType({"call_expression": "function"}),
    news=MappingProxyType({"struct_expression": "name"}),
    items=MappingProxyType({"index_expression": "", "try_expression": ""}),
    casts=MappingProxyType({"type_cast_expression": "type"}),
    wrappers=frozenset(
        {
            "parenthesized_expression",
            "reference_expression",
            "unary_expression",
            "await_expression",
            "generic_function",
            "generic_type",
            "generic_type_with_turbofish",
            "bracketed_type",
            "qualified_type",
        }
    ),
    types=frozenset({"reference_type", "dynamic_type", "string_literal", "primitive_type"}),
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier", "shorthand_field_identifier", "self", "crate", "super"}),
    selves=frozenset({"self", "Self"}),
    separator="::",
    members_apart=True,
    paths=frozenset({"scoped_identifier", "scoped_type_identifier"}),
    nests=MappingProxyType({"scoped_use_list": "path"}),
    inside=MappingProxyType({"mod_item": "name"}),
    opens=frozenset({"unwrap", "expect", "unwrap_or_default", "unwrap_or_else", "unwrap_or"}),
    holders=frozenset({"Arc::new", "Box::new", "Box::pin", "Pin::new", "Rc::new"}),
)

CSHARP = Language(
    name="csharp",
    family="csharp",
    suffixes=(".cs",),
    grammar=("tree_sitter_c_sharp", "language"),
    queries=("csharp",),
    members=MappingProxyType(
        {
            "member_access_expression": ("expression", "name"),
            "conditional_access_expression": ("condition", ""),
            "qualified_name": ("qualifier", "name"),
            "alias_qualified_name": ("none", "name"),
        }
    ),
    calls=MappingProxyType({"invocation_expression": "function"}),
    news=MappingProxyType({"object_creation_expression": "type"}),
    items=MappingProxyType({"element_access_expression": "expression"}),
    casts=MappingProxyType({"cast_expression": "type", "default_expression": "type"}),
    wrappers=frozenset(
        {"parenthesized_expression", "await_expression", "postfix_unary_expression", "generic_name", "member_binding_expression"}
    ),
    types=frozenset(
        {
            "predefined_type",
            "string_literal",
            "verbatim_string_literal",
            "interpolated_string_expression",
            "raw_string_literal",
            "typeof_expression",
            "nullable_type",
            "array_type",
        }
    ),
    identifiers=frozenset({"identifier", "implicit_parameter"}),
    selves=frozenset({"this"}),
    supers=frozenset({"base"}),
    classes=ClassNames.OPEN,
    passed=":",
)

_C_MEMBERS = MappingProxyType({"field_expression": ("argument", "field"), "offsetof_expression": ("type", "member")})
_C_NAMES = frozenset({"identifier", "field_identifier", "type_identifier", "statement_identifier"})
_C_WRAPPERS = frozenset({"parenthesized_expression", "pointer_expression"})
_C_TYPES = frozenset({"type_identifier", "struct_specifier", "union_specifier", "enum_specifier", "primitive_type", "type_descriptor"})

_C_HIDDEN = (
    rb"\b(?:class|struct|union)[ \t]+([A-Z][A-Z0-9_]{2,})(?=[ \t]+\w+(?:[ \t]+final)?\s*[:{;])"
    rb"|\b([A-Z][A-Z0-9_]*(?:API|EXPORTS?|LIB|DLL|PUBLIC|CDECL|STDCALL|INLINE|NORETURN|HIDDEN))(?=[ \t]+[A-Za-z_])"
)

C = Language(
    name="c",
    family="c",
    suffixes=(".c", ".h"),
    grammar=("tree_sitter_c", "language"),
    queries=("c", "tags"),
    members=_C_MEMBERS,
    calls=MappingProxyType({"call_expression": "function"}),
    news=MappingProxyType({"compound_literal_expression": "type"}),
    items=MappingProxyType({"subscript_expression": "argument"}),
    casts=MappingProxyType({"cast_expression": "type"}),
    wrappers=_C_WRAPPERS,
    types=_C_TYPES,
    identifiers=_C_NAMES,
    hidden=_C_HIDDEN,
    otherwise=(
        ".h",
        rb"(?m)^[ \t]*(?:(?:class|struct)[ \t]+\w+[ \t]*(?:final[ \t]*)?:[^;()]*\{|class[ \t]+\w|enum[ \t]+(?:class|struct)\b"
        rb"|namespace\b|template[ \t]*<|using[ \t]+\w|(?:public|private|protected)[ \t]*:|virtual\b)|\w::\w|\boperator\b|\bconstexpr\b"
        rb"|^[ \t]*(?:struct|union)[ \t]+\w+\s*\{[^{}]*\w[ \t]*\((?!\s*\*)[^()]*\)\s*(?:const\b\s*)?[;{]",
        "cpp",
    ),
)

CPP = Language(
    name="cpp",
    family="c",
    suffixes=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".cu", ".cuh"),
    grammar=("tree_sitter_cpp", "language"),
    queries=("c", "cpp"),
    members=MappingProxyType({**_C_MEMBERS, "qualified_identifier": ("scope", "name")}),
    calls=MappingProxyType({"call_expression": "function"}),
    news=MappingProxyType({"compound_literal_expression": "type", "new_expression": "type"}),
    items=MappingProxyType({"subscript_expression": "argument"}),
    casts=MappingProxyType({"cast_expression": "type"}),
    wrappers=_C_WRAPPERS | {"template_function", "template_type", "template_method", "dependent_name"},
    types=_C_TYPES,
    makers=frozenset(
        {"static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "make_unique", "make_shared", "static_pointer_cast"}
        | {"dynamic_pointer_cast", "any_cast", "get_if"}
    ),
    identifiers=_C_NAMES | {"namespace_identifier"},
    hidden=_C_HIDDEN,
    selves=frozenset({"this"}),
    separator="::",
    paths=frozenset({"qualified_identifier"}),
    classes=ClassNames.OPEN,
)

RUBY = Language(
    name="ruby",
    family="ruby",
    suffixes=(".rb", ".rake", ".gemspec", ".ru"),
    grammar=("tree_sitter_ruby", "language"),
    queries=("ruby",),
    members=MappingProxyType({"call": ("receiver", "method"), "scope_resolution": ("scope", "name")}),
    calls=MappingProxyType({"call": "method"}),
    items=MappingProxyType({"element_reference": "object"}),
    wrappers=frozenset({"parenthesized_statements", "superclass"}),
    types=frozenset({"string", "array", "hash", "integer", "float", "regex", "nil", "true", "false"}),
    identifiers=frozenset({"identifier", "constant", "hash_key_symbol", "instance_variable", "class_variable", "global_variable"}),
    sigils="@:",
    selves=frozenset({"self"}),
    supers=frozenset({"super"}),
    classes=ClassNames.ASKED,
    separator="::",
    passed=":",
    members_apart=True,
)

PHP = Language(
    name="php",
    family="php",
    suffixes=(".php",),
    grammar=("tree_sitter_php", "language_php"),
    queries=("php",),
    members=MappingProxyType(
        {
            "member_call_expression": ("object", "name"),
            "nullsafe_member_call_expression": ("object", "name"),
            "scoped_call_expression": ("scope", "name"),
            "member_access_expression": ("object", "name"),
            "nullsafe_member_access_expression": ("object", "name"),
            "scoped_property_access_expression": ("scope", "name"),
            "class_constant_access_expression": ("", ""),
        }
    ),
    calls=MappingProxyType(
        {
            "function_call_expression": "function",
            "member_call_expression": "name",
            "nullsafe_member_call_expression": "name",
            "scoped_call_expression": "name",
        }
    ),
    news=MappingProxyType({"object_creation_expression": ""}),
    items=MappingProxyType({"subscript_expression": ""}),
    wrappers=frozenset({"parenthesized_expression", "variable_name", "clone_expression", "argument"}),
    types=frozenset({"qualified_name", "relative_name", "namespace_name"}),
    identifiers=frozenset({"name", "relative_scope"}),
    selves=frozenset({"this", "self", "static"}),
    supers=frozenset({"parent"}),
    separator="\\",
    passed=":",
    apart=True,
)

LUA = Language(
    name="lua",
    family="lua",
    suffixes=(".lua",),
    grammar=("tree_sitter_lua", "language"),
    queries=("lua",),
    members=MappingProxyType({"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")}),
    calls=MappingProxyType({"function_call": "name"}),
    items=MappingProxyType({"bracket_index_expression": "table"}),
    wrappers=frozenset({"parenthesized_expression"}),
    selves=frozenset({"self"}),
)

LANGUAGES: tuple[Language, ...] = (
    PYTHON,
    TYPESCRIPT,
    TSX,
    JAVASCRIPT,
    GO,
    JAVA,
    RUST,
    C,
    CPP,
    CSHARP,
    RUBY,
    PHP,
    LUA,
)
_BY_NAME: Mapping[str, Language] = MappingProxyType({language.name: language for language in LANGUAGES})
_BY_SUFFIX: Mapping[str, Language] = MappingProxyType({suffix: language for language in LANGUAGES for suffix in language.suffixes})


def language_of(path: Path) -> Language | None:
    """The language that a file's suffix says, None where it is not one that is parsed."""
    return language_named(str(path))


def language_named(name: str) -> Language | None:
    """The same of a path as a string: `Path.suffix` takes three times as long."""
    return _BY_SUFFIX.get(os.path.splitext(name)[1])


def language_for(path: Path, data: bytes) -> Language | None:
    """The language of a text: a suffix may stand for two, as `.h` does."""
    language = language_of(path)
    if language is None or path.suffix != language.otherwise[0] or re.search(language.otherwise[1], data) is None:
        return language
    return _BY_NAME[language.otherwise[2]]


def hidden_in(language: Language, data: bytes) -> tuple[tuple[int, int], ...]:
    """The ranges of a text that are kept from its parser; what the preprocessor is told is not among them."""
    if not language.hidden:
        return ()
    found: list[tuple[int, int]] = []
    for match in re.finditer(language.hidden, data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        if not data[line : match.start()].lstrip().startswith(b"#"):
            found.append(match.span(match.lastindex or 0))
    return tuple(found)
