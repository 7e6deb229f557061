"""Every checker, in the order in which they are asked."""

from surefoot.checks import biome, compiled, eslint, mypy, pyrefly, ruff, tsc, tsserver, ty, typescript
from surefoot.checks.checker import Checker
from surefoot.checks.command import Command
from surefoot.checks.pyright import BASEDPYRIGHT, PYRIGHT

CHECKERS: tuple[Checker, ...] = (
    ruff.CHECKER,
    biome.CHECKER,
    ty.CHECKER,
    BASEDPYRIGHT,
    PYRIGHT,
    pyrefly.CHECKER,
    typescript.CHECKER,
    tsserver.CHECKER,
)

COMMANDS: tuple[Command, ...] = (compiled.COMMAND, eslint.COMMAND, mypy.COMMAND, tsc.COMMAND)
"""Those that are run to their end, each where the project uses it."""
