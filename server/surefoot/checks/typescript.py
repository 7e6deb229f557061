"""TypeScript 7's native server, for TypeScript and JavaScript.

TypeScript 7 took options away. Under a tsconfig that still has one of them it reports that and then resolves imports in another way than
the project does, so that silence means nothing: such a project is not validated, with the option named.
"""

import json
import os
import platform
import re
import sys
import tempfile
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, JsonValue, ValidationError

from surefoot.checks.checker import Checker, CheckKind, Launch, Missing, Proof, Tool
from surefoot.checks.configs import fingerprint, governing, nearest_config
from surefoot.checks.outcome import as_text
from surefoot.checks.program import run_program
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import folders_up
from surefoot.core.text import TextFile, Texts
from surefoot.run.limits import CHECK_TIMEOUT_SECONDS
from surefoot.run.outcomes import Failure

PACKAGE = "typescript@7.0.2"
LANGUAGES = MappingProxyType(
    {
        ".ts": "typescript",
        ".mts": "typescript",
        ".cts": "typescript",
        ".tsx": "typescriptreact",
        ".js": "javascript",
        ".mjs": "javascript",
        ".cjs": "javascript",
        ".jsx": "javascriptreact",
    }
)
_DECLARED_BY = MappingProxyType({".js": ".d.ts", ".jsx": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"})
_NATIVE_MAJOR = 7
_PLANTED = "SurefootMissingType"
_ALONE = MappingProxyType[str, JsonValue](
    {
        "compilerOptions": {
            "noEmit": True,
            "composite": False,
            "incremental": False,
            "tsBuildInfoFile": None,
            "rootDir": None,
            "types": [],
        },
        "files": ["planted.ts"],
        "include": [],
        "references": [],
    }
)
"""Settings that turn a project's tsconfig into one about a single file, which writes nothing."""
PARSE_ERRORS = frozenset(
    {1002, 1003, 1005, 1010, 1109, 1110, 1126, 1127, 1128, 1130, 1131, 1132, 1134, 1135, 1136, 1137, 1138, 1139, 1140, 1141, 1142, 1144}
    | {1145, 1146, 1160, 1161, 1179, 1180, 1181, 1198, 1199, 1351, 1357, 1381, 1382, 1389, 1433, 1434, 1435, 1436, 1438, 1440, 1442}
    | {17002, 17008, 17014, 17015}
)
"""Codes by which TypeScript's parser says that something is missing, unexpected or not closed."""
_REPORTED = frozenset({0, 1, 2})
"""Exit codes with which TypeScript says what it found."""

_OPTION_ERROR = re.compile(r"error (TS5\d{3}): (.*)")
_UNCHECKED = re.compile(r"^\s*//\s*@ts-nocheck\b", re.MULTILINE)
_ARCHITECTURES = MappingProxyType({"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64", "armv7l": "arm"})


class _Manifest(BaseModel):
    version: str = ""

    @property
    def major(self) -> int:
        head = self.version.split(".", 1)[0]
        return int(head) if head.isdigit() else 0


def typescript_in(folder: Path) -> Tool | None:
    """The native TypeScript among the packages of `folder`, None where there is none or an older one."""
    package = folder / "node_modules" / "typescript"
    version = _version(package)
    if version is None or version.major < _NATIVE_MAJOR:
        return None
    real = package.resolve()
    name = f"typescript-{_system()}-{_architecture()}"
    for home in (real / "node_modules", real.parent, folder / "node_modules"):
        binary = home / "@typescript" / name / "lib" / ("tsc.exe" if os.name == "nt" else "tsc")
        if binary.is_file():
            return Tool(binary, version.version, "project")
    return None


def own_version(path: Path, root: Path) -> str:
    """The version of the TypeScript that the project itself has for this file, "" if it has none."""
    for folder in folders_up(path, root):
        if (version := _version(folder / "node_modules" / "typescript")) is not None:
            return version.version
    return ""


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    for folder in folders_up(path, root):
        if (tool := typescript_in(folder)) is not None:
            return tool
        if _version(folder / "node_modules" / "typescript") is not None:
            break
    ours = typescript_in(settings.typescript_folder)
    if ours is not None:
        return Tool(ours.path, ours.version, "surefoot")
    own = own_version(path, root)
    has = f"the project's own is {own}, which has no native server" if own else "the project has none"
    return Missing(f"TypeScript 7 is not installed ({has}); run: surefoot doctor --install")


def _launch(tool: Tool, texts: Texts) -> Launch:
    """Pull only, and no automatic type acquisition: left on, the server fetches packages with npm while it checks."""
    configuration = MappingProxyType[str, JsonValue](
        {
            "js/ts": {"tsserver": {"automaticTypeAcquisition": {"enabled": False}}},
            "typescript": {"disableAutomaticTypeAcquisition": True},
            "javascript": {"disableAutomaticTypeAcquisition": True},
        }
    )
    return Launch((str(tool.path), "--lsp", "--stdio"), dict(os.environ), {"disablePushDiagnostics": True}, configuration)


def proof(path: Path, texts: Texts) -> Proof:
    """A type that does not exist. Where a project leaves types alone (JavaScript without checkJs, `@ts-nocheck`, declarations under
    skipLibCheck), only syntax is checked, by its own choice."""
    if LANGUAGES[path.suffix].startswith("javascript"):
        planted = f"/** @type {{{_PLANTED}}} */\nconst surefootPlanted = 1;\n"
        return Proof(planted, _PLANTED, "js: syntax only, the project does not type-check JavaScript here (no checkJs)", fatal=False)
    planted = f"type SurefootPlanted = {_PLANTED};\n"
    held = texts.read(path)
    if path.name.endswith((".d.ts", ".d.mts", ".d.cts")):
        return Proof(planted, _PLANTED, "declarations: syntax only, the project skips them (skipLibCheck)", fatal=False)
    if isinstance(held, TextFile) and _UNCHECKED.search(held.text):
        return Proof(planted, _PLANTED, "syntax only, the file says @ts-nocheck", fatal=False)
    config = nearest_config(path, texts.root)
    where = config.name if config else "the project's settings"
    return Proof(planted, _PLANTED, f"TypeScript reports no type errors in {path.name} under {where}")


def stubs(path: Path) -> tuple[Path, ...]:
    suffix = _DECLARED_BY.get(path.suffix)
    return (path.with_suffix(suffix),) if suffix else ()


def _obstacle(tool: Tool, config: Path, root: Path) -> str:
    """Compile one planted file outside the project under the project's options: they must be known, and the error must be reported."""
    with tempfile.TemporaryDirectory(prefix="surefoot-") as scratch:
        planted = Path(scratch) / "planted.ts"
        planted.write_text('export const planted: number = "planted";\n')
        (Path(scratch) / "tsconfig.json").write_text(json.dumps({"extends": str(config), **_ALONE}))
        argv = [str(tool.path), "-p", scratch, "--pretty", "false"]
        outcome = run_program("TypeScript", argv, Path(scratch), CHECK_TIMEOUT_SECONDS, as_text, _REPORTED)
    name = config.relative_to(root).as_posix()
    if isinstance(outcome, Failure):
        return f"TypeScript could not be tried with {name}: {outcome.message}"
    if (option := _OPTION_ERROR.search(outcome.answer)) is not None:
        return f"{name} does not run on TypeScript {tool.version}: {option[2].strip()} ({option[1]})"
    return "" if "TS2322" in outcome.answer else f"TypeScript {tool.version} reports no type errors under {name}"


def _version(package: Path) -> _Manifest | None:
    try:
        return _Manifest.model_validate_json((package / "package.json").read_bytes())
    except (OSError, ValidationError):
        return None


def _system() -> str:
    return "win32" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"


def _architecture() -> str:
    machine = platform.machine().lower()
    return _ARCHITECTURES.get(machine, machine)


CHECKER = Checker(
    name="typescript",
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
    governs=governing,
    fingerprint=fingerprint,
    obstacle=_obstacle,
    instead="tsserver",
)
