"""Surefoot's own copy of TypeScript, installed once and only when a person asks."""

import shutil
import subprocess
from pathlib import Path

from surefoot.checks.checker import Tool
from surefoot.checks.settings import CheckSettings
from surefoot.checks.typescript import PACKAGE, typescript_in
from surefoot.core.errors import CheckerUnavailable

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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        argv = [npm, "install", "--prefix", str(folder), PACKAGE, "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckerUnavailable(f"TypeScript could not be installed into {folder}: {error}") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise CheckerUnavailable(f"npm could not install {PACKAGE}: {lines[0] if lines else f'exit code {done.returncode}'}")
