"""A project's own settings: `surefoot.toml` at its root, or `[tool.surefoot]` in `pyproject.toml`. Read anew for each run."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from surefoot.checks.command import Command
from surefoot.checks.custom import CheckEntry, command_of
from surefoot.core.errors import Unusable
from surefoot.llm.config import OFFICIAL, Endpoint, ModelConfig, Models, Price, Provider
from surefoot.run.limits import Limits

NAME = "surefoot.toml"
_PYPROJECT = "pyproject.toml"
_AT = re.compile(r" ?\(at line (\d+), column (\d+)\)")
_DOLLAR = 1_000_000
_SECRET = frozenset({"key", "api_key", "apikey", "token", "auth_token"})


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Limits(_Table):
    """What a run may use up."""

    tokens: Annotated[int, Field(ge=1_000)] | None = None
    dollars: Annotated[float, Field(ge=0)] | None = None
    diff_soft: Annotated[int, Field(ge=1)] | None = None
    diff_hard: Annotated[int, Field(ge=1)] | None = None


class _Price(_Table):
    """Dollars for a million tokens."""

    read: Annotated[float, Field(ge=0)]
    written: Annotated[float, Field(ge=0)]


class _Model(_Table):
    """Which models are asked, and where."""

    base_url: Annotated[str, Field(pattern=r"^https?://")] | None = None
    provider: Literal["anthropic", "bedrock", "vertex"] = "anthropic"
    region: str = ""
    project: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    editor: Annotated[str, Field(min_length=1)] | None = None
    distiller: Annotated[str, Field(min_length=1)] | None = None
    judge: Annotated[str, Field(min_length=1)] | None = None
    stronger: str | None = None
    seconds: Annotated[float, Field(gt=0, le=3600)] | None = None
    retry_base_seconds: Annotated[float, Field(gt=0, le=60)] | None = None
    ca: str = ""
    prices: dict[str, _Price] = Field(default_factory=dict)


class _Settings(_Table):
    limits: _Limits = _Limits()
    model: _Model = _Model()
    checks: list[CheckEntry] = Field(default_factory=list[CheckEntry])


OTHER_KEY = "SUREFOOT_API_KEY"
"""The variable of the key for an address that a project's own file names."""


def limits_of(root: Path) -> Limits:
    """What a run of this root may use up, by its settings. Raises Unusable, naming file, line and column, for a setting that is off."""
    given = _given(root)
    if given is None:
        return Limits()
    limits = given.limits
    if limits.diff_soft is not None and limits.diff_soft > (limits.diff_hard or Limits().diff_hard):
        raise Unusable(f"limits.diff_soft: {limits.diff_soft} is more than diff_hard, {limits.diff_hard or Limits().diff_hard}")
    set_ones: dict[str, int] = {name: n for name in ("tokens", "diff_soft", "diff_hard") if (n := getattr(limits, name)) is not None}
    return replace(Limits(), **set_ones, micros=round((limits.dollars or 0) * _DOLLAR))


def model_of(root: Path, environment: Mapping[str, str]) -> ModelConfig:
    """Which models are asked for this root, by its settings and the environment, which alone has the key.

    Raises Unusable, naming file, line and column, for a setting that is off.
    """
    given = _given(root)
    held = given.model if given is not None else _Model()
    chosen = environment.get("ANTHROPIC_BASE_URL", "")
    endpoint = Endpoint(
        base_url=chosen or held.base_url or OFFICIAL,
        chosen=bool(chosen),
        provider=Provider(held.provider),
        headers=held.headers,
        ca=held.ca,
        region=held.region,
        project=held.project,
    )
    # A project's file may name any address: it gets the key that was set for such addresses, and no other.
    key = environment.get("ANTHROPIC_API_KEY", "") if endpoint.trusted else environment.get(OTHER_KEY, "")
    endpoint = replace(
        endpoint, key=key, seconds=held.seconds or endpoint.seconds, base_seconds=held.retry_base_seconds or endpoint.base_seconds
    )
    own: dict[str, str] = {role: name for role in ("editor", "distiller", "judge", "stronger") if (name := getattr(held, role)) is not None}
    prices = {name: Price(price.read, price.written) for name, price in held.prices.items()}
    return ModelConfig(endpoint, replace(Models(), **own), prices)


def commands_of(root: Path) -> Sequence[Command]:
    """The checks of the project's own that are programs. Raises Unusable, naming file, line and column, for a setting that is off."""
    given = _given(root)
    return tuple(command_of(entry) for entry in given.checks) if given is not None else ()


def _given(root: Path) -> _Settings | None:
    return _read(root / NAME, ()) or _read(root / _PYPROJECT, ("tool", "surefoot"))


def _read(path: Path, inside: tuple[str, ...]) -> _Settings | None:
    try:
        text = path.read_text(encoding="utf-8")
        table: Any = tomllib.loads(text)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{path.name}: it could not be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        if inside:
            # Whoever owns the file is told by his own tools; nothing says that it holds settings of ours.
            return None
        at = _AT.search(str(error))
        where = f"{at[1]}:{at[2]}" if at else "1:1"
        raise Unusable(f"{path.name}:{where}: {_AT.sub('', str(error))}") from error
    for name in inside:
        table = table.get(name) if isinstance(table, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if table is None:
        return None
    try:
        return _Settings.model_validate(table)
    except ValidationError as error:
        raise Unusable(_told(path, text, inside, error)) from error


def _told(path: Path, text: str, inside: tuple[str, ...], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    keys = tuple(str(key) for key in first["loc"])
    line, column = _place(text, (*inside, *keys))
    return f"{path.name}:{line}:{column}: {'.'.join(keys)}: {_right(keys, first['type'], first['msg'])}"


def _right(keys: tuple[str, ...], kind: str, message: str) -> str:
    """What is wrong with a setting, and what would be right."""
    if kind != "extra_forbidden":
        return message[:1].lower() + message[1:]
    if keys[0] == "model" and keys[-1] in _SECRET:
        return "a key does not belong into a file: set ANTHROPIC_API_KEY in the environment, or store it in the editor"
    tables: Mapping[str, type[BaseModel]] = {"limits": _Limits, "model": _Price if "prices" in keys else _Model, "checks": CheckEntry}
    model = tables.get(keys[0], _Settings) if len(keys) > 1 else _Settings
    return f"there is no such setting here; there are {', '.join(model.model_fields)}"


def _place(text: str, keys: tuple[str, ...]) -> tuple[int, int]:
    """Line and column, from 1, of the last key in the table that the keys before it name; of the table's header where it has no line."""
    table, found = "", (1, 1)
    many: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*(\[+)\s*([^\]]+?)\s*\]", line):
            table = header[2].replace('"', "").replace(" ", "")
            if header[1] == "[[":
                many[table] = many.get(table, -1) + 1
            # One of several tables of a name is known by its number, as in the place of an error.
            table = next((f"{name}.{n}{table[len(name) :]}" for name, n in many.items() if f"{table}.".startswith(f"{name}.")), table)
            if table and (*keys,)[: len(table.split("."))] == tuple(table.split(".")):
                found = (number, line.index("[") + 1)
        elif (key := re.match(r"\s*\"?([\w-]+)\"?\s*[.=]", line)) and (*filter(None, table.split(".")), key[1]) == keys[: len(keys)]:
            return number, key.start(1) + 1
    return found
