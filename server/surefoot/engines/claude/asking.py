"""What all requests of the editor share: sections within their budgets, the looks it may ask for, and how its answer is taken."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from surefoot.core.plan import Constraint
from surefoot.core.text import TextFile, Texts, relative
from surefoot.engines.claude.withheld import NOWHERE, hidden
from surefoot.engines.protocol import Failed
from surefoot.llm.answers import Answer, answer_of
from surefoot.llm.ask import Ask, Exchange, Hear, Model, Said, ToolSpec
from surefoot.llm.looks import MANIFESTS, FindSites, ListSymbols, Look, ReadExcerpt, SearchText, look_of
from surefoot.llm.reply import ToolUse
from surefoot.policy.secrets import covered, secrets_in
from surefoot.prompts.render import Data, Must, Shown, rendered
from surefoot.run.outcomes import Bucket, Failure, FailureClass, NotRead, Read, Search, SitesOf, Span, SymbolsIn
from surefoot.run.view import Excerpt, View

MOST_SHOWN = 64_000
"""Characters of code in one request; what is beyond is named, so that it can be asked for."""

MOST_LINES = 400
"""Lines of one excerpt."""

MOST_LOOKS = 12
"""Looks of one turn that are answered."""

M = TypeVar("M", bound=Answer)


def blocks_of(view: View, task: str, data: Sequence[Data]) -> tuple[str, ...]:
    """One clean user turn: what stays the same from attempt to attempt first, then the code as it stands, then what must hold."""
    blocks = task, rendered("shown", Shown(within(data), view.turns_left)), must(view)
    # Sites, words of a person and of a checker may hold a secret as well as a file does.
    return tuple(covered(block, secrets_in(block)) for block in blocks)


def looks(view: View) -> tuple[ToolSpec, ...]:
    """The tools that may be named while there is a turn left to answer in."""
    return tuple(manifest.spec for manifest in MANIFESTS.values()) if view.turns_left > 1 else ()


def must(view: View) -> str:
    """The constraints, each with its file where it has one, and the one note."""
    lines = tuple(f"{_where(view, c)}{' '.join(c.text.split()[: view.limits.constraint_words])}" for c in view.constraints)
    return rendered("must", Must(lines, view.note))


def _where(view: View, constraint: Constraint) -> str:
    return f"{relative(view.texts.root, constraint.path)}: " if constraint.path is not None else ""


def within(data: Sequence[Data]) -> tuple[Data, ...]:
    """As many texts as the budget holds, with secrets covered; those that are left out are named."""
    shown: list[Data] = []
    left = MOST_SHOWN
    for each in data:
        text = covered(each.text, secrets_in(each.text))
        if len(text) > left:
            shown.append(Data(each.what, "(too long to be shown here: ask for the lines that you need)"))
        else:
            left -= len(text)
            shown.append(Data(each.what, text))
    return tuple(shown)


def quoted(view: View) -> Data | None:
    """What somebody else says of the task."""
    said = view.task.quoted
    return Data("what the checker says", covered(said, secrets_in(said))) if said else None


def excerpts(view: View) -> tuple[Data, ...]:
    """What the model asked to see. Sites are not among them: they have a list of their own."""
    return tuple(Data(_what(view.texts, e), e.text) for e in view.excerpts if e.failed or not isinstance(e.read, SitesOf))


def _what(texts: Texts, excerpt: Excerpt) -> str:
    read = excerpt.read
    failed = "failed: " if excerpt.failed else ""
    match read:
        case Span():
            return f"{failed}{relative(texts.root, read.path)} lines {read.first} to {read.last}"
        case SymbolsIn():
            return f"{failed}symbols of {relative(texts.root, read.path)}"
        case SitesOf():
            return f"{failed}sites of {read.name}"
        case Search():
            return f"{failed}search_text"
        case NotRead():
            return f"failed: {read.tool}"


async def turn(model: Model, ask: Ask, hear: Hear, schema: type[M]) -> tuple[M | tuple[ToolUse, ...] | Failed, tuple[Exchange, ...]]:
    """The answer to a request, or the looks that the model wants first, and the exchanges that it took."""
    done = await model.turn(ask, hear)
    if not isinstance(done.result, Said):
        return Failed(done.result, done.exchanges, _raw(done.exchanges)), done.exchanges
    if done.result.uses:
        return done.result.uses, done.exchanges
    answer = answer_of(schema, done.result.text)
    return (Failed(answer, done.exchanges, _raw(done.exchanges)) if isinstance(answer, Failure) else answer), done.exchanges


def reads_of(uses: Iterable[ToolUse], texts: Texts) -> tuple[Read, ...]:
    """What a model wants to see; what it may not see, or what is no such thing, is a look that fails."""
    return tuple(dict.fromkeys(_read(use, texts) for use in tuple(uses)[:MOST_LOOKS]))


def _read(use: ToolUse, texts: Texts) -> Read:
    look = look_of(use.name, use.input)
    if isinstance(look, str):
        return NotRead(use.name if use.name in MANIFESTS else "tool", look)
    match look:
        case FindSites(name=name, path=""):
            return SitesOf(name)
        case SearchText(words=words, within=inside):
            return Search(words, inside)
        case _:
            return _at(look, use.name, texts)


def _at(look: Look, tool: str, texts: Texts) -> Read:
    """A look into one file, which has to be one of the workspace that may be shown."""
    assert isinstance(look, ReadExcerpt | ListSymbols | FindSites)
    path = path_in(texts, look.path)
    if isinstance(path, str):
        return NotRead(tool, path)
    match look:
        case ReadExcerpt(first=first, last=last):
            return Span(path, first, min(max(last, first), first + MOST_LINES - 1))
        case ListSymbols():
            return SymbolsIn(path)
        case FindSites(name=name):
            return SitesOf(name, path)


def path_in(texts: Texts, name: str) -> Path | str:
    """The file of the workspace that a model names, or why it is none that it may see."""
    path = texts.root / name.strip().removeprefix("./")
    if why := hidden(path, texts.root):
        return why
    return path if isinstance(texts.read(path), TextFile) else NOWHERE


def constraint(code: str, message: str) -> Failure:
    """Why an answer cannot be taken, as something that the next one has to satisfy."""
    return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, code, message)


def _raw(exchanges: Sequence[Exchange]) -> bytes:
    return exchanges[-1].response if exchanges else b""
