"""A shadow at the tree's own path: an overlay that only programs in its namespaces see, mounted anew for every candidate."""

import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from surefoot.checks import shadow_helper
from surefoot.checks.outcome import Ended
from surefoot.checks.shadow import Asked, Laid, ShadowKind
from surefoot.checks.shadow_helper import Message, receive, send
from surefoot.checks.shadow_streams import heard
from surefoot.core.errors import CheckerUnavailable
from surefoot.run.limits import SHADOW_BYTES
from surefoot.workspace.environment import for_programs

_PATIENCE = 10.0
"""Seconds that the helper may take for one answer; it takes milliseconds."""
_ALL_IDS = "0 0 4294967295"
_PROBE = ".surefoot-probe"


class OverlayShadow:
    """Talks to the one process that holds the mounts."""

    kind = ShadowKind.OVERLAY
    reason = ""

    def __init__(self, given: Path, root: Path, state: Path, helper: asyncio.subprocess.Process, control: socket.socket) -> None:
        self._given, self._root = given, root
        self._state, self._helper, self._control = state, helper, control
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, root: Path) -> "OverlayShadow":
        """Raises CheckerUnavailable where the system does not allow it, with the reason."""
        real, state = await asyncio.to_thread(_places, root)
        ours, theirs = socket.socketpair()
        ours.settimeout(_PATIENCE)
        argv = (sys.executable, "-I", "-S", "-X", "utf8", shadow_helper.__file__, str(real), str(state), str(theirs.fileno()))
        none = asyncio.subprocess.DEVNULL
        try:
            with theirs:
                helper = await asyncio.create_subprocess_exec(
                    *argv, env=for_programs(), stdin=none, stdout=none, stderr=none, pass_fds=(theirs.fileno(),), start_new_session=True
                )
        except OSError as error:
            ours.close()
            await asyncio.to_thread(state.rmdir)
            raise CheckerUnavailable(f"no shadow could be made: {error.strerror or error}") from error
        made = cls(root, real, state, helper, ours)
        try:
            await made._prove()
        except BaseException:
            await made.close()
            raise
        return made

    @property
    def pid(self) -> int:
        return self._helper.pid

    async def _prove(self) -> None:
        """Set up the namespaces, and see that what is laid over the tree is there inside and not outside."""
        self._fine(await asyncio.to_thread(self._answer))
        try:
            await asyncio.to_thread(_map_ids, self._helper.pid)
        except OSError as error:
            raise CheckerUnavailable(f"no shadow could be made: {error.strerror or error}") from error
        await self._ask({"op": "open", "size": SHADOW_BYTES})
        probe = self._root / _PROBE
        await self.lay({probe: b"probe"})
        script = f"print(open({os.fspath(probe)!r}).read())"
        ended = await self.run(Asked("probe", (sys.executable, "-I", "-S", "-c", script), {}, self._root, _PATIENCE))
        if ended.stdout.strip() != b"probe" or await asyncio.to_thread(probe.exists):
            raise CheckerUnavailable("no shadow could be made: what is laid over the tree is not seen")

    async def lay(self, laid: Laid) -> None:
        real = {path: self._real(path) for path in laid}
        names = {path: os.fspath(place.relative_to(self._root)) for path, place in real.items() if place.is_relative_to(self._root)}
        held = [(names[path], data) for path, data in laid.items() if data is not None and path in names]
        gone = [names[path] for path, data in laid.items() if data is None and path in names]
        head: Message = {"op": "lay", "files": [(name, len(data)) for name, data in held], "gone": gone}
        await self._ask(head, b"".join(data for _, data in held))

    async def run(self, asked: Asked) -> Ended:
        life, theirs = socket.socketpair()
        life.setblocking(False)
        pipes = [os.pipe(), os.pipe()]
        nothing = os.open(os.devnull, os.O_RDONLY)
        temporary = str(self._state / "tmp")
        env = {**for_programs(asked.env), "TMPDIR": temporary, "TMP": temporary, "TEMP": temporary}
        head: Message = {"op": "run", "argv": asked.argv, "env": env, "cwd": str(asked.cwd)}
        try:
            async with self._turn:
                send(self._control, head, b"", (nothing, *(write for _, write in pipes), theirs.fileno()))
        except OSError as error:
            life.close()
            for read, _ in pipes:
                os.close(read)
            raise CheckerUnavailable(f"the shadow of {self._root.name} has ended") from error
        finally:
            theirs.close()
            for number in (nothing, *(write for _, write in pipes)):
                os.close(number)
        return await self._heard(asked, life, [read for read, _ in pipes])

    async def _heard(self, asked: Asked, life: socket.socket, readers: Sequence[int]) -> Ended:
        told = asyncio.ensure_future(_told(life))

        async def over() -> int:
            return _code(await asyncio.shield(told))

        async def end() -> None:
            """Let go, and wait until the helper says that everything has ended."""
            with contextlib.suppress(OSError):
                life.shutdown(socket.SHUT_WR)
            await asyncio.wait((told,), timeout=_PATIENCE)

        try:
            async with contextlib.AsyncExitStack() as stack:
                output, errors = [await stack.enter_async_context(_stream(number)) for number in readers]
                return await heard(asked, output, errors, over(), end)
        finally:
            told.cancel()
            life.close()

    def inside(self, path: Path) -> Path:
        return path

    def outside(self, path: Path) -> Path:
        return self._given / path.relative_to(self._root) if path.is_relative_to(self._root) else path

    def _real(self, path: Path) -> Path:
        """The file that a name means: through a link, the one that it leads to."""
        return path.resolve() if path.is_symlink() else path.parent.resolve() / path.name

    async def close(self) -> None:
        self._control.close()
        try:
            await asyncio.wait_for(self._helper.wait(), _PATIENCE)
        except TimeoutError:
            self._helper.kill()
            await self._helper.wait()
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self._state.rmdir)

    async def _ask(self, head: Message, body: bytes = b"") -> None:
        """Raises CheckerUnavailable. What was begun is waited for, even if whoever asked has gone."""
        async with self._turn:
            self._fine(await asyncio.shield(asyncio.to_thread(self._asked, head, body)))

    def _asked(self, head: Message, body: bytes) -> Message:
        try:
            send(self._control, head, body)
        except OSError as error:
            return {"error": error.strerror or str(error)}
        return self._answer()

    def _answer(self) -> Message:
        try:
            got = receive(self._control)
        except OSError as error:
            return {"error": error.strerror or str(error)}
        return got[0] if got else {"error": "its process has ended"}

    def _fine(self, answer: Message) -> None:
        if answer.get("error"):
            raise CheckerUnavailable(f"no shadow could be made: {answer.get('error')}")


def _places(root: Path) -> tuple[Path, Path]:
    """Where the tree really is, and an empty folder that hides what the shadow keeps."""
    return root.resolve(), Path(tempfile.mkdtemp(prefix="surefoot-shadow-"))


@contextlib.asynccontextmanager
async def _stream(number: int) -> AsyncGenerator[asyncio.StreamReader]:
    """What comes out of a pipe."""
    stream = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(stream)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(number, "rb", 0))
    try:
        yield stream
    finally:
        transport.close()


def _map_ids(pid: int) -> None:
    """Give the namespace the users of this one: all of them where this process may, else only its own."""
    place = Path(f"/proc/{pid}")
    for name, own in (("uid_map", os.geteuid()), ("gid_map", os.getegid())):
        try:
            (place / name).write_text(_ALL_IDS)
        except OSError:
            if name == "gid_map":
                (place / "setgroups").write_text("deny")
            (place / name).write_text(f"{own} {own} 1")


async def _told(life: socket.socket) -> Message:
    """What the helper says at the end of a program."""
    loop = asyncio.get_running_loop()
    data = bytearray()
    while chunk := await loop.sock_recv(life, 4096):
        data += chunk
    return shadow_helper.parse(bytes(data))


def _code(message: Message) -> int:
    """The exit code, negative for a signal. Raises OSError for a program that did not start."""
    if message.get("error"):
        raise OSError(0, message.get("error"))
    if number := message.get("errno", 0):
        raise OSError(number, os.strerror(number))
    return os.waitstatus_to_exitcode(message.get("status", 9))
