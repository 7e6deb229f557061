"""The order of a Python file's imports, as the project's own ruff would have it."""

import asyncio
from pathlib import Path

from surefoot.checks.checker import Missing
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import find_python_tool
from surefoot.workspace.environment import for_programs

UNSORTED = "I001"
"""Ruff's code for imports that are out of order."""


async def with_sorted_imports(path: Path, root: Path, data: bytes, settings: CheckSettings | None = None) -> bytes:
    """`data`, meant as the text of `path`, with its imports in the order that ruff's settings there ask for; unchanged where ruff cannot
    say. Nothing is written."""
    held = settings or CheckSettings()
    tool = find_python_tool("ruff", path, root, held)
    if isinstance(tool, Missing):
        return data
    flags = ("check", "--select", UNSORTED, "--fix-only", "--no-cache", "--quiet", "--stdin-filename", str(path), "-")
    pipe = asyncio.subprocess.PIPE
    try:
        child = await asyncio.create_subprocess_exec(
            str(tool.path), *flags, cwd=root, env=for_programs(), stdin=pipe, stdout=pipe, stderr=pipe
        )
    except OSError:
        return data
    try:
        async with asyncio.timeout(held.timeout):
            sorted_text, _ = await child.communicate(data)
    except TimeoutError:
        return data
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return sorted_text if child.returncode == 0 and sorted_text else data
