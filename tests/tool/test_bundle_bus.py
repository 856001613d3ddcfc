# SPDX-License-Identifier: Apache-2.0
"""Bundles behind a bus pass their own test, which can fail; so does their single-file RTL."""

import json
import shutil
from pathlib import Path

import pytest
from bundle_files import SAID, flattened, is_verilog_2005
from command_line import Tool
from core_styles import small_styles
from needs import needs, require

from montcore.bundle import runner
from montcore.bundle.pipeline import make
from montcore.bundle.runner import run_bundle_test
from montcore.bundle.stream import StreamBundle
from montcore.bundle.system import SystemBundle
from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import BUSES
from montcore.support.errors import RequestError
from montcore.synth.target import all_targets


def dsp(bits: int, clocking: str = "single") -> Core:
    return get_core("dsp").configure({"alpha": "2", "clocking": clocking}, bits)


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("iverilog")
    folder = tmp_path_factory.mktemp("bundle") / "made"
    make(StreamBundle(get_core("rc").configure({"w": "16"}, 44)), folder)
    return folder


@needs("iverilog")
def test_stream_bundle_as_one_file_of_verilog_2005(stream: Path, tmp_path: Path) -> None:
    copy = flattened(stream, tmp_path)
    assert is_verilog_2005(copy / "rc_l44_w16_axi4_stream.v")
    outcome = run_bundle_test(copy, "icarus")
    assert (outcome.failed, outcome.passed > 100) == (0, True)


@needs("iverilog")
def test_a_fault_in_the_stream_shell_fails_the_test(stream: Path, tmp_path: Path) -> None:
    copy = tmp_path / "broken"
    shutil.copytree(stream, copy)
    shell = copy / "rtl" / "montcore_soc_axi4_stream.sv"
    text = shell.read_text()
    wrong = text.replace("error_q <= cfg_error_i;", "error_q <= '0;")
    assert wrong != text
    shell.write_text(wrong)
    assert run_bundle_test(copy, "icarus").failed > 0


def test_what_cannot_be_built_behind_a_bus_is_refused(tmp_path: Path) -> None:
    design = AcceleratorDesign(dsp(40))
    with pytest.raises(RequestError, match="has no bus 'pci'"):
        make(SystemBundle(design, "pci"), tmp_path / "new")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pka", "--bits", "64"], "pka needs a bus: --bus axi4-lite or apb or wishbone or tl-ul"),
        (["smm", "--bits", "64", "--bus", "pci"], "has no bus 'pci'"),
        (["ecc", "--bits", "64", "--bus", "axi4-stream"], "has no bus 'axi4-stream'"),
        (
            ["pka", "--bits", "64", "--bus", "apb", "--synth"],
            "--synth cannot be combined with --bus",
        ),
        (["pka", "--bits", "64", "--bus", "apb", "--units", "all"], "--units takes exponentiator"),
        (["modexp", "--bits", "64", "--bus", "apb", "--units", "curves"], "--units takes"),
        (["pka", "--bits", "64", "--bus", "apb", "--clocks", "three"], "--clocks takes one or two"),
        (["pka", "--bits", "64", "--bus", "apb", "--units", "both"], "more than the 64"),
        # Options that would otherwise be ignored silently.
        (["smm", "--bits", "64", "--clocks", "two"], "need --bus"),
        (["smm", "--bits", "64", "--bus", "apb", "--units", "both"], "--units is only for pka"),
        (["ecc", "--bits", "128", "--units", "both"], "--units is only for pka"),
        (["pka", "--bits", "64", "--bus", "apb", "--curve-bits", "64"], "are only for `build pka"),
        (["modexp", "--bits", "64", "--bus", "apb", "--curves", "smm"], "are only for `build pka"),
        (["modexp", "--bits", "64", "--bus", "apb", "--set", "slots=2"], "one command at a time"),
        (["modexp", "--bits", "64", "--bus", "apb", "--set", "pair=1"], "--set pair=1` builds"),
        (["ecc", "--bits", "64", "--bus", "apb", "--set", "contexts=3"], "contexts=3` builds"),
        (["pka", "--bits", "64", "--bus", "apb", "--set", "slots=two"], "slots is a number"),
    ],
)
def test_requests_that_do_not_fit_say_why(
    words: list[str], sentence: str, tmp_path: Path, tool: Tool
) -> None:
    tool.refuses(sentence, "build", *words, "-o", tmp_path / "new")


SMM = get_core("smm").configure({"npe": "4"}, 160)
#: Cores below an exponentiator and below curves, number of clocks, bus.
SYSTEMS: list[tuple[Core | None, Core | None, int, str]] = [
    *((dsp(70), None, 1, bus) for bus in BUSES),
    (dsp(70, "double"), None, 1, "apb"),
    (dsp(70), None, 2, "axi4-lite"),
    (dsp(70, "double"), None, 2, "wishbone"),
    *((None, SMM, 1, bus) for bus in BUSES),
    *((dsp(200), SMM, 1, bus) for bus in ("axi4-lite", "apb", "tl-ul")),
    # Curves over two clocks: alone, and with an exponentiator with one clock or with two.
    *((None, dsp(128, "double"), clocks, "apb") for clocks in (1, 2)),
    (dsp(160), dsp(128, "double"), 1, "apb"),
    (dsp(160, "double"), dsp(128, "double"), 2, "apb"),
]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("core", "curves", "clocks", "bus"),
    SYSTEMS,
    ids=lambda item: item.label() if isinstance(item, Core) else str(item),
)
def test_system_bundle(
    core: Core | None, curves: Core | None, clocks: int, bus: str, tmp_path: Path
) -> None:
    made = make(SystemBundle(AcceleratorDesign(core, curves, clocks), bus), tmp_path / "made")
    constraints = (made.path / "constraints.sdc").read_text()
    assert ("set_max_delay" in constraints) == (clocks == 2) and "@@" not in constraints
    assert made.test.failed == 0 and made.test.passed > (250 if curves else 60)
    units = "exponentiator" if curves is None else "both" if core else "curves"
    assert json.loads((made.path / "manifest.json").read_text())["units"] == units
    if shutil.which("iverilog"):
        copy = flattened(made.path, tmp_path)
        assert is_verilog_2005(copy / f"{made.name}.v")
        assert curves or run_bundle_test(copy, "icarus").failed == 0
    # A wrong expectation is noticed.
    table = made.path / "test" / "expected.hex"
    lines = table.read_text().splitlines()
    lines[2] = f"{int(lines[2], 16) ^ 1:09x}"
    table.write_text("\n".join(lines) + "\n")
    assert run_bundle_test(made.path, "verilator").failed == 1


@pytest.fixture(scope="module")
def multiplier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a multiplier behind APB, built for an ASIC; its test is still to be run."""
    core = get_core("rc").configure({"w": "16"}, 44)
    folder = tmp_path_factory.mktemp("bundle") / "made"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "run_bundle_test", lambda *_, **__: SAID)
        return make(
            SystemBundle(AcceleratorDesign(None, multiplier=core), "apb", "asic"), folder
        ).path


@needs("iverilog")
def test_a_multiplier_behind_apb_and_its_one_file(multiplier: Path, tmp_path: Path) -> None:
    outcome = run_bundle_test(multiplier, "icarus", waves="port", work=tmp_path / "work")
    [waves] = (tmp_path / "work").rglob("waves.vcd")
    assert waves.stat().st_size > 1000
    assert (outcome.failed, outcome.core_cycles) == (0, None) and outcome.passed > 250
    copy = flattened(multiplier, tmp_path)
    assert is_verilog_2005(copy / "rc_l44_w16_apb.v")
    assert run_bundle_test(copy, "icarus").passed == outcome.passed


@needs("iverilog")
def test_the_guide_puts_macros_in_the_place_of_memories(multiplier: Path, tmp_path: Path) -> None:
    """Following the guide step by step, with the macros' models."""
    bundle = tmp_path / "bundle"
    shutil.copytree(multiplier, bundle)
    listed = (bundle / "files.f").read_text()
    place = "rtl/montcore_ram_macro.sv"
    assert place in listed.split()
    own = "memories/models.v\nmemories/montcore_ram_macro.sv"
    (bundle / "files.f").write_text(listed.replace(place, own))
    (bundle / place).unlink()
    outcome = run_bundle_test(bundle, "icarus")
    assert outcome.failed == 0 and outcome.passed > 250
    # A macro with a fault is noticed.
    models = bundle / "memories" / "models.v"
    text = models.read_text()
    assert text.count("<= wdata;") == 1
    models.write_text(text.replace("<= wdata;", "<= wdata & ~8'd4;"))
    assert run_bundle_test(bundle, "icarus").failed > 0


#: Every core behind a bus, the buses in turn, and one with two clocks of its own.
BY_ITSELF = [
    pytest.param(style, list(BUSES)[place % len(BUSES)], id=f"{style.name} {style.label()}")
    for place, style in enumerate(small_styles())
]


@pytest.mark.nightly
@pytest.mark.parametrize(("style", "bus"), BY_ITSELF)
def test_every_core_by_itself_behind_a_bus(style: Core, bus: str, tmp_path: Path) -> None:
    made = make(SystemBundle(AcceleratorDesign(None, multiplier=style), bus), tmp_path / "made")
    # Arrays are built narrower, and have fewer cases.
    assert made.test.failed == 0 and made.test.passed > (200 if style.bits >= 40 else 190)
    copy = flattened(made.path, tmp_path)
    assert is_verilog_2005(copy / f"{made.name}.v")
    stream = make(StreamBundle(style), tmp_path / "stream")
    assert stream.test.failed == 0
    assert is_verilog_2005(stream.path / f"{stream.name}.v")


@pytest.mark.nightly
@pytest.mark.parametrize("target", all_targets())
@pytest.mark.parametrize("clocking", ["single", "double"])
def test_every_target_behind_a_bus(target: str, clocking: str, tmp_path: Path) -> None:
    core = dsp(60, clocking)
    for design, bus in (
        (AcceleratorDesign(None, multiplier=core), "tl-ul"),
        (AcceleratorDesign(core), "apb"),
    ):
        made = make(SystemBundle(design, bus, target), tmp_path / bus)
        assert made.target == target and made.test.failed == 0
        assert is_verilog_2005(made.path / f"{made.name}.v")
    stream = make(StreamBundle(core, target=target), tmp_path / "stream")
    assert stream.test.failed == 0 and is_verilog_2005(stream.path / f"{stream.name}.v")
