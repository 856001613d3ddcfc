# SPDX-License-Identifier: Apache-2.0
"""A bundle is self-contained, its test can fail, and wrong requests leave nothing behind."""

import hashlib
import inspect
import json
import re
import shutil
from pathlib import Path

import pytest
from asic_tools import needs_asic
from bundle_files import SAID
from mapping import mapped
from needs import require

from montcore.bundle import build, bundle_name, run_bundle_test, wrapper
from montcore.bundle.assemble import CoreBundle
from montcore.bundle.runner import Engine
from montcore.bundle.sources import resolve
from montcore.bundle.vectors import CaseKind, make_tables
from montcore.cli.build import build as build_verb
from montcore.cores import all_cores, get_core
from montcore.model.fields import get_field
from montcore.model.spec import montgomery_product
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import HW_DIR
from montcore.synth.asic.flow import run_flow
from montcore.synth.design import Design
from montcore.synth.target import all_targets, get_target

FIELD = get_field("p256r1")
NAME = "smm_p256r1_npe4"


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle, built once for all tests of this file; its test is still to be run."""
    folder = tmp_path_factory.mktemp("bundle") / "made"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CoreBundle, "run_test", lambda *_: (SAID, {"wave_text": ""}))
        result = build(get_core("smm").configure({"npe": "4"}, FIELD.bits), folder, field=FIELD)
    assert (result.path, result.name) == (folder, NAME)
    return folder


@pytest.fixture(scope="module")
def released_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small bundle without a field, for tests that do not depend on the size."""
    folder = tmp_path_factory.mktemp("bundle") / "small"
    return build(get_core("smm").configure({"npe": "2", "w": "8"}, 24), folder).path


@pytest.fixture
def small(released_small: Path, tmp_path: Path) -> Path:
    """Return a copy of the small bundle."""
    return Path(shutil.copytree(released_small, tmp_path / "small"))


@pytest.fixture
def moved(released: Path, tmp_path: Path) -> Path:
    """Return a copy of the bundle elsewhere."""
    return Path(shutil.copytree(released, tmp_path / "elsewhere"))


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["icarus", "verilator"])
def test_a_moved_bundle_passes_with_either_simulator(moved: Path, engine: Engine) -> None:
    outcome = run_bundle_test(moved, engine)
    assert (outcome.failed, outcome.passed) == (0, 3 * _cases(moved))
    config = get_core("smm").configure({"npe": "4"}, 256)
    assert outcome.core_cycles == config.core_cycles(256)
    assert outcome.interval == config.interval(256)


OTHER_CORES = [name for name in all_cores() if name != "smm"]
#: Cores that are small enough at this width, and then have more than one word.
WIDER = ("dsp", "karatsuba")


@pytest.mark.nightly  # every run has styles of other cores below, and cs4 with its default target
@pytest.mark.parametrize("core", OTHER_CORES)
def test_the_bundle_of_every_other_core_passes(core: str, tmp_path: Path) -> None:
    """With Icarus Verilog, which the build itself runs, and with Verilator."""
    # Icarus Verilog takes ten times as long for twice the width.
    config = get_core(core).points(40 if core in WIDER else 12)[0]
    made = build(config, tmp_path / core)
    assert made.test.engine == "icarus"
    for outcome in (made.test, run_bundle_test(made.path, "verilator")):
        assert outcome.failed == 0
        assert outcome.passed + 3 * outcome.left_out == 3 * _cases(made.path)
        assert outcome.core_cycles == config.core_cycles(config.bits)


#: Small builds of styles for which Icarus Verilog would otherwise take minutes.
LIGHT: dict[str, tuple[int, dict[str, object]]] = {
    f"{core} w=32 shape=2d L=40": (12, {"w": 8, "shape": "2d"}) for core in ("mx", "op", "cs")
}
#: Every style not run by the tests above: the core, its width and its parameters.
MORE_STYLES = [
    pytest.param(
        core,
        *LIGHT.get(f"{core} {config.label()}", (40, config.settings())),
        id=f"{core} {config.label()}",
    )
    for core, chosen in all_cores().items()
    for config in chosen.styles(40)
    if not config.fast_clock and (core == "smm" or config != chosen.points(40)[0])
]


@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [*MORE_STYLES, pytest.param("smm", 32, {"npe": 1, "w": 16}, id="smm that once stood still")],
)
@pytest.mark.one_in(12)
def test_the_bundle_of_every_style_passes_under_icarus(
    core: str, bits: int, settings: dict[str, object], tmp_path: Path
) -> None:
    require("iverilog")
    chosen = get_core(core)
    config = chosen.configure({name: str(value) for name, value in settings.items()}, bits)
    outcome = build(config, tmp_path / core).test
    assert (outcome.engine, outcome.failed) == ("icarus", 0)
    assert outcome.passed > 0
    assert outcome.core_cycles == config.core_cycles(bits)


@pytest.mark.nightly  # every run has a bundle in a plain folder
def test_a_bundle_works_below_a_folder_with_a_space_in_its_name(
    released_small: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(released_small, tmp_path / "some where" / "else"))
    assert run_bundle_test(folder, "icarus").failed == 0
    with pytest.raises(CheckFailedError, match="set BUILD"):
        run_bundle_test(folder, "verilator")


@pytest.mark.nightly
def test_a_bundle_passes_with_explicit_multiplier_trees(moved: Path) -> None:
    assert run_bundle_test(moved, "verilator", setting="Tech=1").failed == 0


@pytest.mark.parametrize("target", all_targets())
@pytest.mark.parametrize("core", all_cores())
def test_the_wrapper_has_the_styles_of_its_target_as_defaults(core: str, target: str) -> None:
    chosen = get_core(core)
    for config in chosen.points(64):
        styles = wrapper.style_parameters(config, target)
        wanted = config.sv_parameters(get_target(target).technology)
        assert {name: values[0] for name, values in styles.items()} == {
            name: wanted[name] for name in styles
        }
        text = wrapper.wrapper(config, "mine", target, None)
        declared: dict[str, str] = dict(re.findall(r"parameter int (\w+) = (\d+)", text))
        passed: dict[str, str] = dict(
            re.findall(r"^      \.([A-Z]\w*)\((\w+)\)", text, re.MULTILINE)
        )
        assert {key: int(declared.get(value, value)) for key, value in passed.items()} == wanted


class TestResolve:
    SOURCE = (
        "before\n`ifdef MONT_A\n  a\n`ifndef MONT_B\n  a not b\n`endif\n`elsif MONT_B\n  b\n"
        "`else\n  neither\n`endif\n`ifdef SIMULATOR\n  kept\n`else\n  kept too\n`endif\nafter\n"
    )
    KEPT = "`ifdef SIMULATOR\n  kept\n`else\n  kept too\n`endif\nafter\n"

    @pytest.mark.parametrize(
        ("defines", "middle"),
        [
            ((), "  neither\n"),
            (("MONT_A",), "  a\n  a not b\n"),
            (("MONT_B",), "  b\n"),
            (("MONT_A", "MONT_B"), "  a\n"),
        ],
    )
    def test_keeps_what_a_compiler_would_read(self, defines: tuple[str, ...], middle: str) -> None:
        assert resolve(self.SOURCE, defines) == f"before\n{middle}{self.KEPT}"

    def test_leaves_no_switch_of_ours_in_any_source(self) -> None:
        for path in HW_DIR.glob("**/rtl/*.sv"):
            text = resolve(path.read_text(), ())
            assert not re.search(r"^\s*`(ifn?def|elsif)\s+MONT", text, re.MULTILINE), path
            assert text.count("endmodule") + text.count("endpackage") >= 1


@pytest.mark.nightly  # every run has netlists with them in tests/synth
def test_a_bundle_with_primitives_is_tested_with_them(tmp_path: Path) -> None:
    require("iverilog")
    made = build(get_core("dsp").configure({"alpha": "2"}, 24), tmp_path / "made", target="xc5v")
    folder = made.path
    block = folder / "rtl" / "montcore_mul_add.sv"
    assert "DSP48E #(" in block.read_text()
    tops = [path.read_text() for path in (folder / "rtl").iterdir()]
    assert any("parameter int Tech = 4" in text for text in tops)
    assert (made.test.failed, made.test.passed) == (0, 3 * _cases(folder))
    # A carry from the wrong place.
    text = block.read_text()
    block.write_text(text.replace("first_i ? 7'b1010101", "first_i ? 7'b1100101"))
    assert block.read_text() != text
    assert run_bundle_test(folder, "icarus").failed > 0


@pytest.mark.nightly  # every run builds bundles, and measures netlists
def test_datasheet_says_for_what_it_was_built_and_measures_that_very_text(tmp_path: Path) -> None:
    config = get_core("smm").configure({"npe": "1", "w": "8"}, 12)
    made = build(config, tmp_path / "made", target="xc4v", synth=True)
    found = made.synthesis
    assert found is not None and made.target == found.target == "xc4v"
    files = [made.path / name for name in (made.path / "files.f").read_text().split()]
    work = tmp_path / "work"
    work.mkdir()
    again = mapped(Design.of(made.name, files), "xc4v", work)
    assert (again.lut, again.ff, again.dsp) == (found.lut, found.ff, found.dsp)
    sheet = (made.path / "README.md").read_text()
    assert "**Built for Xilinx Virtex-4**" in sheet and "`Tech` = 3" in sheet
    command = "`montcore build smm --set npe=1 --set w=8 --set schedule=fast --bits 12 "
    command += "--target xc4v --synth -o DIR`"
    assert f"| look-up tables | {again.lut:,} | {command} |" in sheet
    assert (
        f"| latency in cycles, last operand beat to first result beat | {made.test.cycles} |"
        in (sheet)
    )
    assert "core_cycles" not in sheet
    manifest = json.loads((made.path / "manifest.json").read_text())
    assert manifest["target"] == "xc4v" and manifest["synthesis"]["lut"] == again.lut


@pytest.mark.nightly  # the test above has the same for an FPGA
@needs_asic
def test_area_of_an_asic_is_that_of_the_options_in_the_bundle(tmp_path: Path) -> None:
    config = get_core("smm").configure({"npe": "1", "w": "8"}, 12)
    made = build(config, tmp_path / "made", target="asic", synth=True)
    found = made.synthesis
    assert made.target == "osu018" and found is not None and found.gate_level_checked > 0
    assert "parameter int Tech = 1" in (made.path / "rtl" / f"{made.name}.sv").read_text()
    files = [made.path / name for name in (made.path / "files.f").read_text().split()]
    work = tmp_path / "work"
    work.mkdir()
    again = run_flow(Design.of(made.name, files), work)
    assert again.ge == found.ge
    area, latency = found.ge + (found.ge_memory or 0), made.test.cycles
    product = area * (found.tmin_ns or 0) * latency / 1e6
    sheet = (made.path / "README.md").read_text()
    assert f"| area of the cells | {again.ge:,.0f} GE |" in sheet
    assert f"| area x time of one product | {product:.1f} kGE us |" in sheet


def test_target_that_is_not_there_is_refused_and_the_default_is_stated(tmp_path: Path) -> None:
    config = get_core("cs4").configure({"w": "16"}, 16)
    with pytest.raises(RequestError, match="there is no target 'vax' to build for; there are osu0"):
        build(config, tmp_path / "new", target="vax")
    assert not list(tmp_path.iterdir())
    made = build(config, tmp_path / "new")
    assert made.test.failed == 0 and made.test.passed == 3 * _cases(made.path)
    assert made.target == "xc7" and "Built for Xilinx series 7" in (
        (made.path / "README.md").read_text()
    )
    assert "--target xc7" in json.loads((made.path / "manifest.json").read_text())["command"]
    signature = inspect.signature(build_verb)
    assert signature.parameters["target"].default == made.target


def test_a_wrong_expected_product_fails_the_test(small: Path) -> None:
    table = small / "test" / "expected.hex"
    lines = table.read_text().splitlines()
    where = next(number for number, line in enumerate(lines) if line.startswith("0003"))
    lines[where] = lines[where][:-1] + f"{int(lines[where][-1], 16) ^ 1:x}"
    table.write_text("\n".join(lines) + "\n")
    outcome = run_bundle_test(small, "icarus")
    assert outcome.failed == 3  # once in each phase
    assert "FAILED" in outcome.output


@pytest.mark.nightly  # as a wrong product above
def test_a_wrong_expected_status_fails_the_test(small: Path) -> None:
    table = small / "test" / "expected.hex"
    text = table.read_text()
    table.write_text(re.sub(r"^4001", "5001", text, count=1, flags=re.MULTILINE))
    assert run_bundle_test(small, "icarus").failed == 3


def test_a_core_that_hangs_fails_the_test(small: Path) -> None:
    wrapper = small / "rtl" / "smm_l24_npe2_w8.sv"
    text = wrapper.read_text()
    assert text.count("(.*)") == 1
    wrapper.write_text(text.replace("(.*)", "(.y_valid_i(1'b0), .*)"))
    outcome = run_bundle_test(small, "icarus")
    assert outcome.failed > 0
    assert "no progress" in outcome.output


def test_the_manifest_lists_every_file_with_its_hash(released: Path) -> None:
    manifest = json.loads((released / "manifest.json").read_text())
    found = {
        path.relative_to(released).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in released.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert manifest["files"] == found
    assert manifest["modulus"] == f"0x{FIELD.p:x}"


def test_equal_seeds_give_equal_bundles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CoreBundle, "run_test", lambda *_: (SAID, {"wave_text": ""}))
    config = get_core("smm").configure({"npe": "2", "w": "8"}, 16)
    seeds = {"first": 0, "again": 0, "other": 1}
    first, again, other = (
        (build(config, tmp_path / name, seed=seed).path / "manifest.json").read_text()
        for name, seed in seeds.items()
    )
    assert first == again != other


def test_long_tests_prefer_the_faster_simulator(released: Path, released_small: Path) -> None:
    for bundle, first in ((released, "verilator"), (released_small, "iverilog")):
        script = (bundle / "run_test.sh").read_text()
        assert f"with {first} if that is on the PATH" in script
        assert re.findall(r"command -v (\w+)", script)[0] == first


def test_only_the_files_of_the_schedule_that_was_asked_for_are_there(released: Path) -> None:
    listed = (released / "files.f").read_text().split()
    assert sorted(listed) == sorted(
        path.relative_to(released).as_posix() for path in (released / "rtl").iterdir()
    )
    assert not [file for file in listed if "paper" in file]
    assert listed[-1] == f"rtl/{NAME}.sv"


def test_nothing_in_a_bundle_names_the_place_where_it_was_built(released: Path) -> None:
    for path in released.rglob("*"):
        if path.is_file():
            assert str(released.parent) not in path.read_text()


def test_the_tables_hold_what_the_specification_says() -> None:
    config = get_core("smm").configure({"npe": "3"}, 224)
    cases = make_tables(config, get_field("p224r1").p, 7).cases
    modulus = 0
    checked = 0
    for case in cases:
        if case.kind is CaseKind.CONFIGURE:
            modulus = case.x
        elif case.kind is CaseKind.PRODUCT and case.status == 0:
            assert case.z == montgomery_product(case.x, case.y, modulus, 32 * case.x_beats)
            checked += 1
    assert checked > 60
    assert {case.status for case in cases} == set(range(7))


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(RequestError, match="not empty"):
        build(get_core("smm").configure({}, 256), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for output in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(RequestError):
            build(get_core("smm").configure({}, 256), output)


def test_a_field_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="p384r1 has 384 bits"):
        build(get_core("smm").configure({}, 256), tmp_path / "new", field=get_field("p384r1"))
    assert not list(tmp_path.iterdir())


def test_a_core_with_two_clocks_is_refused(tmp_path: Path) -> None:
    message = "a bundle without a bus has one clock, and montcore_dsp_double has two"
    with pytest.raises(RequestError, match=message):
        build(get_core("dsp").configure({"clocking": "double"}, 64), tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_names_tell_configurations_apart() -> None:
    settings = [{}, {"npe": "2"}, {"w": "64"}, {"schedule": "paper"}]
    names = [bundle_name(get_core("smm").configure(item, 256), FIELD) for item in settings]
    assert names[0] == NAME
    assert len(set(names)) == len(names)


def _cases(folder: Path) -> int:
    lines = (folder / "test" / "stimulus.hex").read_text().splitlines()
    return sum(not line.startswith("//") for line in lines)
