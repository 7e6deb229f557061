"""The fuzz of the contract in a small form; `python -m bench.contract.run` puts a hundred thousand mutants at the door."""

from pathlib import Path

import pytest
from bench.contract.mutants import FAULTS
from bench.contract.run import Count, fuzz, main

CANARY = "canary-00000a-0123abcd"


def test_no_mutant_leaves_a_trace_and_every_rejection_says_what_it_must(tmp_path: Path) -> None:
    count = fuzz(2_000, 7, tmp_path)
    assert count.tried == 2_000
    assert (count.leaks, count.unnamed, count.changed) == ([], [], [])
    assert min(count.rejected[fault] for fault in FAULTS) > 10
    assert count.rejected.total() > 1_500
    assert count.accepted.total() > 0
    assert len(count.kinds) == 11
    assert len(count.phases) == 8


def test_a_canary_is_found_only_where_it_must_not_be() -> None:
    count = Count(canaries={CANARY})
    count.search("the journal", f"a row with {CANARY.replace('a', 'b')} and {CANARY.upper()}")
    assert count.good
    count.search("the journal", f"a row with {CANARY}.")
    assert count.leaks == [f"{CANARY} in the journal"]
    assert not count.good


def test_the_table_is_printed_and_the_exit_code_says_whether_it_held(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--mutants", "60", "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert "leaks: 0" in printed
    assert all(fault in printed for fault in FAULTS)
