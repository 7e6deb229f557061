"""What a rename of a parameter does not reach by itself: lines of documentation, and the attributes of a component's elements."""

from collections.abc import Iterator, Set
from dataclasses import replace
from pathlib import Path

from surefoot.core.change import TextEdit
from surefoot.core.plan import PlannedStep, Take
from surefoot.engines.protocol import Draft, Plan
from surefoot.engines.refactor.sheet import change_of, text_of
from surefoot.engines.refactor.signature_case import Case
from surefoot.engines.refactor.signature_docs import redone
from surefoot.syntax.written import Element, Passed


def with_elements(plan: Plan, case: Case) -> Plan:
    """The plan of a rename with the files of all elements that give the prop."""
    more = {e.site.place.path for e, _ in _attributes(case)}
    return replace(plan, steps=tuple(_taking(step, more) for step in plan.steps))


def _taking(step: PlannedStep, more: Set[Path]) -> PlannedStep:
    takes = (*step.takes, *(Take(path) for path in more - {take.path for take in step.takes}))
    return replace(step, takes=tuple(sorted(takes, key=lambda take: take.path)))


def with_documentation(draft: Draft, case: Case) -> Draft:
    """The draft of a rename with the documented names of the parameter edited as well."""
    edits = {file.path: list(file.edits) for file in draft.change.files}
    task = case.task
    for element, piece in _attributes(case):
        held = edits.setdefault(element.site.place.path, [])
        if not any(e.start <= piece.start < e.end for e in held):
            held.append(TextEdit(piece.start, piece.start + len(piece.name.encode("utf-8")), task.new))
    for shape in case.shapes:
        definition = shape.definition
        names = [p.name for p in definition.parameters if p.name]
        path = definition.site.place.path
        if task.parameter not in names or path not in edits or definition.docs[1] <= definition.docs[0]:
            continue
        new = [task.new if name == task.parameter else name for name in names]
        made = redone(text_of(case.texts, path).data, definition.docs, names, new, {task.parameter: task.new})
        edits[path] += [e for e in made if not any(e.start < o.end and o.start < e.end for o in edits[path])]
    return replace(draft, change=change_of(case.texts, sorted(edits.items())))


def _attributes(case: Case) -> Iterator[tuple[Element, Passed]]:
    for element in case.shaped.props.elements if case.shaped.props is not None else ():
        for piece in element.attributes:
            if piece.name == case.task.parameter:
                yield element, piece
