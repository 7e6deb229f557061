"""What a menu may offer, asked of the service."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types as t

from surefoot.core.errors import CheckerUnavailable
from surefoot.core.findings import Diagnostic, Severity
from surefoot.lsp.actions import (
    FIX,
    RENAME,
    Action,
    Menu,
    model_fix_action,
    no_rename_action,
    overrule_actions,
    rename_action,
    step_actions,
)
from surefoot.lsp.extensions import RENAME_EVERYWHERE
from surefoot.lsp.host import Host

if TYPE_CHECKING:
    from surefoot.core.proposal import Proposal
    from surefoot.service import Service


async def fixes_found(service: "Service", menu: Menu, shown: Sequence[Diagnostic], wait: float) -> "tuple[Sequence[Proposal], str]":
    """Validated fixes, and why there can be none where no check could say."""
    if not menu.wants(FIX):
        return (), ""
    try:
        return await service.propose(menu.path, menu.start, menu.end, shown, wait if menu.asked else 0), ""
    except CheckerUnavailable as error:
        return (), str(error)


def still_holding(host: Host, menu: Menu, found: "Sequence[Proposal]") -> "list[Proposal]":
    """Those that hold on every text as it is now."""
    from surefoot.loop.background import still_holds

    root = host.session.root_of(menu.path)
    live = host.session.snapshot(root) if root and found else None
    return [proposal for proposal in found if live and still_holds(proposal, live)]


def model_fixes_offered(host: Host, menu: Menu, shown: Mapping[Diagnostic, t.Diagnostic], fixes: Sequence[Action]) -> list[Action]:
    """One for a person who asked, where a finding under the cursor has no checked fix."""
    if not menu.asked or not menu.wants(FIX) or not host.client.apply_edit:
        return []
    answered = [theirs for fix in fixes if isinstance(fix, t.CodeAction) for theirs in fix.diagnostics or ()]
    left = (
        (ours, theirs) for ours, theirs in shown.items() if ours.severity in (Severity.ERROR, Severity.WARNING) and theirs not in answered
    )
    return [model_fix_action(host, menu, ours, theirs) for ours, theirs in islice(left, 1)]


def steps_offered(host: Host, service: "Service", menu: Menu) -> list[Action]:
    """The next steps of open runs that may be shown now, and those that only a judge is against."""
    root = host.session.root_of(menu.path)
    runs = [run.state for run in service.active(root) if service.next_holds(root, run.state)] if root else []
    offered = [action for state in runs for action in step_actions(host, state, menu)]
    judged = [run.state for run in service.active(root)] if root else []
    return offered + [action for state in judged for action in overrule_actions(host, state, menu)]


async def renames_offered(host: Host, service: "Service", menu: Menu, wait: float) -> list[Action]:
    """Only for a person who asked: a name under the cursor is no reason for a light bulb. Nothing when the answer would come too late."""
    if not menu.asked or not menu.wants(RENAME) or RENAME_EVERYWHERE not in host.client.commands:
        return []
    try:
        async with asyncio.timeout(wait):
            symbol = await service.symbol_at(menu.path, menu.start)
    except TimeoutError:
        return []
    if symbol is not None:
        return [rename_action(host, menu, symbol.name)]
    return [no_rename_action("there is no name under the cursor")] if menu.asks_for(RENAME) and host.client.disabled else []
