"""Whether a checker sees in one file what is edited in another: tried once for each program, on two files in a folder of their own.

A server may answer about a file by what others hold on disk, not by what they were edited to, and then every caller looks fine.
"""

import asyncio
import contextlib
import tempfile
from pathlib import Path

from surefoot.checks.checker import Checker, Dialect, Tool
from surefoot.checks.child import Child
from surefoot.checks.settings import CheckSettings
from surefoot.checks.tsserver_child import TsserverChild
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile, digest
from surefoot.core.value import value
from surefoot.workspace.snapshot import Snapshot


@value
class _Pair:
    """A file, what it is edited to, and another one that the edit breaks."""

    suffix: str
    home: str
    edited: str
    caller: str
    settings: str = ""


_PAIRS = (
    _Pair(
        ".py",
        "def told(one: int) -> int:\n    return one\n",
        "def told(one: int, two: int) -> int:\n    return one + two\n",
        "from surefoot_home import told\n\nprint(told(1))\n",
    ),
    _Pair(
        ".ts",
        "export function told(one: number): number {\n    return one;\n}\n",
        "export function told(one: number, two: number): number {\n    return one + two;\n}\n",
        'import { told } from "./surefoot_home";\n\nexport const heard: number = told(1);\n',
        '{"compilerOptions": {"strict": true, "noEmit": true, "types": []}}',
    ),
)


def start_child(launch_dialect: Dialect) -> type[Child]:
    """The client that speaks a dialect."""
    return TsserverChild if launch_dialect is Dialect.TSSERVER else Child


async def blindness(checker: Checker, tool: Tool, settings: CheckSettings) -> str:
    """What keeps a checker from seeing callers of what is edited, "" if nothing does. One that passed is not tried again on this machine.

    Raises CheckerUnavailable where it cannot be tried.
    """
    pair = next((one for one in _PAIRS if one.suffix in checker.languages), None)
    if checker.alone or pair is None:
        return ""
    passed = await asyncio.to_thread(_passed, checker, tool)
    if await asyncio.to_thread(passed.is_file):
        return ""
    if not await _sees(checker, tool, settings, pair):
        return f"{checker.name} does not see in one file what is edited in another"
    with contextlib.suppress(OSError):
        await asyncio.to_thread(_mark, passed)
    return ""


async def _sees(checker: Checker, tool: Tool, settings: CheckSettings, pair: _Pair) -> bool:
    with tempfile.TemporaryDirectory(prefix="surefoot-", ignore_cleanup_errors=True) as scratch:
        root, home, caller = await asyncio.to_thread(_written, scratch, pair)
        launch = checker.launch(tool, Snapshot(root))
        kind = start_child(launch.dialect)
        child = await kind.start(checker.name, root, launch, checker.languages, settings.start_timeout, settings.timeout)
        try:
            before = await _found(child, {home: pair.home, caller: pair.caller}, caller)
            after = await _found(child, {home: pair.edited, caller: pair.caller}, caller)
        finally:
            await child.close()
    return after > before


def _written(scratch: str, pair: _Pair) -> tuple[Path, Path, Path]:
    root = Path(scratch).resolve()
    home, caller = root / f"surefoot_home{pair.suffix}", root / f"surefoot_caller{pair.suffix}"
    home.write_text(pair.home, "utf-8")
    caller.write_text(pair.caller, "utf-8")
    if pair.settings:
        (root / "tsconfig.json").write_text(pair.settings, "utf-8")
    return root, home, caller


async def _found(child: Child, texts: dict[Path, str], path: Path) -> int:
    child.mirror({name: TextFile.of(name, text.encode("utf-8")) for name, text in texts.items()})
    return sum(item.severity == 1 for item in await child.pull(path))


def _mark(passed: Path) -> None:
    passed.parent.mkdir(parents=True, exist_ok=True)
    passed.touch()


def _passed(checker: Checker, tool: Tool) -> Path:
    """The mark of a program that passed: another file, or another state of it, has another mark."""
    from platformdirs import user_cache_path

    try:
        held = tool.path.resolve().stat()
    except OSError as error:
        raise CheckerUnavailable(f"{tool.path} could not be found: {error.strerror or error}") from error
    state = f"{checker.name}\0{tool.path.resolve()}\0{held.st_mtime_ns}\0{held.st_size}\0{_PAIRS}"
    return user_cache_path("surefoot") / "sees-callers" / digest(state.encode("utf-8", "surrogateescape"))
