"""A scripted Messages API on 127.0.0.1: it answers step by step, goes wrong in every way that is asked for, and keeps all that it received.

A step is a `Reply`, a `Fault`, or a function of the request that gives one. What is not scripted is answered by `then`.
"""

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast

Body = dict[str, Any]
JSON = "application/json"


@dataclass(frozen=True)
class Received:
    """One request as it came: its bytes, its body, its headers by lower-case names. `gone` is set when the client hung up on the answer."""

    path: str
    raw: bytes
    body: Body
    headers: dict[str, str]
    at: float
    gone: threading.Event = field(default_factory=threading.Event)

    @property
    def system(self) -> str:
        return "".join(block["text"] for block in self.body.get("system", ()))

    @property
    def texts(self) -> list[str]:
        """The blocks of the user's turn."""
        return [block["text"] for block in self.body["messages"][0]["content"]]

    @property
    def user(self) -> str:
        return "\n".join(self.texts)

    @property
    def wants(self) -> str:
        """plan, edit, judge or distil: told apart by the first words of the system text."""
        known = {"You plan": "plan", "You make one edit": "edit", "You judge": "judge", "You turn one failure": "distil"}
        return next((name for words, name in known.items() if self.system.startswith(words)), "")


@dataclass(frozen=True)
class Reply:
    """An answer. `breaks_after` events the connection is reset, or cut politely with `politely`; each event waits `drip` seconds."""

    text: str = ""
    uses: Sequence[tuple[str, str]] = ()
    stop: str = ""
    read: int = 0
    written: int = 0
    cache_read: int = 0
    breaks_after: int = -1
    politely: bool = False
    drip: float = 0.0
    broken_event: bool = False
    error_event: str = ""
    category: str = ""
    whole: bool = False
    extra: Body = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """A status with an error body, a page, or nothing: `reset` closes the connection before any answer, `hang` keeps silent so long."""

    status: int = 500
    kind: str = "api_error"
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = JSON
    reset: bool = False
    hang: float = 0.0


Answer = Reply | Fault
Step = Answer | Callable[[Received], Answer]


def plan(*steps: Body, touches: Sequence[Body] = (), fits: Sequence[Body] = (), cannot: str = "") -> Reply:
    """A plan of these steps."""
    return Reply(json.dumps({"touches": list(touches), "steps": list(steps), "fits": list(fits), "cannot": cannot}))


def step(title: str, *files: str, sites: Sequence[int] = (), lines: int = 4, intent: str = "") -> Body:
    """One step of a plan."""
    intent = intent or title
    return {
        "title": title,
        "intent": intent,
        "files": list(files),
        "sites": list(sites),
        "lines": lines,
        "behaviour_preserving": False,
    }


def edit(*replacements: tuple[str, str, str] | tuple[str, str, str, str], cannot: str = "") -> Reply:
    """An edit: (path, old, new), or (path, within, old, new)."""
    made: list[Body] = []
    for held in replacements:
        path, within, old, new = held if len(held) == 4 else (held[0], "", held[1], held[2])
        made.append({"path": path, "within": within, "old": old, "new": new})
    return Reply(json.dumps({"edits": made, "cannot": cannot}))


def passes(sentence: str = "The change does what the task asks.") -> Reply:
    return Reply(f"PASS\n{sentence}")


def fails(sentence: str) -> Reply:
    return Reply(f"FAIL\n{sentence}")


class MessagesApi:
    """The server, for as long as the block lasts. `requests` are what came to `/v1/messages`, in order; one that is not `able` holds no
    answer to a schema."""

    def __init__(self, *steps: Step, then: Step | None = None, able: bool = True, tls: ssl.SSLContext | None = None) -> None:
        self._scheme = "http" if tls is None else "https"
        self._able = able
        self.probes: list[Received] = []
        self._steps = list(steps)
        self.then = then
        self._lock = threading.Lock()
        self.requests: list[Received] = []
        self.answers: list[str] = []
        self.came = threading.Event()
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    @property
    def left(self) -> int:
        """Steps that nobody asked for."""
        return len(self._steps)

    def script(self, *steps: Step) -> None:
        """More steps."""
        self._steps += steps

    def asked(self, wants: str) -> list[Received]:
        """The requests of one kind."""
        return [request for request in self.requests if request.wants == wants]

    def next(self, request: Received) -> Answer:
        if not request.system:
            # The one question that finds out whether answers are held to a schema.
            self.probes.append(request)
            return Reply('{"ready": true}') if self._able else Reply("Yes, I am ready.")
        with self._lock:
            self.requests.append(request)
            self.came.set()
            step = self._steps.pop(0) if self._steps else self.then
        if step is None:
            self.answers.append("")
            return Fault(
                400, "invalid_request_error", raw=b'{"type":"error","error":{"type":"invalid_request_error","message":"unscripted"}}'
            )
        answer = step(request) if callable(step) else step
        with self._lock:
            self.answers.append(answer.text if isinstance(answer, Reply) else "")
        return answer


class _Handler(BaseHTTPRequestHandler):
    api: MessagesApi
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, raw, cast(Body, json.loads(raw)), headers, time.monotonic())
        if refusal := _unacceptable(received.body):
            self._send(400, JSON, _error("invalid_request_error", refusal))
            self.api.requests.append(received)
            return
        answer = self.api.next(received)
        try:
            if isinstance(answer, Fault):
                self._fault(answer)
            elif received.body.get("stream") and not answer.whole:
                self._stream(answer, received)
            else:
                self._send(200, JSON, json.dumps(_message(answer, received)).encode())
        except (ConnectionError, OSError):
            received.gone.set()
            self.close_connection = True

    def _fault(self, fault: Fault) -> None:
        if fault.hang:
            time.sleep(fault.hang)
        if fault.reset:
            self._reset()
            return
        raw = fault.raw if fault.raw is not None else _error(fault.kind, "scripted")
        self._send(fault.status, fault.content_type, raw, fault.headers)

    def _send(self, status: int, content_type: str, raw: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(raw)))
        for name, held in (headers or {}).items():
            self.send_header(name, held)
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self, reply: Reply, received: Received) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(_events(reply, received)):
            if number == reply.breaks_after:
                if reply.error_event:
                    self._event({"type": "error", "error": {"type": reply.error_event, "message": "scripted"}})
                elif reply.broken_event:
                    self.wfile.write(b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "del\n\n')
                elif not reply.politely:
                    self._reset()
                return
            self._event(event)
            if reply.drip:
                time.sleep(reply.drip)

    def _event(self, event: Body) -> None:
        self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def _reset(self) -> None:
        """Close so that the other side sees a reset, not an end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def _error(kind: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def _unacceptable(body: Body) -> str:
    """Why the real API would not take a request."""
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            return f"{name}: not supported"
    messages = body.get("messages") or []
    if not messages or messages[0]["role"] != "user" or messages[-1]["role"] != "user":
        return "messages: first and last are the user's"
    blocks = [b for m in messages for b in (m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}])]
    if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        return "messages: text content blocks must be non-empty"
    marked = [b for b in (*blocks, *body.get("system", ()), *body.get("tools", ())) if "cache_control" in b]
    return "cache_control: at most 4 breakpoints" if len(marked) > 4 else ""


def tokens(raw: bytes) -> int:
    """Tokens as this server counts them: four bytes each, rounded up."""
    return -(-len(raw) // 4)


def _usage(reply: Reply, received: Received) -> Body:
    read = reply.read or tokens(received.raw)
    written = reply.written or tokens(reply.text.encode() + b"".join(use.encode() for _, use in reply.uses)) or 1
    return {"input_tokens": read, "output_tokens": written, "cache_read_input_tokens": reply.cache_read, "cache_creation_input_tokens": 0}


def _stop(reply: Reply) -> str:
    return reply.stop or ("tool_use" if reply.uses else "end_turn")


def _message(reply: Reply, received: Received) -> Body:
    content: list[Body] = [{"type": "text", "text": reply.text}] if reply.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": json.loads(given)} for n, (name, given) in enumerate(reply.uses)
    ]
    held = {"id": "msg_1", "type": "message", "role": "assistant", "model": received.body["model"], "content": content}
    return {**held, "stop_reason": _stop(reply), "stop_sequence": None, "usage": _usage(reply, received), **reply.extra}


def _events(reply: Reply, received: Received) -> Iterator[Body]:
    usage = _usage(reply, received)
    held = {"id": "msg_1", "type": "message", "role": "assistant", "model": received.body["model"], "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": {**held, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}, **reply.extra}}
    index = 0
    if reply.text:
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        for piece in _pieces(reply.text):
            yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        yield {"type": "content_block_stop", "index": 0}
        index = 1
    for number, (name, given) in enumerate(reply.uses, index):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        yield {"type": "content_block_start", "index": number, "content_block": block}
        for piece in _pieces(given):
            yield {"type": "content_block_delta", "index": number, "delta": {"type": "input_json_delta", "partial_json": piece}}
        yield {"type": "content_block_stop", "index": number}
    delta: Body = {"stop_reason": _stop(reply), "stop_sequence": None}
    if reply.category:
        delta["stop_details"] = {"type": "refusal", "category": reply.category, "explanation": "scripted"}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _pieces(text: str) -> Iterator[str]:
    yield from (text[at : at + 40] for at in range(0, len(text), 40))
