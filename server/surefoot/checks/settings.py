"""What a person or the composition root may set about checks."""

import sys
from pathlib import Path

from surefoot.core.value import value
from surefoot.run.limits import CHECK_TIMEOUT_SECONDS, OPINION_SECONDS


@value
class CheckSettings:
    """Time limits in seconds, and where Surefoot's own copies of the tools are.

    `tools` is the folder that holds ty and ruff (the one of the running interpreter), `typescript` the npm prefix that holds the copy of
    TypeScript; None means the place that `surefoot doctor --install` fills. `search_path` is where language servers are looked for, None
    for PATH.
    """

    timeout: float = CHECK_TIMEOUT_SECONDS
    start_timeout: float = 30.0
    opinion_timeout: float = OPINION_SECONDS
    tools: Path | None = None
    typescript: Path | None = None
    search_path: str | None = None

    @property
    def tools_folder(self) -> Path:
        return self.tools or Path(sys.executable).parent

    @property
    def typescript_folder(self) -> Path:
        if self.typescript is not None:
            return self.typescript
        from platformdirs import user_cache_path

        return user_cache_path("surefoot") / "typescript"
