"""An account as JSON, and the JSON Schema of it: both follow from the declarations of the values, so that they cannot differ.

Every field of a value is a key, and so is every property; a number that is nowhere stored, such as how often something happened, is a
property of the events that it counts.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from surefoot.report.account import Account

TITLE = "The report of a Surefoot run"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FORMAT = "surefoot-report/1"
_PLAIN: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def to_json(account: Account) -> str:
    """The report as one JSON document. What is not text, as some names of files, is escaped."""
    text = json.dumps({"format": FORMAT, **cast(dict[str, object], plain(account))}, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def plain(held: object) -> object:
    """A value as what JSON has."""
    if is_dataclass(held) and not isinstance(held, type):
        return {name: plain(getattr(held, name)) for name in _keys(type(held))}
    if isinstance(held, tuple):
        return [plain(each) for each in cast(tuple[object, ...], held)]
    return str(held) if isinstance(held, StrEnum) else held


def schema() -> dict[str, Any]:
    """The JSON Schema of a report."""
    definitions: dict[str, dict[str, Any]] = {}
    account = _described(Account, definitions)
    account["properties"] = {"format": {"const": FORMAT}, **account["properties"]}
    account["required"] = ["format", *account["required"]]
    for part in ("accomplished", "remaining", "journal"):
        account["properties"][part] |= {"minItems": 1}
    return {"$schema": DIALECT, "title": TITLE, **account, "$defs": dict(sorted(definitions.items()))}


def _keys(cls: type) -> dict[str, object]:
    """Each key of a value and the type of what it holds: fields first, then properties."""
    hints: dict[str, object] = get_type_hints(cls)
    made = {name: member.fget for name, member in vars(cls).items() if isinstance(member, property)}
    return {f.name: hints[f.name] for f in fields(cls)} | {name: _returned(get) for name, get in made.items() if get is not None}


def _returned(get: Callable[..., object]) -> object:
    return get_type_hints(get)["return"]


def _described(cls: type, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    keys = {name: _shape(held, definitions) for name, held in _keys(cls).items()}
    words = " ".join((cls.__doc__ or "").split())
    return {"description": words, "type": "object", "properties": keys, "required": [*keys], "additionalProperties": False}


def _shape(held: object, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if get_origin(held) is tuple:
        return {"type": "array", "items": _shape(get_args(held)[0], definitions)}
    if isinstance(held, UnionType):
        return {"anyOf": [_shape(part, definitions) for part in get_args(held)]}
    cls = cast(type[object], held)
    if (plainly := _PLAIN.get(cls)) is not None:
        return {"type": plainly}
    if (name := cls.__name__) not in definitions:
        definitions[name] = {}
        definitions[name] = {"enum": [str(m) for m in cls]} if issubclass(cls, StrEnum) else _described(cls, definitions)
    return {"$ref": f"#/$defs/{name}"}
