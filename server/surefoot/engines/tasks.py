"""The words of a task, read into a value. Names that a language would not take are found here, before any file is opened."""

import keyword
import re

from surefoot.core.plan import Strings
from surefoot.core.sites import SymbolKind
from surefoot.core.value import value
from surefoot.syntax.languages import Language

_TASK = re.compile(r"\s*rename\s+(?P<old>.+?)\s+to\s+(?P<new>\S+?)(?P<tail>[\s,;].*)?\s*", re.IGNORECASE | re.DOTALL)
_IDENTIFIER = re.compile(r"#?(?!\d)[\w$]+")
_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<column>\d+)")
_FORMS = (
    "say `rename OLD to NEW`, where OLD is a name, Class.method, path/to/file.py:name or path:line:column, "
    "for example `rename getUser to fetchCurrentUser`; `including strings`, `leaving strings` or `including comments` may follow"
)
_JAVASCRIPT = re.compile(
    "break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|"
    "instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|implements|interface|let|package|private|"
    "protected|public|static|yield|await|arguments|eval|undefined|NaN|Infinity"
)
"""Names that a module in strict mode cannot bind, or that would hide a constant of the language."""
_TYPE_NAMES = re.compile("any|unknown|never|string|number|boolean|object|symbol|bigint")
"""Names that TypeScript keeps for its own types."""


@value
class RenameTask:
    """A rename as it was asked for: `path` is as written ("" for anywhere), `line` and `column` count from 1 (0 for none)."""

    name: str
    new: str
    container: str = ""
    path: str = ""
    line: int = 0
    column: int = 0
    strings: Strings = Strings.ASK
    comments: bool = False


@value
class NotATask:
    """Why the words are no task: a sentence with the known forms and an example."""

    reason: str


def parse_task(text: str) -> RenameTask | NotATask:
    """The rename that `text` asks for, or what it would have to say."""
    found = _TASK.fullmatch(text)
    if found is None:
        return NotATask(f"this task is not one of those known without a model: {_FORMS}")
    strings, comments, rest = _tail(found["tail"] or "")
    if rest:
        return NotATask(f"the end of the task was not understood ({rest!r}): {_FORMS}")
    old, new = _bare(found["old"]), _bare(found["new"])
    if _IDENTIFIER.fullmatch(new) is None:
        return NotATask(f"`{new}` is not a name that code could use: {_FORMS}")
    return _subject(old, new, strings, comments)


def name_fault(name: str, language: Language, kind: SymbolKind) -> str:
    """Why nothing of this kind can be called `name` in `language`, "" where it can."""
    if language.family == "python":
        if not name.isidentifier():
            return f"`{name}` is not a legal Python name"
        return f"`{name}` is a keyword of Python" if keyword.iskeyword(name) else ""
    shown = "TypeScript" if language.name.startswith("t") else "JavaScript"
    if not name.removeprefix("#").replace("$", "a").isidentifier():
        return f"`{name}` is not a legal {shown} name"
    if kind in {SymbolKind.METHOD, SymbolKind.FIELD}:
        return "`constructor` has a meaning of its own in a class" if name == "constructor" else ""
    if _JAVASCRIPT.fullmatch(name) or (kind in {SymbolKind.CLASS, SymbolKind.TYPE} and _TYPE_NAMES.fullmatch(name)):
        return f"`{name}` is a reserved word of {shown}"
    return ""


def _subject(old: str, new: str, strings: Strings, comments: bool) -> RenameTask | NotATask:
    if place := _PLACE.fullmatch(old):
        line, column = int(place["line"]), int(place["column"])
        if not (line and column):
            return NotATask(f"lines and columns count from 1: {_FORMS}")
        return RenameTask("", new, "", place["path"], line, column, strings, comments)
    path, _, dotted = old.rpartition(":")
    *around, name = dotted.removesuffix("()").split(".")
    if not all(_IDENTIFIER.fullmatch(part) for part in (*around, name)):
        return NotATask(f"`{old}` does not name anything in code: {_FORMS}")
    return RenameTask(name, new, ".".join(around), path, 0, 0, strings, comments)


def _tail(tail: str) -> tuple[Strings, bool, str]:
    """What the words after NEW ask for, and what of them was not understood."""
    strings, comments, verb, rest = Strings.ASK, False, "", ""
    for word in re.findall(r"[^\s,;.]+", tail.lower()):
        if word in {"including", "leaving"}:
            verb = word
        elif word == "strings" and verb:
            strings = Strings.UPDATE if verb == "including" else Strings.LEAVE
        elif word == "comments" and verb:
            comments = verb == "including"
        elif word != "and" or not verb:
            rest += f" {word}"
    return strings, comments, rest.strip()


def _bare(word: str) -> str:
    return word.strip().strip("`'\"").rstrip(",;.")
