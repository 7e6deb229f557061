"""What programs print, as findings: lines of text by VS Code's problem matchers, JSON lines, SARIF."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from surefoot.checks.command import Found, Said
from surefoot.core.findings import Severity

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LONGEST_LINE = 4000
_SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(("warning", "warn", "w", "minor", "1"), Severity.WARNING),
    **dict.fromkeys(("note", "info", "information", "i", "recommendation"), Severity.INFORMATION),
    **dict.fromkeys(("hint", "none"), Severity.HINT),
}
Group = Annotated[int, Field(ge=0)]


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class Pattern(BaseModel):
    """One line of a problem matcher, with the numbers of its groups, as VS Code has them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    regexp: str
    file: Group = 0
    line: Group = 0
    column: Group = 0
    end_line: Group = 0
    end_column: Group = 0
    location: Group = 0
    severity: Group = 0
    code: Group = 0
    message: Group = 0
    loop: bool = False
    kind: Literal["file", "location"] = "location"

    def compiled(self) -> re.Pattern[str]:
        """Raises re.error."""
        return re.compile(self.regexp.replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!"))

    def parts(self, match: re.Match[str]) -> dict[str, str]:
        named = ("file", "line", "column", "end_line", "end_column", "location", "severity", "code", "message")
        groups = {name: getattr(self, name) for name in named}
        return {name: match[number] or "" for name, number in groups.items() if number and number <= (match.re.groups)}


def severity_of(word: str, default: Severity = Severity.ERROR) -> Severity:
    """What a tool's word for a severity means; a word that nobody knows is an error."""
    return _SEVERITIES.get(word.strip().lower(), Severity.ERROR) if word.strip() else default


def lines_of(said: Said) -> list[str]:
    """What was printed on both streams, without colours; no line is longer than a bound."""
    text = said.text + said.stderr.decode("utf-8", "replace")
    return [line[:_LONGEST_LINE] for line in _ESCAPE.sub("", text).splitlines()]


def matched(said: Said, patterns: Sequence[Pattern], default: Severity = Severity.ERROR) -> tuple[Found, ...]:
    """The findings in printed lines; lines that fit nothing are not looked at. Raises ValueError for a web page."""
    if said.stdout.lstrip()[:1] == b"<":
        raise ValueError("a web page")
    compiled = [pattern.compiled() for pattern in patterns]
    lines = lines_of(said)
    out: list[Found] = []
    start = 0
    while start < len(lines):
        out += _at(lines, start, patterns, compiled, default)
        start += 1
    return tuple(out)


def _at(
    lines: Sequence[str], start: int, patterns: Sequence[Pattern], compiled: Sequence[re.Pattern[str]], default: Severity
) -> list[Found]:
    """The findings of which the first line is this one: one, or as many as the last pattern repeats itself."""
    parts: dict[str, str] = {}
    for number, (pattern, regex) in enumerate(zip(patterns, compiled, strict=True)):
        match = regex.search(lines[start + number]) if start + number < len(lines) else None
        if match is None:
            return []
        parts |= pattern.parts(match)
    out = [_found(parts, default)]
    if patterns[-1].loop:
        for line in lines[start + len(patterns) :]:
            if (match := compiled[-1].search(line)) is None:
                break
            out.append(_found(parts | patterns[-1].parts(match), default))
    return out


def _found(parts: Mapping[str, str], default: Severity) -> Found:
    line, column, end_line, end_column = (parts.get(name, "") for name in ("line", "column", "end_line", "end_column"))
    if parts.get("location"):
        numbers = [*re.findall(r"\d+", parts["location"]), "", "", "", ""][:4]
        line, column, end_line, end_column = numbers if numbers[3] else (numbers[0], numbers[1], "", "")
    severity = severity_of(parts.get("severity", ""), default)
    return Found(
        parts.get("file", ""),
        _number(line),
        _number(column),
        _number(end_line),
        _number(end_column),
        severity,
        parts.get("code", ""),
        parts.get("message", "").strip(),
    )


def _number(text: object) -> int:
    return int(text) if isinstance(text, int) or (isinstance(text, str) and text.isdecimal()) else 0


class Fields(BaseModel):
    """Where the parts of a finding are in each line of JSON: keys, with dots between those inside one another."""

    model_config = ConfigDict(extra="forbid")

    file: str
    line: str
    message: str
    column: str = ""
    end_line: str = ""
    end_column: str = ""
    severity: str = ""
    code: str = ""
    first_line: Annotated[int, Field(ge=0, le=1)] = 1
    first_column: Annotated[int, Field(ge=0, le=1)] = 1


def json_lines(said: Said, fields: Fields, default: Severity = Severity.ERROR) -> tuple[Found, ...]:
    """One finding from each line. Raises ValueError for a line that is no JSON, and for one without a file or message."""
    out: list[Found] = []
    for line in said.text.splitlines():
        if line.strip():
            record: JsonValue = json.loads(line)
            part = {name: _dug(record, str(path)) for name, path in fields if name.startswith("first") is False and path}
            if not isinstance(part["file"], str) or not isinstance(part["message"], str):
                raise ValueError("a line without a file or a message")
            lines = [_number(part.get(name)) + (1 - fields.first_line if name in part else 0) for name in ("line", "end_line")]
            columns = [_number(part.get(name)) + (1 - fields.first_column if name in part else 0) for name in ("column", "end_column")]
            severity, code = (str(part.get(name) or "") for name in ("severity", "code"))
            found = Found(part["file"], lines[0], columns[0], lines[1], columns[1], severity_of(severity, default), code, part["message"])
            out.append(found)
    return tuple(out)


def _dug(record: JsonValue, path: str) -> JsonValue:
    for key in path.split("."):
        if isinstance(record, list):
            record = record[int(key)] if key.isdecimal() and int(key) < len(record) else None
        else:
            record = record.get(key) if isinstance(record, dict) else None
    return record


class _Region(_Wire):
    start_line: int = 0
    start_column: int = 0
    end_line: int = 0
    end_column: int = 0


class _Artifact(_Wire):
    uri: str = ""


class _Physical(_Wire):
    artifact_location: _Artifact = _Artifact()
    region: _Region = _Region()


class _Location(_Wire):
    physical_location: _Physical = _Physical()


class _Text(_Wire):
    text: str = ""


class _Result(_Wire):
    rule_id: str = ""
    level: str = "warning"
    message: _Text = _Text()
    locations: tuple[_Location, ...] = ()


class _Run(_Wire):
    results: tuple[_Result, ...] = ()


class _Sarif(_Wire):
    runs: tuple[_Run, ...]


def sarif(said: Said) -> tuple[Found, ...]:
    """The results of all runs in a SARIF log, each at its first place. Raises ValueError for anything else."""
    log = _Sarif.model_validate_json(said.stdout)
    out: list[Found] = []
    for result in (result for run in log.runs for result in run.results):
        for location in result.locations[:1]:
            region, uri = location.physical_location.region, location.physical_location.artifact_location.uri
            end = region.end_line or (region.start_line if region.end_column else 0)
            place = (region.start_line, region.start_column, end, region.end_column)
            out.append(Found(uri, *place, severity_of(result.level), result.rule_id, result.message.text))
    return tuple(out)


class _EslintMessage(_Wire):
    rule_id: str | None = None
    severity: int = 2
    fatal: bool = False
    message: str
    line: int = 0
    column: int = 0
    end_line: int | None = None
    end_column: int | None = None


class _EslintFile(_Wire):
    file_path: str
    messages: tuple[_EslintMessage, ...]


_ESLINT = TypeAdapter(tuple[_EslintFile, ...])


def eslint(said: Said) -> tuple[Found, ...]:
    """ESLint's own JSON. Raises ValueError."""
    try:
        files = _ESLINT.validate_json(said.stdout)
    except ValidationError as error:
        raise ValueError("no report of ESLint") from error
    out: list[Found] = []
    for file in files:
        for one in file.messages:
            severity = Severity.ERROR if one.severity == 2 else Severity.WARNING
            code = "syntax" if one.fatal else one.rule_id or ""
            if one.line:
                place = (one.line, one.column, one.end_line or 0, one.end_column or 0)
                out.append(Found(file.file_path, *place, severity, code, one.message))
    return tuple(out)
