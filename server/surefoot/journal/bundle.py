"""One run as one file, for a bug report: its events, what was kept beside it, and a seal over all of it."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from surefoot.core.errors import JournalError, Rejected
from surefoot.core.value import value
from surefoot.journal.chain import first, link
from surefoot.journal.journal import Journal
from surefoot.journal.rows import Trace
from surefoot.journal.schema import VERSION
from surefoot.journal.shape import encode, shaped
from surefoot.run.events import Closed, Event, Started
from surefoot.run.fold import step
from surefoot.run.legality import check

if TYPE_CHECKING:
    from surefoot.run.state import RunState

FORMAT = "surefoot run"
MASKED = "imported, masked"
IMPORTED = "imported"


LATEST = 1e11
"""Seconds since the epoch; no run was recorded after that."""

TEXTS = frozenset(
    {
        *("text", "title", "intent", "summary", "reason", "message", "diff", "note", "rules", "detail", "words", "not_run"),
        *("accomplished", "remaining", "workspace", "broken"),
    }
)
"""Fields of events that hold text of the project or of a person: secrets are covered there, and never in a path or a digest."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Entry(_Model):
    at: Annotated[float, Field(ge=0, le=LATEST)]
    event: dict[str, JsonValue]


class _Beside(_Model):
    at: Annotated[float, Field(ge=0, le=LATEST)]
    action: str
    kind: str
    words: str
    digest: str


class _Bundle(_Model):
    format: Annotated[str, Field(pattern=f"^{FORMAT}$")]
    version: int
    run: str
    masked: bool
    events: list[_Entry]
    traces: list[_Beside]
    texts: dict[str, str]
    seal: str


@value
class Taken:
    """What an import brought: the run's name, and whether it was here before."""

    run: str
    known: bool


def dump(journal: Journal, run: str, secrets_in: Callable[[str], frozenset[str]], cover: Callable[[str, frozenset[str]], str]) -> bytes:
    """The run as one JSON document, its secrets covered. Raises JournalError."""
    story = journal.read(run)
    if story.damage is not None:
        raise JournalError(f"run {run} has a damaged row: `surefoot resume {run}` sets it aside first")
    traces = journal.traces(run)
    texts = dict(_texts(journal, run, traces))
    whole = json.dumps([json.loads(encode(e.event)) for e in story.entries], ensure_ascii=False)
    secrets = secrets_in(_unescaped(whole)).union(*(secrets_in(t) for t in (*texts.values(), *(t.words for t in traces))))
    body: dict[str, JsonValue] = {
        "format": FORMAT,
        "version": VERSION,
        "run": run,
        "masked": bool(secrets),
        "events": [{"at": e.at, "event": _covered(json.loads(encode(e.event)), secrets, cover)} for e in story.entries],
        "traces": [{"at": t.at, "action": t.action, "kind": t.kind, "words": cover(t.words, secrets), "digest": t.digest} for t in traces],
        "texts": {name: cover(text, secrets) for name, text in texts.items()},
    }
    if secrets:
        # What is covered must still be the record of a run.
        _checked(_Bundle.model_validate({**body, "seal": ""}))
    return json.dumps({**body, "seal": seal_of(body)}, ensure_ascii=False, indent=1).encode("utf-8")


def load(journal: Journal, data: bytes) -> Taken:
    """Put an exported run into the journal, for reading and for replay. Raises JournalError, and nothing is stored."""
    bundle = _read(data)
    rows = _checked(bundle)
    known = {row.id for row in journal.runs()}
    if bundle.run in known:
        if [encode(e.event) for e in journal.read(bundle.run).entries] == [body for _, _, body in rows]:
            return Taken(bundle.run, True)
        raise JournalError(f"another run named {bundle.run} is here already; nothing was imported")
    _store(journal, bundle, rows)
    return Taken(bundle.run, False)


def _read(data: bytes) -> _Bundle:
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise JournalError("this is not a whole export of a run: it ends too early or is something else; nothing was imported") from error
    version = raw.get("version") if isinstance(raw, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(version, int) and version > VERSION:
        raise JournalError(f"this run was exported by a newer Surefoot (version {version}, this one reads {VERSION}): update Surefoot")
    try:
        bundle = _Bundle.model_validate(raw)
    except ValidationError as error:
        where = ".".join(str(p) for p in error.errors(include_input=False)[0]["loc"])
        raise JournalError(
            f"this is not an export of a run: {where or 'the document'} is not as it should be; nothing was imported"
        ) from None
    if bundle.seal != seal_of({k: v for k, v in bundle.model_dump().items() if k != "seal"}):
        raise JournalError("this export was changed after it was written: its seal does not fit; nothing was imported")
    return bundle


def _checked(bundle: _Bundle) -> list[tuple[float, Event, bytes]]:
    """The events with their bytes, each legal after the ones before it."""
    state: RunState | None = None
    rows: list[tuple[float, Event, bytes]] = []
    for number, entry in enumerate(bundle.events, 1):
        try:
            event, _ = shaped(json.dumps(entry.event).encode("utf-8"))
            body = encode(event)
        except Rejected as broken:
            raise JournalError(f"event {number} of this export broke the rule “{broken.rule}” at {broken.field}") from None
        if bundle.version == VERSION and (wrong := check(state, event)) is not None:
            raise JournalError(f"event {number} of this export broke the rule “{wrong.rule}” at {wrong.field}")
        state = step(state, event)
        rows.append((entry.at, event, body))
    if state is None or state.run != bundle.run:
        raise JournalError("this export holds no run of its name; nothing was imported")
    return rows


def _store(journal: Journal, bundle: _Bundle, events: list[tuple[float, Event, bytes]]) -> None:
    rows, run = journal.rows, bundle.run
    with rows.transaction():
        before = first(run)
        for seq, (at, event, body) in enumerate(events, 1):
            if isinstance(event, Started):
                origin = MASKED if bundle.masked else IMPORTED
                rows.run("INSERT INTO runs (id, task, started, origin) VALUES (?, ?, ?, ?)", (run, event.task.text, at, origin))
            if isinstance(event, Closed):
                rows.run("UPDATE runs SET ended = ?, closed = ? WHERE id = ?", (event.ending, at, run))
            before = link(before, seq, at, body)
            rows.run("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (run, seq, at, event.kind, body, before))
        for t in bundle.traces:
            rows.run("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", (run, t.at, t.action, t.kind, t.words, t.digest))
        for name, text in bundle.texts.items():
            rows.keep(run, name, text.encode("utf-8"))


def _texts(journal: Journal, run: str, traces: tuple[Trace, ...]) -> Iterator[tuple[str, str]]:
    names = [name for (name,) in journal.rows.query("SELECT digest FROM kept WHERE run = ? ORDER BY digest", (run,))]
    for name in dict.fromkeys((*names, *(t.digest for t in traces if t.digest))):
        if (data := journal.blob(name)) is not None:
            yield name, data.decode("utf-8", "replace")


def _covered(held: JsonValue, secrets: frozenset[str], cover: Callable[[str, frozenset[str]], str], *, text: bool = False) -> JsonValue:
    match held:
        case str():
            return cover(held, secrets) if text else held
        case list():
            return [_covered(each, secrets, cover, text=text) for each in held]
        case dict():
            return {key: _covered(each, secrets, cover, text=key in TEXTS) for key, each in held.items()}
        case _:
            return held


def _unescaped(text: str) -> str:
    """Text inside of JSON as it reads outside of it, as far as secrets go."""
    return text.replace('\\"', '"').replace("\\n", "\n")


def seal_of(body: dict[str, JsonValue]) -> str:
    """Names all that an export holds beside its seal."""
    canonical = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
