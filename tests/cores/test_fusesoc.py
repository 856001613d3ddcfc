# SPDX-License-Identifier: Apache-2.0
"""FuseSoC finds every core, side by side in one design, and makes the RTL of units at set-up."""

import re
from collections import Counter
from pathlib import Path

import pytest
from bundle_files import fusesoc
from generate import generate

from montcore.cores import all_cores
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore_lab.generated import outdated
from montcore_lab.lint.fusesoc import core_files, lists

EXAMPLE = REPO_ROOT / "examples" / "fusesoc"
#: Accelerators: name of the top module, multiplier, further parameters of the generator.
ACCELERATORS = (
    ("pka_rc_l64_w16_apb", "rc", "set: {w: 16}"),
    (
        "pka_dsp_l64_alpha2_double_curves_rc_l64_w32_apb",
        "dsp",
        "set: {alpha: 2, clocking: double}, units: both, curves: {core: rc, bits: 64}",
    ),
)
#: Units that are made over a multiplier when a project is set up.
UNITS = ("montcore:systems:pka", "montcore:engines:ecc")


def test_lists_are_those_of_the_folders_and_stay_below_them() -> None:
    assert outdated(core_files()) == {}, "run: montcore maintain fusesoc"
    for path in HW_DIR.glob("**/*.core"):
        assert ".." not in re.findall(r"- (\S+)/", path.read_text()), path
    own = {core.folder() / f"{name}.core" for name, core in all_cores().items()}
    assert own <= set(lists().values())


def test_fusesoc_knows_every_core(tmp_path: Path) -> None:
    (tmp_path / "hw").symlink_to(HW_DIR)
    (tmp_path / "example").symlink_to(EXAMPLE)
    said = fusesoc(tmp_path, "core", "list")
    assert "user:designs:two_cores:" in said
    for name in all_cores():
        assert f"montcore:multipliers:{name}:" in said


@pytest.mark.parametrize("name", [*all_cores(), "modexp"])
@pytest.mark.one_in(8)
def test_a_core_by_itself_is_clean(name: str, tmp_path: Path) -> None:
    (tmp_path / "hw").symlink_to(HW_DIR)
    kind = "exponentiators" if name == "modexp" else "multipliers"
    fusesoc(tmp_path, "run", "--target", "lint", f"montcore:{kind}:{name}")


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.nightly  # the next test makes one in every run
def test_a_unit_over_a_multiplier_is_made_and_clean(name: str, tmp_path: Path) -> None:
    (tmp_path / "hw").symlink_to(HW_DIR)
    fusesoc(tmp_path, "run", "--target", "lint", name)


@pytest.mark.nightly  # every run has each core by itself
@pytest.mark.parametrize(("top", "core", "more"), ACCELERATORS)
@pytest.mark.one_in(2)
def test_two_multipliers_and_the_accelerator_stand_in_one_design(
    top: str, core: str, more: str, tmp_path: Path
) -> None:
    (tmp_path / "hw").symlink_to(HW_DIR)
    text = (EXAMPLE / "two_cores.core").read_text()
    text = text.replace("core: rc,", f"core: {core},").replace("set: {w: 16}", more)
    (tmp_path / "two_cores.core").write_text(text)
    text = (EXAMPLE / "two_cores.sv").read_text()
    (tmp_path / "two_cores.sv").write_text(
        text.replace("endmodule", f"  {top} u_pka ();\nendmodule")
    )
    fusesoc(tmp_path, "run", "--target", "lint", "user:designs:two_cores")
    (listed,) = tmp_path.glob("build/*/*/*.vc")
    files = re.findall(r"^\S+\.sv$", listed.read_text(), re.M)
    texts = [(listed.parent / file).read_text() for file in files]
    modules = Counter(name for text in texts for name in re.findall(r"^module (\w+)", text, re.M))
    assert max(modules.values()) == 1
    assert modules.keys() >= {"montcore_cs4", "montcore_smm", top, f"montcore_{core}"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("{unit: ecc, core: smm}", "parameter bits: Field required"),
        ("{unit: tpm, core: smm, bits: 64}", "parameter unit: Input should be 'ecc' or 'pka'"),
        ("{unit: ecc, core: smm, bits: 64, pne: 4}", "parameter pne: Extra inputs"),
        ("{unit: ecc, core: none, bits: 64}", "there is no core"),
        ("{unit: ecc, core: smm, bits: 256, set: {npe: 99}}", "npe must"),
        ("{unit: pka, core: dsp, bits: 256, bus: pci}", "pci"),
    ],
)
def test_what_cannot_be_made_is_refused(parameters: str, message: str, tmp_path: Path) -> None:
    request = tmp_path / "request.yml"
    request.write_text(f"vlnv: a:b:c:1\nparameters: {parameters}\n")
    with pytest.raises(RequestError, match=message):
        generate(request)
    assert list(tmp_path.iterdir()) == [request]
