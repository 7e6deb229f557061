"""JSON with comments and trailing commas, as tsconfig files are written."""

import json
import re

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)


def read_jsonc(text: str) -> object:
    """The value that `text` holds, None where it is not JSON even without its comments."""
    bare = _TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", text.removeprefix("\ufeff"))
    try:
        return json.loads(_COMMA.sub(lambda m: m[0] if m[0].startswith('"') else "", bare))
    except (ValueError, RecursionError):
        return None
