"""Who may do what: reading, checking and drafting are allowed; delivery is a person's word."""

from surefoot.core.value import value
from surefoot.run.events import Action, Authority, Lane


@value
class Permit:
    """A ruling on an action."""

    allowed: bool
    by: Authority
    reason: str = ""


class Permissions:
    """Work on overlays is allowed by policy, a delivery was asked for by a person."""

    def permit(self, action: Action) -> Permit:
        """Rule on an action before it runs."""
        return Permit(True, Authority.POLICY if action.lane is Lane.WORK else Authority.PERSON)
