"""The process that holds a shadow: the mounts of a namespace of its own, and every program that runs under them.

It is run as a program, by its path, with the standard library alone. It has one thread, because only such a process may leave the user
namespace that it came from. Each mount is a new overlay: the kernel says nothing about a lower tree that changes under a mount that stays,
and what it then shows is old.

Requests come over one socket as a header and bytes; the descriptors of a program to run come along. A program gets a process of its own
that waits for it, and a process-id namespace, so that when its caller lets go of it nothing that it has started is left.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypedDict, cast

NEW_MOUNTS, NEW_USERS, NEW_PIDS = 0x00020000, 0x10000000, 0x20000000
_PRIVATE_ALL, _BIND, _DETACH = 0x44000, 0x1000, 2
_SECUREBITS, _NO_ROOT_LOCKED, _DEATH_SIGNAL = 28, 3, 1
HEAD = struct.Struct("!II")
_MOST_DESCRIPTORS = 4
_OWN = "lower"


class Message(TypedDict, total=False):
    """What is asked, and what is answered.

    `files` are names relative to the root with their sizes, in the order of the bytes that follow; `gone` are names to take away. `error`
    says what went wrong, "" if nothing did. `status` is that of `os.waitpid`, `errno` why a program did not start.
    """

    op: str
    files: Sequence[tuple[str, int]]
    gone: Sequence[str]
    size: int
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    error: str
    status: int
    errno: int


def send(to: socket.socket, head: Message, body: bytes = b"", descriptors: Sequence[int] = ()) -> None:
    """One message."""
    text = json.dumps(head).encode()
    start = HEAD.pack(len(text), len(body))
    sent = socket.send_fds(to, [start], list(descriptors)) if descriptors else 0
    to.sendall(start[sent:] + text + body)


def receive(source: socket.socket) -> tuple[Message, bytes, list[int]] | None:
    """One message with what came along, None at the end."""
    start, descriptors, _, _ = socket.recv_fds(source, HEAD.size, _MOST_DESCRIPTORS)
    start += _exactly(source, HEAD.size - len(start)) if start else b""
    if len(start) < HEAD.size:
        return None
    head, body = HEAD.unpack(start)
    text = _exactly(source, head)
    return cast(Message, json.loads(text)), _exactly(source, body), list(descriptors)


def parse(data: bytes) -> Message:
    """A whole message without a body, one without any word if there is none."""
    return cast(Message, json.loads(data[HEAD.size :])) if len(data) > HEAD.size else {}


def _exactly(source: socket.socket, size: int) -> bytes:
    made = bytearray(size)
    view = memoryview(made)
    for _ in range(size):
        if not len(view):
            break
        if not (got := source.recv_into(view)):
            return b""
        view = view[got:]
    return bytes(made)


def main() -> None:
    """Leave for namespaces of one's own, then do what is asked until nobody asks any more."""
    root, state, number = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    control = socket.socket(fileno=number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    send(control, _tried(partial(_call, "unshare", NEW_USERS | NEW_MOUNTS)))
    mounts = _Mounts(root, state)
    while (asked := receive(control)) is not None:
        head, body, descriptors = asked
        match head.get("op"):
            case "open":
                send(control, _tried(partial(mounts.open, head.get("size", 0))))
            case "lay":
                send(control, _tried(partial(mounts.lay, head, body)))
            case _:
                _fork_waiter(control, head, descriptors, mounts.stands)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


class _Mounts:
    """The overlay over the root, of which there is one at a time. All that is written lies in memory and goes with this process."""

    def __init__(self, root: Path, state: Path) -> None:
        self._root, self._state, self._number = root, state, 0
        self.stands = False
        """Whether there is an overlay: without one a program would write into the user's tree."""

    def open(self, size: int) -> None:
        beneath = [place for place in _mounted() if place != self._root and place.is_relative_to(self._root)]
        if beneath:
            raise OSError(0, f"there is another file system at {beneath[0]}")
        _call("mount", b"none", b"/", None, _PRIVATE_ALL, None)
        _call("mount", b"tmpfs", bytes(self._state), b"tmpfs", 0, f"size={size},mode=700".encode())
        for name in (_OWN, "tmp"):
            (self._state / name).mkdir()
        _call("mount", bytes(self._root), bytes(self._state / _OWN), None, _BIND, None)
        os.chdir(self._state)
        if (child := os.fork()) == 0:
            os._exit(_LIBC.unshare(NEW_PIDS) != 0)
        if os.waitpid(child, 0)[1]:
            raise OSError(0, "programs cannot be kept apart")

    def lay(self, head: Message, body: bytes) -> None:
        """A new overlay with these files, and without those that are gone. Whoever still runs keeps the one before it."""
        if self.stands:
            _call("umount2", bytes(self._root), _DETACH)
            self.stands = False
        for old in self._state.glob("[uw][0-9]*"):
            _forget(old)
        self._number += 1
        upper, work = Path(f"u{self._number}"), Path(f"w{self._number}")
        upper.mkdir()
        work.mkdir()
        self._write(upper, head.get("files", ()), body)
        options = f"lowerdir={_OWN},upperdir={upper},workdir={work},userxattr"
        _call("mount", b"overlay", bytes(self._root), b"overlay", 0, options.encode())
        self.stands = True
        for name in head.get("gone", ()):
            (self._root / name).unlink(missing_ok=True)

    def _write(self, upper: Path, files: Sequence[tuple[str, int]], body: bytes) -> None:
        at = 0
        shutil.copymode(_OWN, upper)
        for name, size in files:
            made, real = upper / name, Path(_OWN) / name
            for above in reversed(made.relative_to(upper).parents):
                if not (upper / above).exists():
                    (upper / above).mkdir()
                    if (Path(_OWN) / above).is_dir():
                        shutil.copymode(Path(_OWN) / above, upper / above)
            made.write_bytes(body[at : at + size])
            if real.is_file():
                shutil.copymode(real, made)
            at += size


def _fork_waiter(control: socket.socket, head: Message, descriptors: Sequence[int], stands: bool) -> None:
    """One process for each program: it waits for the end of the program, or of whoever asked for it."""
    if os.fork():
        return
    control.close()
    *streams, number = descriptors
    life = socket.socket(fileno=number)
    said, say = os.pipe()
    failed = _tried(partial(_call, "unshare", NEW_PIDS)) if stands else Message(error="there is no shadow to run in")
    if failed.get("error"):
        send(life, failed)
        os._exit(1)
    if (first := os.fork()) == 0:
        life.close()
        os.close(said)
        _first_process(head, streams, say)
    os.close(say)
    for stream in streams:
        os.close(stream)
    select.select([life, said], [], [])
    told = os.read(said, 64) if select.select([said], [], [], 0)[0] else b""
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    kind, _, code = told.decode().partition("\n")[0].partition(" ")
    answer: Message = {"errno": int(code)} if kind == "errno" else {"status": int(code or signal.SIGKILL)}
    try:
        send(life, answer)
    finally:
        os._exit(0)


def _first_process(head: Message, streams: Sequence[int], say: int) -> None:
    """The first process of a namespace. When it ends, the kernel ends all the others in it."""
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    child = os.fork()
    if child == 0:
        _become(head, streams, say)
    for stream in streams:
        os.close(stream)
    ended = 0
    while ended != child:
        ended, status = os.wait()
        if ended == child:
            os.write(say, f"status {status}\n".encode())
    os._exit(0)


def _become(head: Message, streams: Sequence[int], say: int) -> None:
    try:
        os.setsid()
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(3, say)
        os.chdir(head.get("cwd", "/"))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Without this a program of root could unmount what it is meant to look at.
        _LIBC.prctl(_SECUREBITS, _NO_ROOT_LOCKED, 0, 0, 0)
        argv = list(head.get("argv", ()))
        os.execvpe(argv[0], argv, dict(head.get("env", {})))
    except OSError as error:
        os.write(say, f"errno {error.errno or 1}\n".encode())
    finally:
        os._exit(127)


def _tried(what: Callable[[], object]) -> Message:
    try:
        what()
    except OSError as error:
        return {"error": error.strerror or str(error)}
    return {"error": ""}


def _call(name: str, *arguments: object) -> None:
    """A call of the C library. Raises OSError."""
    if getattr(_LIBC, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mounted() -> list[Path]:
    """Where file systems are mounted."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return [Path(line.split(" ")[4].encode().decode("unicode_escape")) for line in lines]


def _forget(folder: Path) -> None:
    """What an overlay leaves in its work folder may not be listed before it is opened."""
    for inner in folder.glob("*"):
        inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _reap() -> None:
    for _ in range(1000):
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


_LIBC = ctypes.CDLL(None, use_errno=True)

if __name__ == "__main__":
    main()
