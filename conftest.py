# SPDX-License-Identifier: Apache-2.0
"""Shared fixtures, selection of the tests of a run, and the record of tests that passed."""

import gc
import os
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from needs import is_excused, require

from montcore.support.paths import VECTORS_DIR, cache_dir

#: While tests are read almost nothing is garbage, and looking for it takes a fifth of the time.
gc.disable()
#: Time in seconds after which a worker no longer waits for another that reads the tests.
READING_S = 120.0

ReportT = TypeVar("ReportT", pytest.TestReport, pytest.CollectReport)
#: Time limit of a nightly test in seconds; pyproject.toml has the limit of the others.
NIGHTLY_SECONDS = 4 * 3600

# Tests read the output of commands. A CI system or a user's shell may request colours, a moving
# progress bar or another width even without a terminal.
for _wish in (
    "CI",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "LINES",
    "PY_COLORS",
    "TERMINAL_WIDTH",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
):
    os.environ.pop(_wish, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of tools/run_tests.py."""
    parser.addoption(
        "--resume",
        metavar="FILE",
        type=Path,
        help="leave out the tests that passed with the same sources, by FILE; add those that pass",
    )
    parser.addoption("--core", metavar="NAME", help="the tests of one core alone")
    parser.addoption(
        "--changed", action="store_true", help="the tests that depend on what a branch has changed"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Record passed tests, only in the process that starts the workers."""
    file = config.getoption("--resume")
    if file is not None and not hasattr(config, "workerinput"):
        file.parent.mkdir(parents=True, exist_ok=True)
        config.pluginmanager.register(Passed(file))


class Passed:
    """The tests that passed, in earlier runs and in this one.

    A line of the file is a digest of the test's dependencies, its time in seconds and its name; the
    last line with a name counts.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.earlier = read_passed(file)
        # Drop an incomplete last line, to which the next one would be appended.
        complete = file.with_suffix(".complete")
        lines = (
            f"{digest} {seconds:.1f} {name}\n" for name, (digest, seconds) in self.earlier.items()
        )
        complete.write_text("".join(lines))
        complete.replace(file)

    def pytest_configure_node(self, node: Any) -> None:
        """Send the passed tests to a worker: all must collect the same, even if others pass now."""
        node.workerinput["passed"] = {name: digest for name, (digest, _) in self.earlier.items()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a test that has passed."""
        if report.when == "call" and report.passed:
            digest = dict(report.user_properties)["digest"]
            with self.file.open("a") as stream:
                stream.write(f"{digest} {report.duration:.1f} {report.nodeid}\n")


def read_passed(file: Path) -> dict[str, tuple[str, float]]:
    """Return the digest and the time in seconds of each test in a file of passed tests."""
    # After a killed run the last line may be incomplete and is ignored.
    text = file.read_text() if file.is_file() else ""
    lines = (line.split(" ", 2) for line in text[: text.rfind("\n") + 1].splitlines())
    return {name: (digest, float(seconds)) for digest, seconds, name in lines}


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let the first worker compile the tests, so that the others find them compiled."""
    worker = getattr(session.config, "workerinput", {}).get("workerid")
    # Workers have folders of their own in a common one.
    read = Path(session.config.option.basetemp).parent / "read" if worker else Path()
    end = time.monotonic() + READING_S
    while worker not in (None, "gw0") and not read.exists() and time.monotonic() < end:
        time.sleep(0.2)
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        if worker == "gw0":
            read.touch()


#: Number of collected items of each test with the marker `one_in`.
_collected: dict[tuple[Path, str], int] = {}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Make all but every n-th parameter choice of a test with the marker `one_in` nightly.

    The parameters of such a test are similar enough for a sample to find most faults. The first
    choice is always in the sample.
    """
    marker = item.get_closest_marker("one_in")
    if marker is None:
        return
    (n,) = marker.args
    name = item.path, getattr(item, "originalname", item.name)
    number = _collected[name] = _collected.get(name, -1) + 1
    if number % n:
        item.add_marker(pytest.mark.nightly)


@pytest.hookimpl(trylast=True)  # after selection by -m and -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the long sweeps and proofs their own time limit; select the requested tests."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.timeout(NIGHTLY_SECONDS))
    if config.getoption("--core") is not None:
        from dependencies import concerns

        keep_those(config, items, lambda item: concerns(item, config.getoption("--core")))
    if config.getoption("--changed"):
        from dependencies import changed_files, files

        changed = changed_files()
        keep_those(config, items, lambda item: not changed.isdisjoint(files(item.path)))
    if config.getoption("--resume") is not None:
        leave_out_what_has_passed(config, items, config.getoption("--resume"))


def leave_out_what_has_passed(config: pytest.Config, items: list[pytest.Item], file: Path) -> None:
    """Deselect the tests that have passed with their current dependencies, and count them."""
    from dependencies import digest

    told = getattr(config, "workerinput", {}).get("passed")
    passed = told or {name: kept for name, (kept, _) in read_passed(file).items()}
    digests = {item: digest(item) for item in items}
    keep_those(config, items, lambda item: passed.get(item.nodeid) != digests[item])
    for item in items:
        item.user_properties.append(("digest", digests[item]))
    if not config.option.collectonly:  # for tools/run_tests.py; each worker counts the same
        file.with_suffix(".left_out").write_text(f"{len(digests) - len(items)}\n")


def keep_those(
    config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]
) -> None:
    """Deselect the tests that are not wanted."""
    kept = {id(item) for item in items if wanted(item)}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = [item for item in items if id(item) in kept]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose requirements are missing here."""
    for mark in item.iter_markers("needs"):
        require(*mark.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn an unexcused skip of a test into a failure."""
    return without_idle_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn an unexcused skip of a module into a failure."""
    return without_idle_skip((yield))


def without_idle_skip(report: ReportT) -> ReportT:
    """Return a report, converted to a failure if it is a skip without a missing system package.

    An expected failure (xfail) counts as a skip.
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
def tool(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command line in this process, a `command_line.Tool` that does not say what takes long."""
    from command_line import Tool

    monkeypatch.setattr("montcore.support.waiting.PATIENCE_S", float("inf"))
    return Tool(capsys)


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A simulated accelerator with the OpenSSL provider, a `provider_setting.Setting`."""
    from provider_setting import provider_setting

    with provider_setting(tmp_path_factory.mktemp("provider")) as made:
        yield made


@pytest.fixture
def one_simulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One simulator for all faults of the test core, because compiling one takes a second."""
    from one_simulator import share_simulator

    share_simulator(tmp_path, monkeypatch)


def set_cache(folder: Path, monkeypatch: pytest.MonkeyPatch, *shared: str) -> Path:
    """Give a test a cache that is empty except for some folders of the usual one."""
    for name in shared:
        usual = cache_dir() / name
        usual.mkdir(parents=True, exist_ok=True)
        (folder / name).parent.mkdir(parents=True)
        (folder / name).symlink_to(usual)
    monkeypatch.setenv("MONTCORE_CACHE", str(folder))
    return folder


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate, empty cache for the test."""
    return set_cache(tmp_path / "cache", monkeypatch)


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate cache for the test, empty except for compiled simulators.

    Their keys cover all their dependencies, so that tests can share them.
    """
    return set_cache(tmp_path / "cache", monkeypatch, "sim")


@pytest.fixture
def own_simulators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate cache for the test, empty except for the common parts of all simulators.

    These are Verilator's run-time library and the harness, which take ten seconds to compile.
    """
    return set_cache(tmp_path / "cache", monkeypatch, "sim/runtime")


@pytest.fixture(scope="module")  # beside other tests it would take a tenth of a processor
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium, the same for all tests of a file."""
    from report_browser import open_browser

    yield from open_browser(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="session")
def vectors_dir() -> Path:
    """The folder of the test vectors."""
    return VECTORS_DIR
