"""The schema of events: every kind is in it, and nothing in it takes a field that it does not name."""

from typing import Any, get_args

from surefoot.journal.shape import schema
from surefoot.run.events import Event


def test_every_kind_of_event_is_in_the_schema() -> None:
    kinds = {kind.__dataclass_fields__["kind"].default for kind in get_args(Event)}
    assert set(schema()["discriminator"]["mapping"]) == kinds
    assert len(kinds) == len(get_args(Event))


def test_no_object_of_the_schema_takes_unknown_fields() -> None:
    loose = [
        name
        for name, shape in schema()["$defs"].items()
        if shape.get("type") == "object" and shape.get("additionalProperties") is not False
    ]
    assert loose == []


def test_what_was_proposed_ruled_done_and_decided_names_its_action() -> None:
    """Each change of a lane is a proposal, a ruling, a result and a transition, and each names the action that it belongs to."""
    defs: dict[str, Any] = schema()["$defs"]
    names = {"Intended": "action", "Permitted": "action", "Resulted": "action", "Advanced": "because"}
    assert all(field in defs[kind]["required"] for kind, field in names.items())
