# SPDX-License-Identifier: Apache-2.0
"""What several tests share."""

from pathlib import Path

import pytest

from montcore.paths import VECTORS_DIR

#: Limit of a test of `make nightly` in seconds; pyproject.toml has that of the others.
NIGHTLY_SECONDS = 4 * 3600


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the long sweeps and proofs their own time limit."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(NIGHTLY_SECONDS))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, empty."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MONTCORE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def vectors_dir() -> Path:
    """The public test vectors beside the checkout."""
    if not VECTORS_DIR.is_dir():
        pytest.skip(f"the test vectors are not at {VECTORS_DIR}")
    return VECTORS_DIR
