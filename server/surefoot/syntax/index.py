"""Parsed files, kept by the digest of their text within a budget of source bytes; what is not kept may be stored."""

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from tree_sitter import Node, Tree

from surefoot.core.text import LineIndex, TextFile
from surefoot.core.value import value
from surefoot.syntax.extract import outline_of
from surefoot.syntax.languages import Language, language_for
from surefoot.syntax.outline import Outline
from surefoot.syntax.parse import Grammars
from surefoot.syntax.roles import Role, occurrences, role_of
from surefoot.syntax.store.mending import mended
from surefoot.syntax.store.uses import Uses, uses_of
from surefoot.workspace.disk import read_file

T = TypeVar("T")

TREES = 4 * 1024 * 1024
"""Source bytes whose trees are kept: a tree takes about 25 times its source."""

OUTLINES = 12 * 1024 * 1024
"""Source bytes whose outlines are kept."""

USES = 6 * 1024 * 1024
"""Source bytes whose uses are kept, of those that were stored."""

ROLES = 200_000
"""Occurrences of names whose roles are kept."""

MANY = 200
"""Occurrences of a name in one file from which on the roles of all its names are found out at once."""

BUFFERS = 100
"""Open files whose last text without an error is remembered."""

Roles = tuple[tuple[int, int, Role | None], ...]


@value
class Parsed:
    """One file as it was read: what it says about names, and where its lines are."""

    file: TextFile
    language: Language
    outline: Outline
    lines: LineIndex


class Stored(Protocol):
    """Facts of texts that were parsed before, by the key of the text."""

    def outline(self, key: str) -> Outline | None: ...

    def uses(self, key: str) -> Uses | None: ...


class Index:
    """Trees, outlines and roles of texts; any number of scans may share one, in one thread.

    `stored` is asked for what is not in memory, and may be set to that of another root at any time: the keys are digests of the texts.
    """

    def __init__(self, grammars: Grammars | None = None) -> None:
        self.grammars = grammars or Grammars()
        self.stored: Stored | None = None
        self._uses: _Budget[Uses] = _Budget(USES)
        self._trees: _Budget[Tree] = _Budget(TREES)
        self._outlines: _Budget[Outline] = _Budget(OUTLINES)
        self._roles: _Budget[Roles] = _Budget(ROLES)
        self._good: _Budget[Outline] = _Budget(BUFFERS)
        self._mends: _Budget[tuple[Outline, Outline | None, Outline]] = _Budget(BUFFERS)

    def parsed(self, file: TextFile) -> Parsed | None:
        """The file with its outline, None for a language that is not parsed."""
        if (language := language_for(file.path, file.data)) is None:
            return None
        return Parsed(file, language, self._outline(file, language), LineIndex(file.data))

    def outline(self, file: TextFile) -> Outline | None:
        """The outline alone."""
        language = language_for(file.path, file.data)
        return None if language is None else self._outline(file, language)

    def root(self, parsed: Parsed) -> Node:
        """The root of the file's tree, parsed again where it was let go."""
        return self._tree(parsed.file, parsed.language).root_node

    def roles(self, parsed: Parsed, name: str) -> Roles:
        """Every occurrence of a name with its role; None for a role that the outline alone tells.

        Asked for while the tree is at hand, it saves a second parse later: roles are small, trees are not.
        """
        language = parsed.language
        key = f"{language.name}:{parsed.file.digest}:{name}"
        if (held := self._roles.get(key)) is None:
            outline = parsed.outline
            places = list(occurrences(parsed.file.data, name, language.letters))
            at, imported, aliases, offered = outline.at, outline.imported, outline.aliases, outline.offered
            if len(places) > MANY:
                self._use(parsed)
            told = [start in at or start in imported or start in aliases or start in offered for start, _ in places]
            held = tuple((*place, None if known else self.role(parsed, *place)) for place, known in zip(places, told, strict=True))
            self._roles.put(key, held, len(held) + 1)
        return held

    def _use(self, parsed: Parsed) -> None:
        """Find out all roles of a file in one pass, where to ask for one after another would cost more."""
        key, cost = f"{parsed.language.name}:{parsed.file.digest}", len(parsed.file.data)
        if self._stored_uses(key, cost) is None:
            self._uses.put(key, uses_of(self.grammars, parsed.language, parsed.outline, self.root(parsed), parsed.file.data), cost)

    def role(self, parsed: Parsed, start: int, end: int) -> Role:
        """The role of one occurrence."""
        uses = self._stored_uses(f"{parsed.language.name}:{parsed.file.digest}", len(parsed.file.data))
        if uses is not None:
            return uses.role(start, end)
        return role_of(self.grammars, parsed.language, self.root(parsed), start, end)

    def _stored_uses(self, key: str, cost: int) -> Uses | None:
        held = self._uses.get(key)
        if held is None and self.stored is not None and (held := self.stored.uses(key)) is not None:
            self._uses.put(key, held, cost)
        return held

    def _tree(self, file: TextFile, language: Language) -> Tree:
        key = f"{language.name}:{file.digest}"
        if (held := self._trees.get(key)) is None:
            held = self.grammars.parse(language, file.data)
            self._trees.put(key, held, len(file.data))
        return held

    def _outline(self, file: TextFile, language: Language) -> Outline:
        key = f"{language.name}:{file.digest}"
        if (held := self._outlines.get(key)) is None:
            held = self.stored.outline(key) if self.stored is not None else None
            if held is None:
                held = outline_of(self.grammars, language, self._tree(file, language).root_node, file.data)
            self._outlines.put(key, held, len(file.data))
        if file.version is None:
            return held
        if not held.errors:
            self._good.put(str(file.path), held, 1)
            return held
        return self._mended(file, language, held)

    def _mended(self, file: TextFile, language: Language, live: Outline) -> Outline:
        """The outline of a broken buffer, with what the last good text of its file knew."""
        path = str(file.path)
        remembered, known = self._good.get(path), self._mends.get(path)
        if known is not None and known[0] is live and known[1] is remembered:
            return known[2]
        good = remembered
        if good is None:
            saved = read_file(file.path)
            good = self._outline(saved, language) if isinstance(saved, TextFile) else live
        made = mended(live, good, file.data, language)
        self._mends.put(path, (live, remembered, made), 1)
        return made


class _Budget(Generic[T]):
    """The values used last, as many as a sum of costs allows; one value alone may cost more."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._used = 0
        self._held: OrderedDict[str, tuple[T, int]] = OrderedDict()

    def get(self, key: str) -> T | None:
        if key not in self._held:
            return None
        self._held.move_to_end(key)
        return self._held[key][0]

    def put(self, key: str, held: T, cost: int) -> None:
        self._used += cost - self._held.pop(key, (held, 0))[1]
        self._held[key] = (held, cost)
        while self._used > self._limit and len(self._held) > 1:
            _, (_, freed) = self._held.popitem(last=False)
            self._used -= freed
