"""What an endpoint does of what it may be asked for: known of the provider's own, found out once of any other."""

from surefoot.core.value import value


@value
class Capabilities:
    """Whether an answer is held to a schema, whether tools can be named, and whether prefixes are cached."""

    structured: bool = True
    tools: bool = True
    caches: bool = True


ALL = Capabilities()
PROBE = '{"type": "object", "properties": {"ready": {"type": "boolean"}}, "required": ["ready"], "additionalProperties": false}'
"""The schema of the one small question that tells whether an endpoint holds answers to schemas."""
