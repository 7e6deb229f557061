"""The words of a task, read into a value. Names that a language would not take are found here, before any file is opened."""

import keyword
import re

from surefoot.core.plan import Strings
from surefoot.core.sites import SymbolKind
from surefoot.core.value import value
from surefoot.engines.aims import Aim, NotATask, aim_of, bare, is_name
from surefoot.engines.signature_tasks import SIGNATURE_FORMS, SignatureTask, parse_signature
from surefoot.syntax.languages import Language

_TASK = re.compile(r"\s*rename\s+(?P<old>.+?)\s+to\s+(?P<new>\S+?)(?P<tail>[\s,;].*)?\s*", re.IGNORECASE | re.DOTALL)
FORMS = (
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

    @property
    def aim(self) -> Aim:
        """What it names."""
        again = f"rename PATH:LINE:COLUMN to {self.new}"
        return Aim(self.name, self.container, self.path, self.line, self.column, again, "renamed")


def parse_task(text: str) -> RenameTask | SignatureTask | NotATask:
    """What `text` asks for, or what it would have to say."""
    asked = parse_signature(text)
    if asked is not None:
        return asked
    found = parse_rename(text)
    return NotATask(f"{found.reason}; or {SIGNATURE_FORMS}") if isinstance(found, NotATask) else found


def parse_rename(text: str) -> RenameTask | NotATask:
    """The rename that `text` asks for, or what it would have to say."""
    found = _TASK.fullmatch(text)
    if found is None:
        return NotATask(f"this task is not one of those known without a model: {FORMS}")
    strings, comments, rest = _tail(found["tail"] or "")
    if rest:
        return NotATask(f"the end of the task was not understood ({rest!r}): {FORMS}")
    old, new = bare(found["old"]), bare(found["new"])
    if not is_name(new):
        return NotATask(f"`{new}` is not a name that code could use: {FORMS}")
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
    aim = aim_of(old)
    if isinstance(aim, str):
        return NotATask(f"{aim}: {FORMS}")
    return RenameTask(aim.name, new, aim.container, aim.path, aim.line, aim.column, strings, comments)


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
