"""A made-up model whose errors depend on nothing but the bytes that it receives, and the tasks that it is given.

A task asks for eight values in one function. Each is set right with probability 1 - e: e is that of a clean window, unless forty
characters in a row of an edit that failed, or of what a checker said of it, stand in the request; then it is the higher one. Asked a
question that it failed before, byte for byte, it fails in the same way. The two rates are published ones, fitted to the runs of an agent
(arXiv 2605.08563).
"""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PARTS = 8
CLEAN, POISONED = 0.034, 0.239
SHINGLE = 40
NAME = "settings.py"
TASK = "give each of the eight limits in `configure` the value that the comment beside it names"
_WRONG = re.compile(r"derive_limit_\w+")
_FILLER = 55
"""Functions around the one at work: with them a request has about 4,000 tokens."""


def source(task: int) -> str:
    """The module of one task."""
    chance = random.Random(f"source {task}")
    limits = "".join(f"    limit_{n} = 0  # wanted: {chance.randrange(100, 1000)}\n" for n in range(PARTS))
    given = "".join(f", limit_{n}" for n in range(PARTS))
    rest = "".join(
        f"\n\ndef reading_{n}(values: list[float]) -> float:\n"
        f'    """What sensor {n} of plant {chance.randrange(10_000)} says, smoothed over {chance.randrange(2, 60)} seconds."""\n'
        f"    kept = [value for value in values if value < {chance.randrange(10_000)}]\n"
        f"    return sum(kept) / len(kept) if kept else {chance.randrange(100)}.0\n"
        for n in range(_FILLER)
    )
    return f"def configure() -> list[int]:\n{limits}    return [{given[2:]}]\n{rest}"


def lines_to_set(text: str) -> list[tuple[str, str]]:
    """Each line that the task is about, and what it has to become."""
    return [(found[0], f"{found[1]}{found[2]}") for found in re.finditer(r"(    limit_\d = )0  # wanted: (\d+)", text)]


def findings(text: str) -> list[tuple[str, str]]:
    """What a checker says of a module: the place, and its message."""
    wrong = dict.fromkeys(_WRONG.findall(text))
    return [(name, f"Name `{name}` used when not defined: there is no such function in this module or its imports") for name in wrong]


@dataclass
class Model:
    """One task's model. `forced` lets the first edit fail in any case; `poisoned` is the rate of a window with a failed trace in it."""

    task: int
    poisoned: float = POISONED
    forced: bool = False
    edits: int = 0
    succeeded: list[bool] = field(default_factory=list)
    contaminated: int = 0
    _failed: list[str] = field(default_factory=list)
    _asked: dict[str, str] = field(default_factory=dict)

    def edit(self, request: str) -> str:
        """The answer to a request for the edit, as JSON."""
        if request in self._asked:
            self.succeeded.append(False)
            return self._asked[request]
        chance = random.Random(f"{self.task} {self.edits}")
        self.edits += 1
        poisoned = self._has_trace(request)
        self.contaminated += poisoned
        wrong = self._wrong(chance, self.poisoned if poisoned else CLEAN)
        made = self._replacements(chance, wrong)
        answer = json.dumps({"edits": made, "cannot": ""})
        self.succeeded.append(not any(wrong))
        if any(wrong):
            self._asked[request] = answer
            new = [edit["new"] for edit in made]
            self._failed += [line for line, bad in zip(new, wrong, strict=True) if bad]
            self._failed += [message for _, message in findings("\n".join(new))]
        return answer

    def _wrong(self, chance: random.Random, rate: float) -> list[bool]:
        draws = [chance.random() for _ in range(PARTS)]
        wrong = [draw < rate for draw in draws]
        if self.forced and self.edits == 1 and not any(wrong):
            wrong[chance.randrange(PARTS)] = True
        return wrong

    def _replacements(self, chance: random.Random, wrong: Sequence[bool]) -> list[Mapping[str, str]]:
        tokens = [f"{chance.getrandbits(32):08x}" for _ in wrong]
        return [
            {"path": NAME, "within": "configure", "old": old, "new": _bad(old, token) if bad else right}
            for (old, right), bad, token in zip(lines_to_set(source(self.task)), wrong, tokens, strict=True)
        ]

    def _has_trace(self, request: str) -> bool:
        return any(piece[at : at + SHINGLE] in request for piece in self._failed for at in range(len(piece) - SHINGLE + 1))


def _bad(line: str, token: str) -> str:
    name = line.split("=")[0].strip()
    return f"    {name} = derive_limit_{token}(environment_of_the_plant, fallback_for_{name})"


def plan_answer() -> str:
    """The one plan there is."""
    step = {
        "title": "Set the limits",
        "intent": "Set each limit in configure to the value that its comment names.",
        "files": [NAME],
        "sites": [1],
        "lines": 2 * PARTS,
        "behaviour_preserving": False,
    }
    return json.dumps({"touches": [{"path": NAME, "name": "configure"}], "steps": [step], "fits": [], "cannot": ""})


VERDICT = "PASS\nEach of the eight limits has the value that its comment names."


def tokens(text: str) -> int:
    """Tokens as providers count them, nearly: four bytes each."""
    return -(-len(text.encode("utf-8")) // 4)
