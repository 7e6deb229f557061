"""A component's props: entries of the pattern that it takes apart, members of their type, and attributes of its elements."""

from collections.abc import Sequence
from pathlib import Path

from surefoot.core.sites import SiteStatus, Waiver
from surefoot.engines.protocol import Refusal
from surefoot.engines.refactor.sheet import text_of
from surefoot.engines.refactor.signature_case import Case
from surefoot.engines.refactor.signature_judge import Judged
from surefoot.engines.refactor.signature_lists import FileEdits, Put, Span, relist
from surefoot.engines.refactor.subject import shown
from surefoot.engines.signature_tasks import SignatureTask, Verb
from surefoot.syntax.arity import Slot
from surefoot.syntax.ledger import is_waived
from surefoot.syntax.written import Effect, Element, Piece, Props, Written

VERBS = frozenset({Verb.ADD, Verb.REMOVE, Verb.DEFAULT})


def judge_props(case: Case, props: Props, waivers: Sequence[Waiver]) -> Judged | Refusal:
    """The edits of pattern, type and elements, or why they are not to be made."""
    task, sheets = case.task, dict[Path, FileEdits]()
    home = props.definition.place.path
    sheet = sheets.setdefault(home, FileEdits(text_of(case.texts, home).data))
    why = props.unread or _declared(sheet, props, task)
    if why:
        return Refusal(f"{shown(case.texts, home)}:{props.definition.place.line}: {why}")
    verdicts = {
        (home, props.definition.place.start): (SiteStatus.UPDATED, "it is declared anew"),
        **{(c.site.place.path, c.site.place.start): (SiteStatus.PENDING, "it is called as a function") for c in case.calls},
    }
    for element in props.elements:
        path = element.site.place.path
        held = sheets.setdefault(path, FileEdits(text_of(case.texts, path).data))
        if not is_waived(element.site, waivers):
            verdicts[path, element.site.place.start] = _given(held, element, task)
    return Judged({path: held.edits for path, held in sorted(sheets.items()) if held.edits}, verdicts, (), False)


def _declared(sheet: FileEdits, props: Props, task: SignatureTask) -> str:
    """Edit the pattern and the type, or say why that cannot be."""
    entry = next((i for i, p in enumerate(props.pieces) if p.name == task.parameter), -1)
    if task.verb is Verb.ADD:
        return _added(sheet, props, task, entry)
    if entry < 0:
        return f"it takes no `{task.parameter}` apart"
    piece, put = props.pieces[entry], [(i, None) for i in range(len(props.pieces))]
    if task.verb is Verb.DEFAULT:
        if piece.default is None:
            return f"`{task.parameter}` has no default"
        sheet.replace(*piece.default, task.value)
        return ""
    if piece.uses:
        line = sheet.data.count(b"\n", 0, piece.uses[0]) + 1
        return f"`{task.parameter}` is still used in line {line}: take it out of the body first"
    if any(p.slot is Slot.REST for p in props.pieces):
        return f"`{task.parameter}` would be among the rest of the props, which is handed on"
    relist(sheet, Span(props.open, props.close, props.pieces), put[:entry] + put[entry + 1 :])
    for i, member in enumerate(props.members):
        if member.name == task.parameter:
            _take_out(sheet, props, i)
    return ""


def _added(sheet: FileEdits, props: Props, task: SignatureTask, entry: int) -> str:
    if entry >= 0 or any(m.name == task.parameter for m in props.members):
        return f"it has a prop `{task.parameter}` already"
    if props.captured:
        return f"`{task.parameter}` means something else in its body, which the prop would hide; choose another name"
    if props.typed != (0, 0) and not task.type:
        return "its props have a type, so the new one needs one: say `add parameter NAME: TYPE = DEFAULT to F`"
    text = f"{task.parameter} = {task.default}" if task.default else task.parameter
    rest = next((i for i, p in enumerate(props.pieces) if p.slot is Slot.REST), len(props.pieces))
    put: list[Put] = [(i, None) for i in range(len(props.pieces))]
    put.insert(rest, (-1, text))
    if props.pieces:
        relist(sheet, Span(props.open, props.close, props.pieces), put)
    else:
        sheet.replace(props.open, props.close, f" {text} ")
    if props.typed != (0, 0):
        _put_in(sheet, props, f"{task.parameter}{'?' if task.default or task.maybe else ''}: {task.type}")
    return ""


def _given(sheet: FileEdits, element: Element, task: SignatureTask) -> tuple[SiteStatus, str]:
    """Edit the attributes of one element, and say how it stands then."""
    held = next((a for a in element.attributes if a.name == task.parameter), None)
    if task.verb is Verb.REMOVE:
        if element.whole:
            return SiteStatus.PENDING, f"it may give `{task.parameter}` among others"
        if held is not None and held.effect is Effect.ACTS and not task.effects:
            return SiteStatus.PENDING, "what it gives may do something: add `dropping effects` to let it go"
        if held is not None:
            start = held.start - len(sheet.data[: held.start]) + len(sheet.data[: held.start].rstrip())
            sheet.replace(start, held.end, "")
            return SiteStatus.UPDATED, "an edit changes what it gives"
    elif task.verb is Verb.ADD and (task.value or not (task.default or task.maybe)):
        if not task.value:
            return SiteStatus.PENDING, f"nothing is given for `{task.parameter}`: say `passing VALUE`"
        last: Piece | None = element.attributes[-1] if element.attributes else None
        gap = _line_before(sheet.data, last.start) if last is not None and last.alone else " "
        at = last.end if last is not None else element.at
        given = task.value if task.value[:1] == '"' == task.value[-1:] else f"{{{task.value}}}"
        sheet.replace(at, at, f"{gap}{task.parameter}={given}")
        return SiteStatus.UPDATED, "an edit changes what it gives"
    return SiteStatus.FITS, "it gives what it gave"


def _put_in(sheet: FileEdits, props: Props, text: str) -> None:
    data, last = sheet.data, props.members[-1] if props.members else None
    if last is None:
        sheet.replace(props.typed[0] + 1, props.typed[0] + 1, f" {text} " if props.typed[1] - props.typed[0] < 3 else f" {text};")
        return
    mark = next((c for c in (";", ",") if data[last.end : last.end + 1] == c.encode()), "")
    end = last.end + len(mark)
    if last.alone:
        sheet.replace(end, end, f"{_line_before(data, last.start)}{text}{mark}")
    else:
        sheet.replace(end, end, f"{'' if mark else ';'} {text}{mark}")


def _take_out(sheet: FileEdits, props: Props, at: int) -> None:
    data, member = sheet.data, props.members[at]
    end = member.end + (data[member.end : member.end + 1] in (b";", b","))
    after: Written | None = props.members[at + 1] if at + 1 < len(props.members) else None
    if after is not None:
        sheet.replace(member.start, after.start, "")
        return
    line = data[: member.start]
    sheet.replace(len(line.rstrip()), end, "")


def _line_before(data: bytes, start: int) -> str:
    """The end of the line before, and the blanks at the start of this one."""
    at = data.rfind(b"\n", 0, start)
    return data[at - (data[at - 1 : at] == b"\r") : start].decode("utf-8")
