"""What programs print, in the formats that settings can name: problem matchers, JSON lines, SARIF; and settings that are off."""

import json
from pathlib import Path

import pytest

from surefoot.checks.command import Found, Said
from surefoot.checks.command_output import Fields, Pattern, eslint, json_lines, matched, sarif
from surefoot.core.errors import Unusable
from surefoot.core.findings import Severity
from surefoot.policy.settings import commands_of

GNU = {"regexp": r"^(.*?):(\d+):(\d+): (warning|error): (.*)$", "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5}
STYLISH = [
    {"regexp": r"^(\S.*)$", "file": 1},
    {
        "regexp": r"^\s+(\d+):(\d+)\s+(error|warning)\s+(.*?)\s\s+(\S+)$",
        "line": 1,
        "column": 2,
        "severity": 3,
        "message": 4,
        "code": 5,
        "loop": True,
    },
]
LOCATED = {"regexp": r"^(.*)\((\d+,\d+,\d+,\d+)\): (?<word>\w+) (.*)$", "file": 1, "location": 2, "code": 3, "message": 4}


def said(text: str, code: int = 1, stderr: str = "") -> Said:
    return Said(code, text.encode(), stderr.encode())


@pytest.mark.parametrize(
    ("patterns", "text", "want"),
    [
        ([GNU], "make: go\na.c:3:7: error: no such thing\n", [("a.c", 3, 7, 0, 0, "error", "", "no such thing")]),
        ([GNU], "\x1b[1ma.c:3:7: warning: odd\x1b[0m\n", [("a.c", 3, 7, 0, 0, "warning", "", "odd")]),
        ([LOCATED], "b.ts(1,2,3,4): TS1 off\n", [("b.ts", 1, 2, 3, 4, "error", "TS1", "off")]),
        (
            STYLISH,
            "/p/a.js\n  1:7  error  'x' is unused  no-unused-vars\n  2:1  warning  odd  no-odd\n\n/p/b.js\n  9:9  error  bad  no-bad\n",
            [
                ("/p/a.js", 1, 7, 0, 0, "error", "no-unused-vars", "'x' is unused"),
                ("/p/a.js", 2, 1, 0, 0, "warning", "no-odd", "odd"),
                ("/p/b.js", 9, 9, 0, 0, "error", "no-bad", "bad"),
            ],
        ),
        ([GNU], "all is well\n", []),
        ([GNU], "", []),
    ],
)
def test_problem_matchers(patterns: list[dict[str, object]], text: str, want: list[tuple[object, ...]]) -> None:
    found = matched(said(text), [Pattern.model_validate(pattern) for pattern in patterns])
    assert list(found) == [Found(*row[:5], Severity(str(row[5])), *row[6:]) for row in want]  # type: ignore[arg-type]


def test_problem_matchers_read_both_streams() -> None:
    assert [one.line for one in matched(said("", stderr="a.c:3:7: error: off\n"), [Pattern.model_validate(GNU)])] == [3]


def test_json_lines_with_keys_inside_one_another_and_counts_from_zero() -> None:
    fields = Fields(
        file="path", line="at.0.row", column="at.0.col", message="says", severity="level", code="rule.id", first_line=0, first_column=0
    )
    row = {"path": "a.x", "at": [{"row": 4, "col": 0}], "says": "off", "level": "warn", "rule": {"id": 7}}
    assert json_lines(said(json.dumps(row) + "\n\n"), fields) == (Found("a.x", 5, 1, 0, 0, Severity.WARNING, "7", "off"),)


@pytest.mark.parametrize("text", ["<html>", "{", "[]", '{"file": 1, "message": "x"}', '{"file": "x"}'])
def test_what_is_no_answer(text: str) -> None:
    fields = Fields(file="file", line="line", message="message")
    with pytest.raises(ValueError, match=r"."):
        json_lines(said(text), fields)
    with pytest.raises(ValueError, match=r"."):
        sarif(said(text))
    with pytest.raises(ValueError, match=r"."):
        eslint(said(text.replace("[]", "{}")))


def test_sarif() -> None:
    region = {"startLine": 2, "startColumn": 3, "endColumn": 9}
    place = {"physicalLocation": {"artifactLocation": {"uri": "file:///p/a.py"}, "region": region}}
    log = {
        "version": "2.1.0",
        "runs": [{"tool": {}, "results": [{"ruleId": "R1", "level": "error", "message": {"text": "off"}, "locations": [place]}]}],
    }
    assert sarif(said(json.dumps(log))) == (Found("file:///p/a.py", 2, 3, 2, 9, Severity.ERROR, "R1", "off"),)


SETTINGS = """
[[checks]]
name = "first"
command = ["first", "{files}"]
files = ["*.py"]
sarif = true

[[checks]]
name = "second"
command = ["second"]
files = ["src/**"]
gate = "run"
seconds = 120.0
planted = "BAD\\n"

[checks.matcher]
pattern = { regexp = "^(.*):(\\\\d+): (.*)$", file = 1, line = 2, message = 3 }
severity = "warning"
"""


def test_checks_of_a_projects_own(tmp_path: Path) -> None:
    (tmp_path / "surefoot.toml").write_text(SETTINGS)
    first, second = commands_of(tmp_path)
    assert (first.name, first.gate, first.alone, first.seconds) == ("first", "offer", True, None)
    assert (second.name, second.gate, second.alone, second.seconds) == ("second", "run", False, 120.0)
    assert second.read(said("a.py:3: off\n")) == (Found("a.py", 3, 0, 0, 0, Severity.WARNING, "", "off"),)
    assert first.tell(Path("/t/first"), tmp_path, [Path("/p/a.py"), Path("/p/b.py")], tmp_path) == ("/t/first", "/p/a.py", "/p/b.py")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('gate = "run"', 'gate = "later"'), "surefoot.toml:12:1: checks.1.gate: input should be 'offer', 'run' or 'manual'"),
        (('name = "second"', 'nome = "second"'), "surefoot.toml:8:1: checks.1.name: field required"),
        (("sarif = true\n", ""), "surefoot.toml:2:1: checks.0: value error, say how the output is read"),
        (("planted =", "plant ="), "surefoot.toml:14:1: checks.1.plant: there is no such setting here; there are name, command,"),
        (('"^(.*):', '"^((.*):'), "surefoot.toml:16:1: checks.1.matcher: value error, regexp: missing ), unterminated subpattern"),
    ],
)
def test_settings_that_are_off_are_told_with_their_place(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    (tmp_path / "surefoot.toml").write_text(SETTINGS.replace(*change))
    with pytest.raises(Unusable) as error:
        commands_of(tmp_path)
    assert str(error.value).startswith(told)
