"""A renamed parameter in the documentation of its functions: the edits of a rename, joined with those of the lines that speak of it."""

from dataclasses import replace

from surefoot.engines.protocol import Draft
from surefoot.engines.refactor.sheet import change_of, text_of
from surefoot.engines.refactor.signature_case import Case
from surefoot.engines.refactor.signature_docs import redone


def with_documentation(draft: Draft, case: Case) -> Draft:
    """The draft of a rename with the documented names of the parameter edited as well."""
    edits = {file.path: list(file.edits) for file in draft.change.files}
    task = case.task
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
