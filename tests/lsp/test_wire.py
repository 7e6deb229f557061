"""Every fault of pygls that matters here, against a real process that speaks over our wire."""

import signal

import pytest
from lsprotocol import types as t

from tests.lsp.wire import Message, Raw, speaking

SERVER = "tests.lsp.wire_server"


async def call(raw: Raw, number: int, command: str) -> Message:
    return await raw.ask(number, "workspace/executeCommand", {"command": command})


async def leave(raw: Raw, number: int = 99) -> int:
    await raw.ask(number, "shutdown")
    raw.send(method="exit")
    return await raw.ended()


async def test_cancelling_a_command_stops_its_work() -> None:
    async with speaking(SERVER) as raw:
        raw.send(id=1, method="workspace/executeCommand", params={"command": "wait"})
        await raw.logged("waiting")
        raw.send(method="$/cancelRequest", params={"id": 1})
        assert (await raw.answer(1))["error"]["code"] == t.LSPErrorCodes.RequestCancelled.value
        await raw.logged("let go")
        assert await leave(raw) == 0


async def test_shutdown_answers_while_a_command_is_under_way() -> None:
    async with speaking(SERVER) as raw:
        raw.send(id=1, method="workspace/executeCommand", params={"command": "wait"})
        await raw.logged("waiting")
        assert await leave(raw) == 0
        assert next(m for m in raw.heard if m.get("id") == 99)["result"] is None
        assert (await raw.logged("let go"))["method"] == "window/logMessage"


async def test_a_late_answer_is_dropped_without_a_word() -> None:
    async with speaking(SERVER) as raw:
        raw.send(id=1, method="workspace/executeCommand", params={"command": "impatient"})
        asked = await raw.until(lambda m: m.get("method") == "workspace/applyEdit")
        assert (await raw.answer(1))["result"] == "gave up"
        raw.send(id=asked["id"], result={"applied": True})
        assert (await call(raw, 2, "noisy"))["result"] == "heard"
        assert not [m for m in raw.heard if m.get("method") in {"window/showMessage", "window/logMessage"}]
        assert await leave(raw) == 0


async def test_printing_does_not_reach_the_wire() -> None:
    async with speaking(SERVER) as raw:
        assert (await call(raw, 1, "noisy"))["result"] == "heard"
        assert await leave(raw) == 0
        assert raw.process.stderr
        assert b"this is not a message" in await raw.process.stderr.read()


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("unusable", t.ErrorCodes.InvalidParams, "say it differently"),
        ("broken", t.ErrorCodes.InternalError, "Surefoot could not answer broken; its log says why"),
        ("unknown", t.ErrorCodes.InvalidParams, "there is no such command"),
    ],
)
async def test_what_goes_wrong_is_one_answer_without_a_traceback(command: str, code: t.ErrorCodes, message: str) -> None:
    async with speaking(SERVER) as raw:
        assert (await call(raw, 1, command))["error"] == {"code": code.value, "message": message}
        assert not [m for m in raw.heard if "method" in m]


async def test_a_notification_that_goes_wrong_is_no_popup() -> None:
    async with speaking(SERVER) as raw:
        raw.send(method="textDocument/didSave", params={"textDocument": {"uri": "file:///a"}})
        assert (await call(raw, 1, "noisy"))["result"] == "heard"
        assert not [m for m in raw.heard if m.get("method") == "window/showMessage"]


@pytest.mark.parametrize("params", [None, {"command": 3, "arguments": 4}, {"arguments": []}, []])
async def test_parameters_that_make_no_sense_are_answered(params: object) -> None:
    async with speaking(SERVER) as raw:
        assert (await raw.ask(1, "workspace/executeCommand", params))["error"]["code"] in {
            t.ErrorCodes.InvalidParams.value,
            t.ErrorCodes.InternalError.value,
        }
        raw.send(method="textDocument/didOpen", params={"textDocument": 3})
        assert (await call(raw, 2, "noisy"))["result"] == "heard"


async def test_an_unknown_request_is_answered_and_unknown_notifications_are_not() -> None:
    async with speaking(SERVER) as raw:
        assert (await raw.ask(1, "surefoot/nothing", {}))["error"]["code"] == t.ErrorCodes.MethodNotFound.value
        raw.send(method="$/whatever", params={})
        assert (await call(raw, 2, "noisy"))["result"] == "heard"


async def test_too_early_and_too_late_are_answered() -> None:
    async with speaking(SERVER, greet=False) as raw:
        assert (await call(raw, 1, "noisy"))["error"]["code"] == t.ErrorCodes.ServerNotInitialized.value
        raw.send(method="textDocument/didSave", params={"textDocument": {"uri": "file:///a"}})
        await raw.ask(2, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        await raw.ask(3, "shutdown")
        assert (await call(raw, 4, "noisy"))["error"]["code"] == t.ErrorCodes.InvalidRequest.value
        raw.send(method="exit")
        assert await raw.ended() == 0


async def test_exit_without_shutdown_is_a_bad_end() -> None:
    async with speaking(SERVER) as raw:
        raw.send(method="exit")
        assert await raw.ended() == 1


async def test_an_editor_that_goes_away_ends_the_server_and_what_it_holds() -> None:
    async with speaking(SERVER) as raw:
        raw.send(id=1, method="workspace/executeCommand", params={"command": "wait"})
        await raw.logged("waiting")
        assert raw.process.stdin
        raw.process.stdin.close()
        assert await raw.ended() == 1
        assert raw.process.stderr
        assert b"closed" in await raw.process.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_that_is_told_to_end_closes_what_it_holds(number: signal.Signals) -> None:
    async with speaking(SERVER) as raw:
        await call(raw, 1, "noisy")
        raw.process.send_signal(number)
        assert await raw.ended() == 128 + number
        assert raw.process.stderr
        assert b"closed" in await raw.process.stderr.read()
