"""Which models are asked, where, and what they cost: what settings and environment say, as values."""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from types import MappingProxyType

from surefoot.core.value import value
from surefoot.run.limits import TRANSPORT_BASE_SECONDS
from surefoot.run.outcomes import Role

OFFICIAL = "https://api.anthropic.com"


class Provider(StrEnum):
    """Whose client is used: the Messages API itself or what speaks it, or one of two clouds with sign-in of their own."""

    ANTHROPIC = "anthropic"
    BEDROCK = "bedrock"
    VERTEX = "vertex"


@value
class Price:
    """Dollars for a million tokens. What is read from the cache costs a tenth of what is read, what is written to it a quarter more."""

    read: float
    written: float

    def micros(self, read: int, written: int, cache_read: int, cache_written: int) -> int:
        """Millionths of a dollar for so many tokens."""
        return round(self.read * (read + 0.1 * cache_read + 1.25 * cache_written) + self.written * written)


PRICES: Mapping[str, Price] = MappingProxyType(
    {
        "claude-haiku-5-5": Price(0.10, 0.50),
        "claude-sonnet-5-5": Price(2, 10),
        "claude-opus-5-5": Price(4, 20),
        "claude-fable-5-2": Price(10, 50),
    }
)
"""List prices of the default models; `[model.prices]` has the others, and newer ones."""


@value
class Models:
    """The model of each role; `stronger` is offered when the editor has used up its attempts, "" for none."""

    editor: str = "claude-sonnet-5-5"
    distiller: str = "claude-haiku-5-5"
    judge: str = "claude-sonnet-5-5"
    stronger: str = "claude-opus-5-5"

    def of(self, role: Role) -> str:
        """The model that is asked in a role."""
        match role:
            case Role.EDITOR:
                return self.editor
            case Role.DISTILLER:
                return self.distiller
            case Role.JUDGE:
                return self.judge


@value
class Endpoint:
    """Where requests go. The key is kept apart from all that is shown: it is in no `repr`.

    `chosen` says that a person's own environment names the address: only there, and at the provider itself, is the key of the environment
    sent, and what else the environment gives to every request. `seconds` is how long a provider may stay silent, `base_seconds` the wait
    before the first retry; `ca` is a file of certificates.
    """

    base_url: str = OFFICIAL
    key: str = field(default="", repr=False)
    provider: Provider = Provider.ANTHROPIC
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    seconds: float = 120.0
    base_seconds: float = TRANSPORT_BASE_SECONDS
    ca: str = ""
    region: str = ""
    project: str = ""
    chosen: bool = False

    @property
    def trusted(self) -> bool:
        """Whether what the environment keeps secret may go there: a file of a project may name any address."""
        return self.chosen or self.official

    @property
    def official(self) -> bool:
        return self.base_url.rstrip("/") == OFFICIAL

    @property
    def local(self) -> bool:
        """Whether the server is on this very machine: no proxy is on the way to it, and it may need no key."""
        host = self.base_url.split("://")[-1].split("/")[0].rsplit(":", 1)[0]
        return host in ("localhost", "127.0.0.1", "[::1]")

    @property
    def usable(self) -> bool:
        """Whether there is any sense in asking: a key, a server of one's own, or a cloud that signs in by itself."""
        return bool(self.key) or self.local or self.provider is not Provider.ANTHROPIC


@value
class ModelConfig:
    """All that a transport goes by."""

    endpoint: Endpoint = Endpoint()
    models: Models = Models()
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])

    def price(self, model: str) -> Price:
        """What a model costs; one that nobody knows the price of counts as free, and a run says so by its tokens."""
        return self.prices.get(model) or PRICES.get(model) or Price(0, 0)

    def with_stronger(self) -> "ModelConfig":
        """The same with the stronger model as the editor."""
        return replace(self, models=replace(self.models, editor=self.models.stronger or self.models.editor))
