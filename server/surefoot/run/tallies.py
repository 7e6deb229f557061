"""How the sites of a ledger stand, in numbers."""

from surefoot.core.sites import REQUIRED_TIERS, Ledger, SiteStatus, Tier
from surefoot.run.outcomes import Tally


def tally_of(ledger: Ledger) -> Tally:
    """How the sites of a ledger stand; those of the tiers that demand nothing are only listed."""
    required = [e for e in ledger.entries if e.site.tier in REQUIRED_TIERS]
    count = {status: sum(e.status is status for e in required) for status in SiteStatus}
    return Tally(
        sites=len(required),
        files=len({e.site.place.path for e in required}),
        updated=count[SiteStatus.UPDATED],
        fits=count[SiteStatus.FITS],
        waived=count[SiteStatus.WAIVED],
        pending=count[SiteStatus.PENDING],
        listed=len(ledger.entries) - len(required),
        likely=sum(e.site.tier is Tier.LIKELY and e.status is SiteStatus.PENDING for e in ledger.entries),
    )
