"""`surefoot doctor` on models: what it says where there is no key, where they answer, and where one of them does not."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from surefoot.cli.models import ask
from surefoot.llm.config import Models as Names
from surefoot.llm.probing import probe
from surefoot.policy.settings import model_of
from tests.support.messages_api import Fault, MessagesApi, Received, Reply, Step

NAMES = Names()


@pytest.fixture(autouse=True)
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "SUREFOOT_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@dataclass(frozen=True)
class Case:
    """How the endpoint answers each question, and what is said of the editor's model."""

    then: Step
    says: str


def unknown_stronger(request: Received) -> Reply | Fault:
    return Fault(404, "not_found_error") if request.body["model"] == NAMES.stronger else Reply("ready")


CASES = {
    "all answer": Case(Reply("ready"), f"{NAMES.editor}: answers after"),
    "the key is refused": Case(Fault(401), "set another one in ANTHROPIC_API_KEY"),
    "the key may not": Case(Fault(403), "name another model in surefoot.toml"),
    "one model is unknown": Case(unknown_stronger, f"{NAMES.stronger}: no answer"),
    "it is no Messages API": Case(Fault(200, raw=b"<html>", content_type="text/html"), "a web page in place of a message"),
    "there is no such address": Case(Fault(404), "the provider does not know this model or address"),
}


@pytest.mark.parametrize("name", CASES)
def test_doctor(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    # The questions have no system text: the server would take them for its own probe.
    with Asked(then=case.then) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-a-key")
        found = ask(tmp_path)
        assert case.says in "\n".join(found.lines())
        assert found.well is (name == "all answer")
        assert {request.body["model"] for request in api.requests} == {NAMES.editor, NAMES.distiller, NAMES.stronger}
        assert "sk-a-key" not in json.dumps(found.shown())
        assert [answer.does for answer in found.answers] == ["plans and edits, judges", "makes notes", "is the stronger one"]


class Asked(MessagesApi):
    """Keeps the small questions as well."""

    def next(self, request: Received) -> Reply | Fault:
        self.requests.append(request)
        return self.then(request) if callable(self.then) else self.then or Fault(500)


def test_an_address_where_nobody_answers_is_told_with_what_to_look_at(tmp_path: Path) -> None:
    (tmp_path / "surefoot.toml").write_text('[model]\nbase_url = "http://127.0.0.1:9"\nretry_base_seconds = 0.01\nstronger = ""\n')
    answers = asyncio.run(probe(model_of(tmp_path, {})))
    assert [answer.trouble.partition(":")[0] for answer in answers] == ["the provider could not be reached"] * 2


def test_without_a_key_it_says_how_to_get_there(tmp_path: Path) -> None:
    assert "ANTHROPIC_API_KEY" in ask(tmp_path).lines()[0]
    assert ask(tmp_path).well


def test_a_setting_that_is_off_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "surefoot.toml").write_text("[model]\neditor = 3\n")
    found = ask(tmp_path)
    assert "surefoot.toml:2:1: model.editor" in found.lines()[0]
    assert not found.well
