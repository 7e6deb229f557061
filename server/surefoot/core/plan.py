"""What was asked, and the ordered steps that answer it: the values that a run's journal keeps."""

from enum import StrEnum
from pathlib import Path

from surefoot.core.sites import Target
from surefoot.core.value import value


class Strings(StrEnum):
    """What to do with strings that resolve to the symbol: ask a person, edit them too, or leave them as they are."""

    ASK = "ask"
    UPDATE = "update"
    LEAVE = "leave"


@value
class Task:
    """What a person asked for. `at` names the symbol by place where the words alone would not; `undoes` the step that it takes back.

    `stronger` asks for the stronger model, after another one has used up its attempts. `quoted` is what a tool says that is to be put
    right: it is shown as such, and is nobody's order.
    """

    text: str
    at: Target | None = None
    strings: Strings = Strings.ASK
    undoes: str = ""
    stronger: bool = False
    quoted: str = ""


class Stage(StrEnum):
    """What one step does to the code: all of it, all of it over the size limit, or a third of a split change."""

    WHOLE = "whole"
    WIDE = "wide"
    FORWARD = "forward"
    MIGRATE = "migrate"
    CONTRACT = "contract"


@value
class Take:
    """What one step takes from one file: at most `sites` of its pending sites, in text order (0 takes all)."""

    path: Path
    sites: int = 0


@value
class Subject:
    """A definition by name, which stays true while offsets move: the `nth` of that name in its container."""

    path: Path
    name: str
    container: str = ""
    nth: int = 0


@value
class PlannedStep:
    """One step before it is drafted: a title for a list, the intent in a sentence, what it takes, and the definition it is about.

    `touches` are the definitions whose sites a free-form task has to account for; `preserving` says that nothing shall behave otherwise.
    """

    title: str
    intent: str
    stage: Stage
    takes: tuple[Take, ...]
    subject: Subject | None = None
    touches: tuple[Subject, ...] = ()
    preserving: bool = False


@value
class Constraint:
    """What the next plan or edit must satisfy. `origin` is rule, site, diagnostic, test, person or plan; `line` is 1-based, 0 for none.

    Of origin `site`: a checker misses the old name at a site that was only likely, at `line` and at the lines of `more`. That settles it.
    """

    origin: str
    path: Path | None
    line: int
    text: str
    more: tuple[int, ...] = ()
