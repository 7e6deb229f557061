"""The syntax gate: what is broken as text, before any tool is asked."""

import warnings
from collections.abc import Callable
from pathlib import Path

from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place

Gate = Callable[[Path, bytes], tuple[Diagnostic, ...]]
TOOL = "syntax"


def gate_of(path: Path) -> Gate | None:
    """The parser for this kind of file, None where there is none."""
    return _python if path.suffix in {".py", ".pyi"} else None


def _python(path: Path, data: bytes) -> tuple[Diagnostic, ...]:
    """Python's own compiler: the first fault only. A null byte or bytes in a wrong encoding are faults as well."""
    index = LineIndex(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(data, path.name, "exec", dont_inherit=True)
        except SyntaxError as error:
            line = min(max(error.lineno or 1, 1), len(index.starts)) - 1
            start = index.offset(line, max((error.offset or 1) - 1, 0))
            return (Diagnostic(Place.of(path, start, start, index), TOOL, "invalid-syntax", Severity.ERROR, error.msg),)
        except ValueError as error:
            return (Diagnostic(Place.of(path, 0, 0, index), TOOL, "invalid-syntax", Severity.ERROR, str(error)),)
    return ()
