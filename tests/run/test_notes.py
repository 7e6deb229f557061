"""Notes that say the same are known for it; notes that are merely alike are not."""

import pytest

from surefoot.run.notes import same_note, words_of

SAME = [
    ("Pass the id as a UUID string.", "The id argument must be a UUID string"),
    ("Pass the id as a UUID string.", "pass the `id` as UUID str"),
    ("Call `parse_id` with a string.", "`parse_id()` needs to be given a string!"),
    ("Return a list of strings.", "It should give back a list of strings"),
    ("Use fetch_user instead of get_user.", "Replace get_user with fetch_user."),
    ("Use fetch_user instead of get_user.", "Do not call get_user; use fetch_user."),
    ("Use fetch_user instead of get_user.", "Use `fetch_user` rather than `get_user()`"),
    ("Use fetch_user, not get_user.", "Instead of get_user use fetch_user."),
    ("Do not import os.path.", "Never import `os.path`."),
    ("Don't import os.path.", "You must not import os.path"),
    ("Import Path from pathlib.", "Path must be imported from pathlib"),
    ("Import `Path` from `pathlib`.", "From `pathlib` import `Path`."),
    ("Remove the unused argument `tax`.", "Delete unused parameter 'tax'"),
    ("Add the missing parameter `tax` to total.", "The parameter `tax` is missing: insert it to `total`"),
    ("Pass 3 arguments to `total`.", "`total` must be called with three arguments"),
    ("Keep the signature of render_page.", "The signature of `render_page` must be preserved"),
    ("Convert the price to an int.", "Turn the price into an integer."),
    ("Raise `ValueError` when the list is empty.", "If the list is empty, throw a ValueError exception"),
    ("Update every caller of total.", "All callers of `total` need to be changed"),
    ("Await the result of `load_page`.", "The result of load_page() must be awaited"),
    ("Make sure that User.name is a string.", "`User.name` has to be a string."),
    ("Pass timeout as a keyword argument.", "The timeout should be passed as a keyword"),
    ("Declare `total_price` before the loop.", "Define total_price before the loop!"),
    ("The callers\u2019 imports don\u2019t change.", "Caller imports must not be changed"),
    ("Use the second parameter.", "The 2nd argument should be used"),
    ("Check that `items` isn't None.", "Verify `items` is not null"),
    ("Use  timeout", "use timeout."),
    ("Give `load` a Path, not a string.", "`load` takes a Path and not a string."),
    ("The return type of `f_a` must be int.", "`f_a` must return an int."),
    ("Do not change the test.", "The test must not be edited."),
    ("Do not call `save` if the list is empty.", "When the list is empty, `save` must not be called."),
    ("Import `json` at the top of the file.", "At the top of the file, import `json`."),
    ("Close the file after reading it.", "After it has been read, close the file."),
    ("Handle None before calling `strip`.", "Before `strip()` is called, handle the None case."),
    ("Update both call sites in `billing.py`.", "In billing.py, both call sites need an update"),
    ("Use `Decimal` for prices.", "Prices must be `Decimal`."),
]
DIFFERENT = [
    ("Call `parse_id` with a string.", "Call `parse_ids` with a string."),
    ("Call `parse_id` with a string.", "Call `parse_Id` with a string."),
    ("Pass the id as a UUID string.", "Pass the name as a UUID string."),
    ("Pass the id as a UUID string.", "Pass the id as a UUID object."),
    ("Pass the id as a string.", "Do not pass the id as a string."),
    ("Import os.path.", "Never import os.path."),
    ("Use fetch_user instead of get_user.", "Use get_user instead of fetch_user."),
    ("Use fetch_user, not get_user.", "Use get_user, not fetch_user."),
    ("Replace get_user with fetch_user.", "Replace fetch_user with get_user."),
    ("Use fetch_user instead of get_user.", "Use fetch_user."),
    ("Pass 3 arguments to `total`.", "Pass 2 arguments to `total`."),
    ("Pass two arguments to `total`.", "Pass three arguments to `total`."),
    ("Pass `tax` as the first argument.", "Pass `tax` as the second argument."),
    ("Pass `tax` as the first argument.", "Pass `tax` as the last argument."),
    ("Put `load` before `save`.", "Put `load` after `save`."),
    ("Put `load` before `save`.", "Put `save` before `load`."),
    ("Convert the bytes to a string.", "Convert the string to bytes."),
    ("Convert `price_a` to `price_b`.", "Convert `price_b` to `price_a`."),
    ("Import Path from pathlib.", "Import Path from os."),
    ("Return a list of strings.", "Return a list of integers."),
    ("Return a list of strings.", "Take a list of strings."),
    ("Add the parameter `tax`.", "Remove the parameter `tax`."),
    ("Make the argument of `f1` optional.", "Make the class of `f1` optional."),
    ("Raise `ValueError` if the list is empty.", "Raise `ValueError` unless the list is empty."),
    ("`read_all` must return `Item`.", "`Item` must return `read_all`."),
    ("Update every caller of total.", "Update one caller of total."),
    ("Wait at most 2.5 seconds.", "Wait at most 25 seconds."),
    ("Use version 1.2.3 of it.", "Use version 1.2.4 of it."),
    ("Set the name to 'red'.", "Set the name to 'Red'."),
    ("Use User.name.", "Use User.names."),
    ("Handle None before calling `strip`.", "Handle None after calling `strip`."),
    ("Return early if the list is empty.", "Return early if the list is not empty."),
    ("Do not return early if the list is empty.", "Return early if the list is not empty."),
    ("The import must come before the class.", "The class must come before the import."),
    ("Use `a_b` for `c_d`.", "Use `c_d` for `a_b`."),
    ("Write `x` to `y`, then `z`.", "Write `x` to `z`, then `y`."),
    ("Pass only the id.", "Pass the id."),
    ("Use the setting of the user.", "Use the set of the user."),
    ("The test must not be edited.", "The test must be edited."),
    ("`x` must be a list, not a tuple.", "`x` must not be a list, a tuple."),
    ("Use the right type.", "Use the given value."),
    ("", "Pass the id."),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_in_other_words(a: str, b: str) -> None:
    assert same_note(a, b)
    assert same_note(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_something_else_in_like_words(a: str, b: str) -> None:
    assert not same_note(a, b)
    assert not same_note(b, a)


@pytest.mark.parametrize("note", sorted({note for pair in SAME + DIFFERENT for note in pair}))
def test_every_note_says_what_it_says(note: str) -> None:
    assert same_note(note, note)


@pytest.mark.parametrize(("note", "words"), [("", 0), ("  ", 0), ("Use it.", 2), ("Use\n `a b`\tnow ", 4), ("x " * 26, 26)])
def test_words_are_parted_by_blanks(note: str, words: int) -> None:
    assert words_of(note) == words
