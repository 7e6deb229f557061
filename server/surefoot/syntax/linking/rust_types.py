"""How Rust writes its types: which of them a value has the members of, and what a container holds."""

import re

from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import names

_THROUGH = names(
    "Box Rc Arc Pin Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard ManuallyDrop LazyLock Lazy LazyCell AssertUnwindSafe"
)
"""Types whose members are those of what they hold."""

_CLOSED = names(
    "Option Result Vec VecDeque LinkedList HashMap HashSet BTreeMap BTreeSet BinaryHeap Mutex RwLock RefCell Cell OnceCell OnceLock"
    " PhantomData Range RangeInclusive Iterator IntoIterator Into From TryFrom TryInto AsRef AsMut Fn FnMut FnOnce Future Weak"
)
"""Generic types of the library that lend nothing of what they hold."""

_ITEMS = _CLOSED - names("PhantomData Into From TryFrom TryInto AsRef AsMut Fn FnMut FnOnce Weak Cell Range RangeInclusive")
_LEADING = re.compile(r"(?:&|\*\s*(?:const|mut)\b|'\w+|\b(?:mut|dyn|impl|unsafe|for\s*<[^<>]*>)(?!\w)|:(?!:)|\?|\s)+")
_PATH = re.compile(r"(?:::)?([^\W\d]\w*(?:\s*::\s*[^\W\d]\w*)*)\s*(?:::)?\s*")
_ITEM_TYPE = re.compile(r"\bItem\s*=\s*(.+)>", re.DOTALL)
DOUBT = "?"
"""Ends the first part of a type's name whose members may be those of what it holds."""


def type_names(annotation: str) -> tuple[str, ...]:
    """The names of the types whose members a value has, with dots between their parts."""
    found: list[str] = []
    for part in alternatives(annotation, "+"):
        found += _named(part)
    return tuple(dict.fromkeys(found))


def item(annotation: str) -> str:
    """The type of what a container holds, "" where a type is that of none."""
    text = _bare(annotation)
    if text.startswith("["):
        return text[1:].rpartition(";")[0].strip() or text[1:-1].strip()
    head = _PATH.match(text)
    last = head[1].rpartition("::")[2].strip() if head is not None else ""
    if head is None or not text.endswith(">"):
        return ""
    given = [part.strip() for part in alternatives(text[head.end() :][1:-1], ",") if part.strip() and not part.strip().startswith("'")]
    if last in _THROUGH and given:
        return item(given[0])
    if (named := _ITEM_TYPE.search(text)) is not None:
        return named[1]
    if last in _ITEMS or last == "Result":
        return given[-1] if last.endswith("Map") and given else given[0] if given else ""
    return ""


def _bare(text: str) -> str:
    """A type without what stands before it: references, lifetimes, `dyn`, `impl`."""
    text = text.strip()
    leading = _LEADING.match(text)
    text = text[leading.end() :] if leading is not None else text
    return text[1:-1].strip() if text.startswith("(") and text.endswith(")") and "," not in text else text


def _named(text: str) -> list[str]:
    text = _bare(text)
    if text.startswith("<"):
        return [DOUBT]
    head = _PATH.match(text)
    if head is None or head[1] == "fn" or text.startswith(("(", "[")):
        return []
    parts = [part.strip() for part in head[1].split("::")]
    rest = text[head.end() :].strip()
    if not rest:
        return [".".join("Self" if part == "self" and len(parts) == 1 else part for part in parts)]
    if not rest.startswith("<") or not rest.endswith(">"):
        return [DOUBT] if not rest.startswith("(") else [".".join(parts)]
    if parts[-1] in _THROUGH:
        given = [part for part in alternatives(rest[1:-1], ",") if not part.strip().startswith("'")]
        return [name for part in given[:1] for name in _named(part)]
    return [".".join(parts) if parts[-1] in _CLOSED else ".".join((parts[0] + DOUBT, *parts[1:]))]
