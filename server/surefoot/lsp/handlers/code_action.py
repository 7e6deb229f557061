"""`textDocument/codeAction`: what is checked for the text as it is now, and offers to start work."""

import asyncio

from lsprotocol import types as t

from surefoot.lsp.actions import FIX, Action, Menu, fix_action, no_fix_action
from surefoot.lsp.convert import from_diagnostics, kind_names
from surefoot.lsp.host import Host
from surefoot.lsp.offers import fixes_found, model_fixes_offered, renames_offered, steps_offered, still_holding
from surefoot.run.limits import MENU_WAIT_SECONDS


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
    clock = asyncio.get_running_loop().time
    ends = clock() + (MENU_WAIT_SECONDS if menu.asked else 0)
    service = await host.service_within(ends - clock())
    if service is None or not host.stands(menu.uri, text):
        return None
    (found, unable), renames = await asyncio.gather(
        fixes_found(service, menu, tuple(shown), ends - clock()), renames_offered(host, service, menu, ends - clock())
    )
    # Nothing is awaited from here on: what is shown is true of the text as it is now.
    if not host.stands(menu.uri, text):
        return None
    fixes = [action for proposal in still_holding(host, menu, found) if (action := fix_action(host, proposal, shown))]
    reasons = [no_fix_action(unable)] if unable and menu.asks_for(FIX) and host.client.disabled else []
    modelled = model_fixes_offered(host, menu, shown, fixes)
    return [*fixes, *modelled, *reasons, *steps_offered(host, service, menu), *renames]
