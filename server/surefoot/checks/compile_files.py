"""Compiles the files that it is given and prints, as a line of JSON each, why one of them cannot be. Runs under any Python from 3.7 on."""

from __future__ import annotations

import json
import sys


def faults(names: list[str]) -> list[dict[str, object]]:
    """What keeps each file from being compiled."""
    found: list[dict[str, object]] = []
    for name in names:
        with open(name, "rb") as source:
            text = source.read()
        try:
            compile(text, name, "exec", dont_inherit=True)
        except SyntaxError as error:
            end = [getattr(error, part, 0) or 0 for part in ("end_lineno", "end_offset")]
            found.append(_fault(name, error.lineno or 1, max(error.offset or 1, 1), end[0], max(end[1], 0), error.msg))
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            found.append(_fault(name, 1, 1, 0, 0, str(error) or type(error).__name__))
    return found


def _fault(name: str, line: int, column: int, end_line: int, end_column: int, message: str) -> dict[str, object]:
    place: dict[str, object] = {"file": name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
    return {**place, "message": message, "code": "syntax"}


if __name__ == "__main__":
    sys.stdout.writelines(f"{json.dumps(fault)}\n" for fault in faults(sys.argv[1:]))
