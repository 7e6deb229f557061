"""Nothing that the tests do reaches the folders of the person who runs them, nor those of tests that run side by side."""

import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.journal.journal import state_dir
from surefoot.syntax.store.rows import index_folder

PRINT = "from surefoot.journal.journal import state_dir; from surefoot.syntax.store.rows import index_folder\n"
PRINT += "print(state_dir()); print(index_folder())"


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not named by XDG variables there")
def test_state_and_index_are_those_of_this_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = tmp_path_factory.getbasetemp()
    assert state_dir().is_relative_to(base)
    assert index_folder().is_relative_to(base)
    done = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, text=True, check=True)
    assert [Path(line) for line in done.stdout.splitlines()] == [state_dir(), index_folder()]
