"""What a change of a signature is about: the task, every definition with what it becomes, and the calls."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from surefoot.core.plan import Subject
from surefoot.core.sites import Site, SiteKind, Symbol, SymbolKind, Target, Tier
from surefoot.core.text import Texts
from surefoot.core.value import value
from surefoot.engines.protocol import Refusal, SiteFinder
from surefoot.engines.refactor.reader import Reader
from surefoot.engines.refactor.sheet import text_of
from surefoot.engines.refactor.signature_add import add
from surefoot.engines.refactor.signature_calls import Reshape
from surefoot.engines.refactor.signature_default import defaulted
from surefoot.engines.refactor.signature_passing import passing
from surefoot.engines.refactor.signature_remove import remove
from surefoot.engines.refactor.signature_reorder import reorder
from surefoot.engines.refactor.signature_shape import Entries, entries_of, localized
from surefoot.engines.refactor.subject import locate, locate_again, shown
from surefoot.engines.signature_tasks import SignatureTask, Verb
from surefoot.engines.tasks import name_fault
from surefoot.run.view import View
from surefoot.syntax.arity import Slot
from surefoot.syntax.languages import Language, language_of
from surefoot.syntax.written import Called, Definition, Shaped

_SURE = frozenset({Tier.EXACT, Tier.FAMILY})
_LANGUAGES = frozenset({"python", "ecmascript"})


class Shaper(SiteFinder, Protocol):
    """A finder that also tells how definitions and calls are written."""

    async def shaped(self, texts: Texts, target: Target, fresh: str) -> Shaped:
        """All that the signature of `target` touches; `fresh` is a name that one of its parameters may get."""
        ...


@value
class Case:
    """One change of one signature on one set of texts. `shapes` are the definitions that change, `stays` those that need not, and why."""

    texts: Texts
    task: SignatureTask
    symbol: Symbol
    language: Language
    nth: int
    shaped: Shaped
    shapes: tuple[Reshape, ...]
    stays: tuple[tuple[Site, str], ...]
    settled: frozenset[tuple[Path, int]]

    @property
    def subject(self) -> Subject:
        """The definition by name, which stays true while offsets move."""
        return Subject(self.symbol.place.path, self.symbol.name, self.symbol.container, self.nth)

    @property
    def python(self) -> bool:
        return self.language.family == "python"

    @property
    def calls(self) -> Iterator[Called]:
        """The calls that have to be brought along, those among them that a checker has settled."""
        for call in self.shaped.calls:
            site = call.site
            if site.tier in _SURE or (site.place.path, site.place.line) in self.settled:
                yield call


async def find_case(finder: Shaper, view: View, task: SignatureTask, subject: Subject | None = None) -> Case | Refusal:
    """The case of a task, by its words or by the definition that its plan was made for."""
    reader, texts = Reader(finder), view.texts
    if subject is not None:
        located = await locate_again(reader, texts, subject, task.aim)
    else:
        located = await locate(reader, texts, task.aim, view.task.at)
    if isinstance(located, Refusal):
        return located
    symbol, nth = located.symbol, located.nth
    if located.language.family not in _LANGUAGES:
        return Refusal("signatures of its language are not changed yet: Python, TypeScript and JavaScript are")
    if symbol.kind in (SymbolKind.CLASS, SymbolKind.TYPE):
        made = await _constructor(reader, texts, symbol, python=located.language.family == "python")
        if isinstance(made, Refusal):
            return made
        symbol, nth = made, 0
    fresh = task.parameter if task.verb is Verb.ADD else ""
    if task.verb is Verb.ADD and (fault := name_fault(fresh, located.language, SymbolKind.PARAMETER)):
        return Refusal(f"{fault}: choose another name")
    shaped = await finder.shaped(texts, Target(path=str(symbol.place.path), offset=symbol.place.start), fresh)
    settled = frozenset((c.path, line) for c in view.constraints if c.origin == "site" and c.path for line in (c.line, *c.more))
    case = Case(texts, task, symbol, located.language, nth, shaped, (), (), settled)
    return case if shaped.props is not None and task.verb in (Verb.ADD, Verb.REMOVE, Verb.DEFAULT, Verb.RENAME) else _reshaped(case)


async def _constructor(reader: Reader, texts: Texts, symbol: Symbol, *, python: bool) -> Symbol | Refusal:
    """What is meant by the parameters of a class."""
    name = "__init__" if python else "constructor"
    container = f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
    starts = await reader.starts(text_of(texts, symbol.place.path), container, name)
    if not starts:
        return Refusal(f"`{symbol.name}` has no `{name}` of its own, so there is no signature to change")
    place = replace(symbol.place, start=starts[0], end=starts[0] + len(name))
    return Symbol(name, SymbolKind.METHOD, place, container)


def _reshaped(case: Case) -> Case | Refusal:
    """The case with what each definition becomes."""
    definitions = case.shaped.definitions
    if not definitions:
        return Refusal(f"`{case.symbol.name}` is no function, so it has no parameters")
    primary = _primary(case)
    if primary.firm:
        return Refusal(f"{_at(case, primary.site)}: `{case.symbol.name}` stays as it is: {primary.obstacle}")
    shapes: list[Reshape] = []
    stays: list[tuple[Site, str]] = []
    for definition in sorted(definitions, key=lambda d: (d is not primary, d.site.tier is not Tier.EXACT)):
        made = _one(case, primary, definition)
        if isinstance(made, Refusal):
            return made
        if isinstance(made, str):
            stays.append((definition.site, made))
        else:
            language = _language(case, definition)
            shapes.append(Reshape(definition, made, language, language == "python", case.task.effects))
    return replace(case, shapes=tuple(shapes), stays=tuple(stays))


def _one(case: Case, primary: Definition, definition: Definition) -> Entries | str | Refusal:
    """The new parameters of one definition, why it stays as it is, or why nothing can be done."""
    where = _at(case, definition.site)
    if definition.firm and not definition.pieces:
        return Refusal(f"{where}: {definition.obstacle}")
    if definition is not primary and _takes_anything(definition) and not _takes_anything(primary):
        return "it takes whatever it is given"
    names = [n for n in (case.task.parameter if case.task.verb is not Verb.ADD else "", *case.task.order) if n]
    theirs = localized(primary, definition, names)
    if theirs is None and definition is not primary:
        known = {p.name for p in definition.parameters}
        if definition.site.tier is Tier.EXACT and not known & set(names):
            return "this form of it has no such parameter"
        return Refusal(f"{where}: `{definition.site.name}` here names its parameters otherwise: make them alike first")
    task = _named(case.task, names, theirs or tuple(names))
    made = _apply(case, definition, task)
    if isinstance(made, str):
        return Refusal(f"{where}: {made}")
    return made


def _apply(case: Case, definition: Definition, task: SignatureTask) -> Entries | str:
    entries, language = entries_of(definition), _language(case, definition)
    data = text_of(case.texts, definition.site.place.path).data
    match task.verb:
        case Verb.ADD:
            return add(definition, entries, task, language)
        case Verb.REMOVE:
            return remove(definition, entries, task, language)
        case Verb.REORDER:
            return reorder(definition, entries, task, language)
        case Verb.KEYWORD_ONLY | Verb.POSITIONAL | Verb.POSITIONAL_ONLY:
            return passing(definition, entries, task, language)
        case Verb.OPTIONAL | Verb.REQUIRED | Verb.DEFAULT:
            return defaulted(data, definition, entries, task, language)
        case Verb.RENAME:
            return entries


def _primary(case: Case) -> Definition:
    """The definition whose names the task speaks of: the one that was named, or an overload that has them all."""
    wanted = {case.task.parameter, *case.task.order} - {""} if case.task.verb is not Verb.ADD else set[str]()
    own = sorted(case.shaped.definitions, key=lambda d: (d.site.place != case.symbol.place, d.site.tier is not Tier.EXACT))
    fitting = (d for d in own if d.site.tier is Tier.EXACT and wanted <= {p.name for p in d.parameters})
    return next(fitting, own[0])


def _takes_anything(definition: Definition) -> bool:
    slots = {p.slot for p in definition.parameters}
    return {Slot.REST, Slot.NAMED_REST} <= slots


def _named(task: SignatureTask, ours: list[str], theirs: tuple[str, ...]) -> SignatureTask:
    """The task in the names of another definition."""
    if list(theirs) == ours:
        return task
    if task.order:
        return replace(task, order=theirs)
    return replace(task, parameter=theirs[0])


def _language(case: Case, definition: Definition) -> str:
    held = language_of(definition.site.place.path)
    return held.name if held is not None else case.language.name


def _at(case: Case, site: Site) -> str:
    return f"{shown(case.texts, site.place.path)}:{site.place.line}"


def is_naming(site: Site) -> bool:
    """Whether a site speaks of the function and gives it nothing."""
    return site.kind in (SiteKind.IMPORT, SiteKind.REEXPORT, SiteKind.ALIAS, SiteKind.TYPE, SiteKind.STRING, SiteKind.COMMENT)
