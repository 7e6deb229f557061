"""What a model is asked and what came of it: the port that engines, distiller and judge know. Every request is one clean turn."""

from typing import Protocol

from surefoot.core.value import value
from surefoot.llm.reply import ToolUse
from surefoot.run.outcomes import Failure, Role, Spent


@value
class ToolSpec:
    """A tool that the model may name in place of an answer; `schema` is the JSON Schema of its input, as JSON."""

    name: str
    description: str
    schema: str


@value
class Ask:
    """One request: a system text, blocks of one user message, and how the answer has to look.

    `system`, the tools and the first `stable` blocks stay the same from turn to turn and are cached by the provider. `schema` is the JSON
    Schema that the answer must fit, as JSON; "" asks for free text. `limit` is the longest answer in tokens; a structured answer that is
    cut there is asked for again, whole, with more. `prompt` names the templates that made the texts. `go_on` asks for the rest of a free
    text that was cut; "" takes a cut one for none.
    """

    role: Role
    blocks: tuple[str, ...]
    system: str = ""
    stable: int = 0
    tools: tuple[ToolSpec, ...] = ()
    schema: str = ""
    limit: int = 8_000
    prompt: str = ""
    go_on: str = ""


@value
class Retry:
    """One more try with the same bytes: which one of how many, why (a status, `timeout`, `connection`), after how many seconds."""

    number: int
    most: int
    why: str
    wait: float


@value
class Exchange:
    """One request as it left, and what came back, byte for byte: for people and replay, never for a view.

    `response` is b"" where none came. `retries` are the tries after the first, all with these bytes; `seconds` is how long it all took.
    """

    request: bytes
    response: bytes
    model: str
    prompt: str
    spent: Spent
    retries: tuple[Retry, ...] = ()
    seconds: float = 0.0


@value
class Said:
    """A whole answer: the text (of a structured answer its JSON, unchecked), or the tools that the model wants to be used."""

    text: str
    uses: tuple[ToolUse, ...] = ()


@value
class Turn:
    """What came of a request, and every exchange that it took."""

    result: Said | Failure
    exchanges: tuple[Exchange, ...]


class Hear(Protocol):
    """Who wants to know how a request is going."""

    def waiting(self, role: Role, retry: Retry) -> None:
        """The provider did not answer; it is asked once more after a wait."""
        ...

    def writing(self, role: Role, characters: int) -> None:
        """So many characters of the answer have come so far."""
        ...


class Deaf:
    """Hears nothing: for questions that nobody waits for, or of which only the answer counts."""

    def waiting(self, role: Role, retry: Retry) -> None:
        """Say nothing."""

    def writing(self, role: Role, characters: int) -> None:
        """Say nothing."""


class Model(Protocol):
    """Asks a model. Transport failures are retried inside; cut answers are put right; what is no answer comes back as a failure."""

    async def turn(self, ask: Ask, hear: Hear) -> Turn:
        """One clean turn. Cancelling it closes the connection at once."""
        ...
