"""What a model's structured answer has to look like, and the boundary where its JSON becomes values.

A text that does not fit comes back as the parser's own words and the place: never with a piece of the text, which is of no further use.
"""

import json
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from surefoot.core.value import value
from surefoot.run.outcomes import Bucket, Failure, FailureClass

M = TypeVar("M", bound=BaseModel)


class Answer(BaseModel):
    """What every structured answer has: the fields that it names and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Touch(Answer):
    """A definition that a plan changes."""

    path: str
    name: str


class PlanStep(Answer):
    """One step as a model plans it."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    intent: Annotated[str, Field(min_length=1, max_length=1000)]
    files: Annotated[list[str], Field(min_length=1, max_length=50)]
    sites: list[int]
    lines: Annotated[int, Field(ge=0)]
    behaviour_preserving: bool


class Fit(Answer):
    """A site that needs no change, and why."""

    site: int
    why: str


class PlanAnswer(Answer):
    """A whole plan."""

    touches: list[Touch]
    steps: list[PlanStep]
    fits: list[Fit]
    cannot: str


class Replacement(Answer):
    """One exact replacement inside a named definition, or anywhere in a file where `within` is empty."""

    path: str
    within: str
    old: Annotated[str, Field(min_length=1)]
    new: str


class EditAnswer(Answer):
    """One edit."""

    edits: list[Replacement]
    cannot: str


@value
class Verdict:
    """A judge's answer: whether the change passes, and the one sentence."""

    passes: bool
    sentence: str


@lru_cache(maxsize=8)
def schema_of(model: type[BaseModel]) -> str:
    """The JSON Schema of an answer, as JSON: the same bytes each time."""
    return json.dumps(model.model_json_schema(), sort_keys=True)


def answer_of(model: type[M], text: str) -> M | Failure:
    """The answer in a text, which has to be JSON of this shape and nothing else."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        known = schema_of(model)
        place = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or f'"{part}"' in known)
        if first["type"] == "json_invalid":
            return _failure("the answer has to be one JSON object of the given schema and nothing else")
        return _failure(f"the answer does not fit its schema at {place or 'the top'}: {_plain(first['type'])}")


def verdict_of(text: str) -> Verdict | Failure:
    """A judge's two lines."""
    lines = text.strip().splitlines()
    word = lines[0].strip() if lines else ""
    sentence = lines[1].strip() if len(lines) == 2 else ""
    verdicts = ("PASS", "FAIL")
    if word not in verdicts or not sentence or sentence in verdicts:
        return _failure("a verdict is PASS or FAIL on the first line, and one sentence on the second")
    return Verdict(word == "PASS", sentence)


def _plain(kind: str) -> str:
    return {"missing": "a field is missing", "extra_forbidden": "a field that it does not have"}.get(kind, kind.replace("_", " "))


def _failure(message: str) -> Failure:
    return Failure(Bucket.OUTPUT, FailureClass.SEMANTIC, "answer", message)
