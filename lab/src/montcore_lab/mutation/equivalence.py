# SPDX-License-Identifier: Apache-2.0
"""A proof that a mutant changes no output: in each given build, in every cycle from a reset on.

ABC joins what is equal in both by induction over a few cycles (`scorr`). What that leaves goes to
PDR, which also follows the states that a reset leads to. Registers are zero before the reset: later
resets, in any cycle, come upon any state that can be reached. Designs with two clocks are not
proved.
"""

import shutil
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

from montcore.sim.build import RtlBuild
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError
from montcore.support.files import locked
from montcore.support.paths import HW_DIR
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import ToolTimeoutError, run_tool
from montcore.synth.yosys import run_yosys
from montcore_lab.mutation.checks import Judge
from montcore_lab.mutation.mutants import Mutant

_ABC = Path(sysconfig.get_path("platlib")) / "pyosys" / "yosys-abc"
#: Cycles of the induction: one more than needed, to pass what a register holds just after a reset.
_CYCLES = 2
#: Seconds of PDR, and of all that ABC does.
_PDR_S, _LIMIT_S = 5, 60
_PROVED = "Property proved"


def equivalent(mutant: Mutant, changed: Path, builds: Sequence[Judge], home: Path) -> bool:
    """Tell whether a mutant is proved to change nothing in builds that have its branch.

    Args:
        changed: its source.
        home: folder of files of this and of other mutants of the same hardware.
    """
    original = HW_DIR / mutant.file
    distinct = {_key(one.build): one for one in builds}
    return bool(builds) and all(_same(one, original, changed, home) for one in distinct.values())


def _key(build: RtlBuild) -> str:
    values = {"top": build.top, "parameters": str(build.parameters)}
    return content_key(values, build.sources)


def _same(one: Judge, original: Path, changed: Path, home: Path) -> bool:
    sources = [changed if path == original else path for path in one.build.sources]
    try:
        gold = _unchanged(one, home)
        with tempfile.TemporaryDirectory(dir=home) as folder:
            work = Path(folder)
            _write_gates(one, sources, work / "gate.aig")
            return _always_equal(gold, work / "gate.aig", work)
    except (CheckFailedError, ToolTimeoutError):
        return False


def _unchanged(one: Judge, home: Path) -> Path:
    """Return the gates of a build without a mutant, which all of its mutants share."""
    gold = home / f"unchanged-{_key(one.build)[:16]}" / "gold.aig"
    with locked(gold.parent.with_suffix(".lock")):
        if not gold.is_file():
            shutil.rmtree(gold.parent, ignore_errors=True)
            gold.parent.mkdir()
            _write_gates(one, one.build.sources, gold.with_name("partial.aig"))
            gold.with_name("partial.aig").rename(gold)
    return gold


def _write_gates(one: Judge, sources: Sequence[Path], gates: Path) -> None:
    top = one.build.top
    values = " ".join(f"-G {key}={value}" for key, value in one.build.parameters.items())
    values += "".join(f" -D {name}=1" for name in one.elaboration().defines)
    commands = [
        f"read_slang {values} --top {top} {' '.join(map(str, sources))}",
        *(f"prep -flatten -top {top}", "memory_map", "async2sync", "dffunmap", "opt_clean"),
        "select -assert-none i:clk2x*",  # the gates have no clock, so there must be one
        f"sim -clock clk_i -resetn rst_ni -rstlen 4 -n 8 -zinit -w {top}",
        *("techmap", "dffunmap", "setundef -zero -undriven -init", "setundef -zero"),
        *("opt_clean", "aigmap", f"write_aiger {gates}"),
    ]
    run_yosys(commands, gates.parent, gates.stem, DEFAULT_OPTIONS)


def _always_equal(gold: Path, gate: Path, work: Path) -> bool:
    rest, log = work / "rest.aig", work / "abc.log"
    commands = [f"miter {gold} {gate}", "orpos", f"scorr -F {_CYCLES}"]
    commands += [f"write_aiger {rest}", f"pdr -T {_PDR_S}"]
    script = "; ".join(commands)
    run_tool([str(_ABC), "-c", script], cwd=work, log=log, timeout=_LIMIT_S)
    words = rest.read_bytes().split(b"\n", 2)
    # Without gates its one output is a constant: 0 if the outputs are always equal.
    nothing = words[0].split()[3:] == [b"0", b"1", b"0"] and words[1] == b"0"
    return nothing or _PROVED in log.read_text(encoding="utf-8", errors="replace")
