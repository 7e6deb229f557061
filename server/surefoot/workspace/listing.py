"""Which files a root has: what git would not ignore, by git's own listing."""

import subprocess
from collections.abc import Sequence
from pathlib import Path


def list_files(root: Path) -> Sequence[Path]:
    """Every regular file under `root` that ignore rules leave, absolute."""
    done = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard", "--deduplicate"], capture_output=True, check=True, timeout=60
    )
    return [root / name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name]
