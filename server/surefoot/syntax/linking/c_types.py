"""How C and C++ write their types: which of them a value has the members of, and what a container holds."""

import re

from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import names
from surefoot.syntax.outline import TAG, TYPED

PREDEFINED = names("void char short int long float double bool signed unsigned size_t ssize_t _Bool wchar_t")
_NOISE = re.compile(r"\b(?:const|volatile|static|inline|constexpr|extern|register|mutable|typename|class|auto)\b|__\w+|[&*]")
_TAG = re.compile(r"(?:struct|union|enum)\s+(?:class\s+)?([^\W\d]\w*)")
_PATH = re.compile(r"(?:::)?([^\W\d]\w*(?:\s*::\s*[^\W\d]\w*)*)\s*")
_THROUGH = names("unique_ptr shared_ptr weak_ptr optional reference_wrapper observer_ptr intrusive_ptr scoped_ptr atomic")
_SMART = names(
    "vector list deque array set map multiset multimap unordered_set unordered_map unordered_multiset unordered_multimap span queue stack"
    " priority_queue forward_list initializer_list valarray"
)


def type_names(annotation: str) -> tuple[str, ...]:
    """The names of the types whose members a value has: those of structs end in `TAG`, single ones of types in `TYPED`."""
    text = annotation.strip()
    if (tag := _TAG.match(text)) is not None:
        return (tag[1] + TAG,)
    text = _NOISE.sub(" ", text).strip()
    head = _PATH.match(text)
    if head is None:
        return ()
    parts = [part.strip() for part in head[1].split("::")]
    rest = text[head.end() :].strip()
    if rest.startswith("<"):
        if not rest.endswith(">"):
            return ()
        if parts[-1] in _THROUGH:
            return type_names(alternatives(rest[1:-1], ",")[0])
    elif rest.startswith("::"):
        return ()
    return (".".join(parts) if len(parts) > 1 else parts[0] + TYPED,)


def item(annotation: str) -> str:
    """The type of what a container, an array or a pointer holds, "" where that is not known."""
    text = _NOISE.sub(" ", annotation).strip()
    if "<" not in text or not text.endswith(">"):
        return annotation
    head, _, given = text.partition("<")
    parts = alternatives(given[:-1], ",")
    last = last_name(head)
    if last in _SMART or last in _THROUGH:
        return parts[1] if last.endswith("map") and len(parts) > 1 else parts[0]
    return ""


def last_name(name: str) -> str:
    """The last part of a qualified name, without what it is given."""
    return re.split(r"[.:]", name.partition("<")[0])[-1].strip()
