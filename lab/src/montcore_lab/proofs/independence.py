# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that a core's control outputs do not depend on the data it is given.

The whole cone of logic of the control outputs, through all registers and memories, is searched for
data inputs. The registers that hold a verdict on the data (is the modulus odd, is the operand in
range) are cut: only on these may control depend. So two runs with the same handshakes and the same
verdicts have equal control outputs in every cycle, at any size.

`verdicts.py` proves what a verdict register may hold, and when control may use it.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.support.errors import TransientError
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys
from montcore_lab.checkout.remembered import Question, remembered

#: The data of the common port (hw/common/README.md).
DATA_INPUTS = ("cfg_data_i", "x_data_i", "y_data_i")
DATA_OUTPUTS = ("z_data_o",)


def elaborate(top: str, sources: Iterable[Path], parameters: Mapping[str, int]) -> list[str]:
    """Return the commands of Yosys that read a design and flatten it."""
    values = " ".join(f"-G {key}={value}" for key, value in parameters.items())
    files = " ".join(map(str, sources))
    return [f"read_slang {values} --top {top} {files}", f"prep -flatten -top {top}"]


def verdict_registers(core: Core) -> list[str]:
    """Return the registers that hold the verdicts of a core."""
    return list(dict.fromkeys(verdict.register for verdict in core.verdicts))


def reaching_data(
    core: Core, registers: Sequence[str] | None = None, technology: Technology = SIMULATION
) -> list[str]:
    """Return the data inputs of a core from which a control output can be reached.

    Args:
        core: the core.
        registers: registers to cut; those of the core's verdicts if None.
        technology: technology that the core is built for.

    Raises:
        CheckFailedError: as `reaching_inputs`.
    """
    cut = verdict_registers(core) if registers is None else registers
    return reaching_with_each(core, [cut], technology)[0]


def reaching_with_each(
    core: Core, cuts: Sequence[Sequence[str]], technology: Technology = SIMULATION
) -> list[list[str]]:
    """Return `reaching_data` for each of several sets of registers, with a single elaboration."""
    return reaching_inputs(core.top, core.sources(), core.sv_parameters(technology), cuts)


def reaching_inputs(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    cuts: Sequence[Sequence[str]],
    also: Sequence[str] = (),
) -> list[list[str]]:
    """Return the data inputs from which a control output can be reached.

    Args:
        top: the core's top module.
        sources: its files, packages first.
        parameters: parameters of the top module.
        cuts: sets of registers to cut, by their paths, e.g. ``u_front.u_loader.range_q``; each is
            searched separately.
        also: wires that count as control too, by their paths.

    Raises:
        CheckFailedError: Yosys failed, or a register or port does not exist.
    """
    files = tuple(sources)

    def search() -> list[list[str]]:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            commands = elaborate(top, files, parameters)
            commands += [f"select -assert-min 1 i:{port}" for port in DATA_INPUTS]
            commands.append("design -save whole")
            for index, cut in enumerate(cuts):
                commands += _cone(work, index, cut, also)
            run_yosys(commands, work, "cone", DEFAULT_OPTIONS)
            return [
                [port for port in DATA_INPUTS if _selected(work / f"{port}.{index}")]
                for index in range(len(cuts))
            ]

    about = ["cone", top, dict(parameters), [list(cut) for cut in cuts], list(also)]
    return remembered(Question(about, files, asked_by=("montcore_lab.proofs",)), search)


def _cone(work: Path, index: int, cut: Sequence[str], also: Sequence[str]) -> list[str]:
    """Return the commands that write the data inputs behind control, once registers are cut."""
    outputs = " ".join(f"o:{port} %d" for port in DATA_OUTPUTS)
    commands = ["design -load whole"]
    for register in cut:
        commands += [f"select -assert-min 1 w:{register}", f"cutpoint w:{register}"]
    # A packed struct is one wire; split it, so that its bits have separate dependencies.
    commands.append("splitnets")
    commands += [f"select -assert-min 1 w:{wire}*" for wire in also]
    more = " ".join(f"w:{wire}*" for wire in also)
    commands.append(f"select -set control o:* {outputs} {more}")
    commands.append("select -set cone @control %ci*")
    for port in DATA_INPUTS:
        # The clock is in every file, so that one that could not be written is noticed.
        commands.append(f"select -write {work / port}.{index} @cone i:{port} %i i:clk_i %u")
    return commands


def _selected(file: Path) -> bool:
    """Tell whether a file of selected ports holds any besides the clock."""
    lines = set(file.read_text().split())
    clock = {line for line in lines if line.endswith("/clk_i")}
    if not clock:
        raise TransientError(f"{file} was not written, or only in part")
    return lines != clock
