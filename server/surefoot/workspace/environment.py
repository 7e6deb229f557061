"""The environment of the programs that Surefoot starts. Projects have a say in which these are, and none of them asks a model."""

import os
from collections.abc import Mapping

SECRETS = frozenset(
    {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "AWS_BEARER_TOKEN_BEDROCK", "SUREFOOT_API_KEY"}
)
"""Variables whose values are for a model's provider alone."""


def for_programs(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """`given`, else the environment of this process, without what is for a model's provider alone."""
    return {name: held for name, held in (os.environ if given is None else given).items() if name.upper() not in SECRETS}
