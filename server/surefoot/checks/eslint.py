"""ESLint: lint for JavaScript and TypeScript, by the project's own copy and rules."""

from collections.abc import Sequence
from pathlib import Path

from surefoot.checks.checker import CheckKind, Missing, Proof, Tool
from surefoot.checks.command import Command
from surefoot.checks.command_output import eslint
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import folders_up, node_package
from surefoot.core.text import Texts, Units

_SETTINGS = (
    *(f"eslint.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts", "mts", "cts")),
    *(f".eslintrc{suffix}" for suffix in (".js", ".cjs", ".yaml", ".yml", ".json", "")),
)


def _uses(path: Path, texts: Texts) -> Path | None:
    """The folder of the nearest settings."""
    return next((folder for folder in folders_up(path, texts.root) if any((folder / name).is_file() for name in _SETTINGS)), None)


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    found = node_package("eslint", path, root)
    if found is None:
        return Missing("ESLint is not installed in the project's node_modules; its settings ask for it: npm install")
    return Tool(found.path / "bin" / "eslint.js", found.version, "project")


def _tell(tool: Path, place: Path, files: Sequence[Path], cache: Path) -> tuple[str, ...]:
    return ("node", str(tool), "--format", "json", *map(str, files))


def _proof(path: Path, texts: Texts) -> Proof:
    """What does not parse is reported whatever the rules, so silence means that the file is ignored."""
    return Proof("const surefootPlanted = ;\n", "", f"ESLint does not look at {path.name}: the project's settings leave it out")


COMMAND = Command(
    name="eslint",
    kind=CheckKind.LINT,
    suffixes=frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}),
    alone=True,
    required=False,
    uses=_uses,
    find=_find,
    tell=_tell,
    read=eslint,
    proof=_proof,
    good=frozenset({0, 1}),
    units=Units.UTF16,
    watched=False,
)
