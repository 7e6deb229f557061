"""What all tests share: which folders hold data, which tests stay together, and a user's folders that no test may reach."""

from collections.abc import Iterator, Sequence

import pytest
from platformdirs import user_cache_path

# Data for tests, and the tests that node runs.
collect_ignore = ["cases", "fixtures", "vscode"]

INSTALLED = "typescript"
"""What Surefoot itself keeps in its cache folder and the tests use: it is installed once, and only read."""


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Where tests run side by side, those of one file run in one process, in their order: they share what is costly to make."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests, and servers that they start, keep stays out of the user's own folders, and of those of tests that run side by side.

    What other programs have in their caches is used as it is.
    """
    state, cache = tmp_path_factory.mktemp("state"), tmp_path_factory.mktemp("cache")
    own = user_cache_path("surefoot", appauthor=False)
    (cache / own.name).mkdir()
    for folder in [*(own.parent.iterdir() if own.parent.is_dir() else ()), own / INSTALLED]:
        if folder != own and folder.exists():
            (cache / folder.relative_to(own.parent)).symlink_to(folder, target_is_directory=folder.is_dir())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(state))
        patch.setenv("XDG_CACHE_HOME", str(cache))
        yield
