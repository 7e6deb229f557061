"""The project's own tsserver, for TypeScript and JavaScript that TypeScript 7 cannot look at under the project's settings."""

import os
import shutil
from pathlib import Path
from types import MappingProxyType

from surefoot.checks.checker import Checker, CheckKind, Dialect, Launch, Missing, Tool
from surefoot.checks.configs import fingerprint
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import folders_up
from surefoot.checks.typescript import LANGUAGES, PARSE_ERRORS, own_version, proof, stubs
from surefoot.core.text import Texts

_FLAGS = (
    "--disableAutomaticTypingAcquisition",
    "--useInferredProjectPerProjectRoot",
    "--suppressDiagnosticEvents",
    "--noGetErrOnBackgroundUpdate",
    "--locale",
    "en",
)


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    for folder in folders_up(path, root):
        server = folder / "node_modules" / "typescript" / "lib" / "tsserver.js"
        if server.is_file():
            if shutil.which("node", path=settings.search_path) is None:
                return Missing("Node.js was not found on PATH, and the project's tsserver runs on it")
            return Tool(server, own_version(path, root), "project")
    return Missing("the project has no tsserver of its own")


def _launch(tool: Tool, texts: Texts) -> Launch:
    argv = (shutil.which("node") or "node", str(tool.path), *_FLAGS)
    return Launch(argv, dict(os.environ), None, MappingProxyType({}), dialect=Dialect.TSSERVER)


CHECKER = Checker(
    name="tsserver",
    kind=CheckKind.TYPES,
    languages=LANGUAGES,
    alone=False,
    required=True,
    find=_find,
    launch=_launch,
    proof=proof,
    kin=MappingProxyType({"2551": "2339", "2552": "2304"}),
    is_syntax=lambda code: code.isdigit() and int(code) in PARSE_ERRORS,
    unresolved=frozenset({"2307", "2792", "7016"}),
    stubs=stubs,
    keeps=lambda path, code, texts: True,
    governs=lambda path, root: (),
    fingerprint=fingerprint,
    obstacle=lambda tool, config, root: "",
    wanted=lambda path, root: False,
)
