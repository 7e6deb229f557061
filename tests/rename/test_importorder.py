"""Edits and what a linter makes of their result, as edits of the text before both."""

from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.change import TextEdit, apply_edits
from surefoot.engines.refactor.importorder import merged

_LINES = st.lists(st.sampled_from(["old a\n", "b\n", "ü old\n", "\n", "c old d\r\n"]), max_size=8)


@given(lines=_LINES, new=st.sampled_from(["newer", "n", "ö", "old"]))
def test_merged_edits_make_the_final_text(lines: list[str], new: str) -> None:
    text = "".join(lines)
    edits = [TextEdit(at, at + 3, new) for at in _starts(text.encode(), b"old")]
    after = apply_edits(text.encode(), edits).decode().splitlines(keepends=True)
    shuffled = sorted(after) if new != "n" else after[1:] + after[:1]
    final = "".join(shuffled).encode()
    assert apply_edits(text.encode(), merged(text.encode(), edits, final)) == final


def _starts(data: bytes, word: bytes) -> list[int]:
    return [at for at in range(len(data)) if data.startswith(word, at)]
