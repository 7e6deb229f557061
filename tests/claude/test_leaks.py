"""Secrets of a code base: no way of looking at it, planned or asked for, brings one into a request."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from surefoot.core.sites import Target
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK
from tests.support.messages_api import Reply, passes, plan
from tests.support.modelled import Found, ModelBench, Textcheck

SECRET = "sk-ant-" + "a1b2c3d4" * 5
LINES = [f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{n:02d}canaryOfAKeyBKcwggSjAgEAAoIB" for n in range(12)]
MARK = "PRIVATE " + "KEY"
PEM = f'PEM = """-----BEGIN {MARK}-----\n' + "\n".join(LINES) + f'\n-----END {MARK}-----"""\n'
LOOKS = {
    "lines inside of a key": ("read_excerpt", {"path": "keys.py", "first": 4, "last": 9}),
    "words of a key": ("search_text", {"words": "05canaryOfAKey"}),
    "words near a password": ("search_text", {"words": "hunter2"}),
    "lines of a link to a kept file": ("read_excerpt", {"path": "plain.txt", "first": 1, "last": 9}),
    "words in a link to a kept file": ("search_text", {"words": "canary"}),
    "a file of credentials": ("read_excerpt", {"path": "prod.env", "first": 1, "last": 9}),
}


@pytest.mark.parametrize("name", LOOKS)
async def test_a_piece_of_a_secret_is_a_secret(tmp_path: Path, name: str) -> None:
    """What is shown of a file is covered by what the whole file tells of its secrets, by whatever name it is reached."""
    tool, wanted = LOOKS[name]
    files = {
        **CODE,
        "keys.py": PEM,
        "login.py": 'PASSWORD = (\n    "hunter2-canary-of-a-password"\n)\n',
        ".env": "WORD=canary of a plain word\n",
        "prod.env": "WORD=canary of a plain word\n",
    }
    look = Reply(uses=[(tool, json.dumps(wanted))])
    with ModelBench(tmp_path, files, look, PLAN, GOOD, passes()) as bench:
        (bench.root / "plain.txt").symlink_to(bench.root / ".env")
        await bench.run(TASK)
        assert len(bench.api.asked("plan")) == 2
        for request in bench.api.requests:
            assert b"canary" not in request.raw.replace(b"no line holds these words", b"")
        await bench.close()


async def test_a_secret_beside_a_site_is_covered(tmp_path: Path) -> None:
    files = {"calc.py": CODE["calc.py"] + f'\n\nDAILY = mean([1.0], api_key="{SECRET}")\n'}
    both = plan(*json.loads(PLAN.text)["steps"], touches=[{"path": "calc.py", "name": "mean"}], fits=[{"site": 3, "why": "a list"}])
    with ModelBench(tmp_path, files, both, GOOD, passes()) as bench:
        await bench.run(f"{TASK}; the key is {SECRET}")
        assert "[3] calc.py:9" in bench.api.asked("edit")[0].user
        assert not any(SECRET.encode() in request.raw for request in bench.api.requests)
        await bench.close()


async def test_a_secret_that_a_checker_quotes_is_covered(tmp_path: Path) -> None:
    def rule(texts: Mapping[str, str]) -> Sequence[Found]:
        return [Found("calc.py", "0.0", f"key-{SECRET}", f"found {SECRET}")] if "0.0" in texts["calc.py"] else []

    with ModelBench(tmp_path, CODE, PLAN, GOOD, PLAN, GOOD, checks=Textcheck(rule)) as bench:
        await bench.run(TASK)
        assert len(bench.api.asked("plan")) == 2
        assert not any(SECRET.encode() in request.raw for request in bench.api.requests)
        await bench.close()


@pytest.mark.parametrize("name", [".env", "../outside.py", "plain.txt"])
async def test_a_finding_in_a_file_that_is_kept_shows_nothing_of_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.py").write_text("WORD = 'canary of a plain word'\n")
    with ModelBench(tmp_path, {**CODE, ".env": "WORD=canary of a plain word\n"}, PLAN, GOOD, passes()) as bench:
        (bench.root / "plain.txt").symlink_to(bench.root / ".env")
        at = Target("", str((bench.root / name).absolute()) if name[0] != "." or name == ".env" else str(tmp_path / "outside.py"), 0)
        await bench.run(TASK, quoted="something is wrong here", at=at)
        assert bench.api.asked("plan")
        assert not any(b"canary" in request.raw for request in bench.api.requests)
        await bench.close()
