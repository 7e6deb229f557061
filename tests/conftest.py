"""What all tests share: which folders hold data, and a user's folders that no test may reach."""

from collections.abc import Iterator
from pathlib import Path

import pytest

# Data for tests, and the tests that node runs.
collect_ignore = ["cases", "fixtures", "vscode"]


@pytest.fixture(scope="session", autouse=True)
def own_state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Journals and indexes of the tests, and of the servers that they start, stay out of the user's own folders."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder
