# SPDX-License-Identifier: Apache-2.0
"""What several tests share, and how a long run of them resumes."""

from collections.abc import Generator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from needs import is_excused, require

from montcore.support.paths import VECTORS_DIR, cache_dir

ReportT = TypeVar("ReportT", pytest.TestReport, pytest.CollectReport)
#: Limit of a test of `make nightly` in seconds; pyproject.toml has that of the others.
NIGHTLY_SECONDS = 4 * 3600

# The same inputs in each run, no files left behind, and no time limit of its own on busy cores.
settings.register_profile("montcore", derandomize=True, database=None, deadline=None)
settings.load_profile("montcore")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the file with which a run resumes an earlier one."""
    parser.addoption(
        "--resume",
        metavar="FILE",
        type=Path,
        help="leave out the tests that FILE names, and add each that passes to it at once",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep what passes; only the process that starts the workers does."""
    file = config.getoption("--resume")
    if file is not None and not hasattr(config, "workerinput"):
        file.parent.mkdir(parents=True, exist_ok=True)
        config.pluginmanager.register(Passed(file))


class Passed:
    """The tests that passed in earlier runs, and those of this one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.earlier = read_passed(file)
        # Without half a name at its end, which the next one would go on.
        complete = file.with_suffix(".complete")
        complete.write_text("".join(f"{name}\n" for name in sorted(self.earlier)))
        complete.replace(file)

    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker what to leave out: all must collect the same, whatever passes meanwhile."""
        node.workerinput["passed"] = sorted(self.earlier)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a test that has passed."""
        if report.when == "call" and report.passed:
            with self.file.open("a") as stream:
                stream.write(f"{report.nodeid}\n")


def read_passed(file: Path) -> set[str]:
    """Return the tests that a file of passed tests names."""
    # Of a run that was killed the last line may lack its end: it is no name then.
    text = file.read_text() if file.is_file() else ""
    return set(text[: text.rfind("\n") + 1].splitlines())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the long sweeps and proofs their own time limit; leave out what has passed."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(NIGHTLY_SECONDS))
    file = config.getoption("--resume")
    if file is not None:
        told = getattr(config, "workerinput", {}).get("passed")
        passed = read_passed(file) if told is None else set(told)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = [item for item in items if item.nodeid not in passed]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what is missing here."""
    for mark in item.iter_markers("needs"):
        require(*mark.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure of a skipped test without an excuse."""
    return without_idle_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Make a failure of a skipped module without an excuse."""
    return without_idle_skip((yield))


def without_idle_skip(report: ReportT) -> ReportT:
    """Return a report, as a failure if it is a skip that names nothing missing of the system.

    A failure that a test expects (xfail) counts as a skip.
    """
    if report.skipped:
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        reason = str(getattr(report, "wasxfail", told))
        if not is_excused(reason):
            report.outcome = "failed"
            report.longrepr = f"skipped, though nothing that doctor names is missing: {reason}"
            vars(report).pop("wasxfail", None)
    return report


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, empty."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MONTCORE_CACHE", str(folder))
    return folder


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, empty but for compiled simulators.

    Their keys cover all that they depend on, so that tests may share them.
    """
    folder, shared = tmp_path / "cache", cache_dir() / "sim"
    folder.mkdir()
    shared.mkdir(parents=True, exist_ok=True)
    (folder / "sim").symlink_to(shared)
    monkeypatch.setenv("MONTCORE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def vectors_dir() -> Path:
    """The folder of the test vectors."""
    return VECTORS_DIR
