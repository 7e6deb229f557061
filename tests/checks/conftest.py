"""The real tools: ty and ruff of the running environment, TypeScript from the cache that `surefoot doctor --install` fills."""

import pytest

from surefoot.checks.install import install_typescript
from surefoot.checks.settings import CheckSettings


@pytest.fixture(scope="session")
def settings() -> CheckSettings:
    """Default settings with everything installed."""
    made = CheckSettings()
    install_typescript(made)
    return made
