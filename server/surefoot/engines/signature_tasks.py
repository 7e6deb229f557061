"""The words of a task that changes what a function takes, read into a value."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum

from surefoot.core.value import value
from surefoot.engines.aims import Aim, NotATask, aim_of, bare, is_name

SIGNATURE_FORMS = (
    "`add parameter NAME: TYPE = DEFAULT to F`, `add parameter NAME to F passing VALUE`, `remove parameter NAME from F`, "
    "`reorder parameters of F to b, a`, `rename parameter NAME of F to NEW`, "
    "`make parameter NAME of F keyword-only` (or positional, positional-only, required, `optional with default VALUE`), "
    "`change default of NAME in F to VALUE`"
)
_END = (
    "these may follow: `passing VALUE`, `first`, `last`, `before NAME`, `after NAME`, `keyword-only`, `keeping calls`, "
    "`dropping effects`, `leaving unseen callers`"
)
_ADD = re.compile(r"add\s+(?:an?\s+)?(?:new\s+)?parameter\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_TARGET = re.compile(r"(?P<target>`[^`]+`|\S+?)(?P<tail>[\s,].*)?", re.DOTALL)
_REMOVE = re.compile(r"remove\s+(?:the\s+)?(?:unused\s+)?parameter\s+(?P<name>\S+)\s+from\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_REORDER = re.compile(
    r"reorder\s+(?:the\s+)?parameters\s+of\s+(?P<target>\S+)\s+to\s+(?P<order>[\w$`'\"]+(?:\s*,\s*[\w$`'\"]+)*)(?P<tail>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RENAME = re.compile(
    r"rename\s+(?:the\s+)?parameter\s+(?P<name>\S+)\s+(?:of|in)\s+(?P<target>\S+)\s+to\s+(?P<new>\S+)", re.IGNORECASE | re.DOTALL
)
_MAKE = re.compile(
    r"make\s+(?:the\s+)?parameter\s+(?P<name>\S+)\s+(?:of|in)\s+(?P<target>\S+)\s+"
    r"(?P<how>keyword-only|positional-only|positional|optional|required)(?P<tail>.*)",
    re.IGNORECASE | re.DOTALL,
)
_DEFAULT = re.compile(
    r"change\s+(?:the\s+)?default\s+of\s+(?:parameter\s+)?(?P<name>\S+)\s+(?:of|in)\s+(?P<target>\S+)\s+to\s+(?P<tail>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DECLARED = re.compile(r"(?P<name>[\w$]+)(?P<may>\??)\s*(?::\s*(?P<type>.+?))?\s*(?:(?<![=!<>])=(?![=>])\s*(?P<default>.+))?", re.DOTALL)
_WORDS = r"leaving unseen callers|dropping effects|keeping calls|keyword-only|first|last|before [\w$]+|after [\w$]+"
_LAST = re.compile(rf"(?:^|[\s,]+)(?P<word>{_WORDS})$", re.IGNORECASE)
_FIRST = re.compile(rf"(?P<word>{_WORDS})[\s,]+", re.IGNORECASE)
_PASSING = re.compile(r"(?:passing|with\s+default|default|with)\s+(?P<value>.+)", re.IGNORECASE | re.DOTALL)
_AT = re.compile(r"(?P<value>.+?)\s+at\s+(?P<path>\S+):(?P<line>\d+)", re.DOTALL)
_ENDINGS = 8
"""Words at the end of a task that are read."""


class Verb(StrEnum):
    """What is to become of a signature."""

    ADD = "add"
    REMOVE = "remove"
    REORDER = "reorder"
    RENAME = "rename"
    KEYWORD_ONLY = "keyword-only"
    POSITIONAL = "positional"
    POSITIONAL_ONLY = "positional-only"
    OPTIONAL = "optional"
    REQUIRED = "required"
    DEFAULT = "default"


@value
class PassedAt:
    """What a call in this line gives, where it is not what all others give."""

    path: str
    line: int
    value: str


@value
class SignatureTask:
    """A change of a signature as it was asked for.

    `value` is what calls give that have to give something, `values` what some of them give instead. `where` is "first", "last",
    "before NAME", "after NAME" or "keyword-only". `keeping` lets calls mean what they meant; `effects` lets arguments go that do something
    when they are evaluated; `unseen` says that nobody calls the function whom the index does not see.
    """

    verb: Verb
    aim: Aim
    parameter: str = ""
    new: str = ""
    type: str = ""
    default: str = ""
    maybe: bool = False
    order: tuple[str, ...] = ()
    value: str = ""
    values: tuple[PassedAt, ...] = ()
    where: str = ""
    keeping: bool = False
    effects: bool = False
    unseen: bool = False


@value
class _End:
    """The end of a task, read."""

    value: str = ""
    values: tuple[PassedAt, ...] = ()
    where: str = ""
    keeping: bool = False
    effects: bool = False
    unseen: bool = False


def parse_signature(text: str) -> SignatureTask | NotATask | None:
    """The change of a signature that `text` asks for, what it would have to say, or None where it speaks of something else."""
    words = text.strip().rstrip(".")
    for form, read in _FORMS:
        if (found := form.fullmatch(words)) is not None:
            made = read(found)
            return made if isinstance(made, NotATask) else replace(made, aim=replace(made.aim, again=_by_place(words, made.aim.again)))
    begun = re.match(
        r"(?:add|remove|rename|make)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?parameters?\s(?!to\s)|reorder\s|change\s+(?:the\s+)?default\s",
        words,
        re.I,
    )
    return NotATask(f"the task was not understood: say {SIGNATURE_FORMS}") if begun else None


def _add(found: re.Match[str]) -> SignatureTask | NotATask:
    rest = found["rest"]
    fault = NotATask(f"the task does not say which function the parameter is added to: say {SIGNATURE_FORMS}")
    for declared, target in _divided(rest, "to"):
        read, aimed = _DECLARED.fullmatch(declared.strip("` ")), _TARGET.fullmatch(target)
        if read is None or aimed is None:
            continue
        aim, end = _aim(aimed["target"]), _end(aimed["tail"] or "")
        if isinstance(aim, NotATask) or isinstance(end, NotATask):
            fault = aim if isinstance(aim, NotATask) else end if isinstance(end, NotATask) else fault
            continue
        given = (read["type"] or "").strip(), (read["default"] or "").strip()
        return SignatureTask(
            Verb.ADD,
            aim,
            read["name"],
            "",
            *given,
            bool(read["may"]),
            (),
            end.value,
            end.values,
            end.where,
            end.keeping,
            end.effects,
            end.unseen,
        )
    return fault


def _remove(found: re.Match[str]) -> SignatureTask | NotATask:
    aimed = _TARGET.fullmatch(found["rest"])
    return _made(Verb.REMOVE, found["name"], aimed["target"] if aimed else "", aimed["tail"] or "" if aimed else "")


def _reorder(found: re.Match[str]) -> SignatureTask | NotATask:
    order = tuple(bare(word) for word in found["order"].split(","))
    made = _made(Verb.REORDER, "", found["target"], found["tail"])
    if isinstance(made, NotATask):
        return made
    return SignatureTask(Verb.REORDER, made.aim, order=order, effects=made.effects, unseen=made.unseen)


def _rename(found: re.Match[str]) -> SignatureTask | NotATask:
    made, new = _made(Verb.RENAME, found["name"], found["target"], ""), bare(found["new"])
    if isinstance(made, NotATask):
        return made
    if not is_name(new):
        return NotATask(f"`{new}` is not a name that code could use: say {SIGNATURE_FORMS}")
    return SignatureTask(Verb.RENAME, made.aim, made.parameter, new)


def _make(found: re.Match[str]) -> SignatureTask | NotATask:
    return _made(Verb(found["how"].lower()), found["name"], found["target"], found["tail"])


def _change(found: re.Match[str]) -> SignatureTask | NotATask:
    return _made(Verb.DEFAULT, found["name"], found["target"], " passing " + found["tail"])


def _made(verb: Verb, name: str, target: str, tail: str) -> SignatureTask | NotATask:
    aim, end, name = _aim(target), _end(tail), bare(name)
    if isinstance(aim, NotATask):
        return aim
    if isinstance(end, NotATask):
        return end
    if name and not is_name(name):
        return NotATask(f"`{name}` is not the name of a parameter: say {SIGNATURE_FORMS}")
    return SignatureTask(verb, aim, name, "", "", "", False, (), end.value, end.values, end.where, end.keeping, end.effects, end.unseen)


def _aim(words: str) -> Aim | NotATask:
    aim = aim_of(bare(words))
    return NotATask(f"{aim}: say {SIGNATURE_FORMS}") if isinstance(aim, str) else replace(aim, again=bare(words))


def _by_place(words: str, target: str) -> str:
    """The task with a place where it names the function."""
    *_, last = re.finditer(rf"(?<![\w$]){re.escape(target)}(?![\w$])", words)
    return f"{words[: last.start()]}PATH:LINE:COLUMN{words[last.end() :]}"


def _end(tail: str) -> _End | NotATask:
    rest, where, said = tail.strip().strip(","), "", set[str]()
    for _ in range(_ENDINGS):
        found = _LAST.search(rest) or _FIRST.match(rest)
        if found is None:
            break
        word = found["word"]
        where = word if word.lower() not in _SAYS else where
        said.add(word.lower())
        rest = rest[found.end() :] if found.end() < len(rest) else rest[: found.start()].rstrip(" ,")
    value, values = "", tuple[PassedAt, ...]()
    if rest.strip():
        passing = _PASSING.fullmatch(rest.strip())
        if passing is None:
            return NotATask(f"the end of the task was not understood ({rest.strip()!r}): {_END}")
        first, *others = passing["value"].split(";")
        read = [_AT.fullmatch(other.strip()) for other in others]
        if any(each is None for each in read):
            return NotATask("what some calls give instead is written as `; VALUE at PATH:LINE`")
        value, values = first.strip(), tuple(PassedAt(r["path"], int(r["line"]), r["value"].strip()) for r in read if r is not None)
    return _End(value, values, where, "keeping calls" in said, "dropping effects" in said, "leaving unseen callers" in said)


def _divided(rest: str, word: str) -> Iterator[tuple[str, str]]:
    """The text before and after each place where a word stands alone, the last one first."""
    for found in reversed(list(re.finditer(rf"\s+{word}\s+", rest))):
        yield rest[: found.start()], rest[found.end() :]


_SAYS = frozenset({"leaving unseen callers", "dropping effects", "keeping calls"})
_Read = Callable[[re.Match[str]], SignatureTask | NotATask]
_FORMS: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_ADD, _add),
    (_REMOVE, _remove),
    (_REORDER, _reorder),
    (_RENAME, _rename),
    (_MAKE, _make),
    (_DEFAULT, _change),
)
