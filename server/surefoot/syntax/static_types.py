"""Types as they are written: of what an argument is, of what a parameter takes, and whether the one can be given for the other.

Only as much as tells overloads apart. What is not written, or may be anything, has no name; what is in doubt can be given.
"""

import re
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType

from tree_sitter import Node

from surefoot.core.value import value
from surefoot.syntax.expressions import expression
from surefoot.syntax.languages import Language
from surefoot.syntax.outline import ScopeKind
from surefoot.syntax.refs import Elsewhere, Key, Klass, Refs, Unknown
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.roles import COMMENTS

HIGHEST = 24
"""Classes above one that are followed."""

_WIDER = ("byte", "short", "int", "long", "float", "double")
_PRIMITIVES = frozenset({*_WIDER, "char", "boolean"})
_BOXES: Mapping[str, str] = MappingProxyType(
    {
        "Byte": "byte",
        "Short": "short",
        "Integer": "int",
        "Long": "long",
        "Float": "float",
        "Double": "double",
        "Character": "char",
        "Boolean": "boolean",
    }
)
_SAME: Mapping[str, str] = MappingProxyType(
    {"string": "String", "bool": "boolean", "object": "Object", "uint": "int", "ulong": "long", "decimal": "double", "dynamic": ""}
)
"""Names of C# beside those of Java; for telling overloads apart, numbers of one size are one."""

_SIZED = frozenset({f"{sign}{bits}" for sign in "iu" for bits in ("8", "16", "32", "64", "128", "size")} | {"f32", "f64"})
"""Rust's numbers, none of which is made into another without a word."""

_TOPS = frozenset({"Object", "Serializable", "Comparable", "Constable", "Enum", "Record"})
"""Types that a class may have without saying so."""

_LITERALS: Mapping[str, str] = MappingProxyType(
    {
        "string_literal": "String",
        "text_block": "String",
        "interpolated_string_expression": "String",
        "verbatim_string_literal": "String",
        "character_literal": "char",
        "true": "boolean",
        "false": "boolean",
        "boolean_literal": "boolean",
        "null_literal": "null",
        "class_literal": "Class",
        "instanceof_expression": "boolean",
        "lambda_expression": "()",
        "method_reference": "()",
    }
)
_INTEGERS = frozenset(
    {"decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal", "integer_literal"}
)
_REALS = frozenset({"decimal_floating_point_literal", "real_literal"})
_COMPARED = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_MARKS = re.compile(r"@[\w.]+(?:\([^()]*\))?|\b(?:final|ref|out|in|params|this|const|readonly)\s")
_VARIABLE = re.compile(r"T[A-Z]\w*|[A-Z][A-Z0-9]?")


class Fits(IntEnum):
    """Whether an argument can be given for a parameter: not at all, perhaps, or as the very type."""

    NO = 0
    MAYBE = 1
    SAME = 2


@value
class Static:
    """A type where it is written: `name` without its package and what it is given, "" where it is not known; `ours` are its classes here.

    `outside` says that it is no class of this root. An `array` is one of such values.
    """

    name: str
    array: bool = False
    ours: frozenset[Klass] = frozenset()
    outside: bool = False


NOTHING = Static("")


def written(resolver: Resolver, path: Path, text: str, at: int) -> Static:
    """The type that is written at byte `at` of a file."""
    text = _MARKS.sub("", text).strip().rstrip("?").strip()
    array = text.endswith(("[]", "...", "]"))
    base = text.split("<")[0].split("[")[0].removesuffix("...").strip()
    name = base.rpartition(".")[2].strip()
    name = _SAME.get(name, name)
    if not name or name == "var" or not name.isidentifier() or "?" in base:
        return NOTHING
    if name in _PRIMITIVES or name in _SIZED or name in ("String", "Object"):
        return Static(name, array, outside=True)
    refs = resolver.types(path, base, at)
    ours = frozenset(ref for ref in refs if isinstance(ref, Klass))
    known = any(isinstance(ref, Elsewhere) or (isinstance(ref, Unknown) and ref.outside) for ref in refs)
    if not ours and not known and _VARIABLE.fullmatch(name):
        return NOTHING
    return Static(name, array, ours, known and not ours)


def of_argument(resolver: Resolver, language: Language, path: Path, node: Node | None) -> Static:
    """The type that an argument has by what is written of it."""
    for _ in range(HIGHEST):
        if node is None or node.type not in ("parenthesized_expression", "argument") or node.named_child_count != 1:
            break
        node = node.named_child(0)
    if node is None:
        return NOTHING
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type in ("integer_literal", "float_literal") and language.family == "rust":
        suffix = next((name for name in _SIZED if text.endswith(name)), "")
        return Static(suffix, outside=bool(suffix))
    if node.type in _LITERALS and language.family != "rust":
        return Static(_LITERALS[node.type], outside=True)
    if node.type in _INTEGERS or node.type in _REALS:
        return Static(_number(text, node.type in _REALS), outside=True)
    if node.type in ("cast_expression", "object_creation_expression", "type_cast_expression"):
        made = node.child_by_field_name("type")
        return written(resolver, path, (made.text or b"").decode("utf-8", "replace"), made.start_byte) if made is not None else NOTHING
    if node.type == "binary_expression":
        return _combined(resolver, language, path, node)
    if node.type in ("this", "this_expression"):
        outline = resolver.outline(path)
        around = outline.class_around(node.start_byte) if outline is not None else -1
        return (
            Static(outline.scopes[around].name, ours=frozenset({Klass(path, around)})) if outline is not None and around >= 0 else NOTHING
        )
    return _followed(resolver, language, path, node)


def _number(text: str, real: bool) -> str:
    ending = text[-1:].lower()
    if real or ending in ("f", "d", "m"):
        return "float" if ending == "f" and not text.lower().startswith("0x") else "double" if real or ending in ("d", "m") else "int"
    return "long" if ending == "l" else "int"


def _combined(resolver: Resolver, language: Language, path: Path, node: Node) -> Static:
    operator = node.child_by_field_name("operator")
    sign = (operator.text or b"").decode() if operator is not None else ""
    if sign in _COMPARED:
        return Static("boolean", outside=True)
    sides = [of_argument(resolver, language, path, node.child_by_field_name(side)) for side in ("left", "right")]
    return Static("String", outside=True) if sign == "+" and any(side == Static("String", outside=True) for side in sides) else NOTHING


def _followed(resolver: Resolver, language: Language, path: Path, node: Node) -> Static:
    """The type of a name, a member or a call, where all that it may mean says the same of it."""
    held = expression(language, node)
    called = held.kind == "call" and held.inner is not None
    refs: Refs = resolver.value(path, held.inner if called and held.inner is not None else held)
    found: set[Static] = set()
    for ref in refs:
        outline = resolver.outline(ref.path) if isinstance(ref, Key) else None
        for binding in resolver.bindings_of(ref) if isinstance(ref, Key) else ():
            text = binding.annotation
            if called and outline is not None:
                inner = outline.scopes[binding.inner] if binding.inner >= 0 else None
                text = inner.returns if inner is not None and inner.kind is ScopeKind.FUNCTION else ""
            found.add(written(resolver, ref.path, text, binding.start) if isinstance(ref, Key) and text else NOTHING)
        if not isinstance(ref, Key):
            found.add(NOTHING)
    return next(iter(found)) if len(found) == 1 else NOTHING


def parameter_types(resolver: Resolver, path: Path, listed: Node | None) -> tuple[Static, ...]:
    """What the parameters of a list take, in order."""
    found: list[Static] = []
    for node in listed.named_children if listed is not None else ():
        if node.type in COMMENTS or node.type == "receiver_parameter":
            continue
        typed = node.child_by_field_name("type") or next(
            (c for c in node.named_children if c.type not in ("modifiers", "identifier")), None
        )
        text = (typed.text or b"").decode("utf-8", "replace") if typed is not None else ""
        if (dimensions := node.child_by_field_name("dimensions")) is not None:
            text += (dimensions.text or b"").decode("utf-8", "replace")
        found.append(written(resolver, path, text, node.start_byte))
    return tuple(found)


def fits(resolver: Resolver, given: Static, taken: Static, *, converts: bool) -> Fits:
    """Whether what is `given` can stand for what is `taken`. `converts` says that classes may say what else they can be made of."""
    if not given.name or not taken.name:
        return Fits.MAYBE
    if given.name == taken.name and given.array == taken.array:
        return Fits.SAME
    if given.name in _SIZED or taken.name in _SIZED:
        return Fits.NO if given.name in _SIZED and taken.name in _SIZED and not (given.array or taken.array) else Fits.MAYBE
    if given.name == "null" or given.array or taken.array:
        return _of_no_class(given, taken)
    if given.name == "()":
        return Fits.NO if taken.name in _PRIMITIVES or taken.name == "String" else Fits.MAYBE
    if given.name in _PRIMITIVES or taken.name in _PRIMITIVES:
        return _with_primitives(given, taken, converts)
    if converts or taken.name in _TOPS:
        return Fits.MAYBE
    if given.ours and taken.ours:
        return Fits.MAYBE if taken.ours & _above(resolver, given.ours) else Fits.NO
    if taken.name in _BOXES or taken.name == "String":
        return Fits.NO if given.ours or given.name in _BOXES or given.name == "String" else Fits.MAYBE
    if given.outside and taken.ours:
        return Fits.NO
    if given.ours and taken.outside and not _opens(resolver, given.ours):
        return Fits.NO
    return Fits.NO if given.name == "String" and taken.outside and taken.name != "CharSequence" else Fits.MAYBE


def _of_no_class(given: Static, taken: Static) -> Fits:
    """Where nothing is given, or arrays are."""
    if given.name == "null":
        return Fits.NO if taken.name in _PRIMITIVES and not taken.array else Fits.MAYBE
    alike = given.array == taken.array and given.name not in _PRIMITIVES and taken.name not in _PRIMITIVES
    return Fits.MAYBE if alike or taken.name in _TOPS or not (taken.ours or taken.outside) else Fits.NO


def _with_primitives(given: Static, taken: Static, converts: bool) -> Fits:
    """Whether numbers widen, and whether what is boxed is unboxed."""
    if converts and given.name in _WIDER and taken.name in _WIDER:
        return Fits.MAYBE  # a number that is written out is made smaller where it fits
    if given.name in _PRIMITIVES and taken.name in _PRIMITIVES:
        start = "short" if given.name == "char" else given.name
        wider = start in _WIDER and taken.name in _WIDER and _WIDER.index(taken.name) >= _WIDER.index(start)
        return Fits.MAYBE if wider and not (given.name == "char" and taken.name in ("byte", "short")) else Fits.NO
    boxed, plain = (taken, given) if given.name in _PRIMITIVES else (given, taken)
    if boxed.name in _BOXES:
        return Fits.MAYBE if _BOXES[boxed.name] == plain.name or boxed is given else Fits.NO
    if boxed.name == "String":
        return Fits.NO
    if boxed is taken:
        open_end = boxed.name in _TOPS or boxed.name == "Number" or converts or not (boxed.ours or boxed.outside)
        return Fits.MAYBE if open_end else Fits.NO
    return Fits.NO if (boxed.ours or boxed.outside) and not converts and boxed.name not in ("Object", "Number") else Fits.MAYBE


def _opens(resolver: Resolver, classes: frozenset[Klass]) -> bool:
    """Whether one of the classes has a base, near or far, that is not of this root."""
    return any(not isinstance(base, Klass) for held in _above(resolver, classes) for base in resolver.bases(held))


def _above(resolver: Resolver, classes: frozenset[Klass]) -> frozenset[Klass]:
    """The classes, and all above them that are of this root."""
    found: set[Klass] = set()
    todo = list(classes)
    while todo:
        held = todo.pop()
        if held not in found and len(found) < HIGHEST:
            found.add(held)
            todo += [base for base in resolver.bases(held) if isinstance(base, Klass)]
    return frozenset(found)
