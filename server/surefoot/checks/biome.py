"""Biome, where a project has it: lint for TypeScript and JavaScript, by its own version and settings.

Its server only pushes what it finds, with the version of the text that it is about. The daemon behind it ends when its client does.
"""

import os
from pathlib import Path
from types import MappingProxyType

from surefoot.checks.checker import Checker, CheckKind, Dialect, Launch, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import own_node_tool
from surefoot.checks.typescript import LANGUAGES
from surefoot.core.text import Texts


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    own = own_node_tool("biome", path, root)
    return Tool(own, "", "project") if own is not None else Missing("biome is not installed in the project's node_modules")


def _launch(tool: Tool, texts: Texts) -> Launch:
    return Launch((str(tool.path), "lsp-proxy"), dict(os.environ), None, MappingProxyType({"biome": {}}), dialect=Dialect.PUSH)


def _proof(path: Path, texts: Texts) -> Proof:
    """A syntax error is reported whatever rules are selected, so silence means that the file is excluded."""
    return Proof("const = ;\n", "", f"biome does not look at {path.name}: the project's settings exclude it")


CHECKER = Checker(
    name="biome",
    kind=CheckKind.LINT,
    languages=LANGUAGES,
    alone=True,
    required=False,
    find=_find,
    launch=_launch,
    proof=_proof,
    kin=MappingProxyType({}),
    is_syntax=lambda code: code == "parse",
    unresolved=frozenset(),
    stubs=lambda path: (),
    keeps=lambda path, code, texts: True,
    governs=lambda path, root: (),
    fingerprint=lambda config: "",
    obstacle=lambda tool, config, root: "",
    wanted=lambda path, root: own_node_tool("biome", path, root) is not None,
)
