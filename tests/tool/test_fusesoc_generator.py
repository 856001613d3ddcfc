# SPDX-License-Identifier: Apache-2.0
"""FuseSoC makes the RTL of the curve engine and of the accelerator when a project is set up."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from montcore.bundle.generator import generate
from montcore.lint import rtl
from montcore.lint.elaborations import Elaboration
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR

CORES = {
    "montcore:systems:pka": ("soc/pka.core", "pka_dsp_l2048_alpha17_axi4_lite"),
    "montcore:engines:ecc": ("ecc/ecc.core", "ecc_smm_l256_npe8"),
}


@pytest.mark.parametrize("name", CORES)
@pytest.mark.one_in(2)
def test_project_is_set_up_and_its_rtl_is_clean(name: str, tmp_path: Path) -> None:
    where, top = CORES[name]
    assert f"toplevel: {top}\n" in (HW_DIR / where).read_text()
    shutil.copytree(HW_DIR, tmp_path / "hw")
    program = Path(sys.executable).with_name("fusesoc")
    words = ["--cores-root", "hw", "run", "--setup", "--target", "lint", name]
    path = f"{program.parent}:/usr/bin:/bin"
    done = subprocess.run(
        [str(program), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={"PATH": path, "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    (listed,) = tmp_path.glob("build/*/lint-verilator/*.vc")
    files = [
        listed.parent / line for line in listed.read_text().splitlines() if line.endswith(".sv")
    ]
    assert files and all(file.is_file() for file in files)
    assert rtl.verilator(top, files, {}) == []
    assert rtl.slang_designs([Elaboration(top, tuple(files))]) == []


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


def test_engine_over_two_clocks_has_both_in_its_top(tmp_path: Path) -> None:
    """The second clock reaches the multiplier; the ports are those of the switch that is on."""
    request = tmp_path / "request.yml"
    words = "unit: ecc, core: dsp, bits: 64, set: {clocking: double, alpha: 2}, target: asic"
    request.write_text(f"vlnv: a:b:c:1\nparameters: {{{words}}}\n")
    made = generate(request)
    files = [tmp_path / line for line in (tmp_path / "files.f").read_text().split()]
    assert "input logic clk2x_i" in files[-1].read_text()
    assert rtl.verilator(made.stem, files, {}) == []
