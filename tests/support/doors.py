"""The one door: a run's state is folded in `run/`, committed by the journal, held by `loop/run.py`, and made nowhere else."""

import ast
from pathlib import Path

from tests.support.sources import called, modules

HOLDER = "server/surefoot/loop/run.py"
DOORS = ("server/surefoot/journal/", "server/surefoot/run/", HOLDER)
RECORDS = frozenset({"RunState", "StepState", "Pending", "Settled", "Winding", "Halfway"})
FOLDS = frozenset({"fold", "step", "folded", "start"})


def other_doors(root: Path) -> list[str]:
    """Code outside of the door that sets a run's state, builds or replaces parts of one, or commits to a journal of its own accord."""
    found: list[str] = []
    for path, tree in modules(root):
        if path.startswith(DOORS):
            continue
        for node in ast.walk(tree):
            if words := _writes(path, node):
                found.append(f"{path}:{getattr(node, 'lineno', 0)}: {words}")
    return found


def _writes(path: str, node: ast.AST) -> str:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(t, ast.Attribute) and t.attr == "state" for t in targets):
            return "sets a state"
    if not isinstance(node, ast.Call):
        return ""
    if called(node) == "commit" and isinstance(node.func, ast.Attribute) and "journal" in ast.unparse(node.func.value):
        return "commits to a journal"
    if called(node) == "replace" and node.args and _is_state(node.args[0]):
        return "replaces a part of a state"
    return "builds a part of a state" if isinstance(node.func, ast.Name) and node.func.id in RECORDS and "/lsp/" not in path else ""


def _is_state(node: ast.expr) -> bool:
    """`state`, `run.state`, `state.steps[i]`: something that is a run's state or a step of one."""
    text = ast.unparse(node)
    return text == "state" or text.endswith(".state") or ".state." in text or text.startswith("state.")
