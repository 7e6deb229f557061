"""Changes that only make a finding or a test go quiet: refused of a model, whatever else they do."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

_MARKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "`type: ignore`": re.compile(r"#\s*(?:type|pyright|ty|mypy|pyrefly)\s*:\s*(?:ignore|basic|off|report\w+\s*=)", re.IGNORECASE),
        "`noqa`": re.compile(
            r"#\s*(?:ruff\s*:\s*|flake8\s*:\s*)?noqa\b|#\s*pylint\s*:\s*disable|#\s*fmt\s*:\s*(?:off|skip)|#\s*nosec\b", re.IGNORECASE
        ),
        "`eslint-disable`": re.compile(r"(?:eslint|tslint|biome|oxlint)-(?:disable|ignore)|biome-ignore"),
        "`@ts-ignore`": re.compile(r"@ts-(?:ignore|expect-error|nocheck)"),
        "`any`": re.compile(r"\bas\s+any\b|\bas\s+unknown\s+as\b"),
        "`#[allow]`": re.compile(r"#!?\[\s*(?:allow|expect)\s*\("),
        "`nolint`": re.compile(r"//\s*nolint\b|//\s*#nosec\b|NOLINT"),
        "`@SuppressWarnings`": re.compile(r"@SuppressWarnings\b|#pragma\s+warning\s+disable|#pragma\s+GCC\s+diagnostic\s+ignored"),
        "`rubocop:disable`": re.compile(r"rubocop:(?:disable|todo)|@phpstan-ignore|@psalm-suppress|phpcs:ignore"),
        "a skipped test": re.compile(
            r"@(?:pytest\.mark\.|unittest\.)?(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\("
            r"|\b(?:it|test|describe|context)\.(?:skip|todo|failing|only)\b|\bx(?:it|describe|test)\(|\bt\.Skip(?:Now|f)?\(|#\[ignore"
            r"|@(?:Disabled|Ignore)\b|\[(?:Ignore|Fact\(Skip)"
        ),
    }
)
_TESTS = re.compile(
    r"^\s*(?:async\s+)?def\s+test\w*\s*\(|\b(?:it|test)\s*\(\s*[\"'`]|^func\s+Test\w+\s*\(|#\[(?:tokio::)?test\]|@Test\b|\[(?:Fact|Test|Theory)\]",
    re.MULTILINE,
)
_ASSERTIONS = re.compile(r"\bassert\w*[\s(!]|\bexpect\s*\(|\.should\b|\bt\.(?:Error|Fatal)f?\(|\brequire\.\w+\(", re.MULTILINE)
_WIDE = re.compile(
    r"\bexcept\s*(?:\(?\s*(?:Base)?Exception\b|:)|\bcatch\s*(?:\{|\(\s*\.\.\.\s*\)|\(\s*(?:Throwable|Exception)\b)"
    r"|\brescue\s+Exception\b"
)


def silenced(before: Mapping[Path, str], after: Mapping[Path, str]) -> str:
    """What a change takes the voice from, in words, "" where it takes it from nothing.

    Marks are counted over all the files together, so that code which moves with its marks is not blamed for them.
    """
    old, new = "\n".join(before.values()), "\n".join(after.values())
    was, now = _counted(old), _counted(new)
    added = next((mark for mark in _MARKS if now[mark] > was[mark]), "")
    if added:
        return f"{added} is added, which silences a check"
    if len(_TESTS.findall(new)) < len(_TESTS.findall(old)):
        return "a test is deleted"
    if _fewer_assertions(before, after):
        return "an assertion of a test is taken away"
    return "an exception handler is made to catch everything" if len(_WIDE.findall(new)) > len(_WIDE.findall(old)) else ""


def _counted(text: str) -> Counter[str]:
    return Counter({mark: len(pattern.findall(text)) for mark, pattern in _MARKS.items()})


def _fewer_assertions(before: Mapping[Path, str], after: Mapping[Path, str]) -> bool:
    """Only files of tests are held to theirs: elsewhere an assertion is code like any other."""
    tests = [path for path in before if _TESTS.search(before[path])]
    old, new = (sum(len(_ASSERTIONS.findall(side.get(path, ""))) for path in tests) for side in (before, after))
    return new < old
