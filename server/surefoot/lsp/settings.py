"""The editor's settings: what is a person's choice. Read from `initialize`, pushed or pulled later."""

from typing import cast

from surefoot.core.value import value


@value
class Settings:
    """`diagnostics`: publish what the checkers find in open buffers. `rename`: answer the editor's own rename."""

    diagnostics: bool = True
    rename: bool = True


def read_settings(given: object, before: Settings) -> Settings:
    """`before` with what `given` says over it: `{"diagnostics": bool}` or `{"diagnostics": {"enable": bool}}`, under "surefoot" or bare."""
    if not isinstance(given, dict):
        return before
    named = cast(dict[str, object], given)
    inner = named.get("surefoot", named)
    if not isinstance(inner, dict):
        return before
    held = cast(dict[str, object], inner)
    return Settings(_flag(held.get("diagnostics"), before.diagnostics), _flag(held.get("rename"), before.rename))


def _flag(said: object, before: bool) -> bool:
    if isinstance(said, dict):
        said = cast(dict[str, object], said).get("enable")
    return said if isinstance(said, bool) else before
