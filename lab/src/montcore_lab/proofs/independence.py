# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that a core's control outputs do not depend on the data it is given.

The whole cone of logic of the control outputs, through all registers and memories, is searched for
data inputs. The registers that hold a verdict on the data (is the modulus odd, is the operand in
range) are cut: only on these may control depend. So two runs with the same handshakes and the same
verdicts have equal control outputs in every cycle, at any size.

`verdicts.py` proves what a verdict register may hold, and when control may use it.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.proofs.netlist import DATA_INPUTS, Netlist, cone_of


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
        CheckFailedError: Yosys failed, or a register does not exist.
    """
    cut = verdict_registers(core) if registers is None else registers
    return reaching_with_each(core, [cut], technology)[0]


def reaching_with_each(
    core: Core, cuts: Sequence[Sequence[str]], technology: Technology = SIMULATION
) -> list[list[str]]:
    """Return `reaching_data` for each of several sets of registers, with a single elaboration."""
    files, parameters = tuple(core.sources()), core.sv_parameters(technology)

    def search() -> list[list[str]]:
        with tempfile.TemporaryDirectory() as folder:
            netlist = Netlist.of(core.top, files, parameters, Path(folder))
        found = []
        for registers in cuts:
            cut = {bit for register in registers for bit in netlist.wire(register)}
            control = cone_of(netlist, netlist.control_outputs(), cut, through=True)
            found.append([name for name in DATA_INPUTS if control & {*netlist.port(name)}])
        return found

    about = ["cone", core.top, dict(parameters), [list(cut) for cut in cuts]]
    return remembered(Question(about, files, asked_by=("montcore_lab.proofs",)), search)
