"""What comes over the wire, and what becomes of it: every way to go wrong, against a scripted server, by the bytes that it received."""

import asyncio
import ssl
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import trustme

from surefoot.llm.ask import Ask, Retry, Said, ToolSpec, Turn
from surefoot.llm.config import OFFICIAL, Endpoint, ModelConfig, Models, Price
from surefoot.llm.transport import Transport
from surefoot.llm.turns import Turns
from surefoot.policy.settings import model_of
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Role
from tests.support.messages_api import Fault, MessagesApi, Reply, Step

SCHEMA = '{"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}'
FREE = Ask(Role.JUDGE, ("What is it?",), system="You judge.", limit=256)
HELD = Ask(Role.EDITOR, ("Which word?", "And now?"), system="You plan.", stable=1, schema=SCHEMA, limit=1000)
LOOK = ToolSpec("read_excerpt", "Reads lines.", '{"type": "object", "properties": {"path": {"type": "string"}}}')
WITH_TOOLS = Ask(Role.EDITOR, ("Which word?",), system="You plan.", tools=(LOOK,), schema=SCHEMA, limit=1000)
WORD = Reply('{"word": "yes"}')
PASS = Reply("PASS\nIt does.")
TRANSIENT, PERMANENT, SEMANTIC = FailureClass.TRANSIENT, FailureClass.PERMANENT, FailureClass.SEMANTIC


@dataclass
class Heard:
    """What was said on the way, and a clock that only counts."""

    waits: list[float] = field(default_factory=list)
    retries: list[Retry] = field(default_factory=list)
    written: list[int] = field(default_factory=list)

    def waiting(self, role: Role, retry: Retry) -> None:
        self.retries.append(retry)

    def writing(self, role: Role, characters: int) -> None:
        self.written.append(characters)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


async def asked(api: MessagesApi, ask: Ask, heard: Heard, *, seconds: float = 5.0, base: float = 1.0) -> Turn:
    """One turn against a scripted server; waiting takes no time."""
    turns = Turns(config(api.url, seconds=seconds, base=base), Transport(config(api.url, seconds=seconds, base=base), heard.sleep))
    try:
        return await turns.turn(ask, heard)
    finally:
        await turns.close()


def config(url: str, *, seconds: float = 5.0, base: float = 1.0) -> ModelConfig:
    return ModelConfig(Endpoint(url, "a-key", base_seconds=base, seconds=seconds), Models())


@dataclass(frozen=True)
class Case:
    """Steps of the server, the question, what comes of it (a text, or class and code of a failure), and the waits in seconds."""

    steps: Sequence[Step]
    gives: str | tuple[FailureClass, str]
    ask: Ask = FREE
    waits: tuple[float, ...] = ()
    requests: int = 0
    seconds: float = 5.0
    says: str = ""


BUSY = Fault(529, "overloaded_error")
CASES = {
    "an answer": Case([PASS], "PASS\nIt does."),
    "an answer to a schema": Case([WORD], '{"word": "yes"}', HELD),
    "an answer that came whole": Case([Reply("PASS\nIt does.", whole=True)], "PASS\nIt does."),
    "429 twice": Case([Fault(429), Fault(429), PASS], "PASS\nIt does.", waits=(1, 2)),
    "429 with a longer wait": Case([Fault(429, headers={"retry-after": "7"}), PASS], "PASS\nIt does.", waits=(7,)),
    "429 with a shorter wait": Case([Fault(429, headers={"retry-after": "0.2"}), PASS], "PASS\nIt does.", waits=(1,)),
    "429 with an endless wait": Case([Fault(429, headers={"retry-after": "86400"}), PASS], "PASS\nIt does.", waits=(60,)),
    "429 with a wait that is no number": Case([Fault(429, headers={"retry-after": "soon"}), PASS], "PASS\nIt does.", waits=(1,)),
    "529 four times": Case([BUSY] * 4, (TRANSIENT, "529"), waits=(1, 2, 4)),
    "500, 502, 503, then well": Case([Fault(500), Fault(502), Fault(503), PASS], "PASS\nIt does.", waits=(1, 2, 4)),
    "a gateway's page with 502": Case([Fault(502, raw=b"<html>", content_type="text/html"), PASS], "PASS\nIt does.", waits=(1,)),
    "a spending limit": Case(
        [Fault(429, raw=b'{"type":"error","error":{"type":"x","details":{"error_code":"enforced_spend_limit_reached"}}}')],
        (PERMANENT, "429"),
        says="spending limit",
    ),
    "400_once": Case([Fault(400)], (PERMANENT, "400"), says="surefoot doctor"),
    "401": Case([Fault(401)], (PERMANENT, "401"), says="ANTHROPIC_API_KEY"),
    "403": Case([Fault(403)], (PERMANENT, "403"), says="another model"),
    "404": Case([Fault(404)], (PERMANENT, "404"), says="[model] in surefoot.toml"),
    "413": Case([Fault(413)], (PERMANENT, "413"), says="a smaller part"),
    "a redirect": Case([Fault(302)], (SEMANTIC, "302")),
    "reset before the answer": Case([Fault(reset=True), PASS], "PASS\nIt does.", waits=(1,)),
    "reset in the middle": Case([Reply("PASS\nIt does.", breaks_after=3), PASS], "PASS\nIt does.", waits=(1,)),
    "closed in the middle": Case([Reply("PASS\nIt does.", breaks_after=3, politely=True), PASS], "PASS\nIt does.", waits=(1,)),
    "closed before the last event": Case([Reply("PASS\nIt does.", breaks_after=5, politely=True), PASS], "PASS\nIt does.", waits=(1,)),
    "a stream of nothing": Case([Reply("PASS", breaks_after=0, politely=True)] * 4, (TRANSIENT, "connection"), waits=(1, 2, 4)),
    "an error in the middle that passes": Case(
        [Reply("PASS\nIt does.", breaks_after=2, error_event="overloaded_error"), PASS], "PASS\nIt does.", waits=(1,)
    ),
    "an error in the middle that lasts": Case(
        [Reply("PASS", breaks_after=2, error_event="permission_error")], (PERMANENT, "permission_error")
    ),
    "an error in the middle that nobody knows": Case([Reply("PASS", breaks_after=2, error_event="odd_error")], (SEMANTIC, "error")),
    "silence": Case([Fault(hang=0.8), PASS], "PASS\nIt does.", waits=(1,), seconds=0.3),
    "html_200": Case([Fault(200, raw=b"<html>hello</html>", content_type="text/html")], (SEMANTIC, "html")),
    "a page with 200 that says it is JSON": Case([Fault(200, raw=b"<html>hello</html>")], (SEMANTIC, "html")),
    "nothing with 200": Case([Fault(200, raw=b"")], (SEMANTIC, "empty")),
    "half a message with 200": Case([Fault(200, raw=b'{"type": "message", "content": [{"ty')], (SEMANTIC, "truncated")),
    "another API's answer": Case([Fault(200, raw=b'{"choices": [{"message": {"content": "hi"}}]}')], (SEMANTIC, "shape")),
    "an event that breaks off": Case([Reply("PASS", breaks_after=2, broken_event=True)], (SEMANTIC, "truncated")),
    "a refusal": Case([Reply("", stop="refusal", category="cyber")], (PERMANENT, "refusal"), says="say it otherwise"),
    "a refusal half way": Case([Reply("I will", stop="refusal")], (PERMANENT, "refusal")),
    "a request that is too long": Case([Reply("", stop="model_context_window_exceeded")], (PERMANENT, "context")),
    "a pause": Case([Reply("Let me think.", stop="pause_turn")], (SEMANTIC, "pause")),
    "a reason that nobody knows": Case([Reply("PASS", stop="bored")], (SEMANTIC, "unknown stop")),
    "an empty answer": Case([Reply("")], (SEMANTIC, "empty")),
    "a tool that does not exist": Case(
        [Reply(uses=[("search_files", "{}")])], (SEMANTIC, "unknown tool"), WITH_TOOLS, says="there are read_excerpt"
    ),
    "a tool where none was offered": Case([Reply(uses=[("read_excerpt", "{}")])], (SEMANTIC, "unknown tool"), says="answer without one"),
    "a tool's input that is cut": Case([Reply(uses=[("read_excerpt", '{"path": "a')], whole=False)], (SEMANTIC, "shape"), WITH_TOOLS),
    "truncated_three_times": Case(
        [Reply('{"word": "ye', stop="max_tokens")] * 3, (PERMANENT, "truncated"), HELD, requests=3, says="ask for less"
    ),
    "a structured answer cut once": Case([Reply('{"word": "ye', stop="max_tokens"), WORD], '{"word": "yes"}', HELD, requests=2),
    "a verdict that is cut": Case([Reply("PASS\nIt do", stop="max_tokens")], (SEMANTIC, "cut")),
}


@pytest.mark.parametrize("name", CASES)
async def test_what_comes_over_the_wire(name: str) -> None:
    case = CASES[name]
    heard = Heard()
    with MessagesApi(*case.steps) as api:
        turn = await asked(api, case.ask, heard, seconds=case.seconds)
        check(case, turn, heard)
        assert api.left == 0
        # A try is one of the same bytes; only an answer that was cut is asked for with other ones.
        assert len({request.raw for request in api.requests}) == (case.requests or 1)
        assert all(request.headers["x-stainless-retry-count"] == "0" for request in api.requests), "nobody else tries again"


def check(case: Case, turn: Turn, heard: Heard) -> None:
    if isinstance(case.gives, str):
        assert turn.result == Said(case.gives)
    else:
        assert isinstance(turn.result, Failure)
        assert (turn.result.cls, turn.result.code) == case.gives
        assert case.says in turn.result.message
        assert turn.result.bucket in (Bucket.TRANSPORT, Bucket.OUTPUT)
    assert heard.waits == list(case.waits)
    assert [retry.wait for retry in heard.retries] == list(case.waits)


@pytest.mark.parametrize("base", [0.5, 2.0])
async def test_the_wait_before_the_first_retry_is_a_setting(base: float) -> None:
    heard = Heard()
    with MessagesApi(*[BUSY] * 4) as api:
        await asked(api, FREE, heard, base=base)
    assert heard.waits == [base, 2 * base, 4 * base]


async def test_an_answer_that_is_cut_is_asked_for_whole_with_twice_the_room() -> None:
    with MessagesApi(Reply('{"word": "y', stop="max_tokens"), WORD) as api:
        await asked(api, HELD, Heard())
        assert [request.body["max_tokens"] for request in api.requests] == [1000, 2000]
        assert [len(request.body["messages"]) for request in api.requests] == [1, 1]
        assert '{\\"word' not in api.requests[1].raw.decode()


async def test_free_text_that_is_cut_goes_on_and_is_put_together() -> None:
    ask = Ask(Role.DISTILLER, ("Say it.",), system="You tell.", limit=50, go_on="Go on where you stopped.")
    with MessagesApi(Reply("One, two, ", stop="max_tokens"), Reply("three, ", stop="max_tokens"), Reply("four.")) as api:
        turn = await asked(api, ask, Heard())
        assert turn.result == Said("One, two, three, four.")
        assert [m["role"] for m in api.requests[2].body["messages"]] == ["user", "assistant", "user"]
        assert api.requests[2].body["messages"][1]["content"] == "One, two, three, "


@pytest.mark.parametrize("drip", [0.03, 0.2])
async def test_who_waits_no_longer_is_let_go_within_a_tenth_of_a_second(drip: float) -> None:
    """Cancelled in the middle of a stream: the connection is closed, and the provider sees it."""
    with MessagesApi(Reply("a very slow answer " * 400, drip=drip)) as api:
        work = asyncio.create_task(asked(api, FREE, Heard()))
        await asyncio.to_thread(api.came.wait, 5)
        await asyncio.sleep(0.15)
        began = time.monotonic()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert time.monotonic() - began < 0.1
        assert await asyncio.to_thread(api.requests[0].gone.wait, 5)


async def test_one_who_waits_before_the_next_try_is_let_go_at_once() -> None:
    with MessagesApi(*[BUSY] * 4) as api:
        turns = Turns(config(api.url, base=30), Transport(config(api.url, base=30)))
        work = asyncio.create_task(turns.turn(FREE, Heard()))
        await asyncio.to_thread(api.came.wait, 5)
        await asyncio.sleep(0.05)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await turns.close()
        assert len(api.requests) == 1


async def test_what_is_written_so_far_is_told() -> None:
    heard = Heard()
    with MessagesApi(Reply("PASS\n" + "x" * 5000)) as api:
        await asked(api, FREE, heard)
    assert len(heard.written) >= 4
    assert heard.written == sorted(heard.written)


async def test_the_prefix_that_stays_the_same_is_marked_and_the_rest_is_not() -> None:
    with MessagesApi(WORD) as api:
        await asked(api, HELD, Heard())
        body = api.requests[0].body
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert ["cache_control" in block for block in body["messages"][0]["content"]] == [True, False]
        assert body["output_config"]["format"]["schema"]["additionalProperties"] is False
        assert not {"temperature", "top_p", "top_k", "tool_choice", "metadata"} & set(body)


async def test_what_it_took_is_counted_with_the_cache() -> None:
    with MessagesApi(Reply('{"word": "yes"}', read=1000, written=200, cache_read=4000)) as api:
        turn = await asked(api, HELD, Heard())
    spent = turn.exchanges[-1].spent
    assert (spent.role, spent.read, spent.written, spent.cache_read) == (Role.EDITOR, 1000, 200, 4000)
    assert spent.micros == Price(2, 10).micros(1000, 200, 4000, 0)


async def test_an_endpoint_that_holds_no_answer_to_a_schema_is_told_it_in_words() -> None:
    with MessagesApi(WORD, WORD, able=False) as api:
        turns = Turns(config(api.url), Transport(config(api.url)))
        for _ in range(2):
            assert isinstance((await turns.turn(HELD, Heard())).result, Said)
        await turns.close()
        assert len(api.probes) == 1, "what an endpoint can do is found out once"
        assert "output_config" not in api.requests[0].body
        assert api.requests[0].texts[-1] == SCHEMA


async def test_a_key_that_is_refused_says_nothing_of_what_an_endpoint_can_do() -> None:
    """The small question first is refused as the real one is; with another key the endpoint is asked again."""

    class Locked(MessagesApi):
        locked = True

        def next(self, request: object) -> Reply | Fault:
            return Fault(401) if self.locked else super().next(request)  # type: ignore[arg-type]

    with Locked(WORD) as api:
        turns = Turns(config(api.url), Transport(config(api.url)))
        first = (await turns.turn(HELD, Heard())).result
        assert isinstance(first, Failure)
        assert first.code == "401"
        api.locked = False
        assert (await turns.turn(HELD, Heard())).result == Said('{"word": "yes"}')
        await turns.close()
        assert "output_config" in api.requests[0].body


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
async def test_this_machine_is_reached_without_a_proxy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    with MessagesApi(PASS) as api:
        assert isinstance((await asked(api, FREE, Heard())).result, Said)


async def test_another_address_is_reached_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with MessagesApi(PASS) as api:
        monkeypatch.setenv("HTTP_PROXY", api.url)
        heard = Heard()
        turns = Turns(config("http://provider.invalid"), Transport(config("http://provider.invalid"), heard.sleep))
        assert (await turns.turn(FREE, heard)).result == Said("PASS\nIt does.")
        await turns.close()
        assert api.requests[0].path == "http://provider.invalid/v1/messages"


async def test_an_authority_of_ones_own_is_trusted_where_it_is_named(tmp_path: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    for name, held in (("right.pem", authority), ("other.pem", other)):
        held.cert_pem.write_to_path(str(tmp_path / name))
    with MessagesApi(PASS, tls=tls) as api:
        trusting, wary = (
            replace(config(api.url), endpoint=replace(config(api.url).endpoint, ca=ca)) for ca in (str(tmp_path / "right.pem"), "")
        )
        for held in (wary, replace(wary, endpoint=replace(wary.endpoint, ca=str(tmp_path / "other.pem")))):
            turns = Turns(held, Transport(held))
            refused = (await turns.turn(FREE, Heard())).result
            await turns.close()
            assert isinstance(refused, Failure)
            assert (refused.cls, refused.code) == (PERMANENT, "certificate")
            assert "`ca` in [model]" in refused.message
        turns = Turns(trusting, Transport(trusting))
        assert (await turns.turn(FREE, Heard())).result == Said("PASS\nIt does.")
        await turns.close()


async def test_no_setting_of_the_environment_is_taken_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own gets neither the user's real key nor headers that the SDK would read by itself."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-real")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "tok-real")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-other: tok-real")
    with MessagesApi(PASS) as api:
        bare = ModelConfig(Endpoint(api.url, ""), Models())
        turns = Turns(bare, Transport(bare))
        await turns.turn(FREE, Heard())
        await turns.close()
        assert not any("real" in held for held in api.requests[0].headers.values())
        assert api.requests[0].headers["authorization"] == "Bearer local"


@pytest.mark.parametrize(
    ("file", "environment", "key"),
    [
        ("", {"ANTHROPIC_API_KEY": "sk-real"}, "sk-real"),
        ("https://elsewhere.example", {"ANTHROPIC_API_KEY": "sk-real"}, ""),
        ("http://127.0.0.1:11434", {"ANTHROPIC_API_KEY": "sk-real"}, ""),
        ("https://elsewhere.example", {"ANTHROPIC_API_KEY": "sk-real", "SUREFOOT_API_KEY": "sk-other"}, "sk-other"),
        ("https://elsewhere.example", {"ANTHROPIC_API_KEY": "sk-real", "ANTHROPIC_BASE_URL": "https://gateway.example"}, "sk-real"),
    ],
    ids=["the provider", "a project's address", "a local server", "a key for it", "the person's own address"],
)
def test_a_key_goes_where_the_person_said(tmp_path: Path, file: str, environment: dict[str, str], key: str) -> None:
    if file:
        (tmp_path / "surefoot.toml").write_text(f'[model]\nbase_url = "{file}"\n')
    assert model_of(tmp_path, environment).endpoint.key == key


def test_the_defaults_are_the_providers_own() -> None:
    assert Endpoint().base_url == OFFICIAL
    assert Endpoint().official


def test_the_sdk_is_not_loaded_before_it_is_needed() -> None:
    """Start-up does not pay for the provider's SDK."""
    code = "import sys, surefoot.lsp.main, surefoot.loop.modelled; sys.exit('anthropic' in sys.modules or 'httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
