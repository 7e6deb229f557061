"""Writes the JSON Schema of reports anew: `python -m tests.report.schema`."""

import json
from pathlib import Path

from surefoot.report.data import schema

FILE = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"


def text() -> str:
    """The schema as it is published."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
