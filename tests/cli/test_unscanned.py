"""What `surefoot sites` could not look into is told to the person, in words and in JSON, whatever the folder holds."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

UNSCANNED = {
    "away": "a link that leads out of the root is not followed",
    "binary.py": "binary",
    "broken.py": "line 1 does not parse",
    "huge.py": "larger than 8 MiB",
    "large.py": "larger than 4 MiB, not parsed",
    "latin.py": "not UTF-8 (byte 5)",
    "shut": "the folder cannot be opened: Permission denied",
    "shut.py": "Permission denied",
    "wide.py": "not UTF-8 (UTF-16)",
}
AS_NOBODY = """
import os, sys
from contextlib import redirect_stdout
from io import StringIO
from surefoot.__main__ import main
with redirect_stdout(StringIO()):
    main(["sites", "total", "--root", sys.argv[1]])  # everything is imported while everything can be read
    main(["sites", "total", "--root", sys.argv[1], "--json"])
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
sys.exit(main(["sites", "total", "--root", *sys.argv[1:]]))
"""


@pytest.fixture
def root() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="surefoot-test-"))  # pytest's own folders are closed to others, again and again
    home.chmod(0o755)
    root, outside = home / "root", home / "outside"
    for folder in (outside, root / "shut", root / "sub"):
        folder.mkdir(parents=True)
    (root / "core.py").write_text("def total(): ...\n")
    (root / "again.py").symlink_to("core.py")
    (root / "sub" / "up").symlink_to(root)
    (root / "self.py").symlink_to("self.py")
    (root / "gone.py").symlink_to("nowhere.py")
    (root / "away").symlink_to(outside)
    (root / "binary.py").write_bytes(b"\x7fELF\0total")
    (root / "broken.py").write_text("total(((\n")
    (root / "huge.py").write_bytes(b"total\n" * 1_500_000)
    (root / "large.py").write_bytes(b"total\n" * 750_000)
    (root / "latin.py").write_bytes(b"# caf\xe9 total\n")
    (root / "picture.png").write_bytes(b"\x89PNG\0total")
    (root / "wide.py").write_bytes("total".encode("utf-16"))
    for closed in (root / "shut" / "use.py", root / "shut.py"):
        closed.write_text("total()\n")
    (root / "shut.py").chmod(0)
    (root / "shut").chmod(0)
    yield root
    (root / "shut").chmod(0o755)
    shutil.rmtree(home)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links are of another kind there")
@pytest.mark.parametrize("path", [os.environ.get("PATH", ""), "/nowhere"], ids=["git", "no git"])
def test_everything_that_was_not_scanned_is_told_with_its_reason(root: Path, path: str) -> None:
    found = json.loads(sites_as_nobody(root, path, "--json"))
    assert {held["path"]: held["reason"] for held in found["not_scanned"]} == UNSCANNED
    assert [(site["path"], site["tier"]) for site in found["sites"]] == [("broken.py", "likely"), ("core.py", "exact")]
    told = sites_as_nobody(root, path).split("not scanned:\n")[1]
    assert told.splitlines() == [f"  {name}: {reason}" for name, reason in UNSCANNED.items()]


def sites_as_nobody(root: Path, path: str, *words: str) -> str:
    """What is printed to somebody who may not read everything."""
    environment = {**os.environ, "PATH": path}
    command = [sys.executable, "-c", AS_NOBODY, str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return done.stdout
