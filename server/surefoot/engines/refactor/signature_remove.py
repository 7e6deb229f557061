"""Remove a parameter that nothing in any body uses but the calls of the function itself."""

from surefoot.engines.refactor.signature_shape import Entries, index_of
from surefoot.engines.signature_tasks import SignatureTask
from surefoot.syntax.written import Definition


def remove(definition: Definition, entries: Entries, task: SignatureTask, language: str) -> Entries | str:
    """The parameters without the one that the task names, or why it has to stay."""
    at = index_of(entries, task.parameter)
    if at < 0:
        return f"it has no parameter `{task.parameter}`"
    piece = definition.pieces[entries[at].was]
    if definition.dynamic:
        return f"its body reads its parameters through `{definition.dynamic}`"
    if piece.member:
        return f"`{task.parameter}` declares a field of the class as well"
    if piece.pattern:
        return f"`{task.parameter}` is a part of what is taken from one parameter"
    return (*entries[:at], *entries[at + 1 :])
