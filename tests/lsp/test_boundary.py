"""The boundary suite "LSP messages": whatever an editor sends, the real server has a defined answer, repeats no word of it, and goes on."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t

from surefoot.lsp.uris import uri_of
from tests.lsp.wire import Raw, framed, speaking

CANARY = "canary-7f3a"
Json = dict[str, Any]
DEEP = {"jsonrpc": "2.0", "id": 900, "method": CANARY, "params": {"a": [CANARY, {"jsonrpc": "2.0", "method": "exit"}]}}
PARSE, INVALID = t.ErrorCodes.ParseError.value, t.ErrorCodes.InvalidRequest.value
UNKNOWN, PARAMS = t.ErrorCodes.MethodNotFound.value, t.ErrorCodes.InvalidParams.value
FAILED = t.LSPErrorCodes.RequestFailed.value

COMMAND, RESOLVE, MENU, RENAME = "workspace/executeCommand", "codeAction/resolve", "textDocument/codeAction", "textDocument/rename"
AT = {"line": 0, "character": 0}
HERE = {"uri": "file:///here.py"}
SPAN = {"start": AT, "end": AT}


def rename_at(line: object, name: object = CANARY) -> Json:
    return {"method": RENAME, "params": {"textDocument": HERE, "position": {"line": line, "character": 0}, "newName": name, CANARY: 1}}


def menu(document: object, *diagnostics: object) -> Json:
    return {"method": MENU, "params": {"textDocument": document, "range": SPAN, "context": {"diagnostics": diagnostics, CANARY: 1}}}


def opened(text: object, version: object) -> Json:
    return {"method": "textDocument/didOpen", "params": {"textDocument": {**HERE, "languageId": CANARY, "version": version, "text": text}}}


def edited(changes: object) -> Json:
    return {"method": "textDocument/didChange", "params": {"textDocument": {**HERE, "version": 2}, "contentChanges": changes}}


def watched(changes: object) -> Json:
    return {"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}}


# Requests that carry their id 1: what comes with it, and the codes that an answer may have.
REQUESTS: list[tuple[str, Json, set[int]]] = [
    ("an unknown method", {"method": f"surefoot/{CANARY}", "params": DEEP}, {UNKNOWN}),
    ("a method without a name", {"method": ""}, {UNKNOWN}),
    ("half a pair in a method", {"method": f"\ud800{CANARY}"}, {UNKNOWN}),
    ("a type name for pygls", {"method": "surefoot/x", "params": {"type_name": f"not a name {CANARY}", "1": 2}}, {UNKNOWN}),
    ("a method that is a number", {"method": 5, "params": CANARY}, {INVALID}),
    ("a method that is null", {"method": None, "params": {CANARY: 1}}, {INVALID}),
    ("a method that is an object", {"method": DEEP}, {INVALID}),
    ("another version", {"jsonrpc": f"1.0 {CANARY}", "method": RESOLVE, "params": {"title": CANARY}}, {INVALID}),
    ("no version", {"jsonrpc": None, "method": RESOLVE, "params": {"title": CANARY}}, {INVALID}),
    ("a notification that asks", {"method": "textDocument/didSave", "params": {"textDocument": HERE, "text": CANARY}}, {INVALID}),
    ("initialize once more", {"method": "initialize", "params": {"processId": None, "rootUri": CANARY, "capabilities": {}}}, {INVALID}),
    ("parameters that are a text", {"method": COMMAND, "params": CANARY}, {INVALID}),
    ("parameters that are an array", {"method": COMMAND, "params": [CANARY]}, {PARAMS, t.ErrorCodes.InternalError.value}),
    ("no parameters", {"method": COMMAND, CANARY: 1}, {PARAMS, t.ErrorCodes.InternalError.value}),
    ("parameters left out", {"method": RENAME, "params": {"newName": CANARY}}, {PARAMS}),
    ("a command that is not there", {"method": COMMAND, "params": {"command": CANARY}}, {PARAMS}),
    ("a command that is a number", {"method": COMMAND, "params": {"command": 5, "arguments": [CANARY]}}, {PARAMS}),
    ("half a pair in a command", {"method": COMMAND, "params": {"command": f"\udc00{CANARY}"}}, {PARAMS}),
    ("a command without its argument", {"method": COMMAND, "params": {"command": "surefoot.server.start", CANARY: 1}}, {PARAMS}),
    ("an argument that is a text", {"method": COMMAND, "params": {"command": "surefoot.server.skip", "arguments": [CANARY]}}, {PARAMS}),
    (
        "an argument of another shape",
        {"method": COMMAND, "params": {"command": "surefoot.server.apply", "arguments": [{"run": [CANARY]}]}},
        {PARAMS},
    ),
    (
        "a message as an argument",
        {"method": COMMAND, "params": {"command": "surefoot.server.applyProposal", "arguments": [DEEP]}},
        {PARAMS},
    ),
    ("a line below zero", rename_at(-1), {PARAMS}),
    ("a line that is a text", rename_at("1"), {PARAMS}),
    ("a line and a half", rename_at(1.5), {PARAMS}),
    ("a line that is true", rename_at(True), {PARAMS}),
    ("a line beyond all", rename_at(2**40), {PARAMS}),
    ("a name that is a number", rename_at(0, 5), {PARAMS}),
    ("an address that is a number", menu({"uri": 5}), {PARAMS}),
    ("a menu without a range", {"method": MENU, "params": {"textDocument": {"uri": CANARY}, "context": {"diagnostics": []}}}, {PARAMS}),
    ("a diagnostic that is a text", menu(HERE, CANARY), {PARAMS}),
    ("an action without a title", {"method": RESOLVE, "params": {"data": DEEP}}, {PARAMS}),
    ("an action whose title is a number", {"method": RESOLVE, "params": {"title": 5, "kind": CANARY}}, {PARAMS}),
]

# Messages that nobody can wait for: dropped without a word.
UNANSWERED: list[tuple[str, Json]] = [
    ("an unknown notification", {"method": f"$/{CANARY}", "params": DEEP}),
    ("an unknown one, not optional", {"method": CANARY, "params": {"type_name": f"not a name {CANARY}"}}),
    ("a request that does not ask", {"method": RESOLVE, "params": {"title": CANARY}}),
    ("a document that is a text", {"method": "textDocument/didOpen", "params": {"textDocument": CANARY}}),
    ("a text that is null", opened(None, 1)),
    ("a version that is a text", opened(CANARY, "1")),
    ("a change of what is not open", edited([{"text": CANARY}])),
    ("changes that are a text", edited(CANARY)),
    ("a change without a text", edited([{CANARY: 1}])),
    ("closing what is not open", {"method": "textDocument/didClose", "params": {"textDocument": {"uri": CANARY}}}),
    ("files of no kind", watched([{"uri": CANARY, "type": 99}])),
    ("files that are no list", watched({CANARY: 1})),
    ("folders without an address", {"method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": [{CANARY: 1}]}}}),
    ("settings of no shape", {"method": "workspace/didChangeConfiguration", "params": {"settings": [CANARY, DEEP]}}),
    ("cancelling what is not there", {"method": "$/cancelRequest", "params": {"id": CANARY}}),
    ("cancelling a list", {"method": "$/cancelRequest", "params": {"id": [CANARY]}}),
    ("cancelling nothing", {"method": "$/cancelRequest", "params": {CANARY: 1}}),
    ("progress of a list", {"method": "window/workDoneProgress/cancel", "params": {"token": [CANARY]}}),
    ("an answer to nothing", {"id": 777, "result": CANARY}),
    ("an error to nothing", {"id": 777, "error": {"code": 1, "message": CANARY}}),
    ("an error of no shape", {"id": CANARY, "error": CANARY}),
    ("an error without an id", {"id": None, "error": {"code": -32700, "message": CANARY}}),
    ("an answer and an error", {"id": 777, "result": CANARY, "error": {"code": 1, "message": CANARY}}),
]

# Bodies that are no message: the answer names no request.
BODIES: list[tuple[str, bytes, int]] = [
    ("not JSON", CANARY.encode(), PARSE),
    ("half JSON", f'{{"jsonrpc": "2.0", "id": 1, "method": "{CANARY}'.encode(), PARSE),
    ("a web page", f"<html><body>{CANARY}</body></html>".encode(), PARSE),
    ("more than JSON", f'{{"jsonrpc": "2.0"}} {CANARY}'.encode(), PARSE),
    ("not UTF-8", b'{"jsonrpc": "2.0", "method": "\xff\xfe' + CANARY.encode() + b'"}', PARSE),
    ("too deep", b"[" * 100_000, PARSE),
    ("a number too long", b'{"id": ' + b"9" * 10_000 + b"}", PARSE),
    ("nothing but blanks", b"   ", PARSE),
    ("a text", f'"{CANARY}"'.encode(), INVALID),
    ("a number", b"5", INVALID),
    ("null", b"null", INVALID),
    ("a batch", json.dumps([{"jsonrpc": "2.0", "id": 1, "method": CANARY}]).encode(), INVALID),
    ("an empty object", b"{}", INVALID),
    ("no method", json.dumps({"jsonrpc": "2.0", "params": DEEP}).encode(), INVALID),
    ("an id that is an object", json.dumps({"jsonrpc": "2.0", "id": {CANARY: 1}, "method": RESOLVE}).encode(), INVALID),
    ("an id that is half", json.dumps({"jsonrpc": "2.0", "id": 1.5, "method": RESOLVE, "params": {"title": CANARY}}).encode(), INVALID),
    ("an id that is true", json.dumps({"jsonrpc": "2.0", "id": True, "method": RESOLVE, "params": {"title": CANARY}}).encode(), INVALID),
    ("an id that is null", json.dumps({"jsonrpc": "2.0", "id": None, "method": RESOLVE, "params": {"title": CANARY}}).encode(), INVALID),
]

# Bytes before a message that are no frame: skipped.
NOISE: list[tuple[str, bytes]] = [
    ("an empty line", b"\r\n\r\n"),
    ("lines of a program that prints", f"{CANARY}\n{CANARY}\n\n".encode()),
    ("a header that nobody knows", f"X-{CANARY}: 1\r\n".encode()),
    ("a header line of a megabyte", b"X-A: " + b"a" * 1_000_000 + b"\r\n"),
    ("a line without an end", b"a" * 70_000),
    ("a length that is a text", f"Content-Length: {CANARY}\r\n\r\n".encode()),
    ("a length below zero", b"Content-Length: -5\r\n\r\n"),
    ("a length of zero", b"Content-Length: 0\r\n\r\n"),
    ("a length beyond all", b"Content-Length: 99999999999\r\n\r\n"),
    ("a length of a thousand digits", b"Content-Length: " + b"9" * 1000 + b"\r\n\r\n"),
    ("bytes that are no text", b"\x00\xff\xfe\x80\r\n"),
    ("a rest of a lost body", f'{CANARY}"}}}}'.encode()),
]


@asynccontextmanager
async def greeted(root: Path) -> AsyncGenerator[Raw]:
    """The real server over an open folder with one file; its log is read away."""
    (root / "here.py").write_text("value = 1\n")
    async with speaking("surefoot", "serve", greet=False) as raw:
        assert raw.process.stderr
        log = asyncio.create_task(raw.process.stderr.read())
        folder = {"uri": uri_of(root), "name": "root"}
        await raw.ask(0, "initialize", {"processId": None, "rootUri": None, "workspaceFolders": [folder], "capabilities": {}})
        raw.send(method="initialized", params={})
        try:
            yield raw
        finally:
            log.cancel()
            await asyncio.wait({log})


class Check:
    """Sends what is wrong, and then asks something right: the answer shows that the server goes on and has nothing left to say before."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.number = 1000

    async def answers(self, *, echoes: bool = False) -> list[Json]:
        """What was answered since the last call, up to the answer to a good question. Only an answer to something well-formed `echoes`."""
        self.number += 1
        asked = await self.raw.ask(self.number, RESOLVE, {"title": "still here"})
        assert asked["result"]["title"] == "still here"
        heard = [m for m in self.raw.heard if "method" not in m and m is not asked]
        assert CANARY not in json.dumps([m for m in self.raw.heard if "method" in m or not echoes]), self.raw.heard
        assert not [m for m in self.raw.heard if m.get("method") in {"window/showMessage", "window/logMessage"}], self.raw.heard
        self.raw.heard.clear()
        return heard


async def test_what_is_asked_wrongly_is_answered_with_an_error(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        for name, message, codes in REQUESTS:
            raw.send(id=1, **message)
            await raw.answer(1)
            [answer] = await check.answers()
            assert answer["error"]["code"] in codes, (name, answer)


async def test_what_nobody_waits_for_is_dropped(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        for name, message in UNANSWERED:
            raw.send(**message)
            assert await check.answers() == [], name


async def test_a_body_that_is_no_message_is_answered_without_a_name(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        for name, body, code in BODIES:
            raw.put(framed(body))
            [answer] = await check.answers()
            assert (answer["id"], answer["error"]["code"]) == (None, code), (name, answer)


async def test_noise_between_messages_is_skipped(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        for name, noise in NOISE:
            raw.put(noise)
            assert await check.answers() == [], name


async def test_a_wrong_length_costs_one_message(tmp_path: Path) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": RESOLVE, "params": {"title": CANARY}}).encode()
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        raw.put(b"Content-Length: %d\r\n\r\n" % (len(body) - 9) + body)
        assert [answer["error"]["code"] for answer in await check.answers()] == [PARSE]
        raw.put(b"Content-Length: %d\r\n\r\n" % (len(body) + 9) + body)
        raw.put(framed(body))
        assert [answer["error"]["code"] for answer in await check.answers()] == [PARSE]


@pytest.mark.parametrize(
    "header",
    [b"content-length: %d\r\n\r\n", b"CONTENT-LENGTH:%d\r\nContent-Type: x\r\n\r\n", b"Content-Type: x\r\nContent-Length: %d \n\n"],
)
async def test_headers_as_other_editors_write_them(header: bytes, tmp_path: Path) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "a", "method": RESOLVE, "params": {"title": "here", "extra": 1}, "extra": {}}).encode()
    async with greeted(tmp_path) as raw:
        raw.put(header % len(body) + body)
        assert [answer["result"]["title"] for answer in await Check(raw).answers() if answer["id"] == "a"] == ["here"]


async def test_fields_that_are_not_known_change_nothing(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        extra = {"error": {"code": 1, "message": CANARY}, "result": CANARY, "extra": DEEP}
        raw.send(id=1, method=RESOLVE, params={"title": "here", "extra": DEEP, "diagnostics": []}, **extra)
        [answer] = await check.answers()
        assert answer["result"]["title"] == "here"


async def test_halves_of_pairs_are_a_text(tmp_path: Path) -> None:
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        document = {"uri": uri_of(tmp_path / "here.py"), "languageId": "python", "version": 1, "text": f"value = '\ud83d' # {CANARY}\n"}
        raw.send(method="textDocument/didOpen", params={"textDocument": document})
        raw.send(id=1, method=MENU, params={"textDocument": {"uri": document["uri"]}, "range": SPAN, "context": {"diagnostics": []}})
        await raw.answer(1)
        await check.answers()
        change = {"range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 10}}, "text": "\ude00"}
        raw.send(method="textDocument/didChange", params={"textDocument": {**document, "version": 2}, "contentChanges": [change]})
        assert await check.answers() == []


@pytest.mark.parametrize("severity", [1, 4])
async def test_what_is_right_comes_back_as_it_was(severity: int) -> None:
    """A strict reading still makes the protocol's own numbers and texts of what it reads, or they could not be sent back."""
    shown = {"range": SPAN, "message": "m", "severity": severity, "code": 5, "source": "s", "tags": [1]}
    async with speaking("surefoot", "serve") as raw:
        action = {"title": "a", "kind": "quickfix", "diagnostics": [shown]}
        assert (await raw.ask(1, RESOLVE, action))["result"] == action


async def test_answers_of_the_editor_that_make_no_sense(tmp_path: Path) -> None:
    answers: Iterable[Json] = ({}, {"result": CANARY, "error": CANARY}, {"error": CANARY}, {"error": {"code": CANARY}}, {"result": CANARY})
    capabilities = {"workspace": {"configuration": True}}
    for answer in answers:
        async with speaking("surefoot", "serve", greet=False) as raw:
            await raw.ask(0, "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
            raw.send(method="initialized", params={})
            asked = await raw.until(lambda m: m.get("method") == "workspace/configuration")
            raw.send(method="$/cancelRequest", params={"id": asked["id"]})
            raw.send(id=asked["id"], **answer)
            assert [answer["id"] for answer in await Check(raw).answers()] == [0]


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"capabilities": {"general": {"positionEncodings": CANARY}}, "processId": CANARY},
        {"processId": None, "rootUri": 5, "capabilities": {}, "x": CANARY},
        {"processId": None, "rootUri": None, "workspaceFolders": [{"uri": 5, "name": CANARY}], "capabilities": {}},
    ],
)
async def test_a_greeting_that_makes_no_sense_can_be_said_again(params: object) -> None:
    async with speaking("surefoot", "serve", greet=False) as raw:
        refused = await raw.ask(1, "initialize", params)
        assert refused["error"]["code"] in {PARAMS, t.ErrorCodes.InternalError.value}
        again = await raw.ask(2, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert again["result"]["capabilities"]["executeCommandProvider"]
        assert CANARY not in json.dumps(raw.heard)


@pytest.mark.parametrize("seed", range(3))
async def test_mutants(seed: int, tmp_path: Path) -> None:
    """Good messages with one part replaced, each with a canary: the server outlives them and repeats none."""
    chance = random.Random(seed)
    document = {"uri": uri_of(tmp_path / "here.py"), "languageId": "python", "version": 1, "text": "value = 1\n"}
    good: list[Json] = [
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        edited([{"range": SPAN, "text": "x"}]),
        {"id": 1, **menu(document, {"range": SPAN, "message": "m"})},
        {"id": 1, "method": COMMAND, "params": {"command": "surefoot.server.skip", "arguments": [{"run": "r", "step": "1"}]}},
        {"id": 1, "method": RESOLVE, "params": {"title": "a", "data": {"proposal": "p"}}},
        watched([{**HERE, "type": 2}]),
        {"method": "workspace/didChangeConfiguration", "params": {"settings": {"surefoot": {"rename": True}}}},
    ]
    async with greeted(tmp_path) as raw:
        check = Check(raw)
        await check.answers()
        for _ in range(60):
            message = json.loads(json.dumps(chance.choice(good)))
            spoil(message, chance)
            raw.send(**message)
            assert all("error" in answer for answer in await check.answers(echoes=True) if answer["id"] is None), message


def spoil(message: Json, chance: random.Random) -> None:
    """Replace, remove or add one part somewhere in a message."""
    places: list[tuple[Any, Any]] = []
    todo: list[Any] = [message]
    while todo:
        held = todo.pop()
        keys: Iterable[Any] = held if isinstance(held, dict) else range(len(held))
        places += [(held, key) for key in keys]
        todo += [held[key] for key in keys if isinstance(held[key], dict | list)]
    held, key = chance.choice(places)
    if isinstance(held, dict):
        held[f"x-{CANARY}"] = DEEP
    values: list[Any] = [
        None,
        True,
        -1,
        1.5,
        2**70,
        "",
        CANARY,
        [CANARY],
        {CANARY: CANARY},
        DEEP,
        f"\udfff{CANARY}",
        [[]],
        "file:///" + CANARY,
    ]
    held[key] = chance.choice(values)
