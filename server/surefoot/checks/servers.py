"""Language servers that give a second opinion on sites: the checkers that are servers, and those of other languages where they are at hand.

Nothing is fetched: what is not on PATH is not there, and what a server would fetch (modules, crates, toolchains) it is told to leave.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from pydantic import JsonValue

from surefoot.checks import ty, typescript
from surefoot.checks.checker import Launch, Missing, Server, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.core.text import Texts
from surefoot.core.value import value


@value
class OnPath:
    """A server that is taken from PATH. It runs nothing of the project: `options` turn off what would."""

    name: str
    languages: Mapping[str, str]
    arguments: tuple[str, ...]
    env: Mapping[str, str]
    options: JsonValue
    reports: bool

    def speaks(self, path: Path) -> bool:
        return path.suffix in self.languages

    @property
    def find(self) -> Callable[[Path, Path, CheckSettings], Tool | Missing]:
        return self._find

    @property
    def launch(self) -> Callable[[Tool, Texts], Launch]:
        return self._launch

    def _find(self, path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
        found = shutil.which(self.name, path=settings.search_path)
        # A relative entry of PATH may lead into the project, and what lies there is not the user's tool.
        inside = found is not None and (not Path(found).is_absolute() or Path(found).is_relative_to(root))
        if found is None or inside:
            return Missing("not found on PATH")
        return Tool(Path(found), "", "user")

    def _launch(self, tool: Tool, texts: Texts) -> Launch:
        env = {**os.environ, **self.env}
        return Launch((str(tool.path), *self.arguments), env, self.options, MappingProxyType({self.name: self.options}), self.reports)


GOPLS = OnPath(
    name="gopls",
    languages=MappingProxyType({".go": "go"}),
    arguments=(),
    env=MappingProxyType({"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOTELEMETRY": "off"}),
    options=None,
    reports=False,
)
RUST_ANALYZER = OnPath(
    name="rust-analyzer",
    languages=MappingProxyType({".rs": "rust"}),
    arguments=(),
    env=MappingProxyType({"CARGO_NET_OFFLINE": "true", "RUSTUP_AUTO_INSTALL": "0"}),
    options={"cargo": {"buildScripts": {"enable": False}}, "procMacro": {"enable": False}, "checkOnSave": False},
    reports=True,
)
SERVERS: tuple[Server, ...] = (ty.CHECKER, typescript.CHECKER, GOPLS, RUST_ANALYZER)
"""Who is asked about a definition: the first that speaks its language."""
