"""The system texts: the same in every request of a role."""

from surefoot.prompts.render import fixed


def plan() -> str:
    """How to plan."""
    return fixed("plan.system")


def edit() -> str:
    """How to edit."""
    return fixed("edit.system")


def judge() -> str:
    """How to judge."""
    return fixed("judge.system")


def distil() -> str:
    """How to make one correction of a failure."""
    return fixed("distil.system")
