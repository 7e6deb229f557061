"""The tools that a model may name to look at code, and the boundary where what it wants becomes a value."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from surefoot.core.value import value
from surefoot.llm.ask import ToolSpec


class Look(BaseModel):
    """What one tool takes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ReadExcerpt(Look):
    """Lines of a file."""

    path: Annotated[str, Field(min_length=1, max_length=1000)]
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]


class FindSites(Look):
    """Uses of a name."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\w$#.]+$")]
    path: Annotated[str, Field(max_length=1000)] = ""


class ListSymbols(Look):
    """What a file defines."""

    path: Annotated[str, Field(min_length=1, max_length=1000)]


class SearchText(Look):
    """Lines with some words."""

    words: Annotated[str, Field(min_length=2, max_length=200)]
    within: Annotated[str, Field(max_length=200)] = ""


@value
class Manifest:
    """One tool: what it is for, what it takes, its limits, and what the model is told when it fails.

    `most` is how many characters of an answer are shown, `seconds` how long it may take.
    """

    name: str
    description: str
    takes: type[Look]
    most: int
    seconds: float
    failure: str

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, json.dumps(self.takes.model_json_schema(), sort_keys=True))


_ALL = (
    Manifest(
        "read_excerpt",
        "Lines `first` to `last` of a file, both from 1; at most 400 lines at once.",
        ReadExcerpt,
        24_000,
        5.0,
        "there are no such lines",
    ),
    Manifest(
        "find_sites",
        "Every definition and use of a name, or of `Class.name`, in the whole code base: calls, imports, values, types. "
        "`path` narrows it to what is defined in one file.",
        FindSites,
        24_000,
        30.0,
        "the uses could not be found in time",
    ),
    Manifest(
        "list_symbols",
        "What a file defines: functions, classes, methods and module-level names, each with its lines.",
        ListSymbols,
        8_000,
        10.0,
        "this file could not be read",
    ),
    Manifest(
        "search_text",
        "Lines that hold these very words, letter by letter, in files whose path has `within` in it.",
        SearchText,
        8_000,
        10.0,
        "the search took too long: use longer words, or say within which folder",
    ),
)
MANIFESTS: Mapping[str, Manifest] = MappingProxyType({manifest.name: manifest for manifest in _ALL})
"""Every tool. One more needs a task that cannot be done without it."""


def look_of(name: str, text: str) -> Look | str:
    """What a model wants to see, or why that is nothing that can be done: the field and what is wrong with it, nothing of its value."""
    manifest = MANIFESTS.get(name)
    if manifest is None:
        return f"there is no such tool; there are {', '.join(MANIFESTS)}"
    try:
        return manifest.takes.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        field = next((str(part) for part in first["loc"] if part in manifest.takes.model_fields), "")
        return f"{name}: {field or 'its input'} is not as the tool takes it"
