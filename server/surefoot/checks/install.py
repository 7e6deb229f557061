"""Surefoot's own copy of TypeScript, installed once and only when a person asks."""

import shutil
from pathlib import Path

from surefoot.checks.checker import Tool
from surefoot.checks.outcome import as_text
from surefoot.checks.program import run_program
from surefoot.checks.settings import CheckSettings
from surefoot.checks.typescript import PACKAGE, typescript_in
from surefoot.core.errors import CheckerUnavailable
from surefoot.run.outcomes import Failure, FailureClass

_PATIENCE = 300


def install_typescript(settings: CheckSettings | None = None) -> Tool:
    """Install TypeScript's native server into Surefoot's cache folder with npm, unless it is there. No install script runs.

    Raises CheckerUnavailable with what npm said.
    """
    folder = (settings or CheckSettings()).typescript_folder
    if (held := typescript_in(folder)) is not None:
        return held
    npm = shutil.which("npm")
    if npm is None:
        raise CheckerUnavailable("npm was not found; install Node.js 20 or later, then run: surefoot doctor --install")
    _install(npm, folder)
    if (made := typescript_in(folder)) is None:
        raise CheckerUnavailable(f"npm installed {PACKAGE}, but it has no native server for this system")
    return made


def _install(npm: str, folder: Path) -> None:
    argv = [npm, "install", "--prefix", str(folder), PACKAGE, "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CheckerUnavailable(f"TypeScript could not be installed into {folder}: {error.strerror or error}") from error
    outcome = run_program("npm", argv, folder, _PATIENCE, as_text)
    if isinstance(outcome, Failure):
        again = "; try again later" if outcome.cls is FailureClass.TRANSIENT else ""
        raise CheckerUnavailable(f"npm could not install {PACKAGE}: {outcome.message}{again}")
