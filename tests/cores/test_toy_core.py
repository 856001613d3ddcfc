# SPDX-License-Identifier: Apache-2.0
"""A core is one folder and one registration: the whole contract is tested on an external core.

The core is that of examples/own_core. Its folder is copied to a temporary folder and registered
only by an entry point next to it.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asic_tools import needs_asic
from mutants import mutated
from needs import needs
from programs import program
from refusing import icarus_says, unchecked, verilator_says

from montcore.bundle import build
from montcore.bundle.styles import verify_sequences
from montcore.cores import all_cores, get_core, register, registry
from montcore.cores.core import Core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Power
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.flow import synthesise
from montcore.synth.options import NONE, Options
from montcore.verification.run import verify
from montcore_lab.lint import contracts, rtl
from montcore_lab.lint.elaborations import of_core
from montcore_lab.mutation.port_rules import RULES, nothing_leaves_after_zeroize
from montcore_lab.proofs.verdicts import verdict_faults

TOY = REPO_ROOT / "examples" / "own_core"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the toy core and its entry point, on the path."""
    folder = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(TOY, folder, dirs_exist_ok=True)
    about = folder / "toy-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntoy = toy_core:Toy\n")
    sys.path.insert(0, str(folder))
    registry.forget()
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("toy_core")
    registry.forget()


@pytest.fixture(scope="module")
def toy(folder: Path) -> type[Core]:
    """The core from the registry."""
    core = get_core("toy")
    assert folder in core.sources()[-1].parents
    return core


def montcore(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line in a process that only has this folder."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return program(sys.executable, "-m", "montcore", *words, env={**os.environ, "PYTHONPATH": path})


def test_the_command_line_lists_and_multiplies(folder: Path) -> None:
    listed = json.loads(montcore(folder, "list", "--json").stdout)
    (found,) = (item for item in listed["cores"] if item["core"] == "toy")
    assert "w" in found["params"]
    # The worked example of its top module.
    words = ["--modulus", "8b", "--x", "53", "--y", "2a", "--bits", "8", "--json"]
    for engine in ("rtl", "model"):
        done = montcore(folder, "mul", "toy", *words, "--engine", engine)
        answer = json.loads(done.stdout)
        assert (answer["z"], answer["core_cycles"], answer["r_bits"]) == ("0x45", 9, 8)


def test_a_second_core_of_the_same_name_is_refused(toy: type[Core]) -> None:
    with pytest.raises(RequestError, match="there is already a core 'toy'"):
        register(toy)


def test_no_two_marks_are_alike(toy: type[Core]) -> None:
    assert [core.mark for core in all_cores().values()].count(toy.mark) == 1


def test_its_files_are_clean(toy: type[Core]) -> None:
    path = toy.sources()[-1]
    assert rtl.verible_lint(path) == []
    assert rtl.verible_format(path) == []
    assert contracts.contract_findings(path) == []


@needs("iverilog")
def test_its_designs_are_clean(toy: type[Core]) -> None:
    for check in rtl.core_checks(toy):
        assert check.findings() == [], check.subject
    designs = of_core(toy)
    assert designs and rtl.slang_designs(designs) == []


def test_all_of_its_products_are_right_at_six_bits(toy: type[Core]) -> None:
    for w in ("4", "8"):
        result = verify(toy.configure({"w": w}, 6), exhaustive=True)
        assert (result.checked, result.failed, result.failures) == (43679, 0, [])


@pytest.mark.parametrize(("bits", "w"), [(72, "8"), (65, "32")])
@pytest.mark.one_in(2)
def test_random_products_are_right(toy: type[Core], bits: int, w: str) -> None:
    result = verify(toy.configure({"w": w}, bits), random_count=300, seed=5)
    assert result.failures == [] and result.checked > 300 and result.rejected > 20


@pytest.mark.nightly  # test_verify.py finds faults in every run
def test_a_fault_in_it_is_found(toy: type[Core], tmp_path: Path) -> None:
    right = "difference[Width] ? t_q : difference"
    wrong = right, right.replace("?", "|| difference == 0 ?")
    core = mutated(toy, tmp_path, "montcore_toy", wrong).configure({}, 12)
    failures = verify(core, random_count=60, seed=1).failures
    assert failures and "expected 0x0" in failures[0].what


@pytest.mark.nightly
def test_the_port_takes_the_same_time_for_all_data(toy: type[Core], tmp_path: Path) -> None:
    stall = "last_bit = 32'(count_q)", "last_bit = (x[0] || !y[0]) && 32'(count_q)"
    core = mutated(toy, tmp_path, "montcore_toy", stall).configure({}, 12)
    told = [failure.what for failure in verify(core, random_count=40, seed=1).failures]
    assert told


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_it_holds_to(toy: type[Core], rule: Callable[..., None]) -> None:
    rule(toy.configure({}, 72))


@pytest.mark.nightly  # every run has them for every core in test_sim_sequences.py
def test_it_holds_to_the_rules_of_single_builds(toy: type[Core]) -> None:
    assert not verify_sequences(toy.configure({}, 71), 400).failed
    nothing_leaves_after_zeroize(toy.configure({}, 24))


@needs("iverilog")
def test_it_refuses_what_it_says(toy: type[Core], tmp_path: Path) -> None:
    assert toy.refusals()
    for refusal in toy.refusals():
        with pytest.raises(RequestError) as caught:
            toy.configure({k: str(v) for k, v in refusal.settings.items()}, refusal.bits)
        assert str(caught.value).endswith(refusal.sentence)
        wrong = unchecked(toy, refusal)
        arguments = wrong.top, wrong.sources(), wrong.sv_parameters()
        assert refusal.sentence in verilator_says(*arguments)
        assert refusal.sentence in icarus_says(*arguments, tmp_path)
    low = toy.configure({}, toy.widths()[0])
    assert not verilator_says(low.top, low.sources(), low.sv_parameters())


@pytest.mark.nightly  # every run has the same search in test_control.py
def test_its_control_is_blind_to_data(toy: type[Core]) -> None:
    core = toy.configure({}, 21)
    assert verdict_faults(core) == []
    for left_out in core.verdicts:
        assert verdict_faults(core, [item for item in core.verdicts if item != left_out])


def test_it_becomes_a_bundle_with_datasheet_and_fusesoc_file(
    toy: type[Core], tmp_path: Path
) -> None:
    made = build(toy.configure({}, 24), tmp_path / "made")
    assert made.test.failed == 0 and made.test.passed > 50
    sheet = (made.path / "README.md").read_text()
    assert "Bit-serial multiplier" in sheet and f"| {made.test.cycles} |" in sheet
    core_file = (made.path / f"{made.name}.core").read_text()
    assert "montcore_toy.sv" in core_file and "CAPI=2" in core_file


@pytest.mark.nightly  # every run has the exponentiator over cores in test_modexp.py
def test_the_exponentiator_runs_over_it(toy: type[Core]) -> None:
    unit = Exponentiator(ExponentiatorDesign(toy.configure({"w": "16"}, 20)))
    assert unit.power(Power(0x1234, 0xBEEF, 0xF4247)).result == pow(0x1234, 0xBEEF, 0xF4247)


@pytest.mark.nightly  # every run has netlists of the cores in tests/synth
@needs_asic
def test_it_is_synthesised_and_its_netlist_checked(toy: type[Core]) -> None:
    result = synthesise(toy.configure({}, 8), "osu018", opts=Options(wires=NONE, gate_products=6))
    assert result.ge is not None and result.ge > 100 and result.tmin_ns
    assert result.core_cycles == 9 and result.gate_level_checked
