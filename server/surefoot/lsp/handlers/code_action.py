"""`textDocument/codeAction`: what is checked for the text as it is now, and offers to start work."""

from typing import TYPE_CHECKING

from lsprotocol import types as t

from surefoot.core.findings import Diagnostic
from surefoot.lsp.actions import FIX, RENAME, Action, Menu, fix_action, no_rename_action, rename_action, step_actions
from surefoot.lsp.convert import from_diagnostics, kind_names
from surefoot.lsp.extensions import RENAME_EVERYWHERE
from surefoot.lsp.host import Host

if TYPE_CHECKING:
    from surefoot.service import Service

WAIT_SECONDS = 0.3
"""How long a menu that a person opened may wait for a check; one that opens by itself does not wait."""


async def code_action(host: Host, params: t.CodeActionParams) -> list[Action] | None:
    """Fixes for the findings under the cursor, the next step of an open run, and the offer to rename; nothing on a clean line."""
    held = host.file(params.text_document.uri)
    if held is None:
        return None
    path, text, measure = held
    menu = Menu(
        uri=params.text_document.uri,
        path=path,
        start=measure.offset(params.range.start),
        end=measure.offset(params.range.end),
        position=params.range.start,
        only=kind_names(params.context.only),
        asked=params.context.trigger_kind != t.CodeActionTriggerKind.Automatic,
    )
    shown = from_diagnostics(params.context.diagnostics, measure)
    service = await host.service_within(WAIT_SECONDS if menu.asked else 0)
    if service is None or not host.stands(menu.uri, text):
        return None
    fixes = await _fixes(host, service, menu, shown)
    if not host.stands(menu.uri, text):
        return None
    return [*fixes, *_steps(host, service, menu), *await _renames(host, service, menu)]


async def _fixes(host: Host, service: "Service", menu: Menu, shown: dict[Diagnostic, t.Diagnostic]) -> list[Action]:
    if not menu.wants(FIX):
        return []
    found = await service.propose(menu.path, menu.start, menu.end, tuple(shown), WAIT_SECONDS if menu.asked else 0)
    return [fix_action(host, proposal, shown) for proposal in found]


def _steps(host: Host, service: "Service", menu: Menu) -> list[Action]:
    root = host.session.root_of(menu.path)
    runs = [run.state for run in service.active(root) if service.next_holds(root, run.state)] if root else []
    return [action for state in runs for action in step_actions(host, state, menu)]


async def _renames(host: Host, service: "Service", menu: Menu) -> list[Action]:
    """Only for a person who asked: a name under the cursor is no reason for a light bulb."""
    if not menu.asked or not menu.wants(RENAME) or RENAME_EVERYWHERE not in host.client.commands:
        return []
    symbol = await service.symbol_at(menu.path, menu.start)
    if symbol is not None:
        return [rename_action(host, menu, symbol.name)]
    asked_for = menu.only is not None and host.client.disabled
    return [no_rename_action("there is no name under the cursor")] if asked_for else []
