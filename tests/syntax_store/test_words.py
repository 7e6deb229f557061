"""Words as numbers: a superset of what a search of the text would find, and segments that give each file its own words back."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from surefoot.syntax.store.words import FILES, numbers_of, segment_of, slots_with, words_by_slot, words_of

TEXTS = st.text(alphabet="ab_1 .$é—\n", max_size=30)


@given(TEXTS, st.text(alphabet="ab_1$é", min_size=1, max_size=5))
def test_a_text_that_holds_a_name_as_a_word_has_its_numbers(text: str, name: str) -> None:
    words = words_of(f"{text} {name}\n{text}".encode())
    assert all(number in words for number in numbers_of(name))


@given(st.lists(TEXTS, min_size=1, max_size=FILES))
def test_every_file_of_a_segment_has_its_own_words(texts: list[str]) -> None:
    words = [set(words_of(text.encode())) for text in texts]
    segment = array("I", segment_of(words))
    back = words_by_slot(segment, range(len(texts)))
    assert [set(back[slot]) for slot in range(len(texts))] == words
    for number in set().union(*words):
        assert list(slots_with(segment, number)) == [slot for slot, held in enumerate(words) if number in held]
