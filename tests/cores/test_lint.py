# SPDX-License-Identifier: Apache-2.0
"""The source checks find nothing in the repository, and each detects its kind of fault."""

from pathlib import Path
from typing import Any

import pytest
from needs import needs, require

from montcore.cores import all_cores
from montcore.cores.dsp import Dsp
from montcore.support.paths import REPO_ROOT
from montcore_lab.lint import contracts, elaborations, rtl, text
from montcore_lab.lint.check import Check
from montcore_lab.lint.table import all_checks

#: `make test` runs one in this many of Verilator's elaborations at real widths, which differ only
#: in the technology or share most modules.
WIDE_SAMPLE = 48


def checks() -> list[Any]:
    """Return every check; most elaborations of small designs by Verilator and Icarus are nightly.

    In `make test` slang elaborates all designs, Verilator and Icarus those that reach every branch.
    """
    found = []
    wide = 0
    for check in all_checks():
        small = check.rule in ("verilator", "icarus") and check.subject.startswith("style: ")
        wide += check.rule == "verilator" and not small
        left_out = check.rule == "verilator" and not small and wide % WIDE_SAMPLE != 1
        marks = [pytest.mark.nightly] if small or left_out else []
        found.append(pytest.param(check, id=check.label, marks=marks))
    return found


@pytest.mark.parametrize("check", checks())
def test_sources_are_clean(check: Check) -> None:
    if check.rule == "icarus":
        require("iverilog")
    found = check.findings()
    assert not found, "\n".join(found)


@needs("iverilog")
@pytest.mark.parametrize("top", sorted({item.top for item in elaborations.all_elaborations()}))
@pytest.mark.one_in(100)  # slang elaborates all of them in every run
def test_designs_that_reach_every_branch_are_clean(top: str) -> None:
    designs = [item for item in elaborations.all_elaborations() if item.top == top]
    # An exponentiator over a core need not reach the branches of that core again.
    cores = elaborations.of_cores()
    of_core = any(item.top == top for item in cores)
    elsewhere = set() if of_core else set().union(*map(elaborations.reached, cores))
    for item in elaborations.covering(designs, elsewhere):
        design = (item.top, item.sources, item.parameters, item.defines)
        found = [*rtl.verilator(*design), *rtl.icarus(*design)]
        assert not found, "\n".join([item.label, *found])


def test_few_designs_reach_what_many_do() -> None:
    designs = [item for item in elaborations.all_elaborations() if item.top == "montcore_cs"]
    few = elaborations.covering(designs)
    all_branches = set().union(*map(elaborations.reached, designs))
    assert set().union(*map(elaborations.reached, few)) == all_branches
    assert 0 < len(few) < len(designs)
    # What other designs reach need not be reached again.
    assert elaborations.covering(designs, all_branches) == []


def test_every_core_is_linted() -> None:
    tops = {core.main_top() for core in all_cores().values()}
    for tool in ("verilator", "icarus"):
        seen = {check.subject.split()[0] for check in all_checks() if check.rule == tool}
        assert tops <= seen


SOURCE = REPO_ROOT / "hw" / "sample.sv"  # a name only: these checks are given the text


@pytest.mark.parametrize("folder", ["work", "root", "home", "tmp"])
def test_paths_of_one_machine_are_found(folder: str) -> None:
    path = "/" + folder + "/somebody"
    assert text.place_findings(SOURCE, f"first\nsee {path}\n") == [
        f"hw/sample.sv:2: names a path of one machine: {path[: len(folder) + 3]}"
    ]


def test_relative_paths_and_urls_are_not_machine_paths() -> None:
    for allowed in ("src/work/a", "https://example.org/home/x", "$HOME/tmp/x", "../tmp/x", "a/tmp"):
        assert text.place_findings(SOURCE, allowed) == []


def test_package_registry_hosts_are_found() -> None:
    host = ".".join(["files", "pythonhosted", "org"])
    assert len(text.place_findings(SOURCE, f"see {host}/packages")) == 1


def test_missing_licence_line_is_found() -> None:
    assert text.licence_findings(SOURCE, "module a;\n") != []
    assert text.licence_findings(SOURCE, "// SPDX-License-Identifier: Apache-2.0\n") == []


WALL_CLOCKS = (
    "end = time" + ".time() + limit",
    "clock_gettime(CLOCK_REAL" + "TIME, &now)",
    "pthread_mutex_timed" + "lock(&lock, &limit)",
)


@pytest.mark.parametrize("line", WALL_CLOCKS)
def test_a_limit_by_the_wall_clock_is_found(line: str) -> None:
    assert len(text.clock_findings(SOURCE, line)) == 1
    assert text.clock_findings(SOURCE, "end = time.monotonic() + limit") == []


def test_dead_links_are_found() -> None:
    page = REPO_ROOT / "README.md"
    assert text.link_findings(page, "[a](nowhere.md) ![b](docs/none.png#x)") != []
    assert text.link_findings(page, "[a](Makefile) [b](#top) [c](https://example.org)") == []


def test_files_that_are_not_there_are_found() -> None:
    page = REPO_ROOT / "page.md"
    assert text.file_findings(page, "`pytest tests/test_none.py -k x`") != []
    there = "`tests/support/needs.py`, `tests/cores/<core>/test_<core>.py`"
    assert text.file_findings(page, there) == []


@pytest.mark.parametrize(
    "waiver",
    [
        "// verilator lint_off\n// verilator lint_on\n",
        "// verilator lint_off UNUSEDSIGNAL\n// verilator lint_on UNUSEDSIGNAL\n",
        "// verilator lint_off UNUSEDSIGNAL -- bit 0 is always 0\n",
        "// Bit 0 is always 0.\n// verilator lint_off UNUSEDSIGNAL\n// verilator lint_off WIDTH\n"
        "// verilator lint_on WIDTH\n// verilator lint_on UNUSEDSIGNAL\n",
        "wire it_is_no_comment;\n// verilator lint_off WIDTH\n// verilator lint_on WIDTH\n",
    ],
    ids=["blanket", "no reason", "left open", "a waiver above", "code above"],
)
def test_bad_waivers_are_found(waiver: str) -> None:
    assert text.waiver_findings(SOURCE, waiver) != []


@pytest.mark.parametrize(
    "waiver",
    [
        "// verilator lint_off UNUSEDSIGNAL -- bit 0 is always 0\n",
        "// Bit 0 is always 0.\n// verilator lint_off UNUSEDSIGNAL\n",
    ],
    ids=["after it", "above it"],
)
def test_an_explained_waiver_of_one_rule_passes(waiver: str) -> None:
    assert text.waiver_findings(SOURCE, f"{waiver}// verilator lint_on UNUSEDSIGNAL\n") == []


GOOD = """// SPDX-License-Identifier: Apache-2.0

/// Register, one cycle.
module sample #(
    /// Width in bits.
    parameter int unsigned Width = 4
) (
    /// Clock, rising edge.
    input logic clk_i,
    /// Loads the register, active high.
    input logic load_i,
    input logic [Width-1:0] d_i,  // Value after the next edge.
    /// Value, registered, without reset.
    output logic [Width-1:0] q_o
);
  always_ff @(posedge clk_i) if (load_i) q_o <= d_i;
endmodule
"""


#: A choice between enum values, used as a condition.
CHOICE = """  typedef enum logic {
    A,
    B
  } ab_e;
  ab_e ab_q;
  always_ff @(posedge clk_i) ab_q <= load_i ? A : B;
  always_ff @(posedge clk_i) assert (ab_q == A);
"""


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file inside a fake checkout; the checks name it relative to that."""
    monkeypatch.setattr("montcore_lab.checkout.files.REPO_ROOT", tmp_path)
    return tmp_path / "sample.sv"


def test_a_documented_module_passes_the_contract_check(sample: Path) -> None:
    sample.write_text(GOOD)
    assert contracts.contract_findings(sample) == []


@pytest.mark.parametrize(
    ("comment", "what"),
    [
        ("/// Register, one cycle.\n", "sample has no /// contract"),
        ("    /// Width in bits.\n", "parameter Width"),
        ("    /// Loads the register, active high.\n", "port load_i"),
        ("  // Value after the next edge.", "port d_i"),
        ("    /// Value, registered, without reset.\n", "port q_o"),
    ],
)
def test_each_missing_comment_is_found(sample: Path, comment: str, what: str) -> None:
    assert comment in GOOD
    sample.write_text(GOOD.replace(comment, "" if comment.endswith("\n") else "  "))
    found = contracts.contract_findings(sample)
    assert len(found) == 1
    assert what in found[0]


@pytest.mark.parametrize("empty", ["Clock.", "It is taken.", "As above.", "The clk."])
def test_a_comment_that_only_repeats_the_name_is_found(sample: Path, empty: str) -> None:
    sample.write_text(GOOD.replace("Clock, rising edge.", empty).replace("clk_i", "clk_taken_i"))
    (found,) = contracts.contract_findings(sample)
    assert f"port clk_taken_i of sample: '{empty}' says no more than the name" in found


def test_what_every_module_has_needs_no_comment(sample: Path) -> None:
    assert "/// Clock, rising edge.\n" in GOOD
    sample.write_text(GOOD.replace("    /// Clock, rising edge.\n", ""))
    assert contracts.contract_findings(sample) == []


def test_a_generated_module_has_the_comments_of_its_template(sample: Path) -> None:
    text = GOOD.replace("Clock, rising edge.", "Clock.")
    sample.write_text(text.replace("Register, one cycle.", "Register. Generated by a tool."))
    assert contracts.contract_findings(sample) == []


def test_verible_lint_finds_a_port_without_suffix(sample: Path) -> None:
    sample.write_text(GOOD)
    assert rtl.verible_lint(sample) == []
    sample.write_text(GOOD.replace("d_i", "d"))
    assert "port-name-suffix" in rtl.verible_lint(sample)[0]


def test_verible_format_finds_a_badly_indented_line(sample: Path) -> None:
    sample.write_text(GOOD.replace("  always_ff", "      always_ff"))
    assert "Needs formatting" in rtl.verible_format(sample)[0]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("q_o <= d_i", "q_o <= {d_i, 1'b0}", "width-trunc"),
        ("  always_ff", "  logic never;\n  always_ff", "unused-variable"),
        ("q_o <= d_i", "q_o <= e_i", "undeclared identifier"),
        ("  always_ff", CHOICE + "  always_ff", "this choice is between enum values"),
    ],
)
def test_slang_finds_what_is_wrong(sample: Path, old: str, new: str, rule: str) -> None:
    sample.write_text(GOOD)
    assert rtl.slang([sample]) == []
    sample.write_text(GOOD.replace(old, new))
    assert rule in rtl.slang([sample])[0]


def test_verilator_warnings_are_findings(sample: Path) -> None:
    sample.write_text(GOOD)
    assert rtl.verilator("sample", [sample], {"Width": 7}) == []
    sample.write_text(GOOD.replace("[Width-1:0] d_i", "[3:0] d_i"))
    assert rtl.verilator("sample", [sample], {"Width": 4}) == []
    assert "WIDTH" in rtl.verilator("sample", [sample], {"Width": 7})[0]


@needs("iverilog")
def test_icarus_errors_are_findings(sample: Path) -> None:
    sample.write_text(GOOD)
    assert rtl.icarus("sample", [sample], {"Width": 7}) == []
    assert rtl.icarus("another", [sample], {}) != []
    sample.write_text(GOOD.replace("<= d_i", "<= e_i"))
    assert "sample.sv:16" in rtl.icarus("sample", [sample], {})[0]


@needs("iverilog")
def test_icarus_passes_over_the_refusal_of_bad_parameters(sample: Path) -> None:
    refusal = '  if (Width < 1) begin : g_bad\n    $fatal(1, "%m: no bits");\n  end\n  always_ff'
    sample.write_text(GOOD.replace("  always_ff", refusal))
    assert rtl.icarus("sample", [sample], {"Width": 7}) == []


def test_a_module_that_nothing_instantiates_is_not_reached() -> None:
    single = next(item for item in elaborations.of_core(Dsp) if item.top == "montcore_dsp")
    assert "montcore_dsp_double" in {path.stem for path in single.sources}
    assert ("montcore_dsp_double", "") not in elaborations.reached(single)


#: Branches that nothing reaches: a row of tiles is always as wide as its product needs, and the
#: multiplier of 18 x 18 bits is only instantiated for the technology that has it.
UNREACHABLE = {
    *(("montcore_karatsuba_grid", name) for name in ("g_extended", "g_sign")),
    ("montcore_mult18", "g_none"),
}


@pytest.mark.nightly  # every run has slang over all RTL together
def test_every_module_and_every_branch_is_elaborated() -> None:
    designs = elaborations.all_elaborations()
    reached = [elaborations.reached(design) for design in designs]
    declared = elaborations.declared()
    assert declared - set().union(*reached) == UNREACHABLE
    # Each tool is given all of these designs.
    for tool in ("verilator", "icarus"):
        subjects = " | ".join(check.subject for check in all_checks() if check.rule == tool)
        assert [item.label for item in designs if item.label not in subjects] == []
    # Cores without one of their styles leave branches out; tested here because reading takes 5 s.
    found = [
        branches
        for design, branches in zip(designs, reached, strict=True)
        if not design.origin and design.parameters.get("PaperSchedule") != 1
    ]
    missed = {module for module, _ in declared - set().union(*found)}
    assert {"montcore_smm_paper", "montcore_karatsuba_paper"} <= missed
