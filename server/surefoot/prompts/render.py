"""Templates and the values that they take: a gap without a value is an error, and so is a value of the wrong shape."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


@value
class Data:
    """Text from outside: of a file, a tool, a person's code. It is shown between marks that it cannot hold itself.

    `what` says what it is, as a path with lines or in a few words.
    """

    what: str
    text: str

    @property
    def mark(self) -> str:
        """Names the text by its content, so that no text can end itself."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@value
class PlanTask:
    """The part of a plan request that stays the same from attempt to attempt."""

    task: str
    quoted: Data | None
    done: tuple[str, ...]
    sites: Data | None
    unlisted: int
    soft: int


@value
class EditTask:
    """The part of an edit request that stays the same from attempt to attempt."""

    task: str
    quoted: Data | None
    title: str
    intent: str
    preserving: bool
    files: tuple[str, ...]
    sites: Data | None
    soft: int


@value
class Shown:
    """Texts that were read anew for this request. `turns` is how often the model may still look before it has to answer."""

    data: tuple[Data, ...]
    turns: int


@value
class Must:
    """What the answer has to satisfy beside the task: at most one note."""

    constraints: tuple[str, ...]
    note: str


@value
class Judged:
    """What a judge sees."""

    task: Data
    diff: Data
    declarations: Data


@value
class Failed:
    """What a distiller sees. `runtime` asks what the edit should have done for the error not to happen."""

    task: Data
    attempted: Data
    error: Data
    runtime: bool
    words: int


Page = PlanTask | EditTask | Shown | Must | Judged | Failed


def rendered(name: str, page: Page) -> str:
    """The template `name` with the values of a page. Raises jinja2.TemplateError: a fault of ours."""
    return _environment().get_template(f"{name}.md").render(page=page)


def fixed(name: str) -> str:
    """A text without gaps."""
    return (_HERE / f"{name}.md").read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def version(names: tuple[str, ...]) -> str:
    """Names templates by what they say."""
    return hashlib.sha256("\0".join(fixed(name) for name in names).encode()).hexdigest()[:12]


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # The texts are no pages of a browser: what is shown is shown as it is.
    return Environment(loader=FileSystemLoader(_HERE), undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
