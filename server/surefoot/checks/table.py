"""Every checker, in the order in which they are asked."""

from surefoot.checks import ruff, ty, typescript
from surefoot.checks.checker import Checker

CHECKERS: tuple[Checker, ...] = (ruff.CHECKER, ty.CHECKER, typescript.CHECKER)
