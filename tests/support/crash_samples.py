"""The sample runs of the crash rig as data: the texts, what is drafted on them, and what a person asks for, in order."""

from collections.abc import Mapping
from dataclasses import dataclass

Command = tuple[str | int, ...]
"""What a person does: a word, and what it is about: the index of a step, or a document with the words to type over."""


@dataclass(frozen=True)
class Sample:
    """One run. `steps` replaces `word1`, `word2`, … wherever they stand; steps in `worse` are drafted badly at first.

    `held`: the check of the second step waits until the first one has been applied, so that both lanes are at work.
    """

    name: str
    texts: Mapping[str, str]
    commands: tuple[Command, ...]
    steps: int = 1
    worse: frozenset[int] = frozenset()
    hopeless: frozenset[int] = frozenset()
    refuses: str = ""
    held: bool = False


_ONE: Mapping[str, str] = {"a.txt": "word1 word2 word3 tail\r\n"}
_TWO: Mapping[str, str] = {"a.txt": "\N{GRINNING FACE} word1 word2 tail\n", "b.txt": "other word1\nword2"}

SAMPLES = (
    Sample("one step", _ONE, (("begin",), ("apply", 0))),
    Sample("a step fails and recovers", _ONE, (("begin",), ("apply", 0), ("apply", 1), ("apply", 2)), 3, worse=frozenset({2})),
    Sample("skip and revert", _ONE, (("begin",), ("apply", 0), ("revert", 0), ("apply", 0), ("skip", 1), ("apply", 2)), 3),
    Sample(
        "text moves", _ONE, (("begin",), ("type", "a.txt", "tail", "more"), ("apply", 0), ("type", "a.txt", "more", "end"), ("apply", 1)), 2
    ),
    Sample("two documents", _TWO, (("begin",), ("apply", 0), ("apply", 1)), 2),
    Sample("both lanes", _ONE, (("apply while checking", 0), ("apply", 1)), 2, held=True),
    Sample("a later step is given up", _ONE, (("begin",), ("apply", 0)), 2, hopeless=frozenset({2})),
    Sample("cancelled half-way", _ONE, (("begin",), ("apply", 0), ("cancel",)), 2),
    Sample("refused", _ONE, (("begin",),), refuses="nothing is called that"),
    Sample("a fix is accepted", _ONE, (("accept",),)),
)
