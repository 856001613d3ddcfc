# SPDX-License-Identifier: Apache-2.0
"""A bundle stands on its own, its test can fail, and wrong requests leave nothing behind."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from montcore.bundle import build, bundle_name, run_bundle_test
from montcore.bundle.runner import Engine
from montcore.bundle.vectors import Kind, make_tables
from montcore.cores import all_cores, get_core
from montcore.errors import CheckFailedError, RequestError
from montcore.fields import get_field
from montcore.model.spec import montgomery_product

FIELD = get_field("p256r1")
NAME = "smm_p256r1_npe4"


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle, built once for all tests of this file."""
    core = get_core("smm")
    folder = tmp_path_factory.mktemp("bundle") / "made"
    result = build(core, core.configure({"npe": "4"}, FIELD.bits), folder, field=FIELD)
    assert (result.path, result.name) == (folder, NAME)
    return folder


@pytest.fixture(scope="module")
def released_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small bundle without a field, for what does not depend on the size."""
    folder = tmp_path_factory.mktemp("bundle") / "small"
    core = get_core("smm")
    return build(core, core.configure({"npe": "2", "w": "16"}, 70), folder).path


@pytest.fixture
def small(released_small: Path, tmp_path: Path) -> Path:
    """Return a copy of the small bundle."""
    return Path(shutil.copytree(released_small, tmp_path / "small"))


@pytest.fixture
def moved(released: Path, tmp_path: Path) -> Path:
    """Return a copy of the bundle elsewhere."""
    return Path(shutil.copytree(released, tmp_path / "elsewhere"))


@pytest.mark.parametrize("engine", ["icarus", "verilator"])
def test_a_moved_bundle_passes_with_either_simulator(moved: Path, engine: Engine) -> None:
    outcome = run_bundle_test(moved, engine)
    assert (outcome.failed, outcome.passed) == (0, 3 * _cases(moved))
    core = get_core("smm")
    config = core.configure({"npe": "4"}, 256)
    assert outcome.core_cycles == core.core_cycles(config, 256)
    assert outcome.interval == core.interval(config, 256)


@pytest.mark.parametrize("core", [name for name in all_cores() if name != "smm"])
def test_the_bundle_of_every_other_core_passes_with_either_simulator(
    core: str, tmp_path: Path
) -> None:
    chosen = get_core(core)
    config = chosen.sweep(40)[0]
    folder = build(chosen, config, tmp_path / core).path
    for engine in ("icarus", "verilator"):
        outcome = run_bundle_test(folder, engine)
        assert (outcome.failed, outcome.passed) == (0, 3 * _cases(folder)), engine
        assert outcome.core_cycles == chosen.core_cycles(config, 40)


def test_a_bundle_works_below_a_folder_with_a_space_in_its_name(
    released_small: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(released_small, tmp_path / "some where" / "else"))
    assert run_bundle_test(folder, "icarus").failed == 0
    with pytest.raises(CheckFailedError, match="set BUILD"):
        run_bundle_test(folder, "verilator")


@pytest.mark.nightly
def test_a_bundle_passes_with_explicit_multiplier_trees(moved: Path) -> None:
    assert run_bundle_test(moved, "verilator", setting="MulTree=1").failed == 0


def test_a_wrong_expected_product_fails_the_test(small: Path) -> None:
    table = small / "test" / "expected.hex"
    lines = table.read_text().splitlines()
    where = next(number for number, line in enumerate(lines) if re.match(r"0005\d*[1-9a-f]", line))
    lines[where] = lines[where][:-1] + f"{int(lines[where][-1], 16) ^ 1:x}"
    table.write_text("\n".join(lines) + "\n")
    outcome = run_bundle_test(small, "icarus")
    assert outcome.failed == 3  # once in each phase
    assert "FAILED" in outcome.output


def test_a_wrong_expected_status_fails_the_test(small: Path) -> None:
    table = small / "test" / "expected.hex"
    text = table.read_text()
    table.write_text(re.sub(r"^4001", "5001", text, count=1, flags=re.MULTILINE))
    assert run_bundle_test(small, "icarus").failed == 3


def test_a_core_that_hangs_fails_the_test(small: Path) -> None:
    wrapper = small / "rtl" / "smm_l70_npe2_w16.sv"
    broken = wrapper.read_text().replace(".y_valid_i(y_valid_i)", ".y_valid_i(1'b0)")
    wrapper.write_text(broken)
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


def test_equal_seeds_give_equal_bundles(released_small: Path, tmp_path: Path) -> None:
    core = get_core("smm")
    config = core.configure({"npe": "2", "w": "16"}, 70)
    again = build(core, config, tmp_path / "again").path
    other = build(core, config, tmp_path / "other", seed=1).path
    first = (released_small / "manifest.json").read_text()
    assert (again / "manifest.json").read_text() == first
    assert (other / "manifest.json").read_text() != first


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
    core = get_core("smm")
    config = core.configure({"npe": "3"}, 224)
    cases = make_tables(core, config, get_field("p224r1").p, 7).cases
    modulus = 0
    checked = 0
    for case in cases:
        if case.kind is Kind.CONFIGURE:
            modulus = case.x
        elif case.kind is Kind.PRODUCT and case.status == 0:
            assert case.z == montgomery_product(case.x, case.y, modulus, 32 * case.x_beats)
            checked += 1
    assert checked > 60
    assert {case.status for case in cases} == set(range(7))


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    core = get_core("smm")
    with pytest.raises(RequestError, match="not empty"):
        build(core, core.configure({}, 256), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    core = get_core("smm")
    for output in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(RequestError):
            build(core, core.configure({}, 256), output)


def test_a_field_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    core = get_core("smm")
    with pytest.raises(RequestError, match="p384r1 has 384 bits"):
        build(core, core.configure({}, 256), tmp_path / "new", field=get_field("p384r1"))
    assert not list(tmp_path.iterdir())


def test_a_core_with_two_clocks_is_refused(tmp_path: Path) -> None:
    core = get_core("dsp")
    with pytest.raises(
        RequestError, match="a bundle has one clock, and montcore_dsp_double has two"
    ):
        build(core, core.configure({"clocking": "double"}, 64), tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_names_tell_configurations_apart() -> None:
    core = get_core("smm")
    settings = [{}, {"npe": "2"}, {"w": "64"}, {"schedule": "paper"}]
    names = [bundle_name(core, core.configure(item, 256), FIELD) for item in settings]
    assert names[0] == NAME
    assert len(set(names)) == len(names)


def _cases(folder: Path) -> int:
    lines = (folder / "test" / "stimulus.hex").read_text().splitlines()
    return sum(not line.startswith("//") for line in lines)
