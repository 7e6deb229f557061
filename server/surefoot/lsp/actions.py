"""What a menu shows, as the client can take it: an action carries a command, because an edit applied by the editor never tells us so."""

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from surefoot.core.findings import Diagnostic
from surefoot.core.proposal import Proposal
from surefoot.core.value import value
from surefoot.lsp.convert import Sending, kinds_wanted
from surefoot.lsp.edits import edit_of
from surefoot.lsp.extensions import APPLY, APPLY_ALL, APPLY_PROPOSAL, DO_TASK, OVERRULE, RENAME_EVERYWHERE, START
from surefoot.lsp.guards import obstacle
from surefoot.lsp.host import Host
from surefoot.lsp.runs import first_unverified

if TYPE_CHECKING:
    from surefoot.run.state import RunState

FIX = t.CodeActionKind.QuickFix.value
STEP = "refactor.rewrite"
RENAME = "refactor.rename"

MODEL_FIX = "Fix with Claude (validated)…"

OVERRULED = "Offer anyway (overrule)"

Action = t.CodeAction | t.Command


@value
class Menu:
    """One request for actions. `start` and `end` are bytes of `path`; `asked` is True when a person opened the menu."""

    uri: str
    path: Path
    start: int
    end: int
    position: t.Position
    only: tuple[str, ...] | None
    asked: bool

    def wants(self, kind: str) -> bool:
        return kinds_wanted(self.only, kind)

    def asks_for(self, kind: str) -> bool:
        """True when a person asked for this kind by name: then it is worth a word that there is none."""
        return self.asked and self.only is not None and self.wants(kind)


def fix_action(host: Host, proposal: Proposal, shown: dict[Diagnostic, t.Diagnostic]) -> Action | None:
    """A validated fix. Without `workspace/applyEdit` it carries its edit, which the client applies on its own; None where it cannot."""
    answered = _answered(proposal, shown)
    if not host.client.apply_edit:
        if not host.client.action_literals or obstacle(host.session, proposal.change):
            return None
        return t.CodeAction(title=proposal.title, kind=FIX, diagnostics=answered, edit=edit_of(host, proposal, Sending(proposal.title)))
    command = t.Command(title=proposal.title, command=APPLY_PROPOSAL, arguments=[{"id": proposal.id}])
    if not host.client.action_literals:
        return command
    return t.CodeAction(title=proposal.title, kind=FIX, diagnostics=answered, command=command, data={"proposal": proposal.id})


def model_fix_action(host: Host, menu: Menu, finding: Diagnostic, theirs: t.Diagnostic) -> Action:
    """The offer to let a model fix a finding that nothing else fixes: a run in checked steps, like any other task."""
    task = {
        "task": f"fix what {finding.tool or 'the checker'} finds in line {finding.place.line} of {menu.path.name}",
        "uri": menu.uri,
        "position": theirs.range.start,
        "quoted": f"{finding.tool} {finding.code}: {finding.message}".strip(),
    }
    name = DO_TASK if DO_TASK in host.client.commands else START
    command = t.Command(title=MODEL_FIX, command=name, arguments=[task])
    if not host.client.action_literals:
        return command
    return t.CodeAction(title=MODEL_FIX, kind=FIX, diagnostics=[theirs], command=command)


def no_fix_action(reason: str) -> t.CodeAction:
    """Why fixes could not be checked, for a menu that shows such reasons."""
    return t.CodeAction(title="Fix with Surefoot", kind=FIX, disabled=t.CodeActionDisabled(reason))


def _answered(proposal: Proposal, shown: dict[Diagnostic, t.Diagnostic]) -> list[t.Diagnostic] | None:
    """The client's own diagnostic that a fix answers, in the client's words."""
    answered = proposal.diagnostic
    if answered is None:
        return None
    found = [theirs for ours, theirs in shown.items() if ours == answered] or [
        theirs for ours, theirs in shown.items() if (ours.place.start, ours.code) == (answered.place.start, answered.code)
    ]
    return found or None


def step_actions(host: Host, state: "RunState", menu: Menu) -> list[Action]:
    """The next step of an open run, where it changes the text under the cursor; anywhere in its root when a person opened the menu."""
    from surefoot.report.titles import step_title

    index = state.next_step
    if index < 0 or not state.steps[index].offered or not host.client.apply_edit or not menu.wants(STEP):
        return []
    step = state.steps[index]
    if not menu.asked and not _touches(state, index, menu):
        return []
    shown = step.draft.change.digest if step.draft else ""
    made = [_command(host, step_title(step), STEP, APPLY, {"run": state.run, "step": str(index), "change": shown})]
    waiting = sum(s.offered for s in state.steps)
    if waiting > 1 and menu.asked:
        made.append(_command(host, f"Apply all {waiting} steps: {state.task.text}", STEP, APPLY_ALL, {"run": state.run}))
    return made


def overrule_actions(host: Host, state: "RunState", menu: Menu) -> list[Action]:
    """The offer to take a step that holds and that only the judge is against, with the objection, where a person opened the menu in a file
    that it changes."""
    index = first_unverified(state)
    if index < 0 or not menu.asked or not menu.wants(STEP) or not host.client.apply_edit:
        return []
    step = state.steps[index]
    if step.draft is None or menu.path not in step.draft.change.paths:
        return []
    title = f"{OVERRULED}: {step.planned.title}. The judge objects: {step.objection}"
    return [_command(host, title, STEP, OVERRULE, {"run": state.run, "step": str(index)})]


def _touches(state: "RunState", index: int, menu: Menu) -> bool:
    draft = state.steps[index].draft
    edits = (e for f in (draft.change.files if draft else ()) if f.path == menu.path for e in f.edits)
    return any(e.start <= menu.end and menu.start <= e.end for e in edits)


def rename_action(host: Host, menu: Menu, name: str) -> Action:
    """The offer to rename what is under the cursor: the client asks for the new name."""
    title = f"Rename {name} everywhere…"
    command = t.Command(title=title, command=RENAME_EVERYWHERE, arguments=[menu.uri, menu.position])
    return t.CodeAction(title=title, kind=RENAME, command=command) if host.client.action_literals else command


def no_rename_action(reason: str) -> t.CodeAction:
    """Why there is nothing to rename, for a menu that shows such reasons."""
    return t.CodeAction(title="Rename everywhere…", kind=RENAME, disabled=t.CodeActionDisabled(reason))


def _command(host: Host, title: str, kind: str, name: str, argument: dict[str, str]) -> Action:
    command = t.Command(title=title, command=name, arguments=[argument])
    return t.CodeAction(title=title, kind=kind, command=command) if host.client.action_literals else command
