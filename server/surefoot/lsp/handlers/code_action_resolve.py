"""`codeAction/resolve`: a look at what an action would change, and a last look at whether it still holds."""

from typing import cast

from lsprotocol import types as t

from surefoot.lsp.host import Host


async def resolve(host: Host, action: t.CodeAction) -> t.CodeAction:
    """The action with the diff of its proposal in `data`, or with the reason why it is not offered any more."""
    held: object = action.data
    data = cast(dict[str, object], held) if isinstance(held, dict) else {}
    named = data.get("proposal")
    if not isinstance(named, str):
        return action
    service = await host.service()
    proposal = service.proposal(named)
    if proposal is not None:
        action.data = {**data, "diff": proposal.diff}
    elif host.client.disabled:
        action.disabled = t.CodeActionDisabled("the text has moved since this was checked; open the menu again")
    return action
