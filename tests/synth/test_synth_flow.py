# SPDX-License-Identifier: Apache-2.0
"""A quoted area belongs to a netlist that computes the specification, and is computed once.

Tools are stopped with all their child processes. The store of results loses nothing that was
finished.
"""

import errno
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from asic_tools import needs_asic
from fixture_core import FixtureCore
from programs import number_in, runs, survivors, write_script

from montcore.compare.measure import point_key
from montcore.compare.point import Point
from montcore.cores import get_core
from montcore.support.errors import CheckFailedError, RequestError, TransientError
from montcore.synth.asic import flow as asic_flow
from montcore.synth.asic.placement import flow as placement_flow
from montcore.synth.asic.sizing.tune import Tuner
from montcore.synth.flow import synthesise
from montcore.synth.gatesim.check import Cycles, sample_products
from montcore.synth.options import NONE, Options
from montcore.synth.process import ToolError, ToolTimeoutError, run_tool
from montcore.synth.result import JSON_KEYS
from montcore.synth.store import ResultStore
from montcore.synth.target import MAPPED, get_target
from montcore.synth.yosys import run_yosys

CONFIG = FixtureCore(bits=16, bus=8)
QUICK = Options(wires=NONE, gate_products=6)
#: Singly, in a stream, refused, and what `check_port` compares.
CHECKED = 6 + 6 + 4 + 17


@needs_asic
def test_osu018_result_is_checked_complete_and_cached(own_results: Path) -> None:
    steps: list[str] = []
    first = synthesise(CONFIG, "osu018", progress=steps.append, opts=QUICK)
    figures = first.to_json()
    assert tuple(figures) == JSON_KEYS
    blocks = {"lut", "dsp", "bram", "fmax_mhz", "fmax_min_mhz", "fmax_max_mhz", "levels", "depth"}
    empty = {key for key, value in figures.items() if value is None}
    assert empty == blocks | {"tmin_in_ns", "tmin_out_ns"}
    assert first.ge is not None and 300 < first.ge < 3000
    assert first.tmin_ns is not None and 0.8 < first.tmin_ns < 5
    assert first.core_cycles == CONFIG.core_cycles(16)
    assert first.gate_level_checked == CHECKED
    assert first.ge_memory == 0 and first.memory_bits == 0
    assert Path(first.log_dir, MAPPED).is_file()
    assert any("gate-level" in step for step in steps)
    build = "montcore synth fixture --set bus=8 --set bug=0 --bits 16"
    assert first.command == f"{build} --target osu018 --wires none"

    steps.clear()
    second = synthesise(CONFIG, "osu018", progress=steps.append, opts=QUICK)
    assert second.cached and second.to_json() == figures
    assert not any("mapping" in step for step in steps)
    shorter = synthesise(CONFIG, "osu018", length=8, opts=QUICK)
    assert shorter.cached and shorter.core_cycles == CONFIG.core_cycles(8)


@pytest.mark.nightly  # two netlists, each checked
@needs_asic
def test_netlist_with_shared_modules_is_right(
    own_results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = get_core("karatsuba")
    config = core.configure({}, 12)
    assert config.shared_modules == ()
    flat = synthesise(config, "osu018", opts=QUICK)
    unit = core.configure({}, 256).shared_modules
    assert unit
    monkeypatch.setattr(type(config), "shared_modules", unit)
    shared = synthesise(config, "osu018", opts=QUICK)
    assert shared.gate_level_checked == CHECKED and not shared.cached
    assert flat.ge is not None and shared.ge is not None
    assert shared.ge == pytest.approx(flat.ge, rel=0.08)
    again = synthesise(config, "osu018", flat=True, opts=QUICK)
    assert again.cached and again.ge == flat.ge
    with pytest.raises(RequestError, match="is always mapped flat on xc7"):
        synthesise(config, "xc7", flat=True, opts=QUICK)


@pytest.mark.nightly  # three netlists
def test_choices_of_the_flow_are_part_of_what_a_result_is_known_by(
    own_results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result with a core's choices never replaces one of the default flow."""
    point = Point.of("smm", {"npe": "2"}, 64, "xc4v")
    core = point.configured()
    usual = point_key(point)
    assert core.flow_choices(get_target("xc4v").technology) == {}
    first = synthesise(CONFIG, "xc4v", opts=QUICK)
    assert not first.cached and synthesise(CONFIG, "xc4v", opts=QUICK).cached
    for kind in (type(core), FixtureCore):
        monkeypatch.setattr(kind, "flow_choices", lambda *_: {"dsp_adders": "packed"})
    assert point_key(point) != usual
    other = synthesise(CONFIG, "xc4v", opts=QUICK)
    assert not other.cached and other.lut == first.lut  # the fixture has no DSP block


@needs_asic
def test_wrong_netlist_is_caught_at_gate_level_and_not_cached(
    own_results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Saboteur(Tuner):
        def run(self, *args: Any, **more: Any) -> float:
            for gate in self.netlist.gates:
                gate.cell = {"XNOR2X1": "XOR2X1"}.get(gate.cell, gate.cell)
            return super().run(*args, **more)

    monkeypatch.setattr(asic_flow, "Tuner", Saboteur)
    monkeypatch.setattr(placement_flow, "Tuner", Saboteur)
    with pytest.raises(CheckFailedError, match="the netlist"):
        synthesise(CONFIG, "osu018", opts=QUICK)
    # For this netlist only the RTL's cycles are stored, and they are correct.
    stored = [file.read_text() for file in (own_results / "results").iterdir()]
    assert len(stored) == 1 and "core_cycles" in stored[0] and "tmin_ns" not in stored[0]


def test_cycles_that_depend_on_data_get_no_figures(own_results: Path) -> None:
    slow_if_odd = FixtureCore(bits=16, bus=8, bug=3)
    with pytest.raises(CheckFailedError, match=r"the RTL: .* depends on the data"):
        synthesise(slow_if_odd, "xc7", opts=QUICK)


def test_unknown_target_is_refused() -> None:
    words = r"no synthesis target 'xc9' \(did you mean xc7\?\); the targets are osu018, "
    with pytest.raises(RequestError, match=words):
        synthesise(CONFIG, "xc9")


def test_missing_library_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTCORE_OSU018", str(tmp_path))
    with pytest.raises(RequestError, match=r"osu018 cell library is missing .*`make setup`"):
        synthesise(CONFIG, "osu018")


def test_missing_timing_analyser_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    from montcore.synth.asic.sta import sta_program

    with pytest.raises(RequestError, match=r"OpenSTA is missing .*`make setup`"):
        sta_program()


def test_sample_products_reach_the_extremes() -> None:
    products = sample_products(32, 10, seed=5)
    assert all(p.m % 2 and 3 <= p.m < 2**32 and p.x < p.m and p.y < p.m for p in products)
    tops = {p.m >> 31 for p in products}
    assert tops == {0, 1}
    assert any(p.x == p.m - 1 == p.y for p in products) and any(p.x == 0 for p in products)
    assert products == sample_products(32, 10, seed=5)


def test_time_limit_kills_the_children_too(tmp_path: Path) -> None:
    with pytest.raises(ToolTimeoutError, match=r"did not end within 0\.7 s"):
        words = ["/bin/sh", "-c", "sleep 300 & echo $! > child; sleep 300"]
        run_tool(words, cwd=tmp_path, log=tmp_path / "log", timeout=0.7)
    assert survivors([number_in(tmp_path / "child")]) == []


def test_children_of_a_leader_that_dies_are_killed(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="status 3"):
        words = ["/bin/sh", "-c", "sleep 300 & echo $! > child; exit 3"]
        run_tool(words, cwd=tmp_path, log=tmp_path / "log", timeout=10)
    assert survivors([number_in(tmp_path / "child")]) == []


def test_hung_abc_is_killed_with_yosys(tmp_path: Path) -> None:
    # A program in the place of ABC that never ends, as real ABC runs sometimes do.
    fake = write_script(tmp_path / "abc", f"echo $$ > {tmp_path}/abc.pid\nexec sleep 300")
    (tmp_path / "and.v").write_text("module t(input a, b, output z); assign z = a & b; endmodule\n")
    commands = ["read_verilog and.v", "synth -noabc", f"abc -exe {fake} -g AND"]
    with pytest.raises(ToolTimeoutError, match="yosys_driver did not end"):
        run_yosys(commands, tmp_path, "hung", Options(yosys_timeout_s=4))
    assert survivors([number_in(tmp_path / "abc.pid")]) == []


def test_yosys_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    script = tmp_path / "wait.ys"
    script.write_text(f"exec -- echo 1 > {tmp_path}/started\nexec -- sleep 20\n")
    starter = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import pathlib, subprocess, sys, time\n"
            "driver = [sys.executable, '-m', 'montcore.synth.yosys_driver', sys.argv[1], '60']\n"
            "yosys = subprocess.Popen(driver, stdout=subprocess.DEVNULL)\n"
            "pathlib.Path(sys.argv[2]).write_text(str(yosys.pid))\n"
            "time.sleep(60)\n",
            str(script),
            str(tmp_path / "pid"),
        ]
    )
    number_in(tmp_path / "started")
    yosys = number_in(tmp_path / "pid")
    assert runs(yosys)
    starter.kill()
    starter.wait()
    assert survivors([yosys]) == []


def test_error_names_the_reason_and_the_log(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)ERROR: .*absent\.v.*bad\.log"):
        run_yosys(["read_verilog absent.v"], tmp_path, "bad", Options())


_WRITER = """
import sys
from pathlib import Path
from montcore.synth.store import ResultStore
store = ResultStore(Path(sys.argv[1]))
first = int(sys.argv[2])
for number in range(first, first + 100000):
    store.put(f"key{number}", {"number": number, "text": "x" * 3000})
    print(number, flush=True)
"""


def test_kill_9_loses_no_finished_result(tmp_path: Path) -> None:
    rng = random.Random(1)
    done = -1
    for _ in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), str(done + 1)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        assert writer.stdout.readline().strip() == str(done + 1)
        time.sleep(rng.uniform(0.0, 0.15))
        writer.kill()
        lines = writer.stdout.read().split()
        writer.wait()
        done = int(lines[-1]) if lines else done + 1
    store = ResultStore(tmp_path)
    for number in range(done + 1):
        found = store.get(f"key{number}", dict)
        assert found is not None and found["number"] == number


@pytest.mark.parametrize(
    "payload", [b'{"cycles": ', b"{}", b"[]", b"null", b"7", b'{"cycles": "many"}', b"\xff", b""]
)
def test_a_damaged_entry_counts_as_none_and_is_replaced(tmp_path: Path, payload: bytes) -> None:
    store = ResultStore(tmp_path)
    good = Cycles(1, 2, None)
    store.put("a", good)
    store.put("b", good)
    (tmp_path / "a.json").write_bytes(payload)
    assert store.get("a", Cycles) is None and store.get("b", Cycles) == good
    store.put("a", good)
    assert store.get("a", Cycles) == good


def test_a_full_disk_names_the_folder_and_is_transient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TransientError, match=f"no space is left in {tmp_path}"):
        ResultStore(tmp_path).put("a", {})
    assert ResultStore(tmp_path).get("a", dict) is None


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="file"):
        ResultStore(tmp_path / "file" / "results").put("a", {})
