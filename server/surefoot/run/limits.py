"""Every number of the contract, in one place."""

from surefoot.core.value import value


@value
class Limits:
    """What a run may use up; fixed when it starts. Lines are added plus removed, as git counts them."""

    attempts: int = 3
    verify_rounds: int = 2
    diff_soft: int = 50
    diff_hard: int = 150
    constraints: int = 8
    actions: int = 20_000
    """Actions of one run; each pause in typing may cost a run of ten steps some forty."""


MENU_WAIT_SECONDS = 0.3
"""How long a menu that a person opened may wait, all in all; one that opens by itself does not wait."""

CHECK_TIMEOUT_SECONDS = 30.0
"""How long one check may take before it counts as unavailable."""
