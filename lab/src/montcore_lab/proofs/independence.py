# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that a core's control outputs do not depend on the data it is given.

The whole cone of logic of the control outputs, through all registers and memories, is searched for
data inputs. The registers that hold a verdict on the data (is the modulus odd, is the operand in
range) are cut: only on these may control depend. So two runs with the same handshakes and the same
verdicts have equal control outputs in every cycle, at any size.

`verdicts.py` proves what a verdict register may hold, and when control may use it.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.support.errors import CheckFailedError, TransientError
from montcore.support.remembered import Question, remembered

#: The data of the common port (hw/common/README.md).
DATA_INPUTS = ("cfg_data_i", "x_data_i", "y_data_i")
DATA_OUTPUTS = ("z_data_o",)

TIMEOUT_SECONDS = 600


def run_script(work: Path, commands: Sequence[str], what: str) -> None:
    """Run Yosys commands in a folder.

    Raises:
        CheckFailedError: Yosys failed; the message begins with `what`.
    """
    script, log = work / "script.ys", work / "script.log"
    script.write_text("\n".join(commands) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "montcore_lab.proofs.yosys", "-ql", str(log), str(script)],
        cwd=work,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        lines = [line for line in log.read_text().splitlines() if "ERROR" in line]
        raise CheckFailedError(f"{what}: {' '.join(lines)}")


def verdict_registers(core: Core) -> list[str]:
    """Return the registers that hold the verdicts of a core."""
    return list(dict.fromkeys(verdict.register for verdict in core.verdicts))


def reaching_data(
    core: Core,
    registers: Sequence[str] | None = None,
    technology: Technology = SIMULATION,
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
    return reaching_inputs(
        core.top,
        core.sources(),
        core.sv_parameters(technology),
        data_inputs=DATA_INPUTS,
        data_outputs=DATA_OUTPUTS,
        cuts=cuts,
    )


def reaching_inputs(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    *,
    data_inputs: Sequence[str],
    data_outputs: Sequence[str],
    cuts: Sequence[Sequence[str]],
) -> list[list[str]]:
    """Return the data inputs from which a control output can be reached.

    Args:
        top: the core's top module.
        sources: its files, packages first.
        parameters: parameters of the top module.
        data_inputs: ports that carry data.
        data_outputs: output ports that carry data; all others are control outputs.
        cuts: sets of registers to cut, by their paths, e.g. ``u_front.u_loader.range_q``; each is
            searched separately.

    Raises:
        CheckFailedError: Yosys failed, or a register or port does not exist.
    """
    files = tuple(sources)
    ports = {"in": list(data_inputs), "out": list(data_outputs)}
    about = ["cone", top, dict(parameters), ports, [list(cut) for cut in cuts]]

    def search() -> list[list[str]]:
        return _search_cones(top, files, parameters, data_inputs, data_outputs, cuts)

    return remembered(Question(about, files, asked_by=("montcore_lab.proofs",)), search)


def _search_cones(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    data_inputs: Sequence[str],
    data_outputs: Sequence[str],
    cuts: Sequence[Sequence[str]],
) -> list[list[str]]:
    """Compute `reaching_inputs` with Yosys."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        values = " ".join(f"-G {key}={value}" for key, value in parameters.items())
        files = " ".join(str(path) for path in sources)
        outputs = " ".join(f"o:{port} %d" for port in data_outputs)
        commands = [f"read_slang {values} --top {top} {files}", f"prep -flatten -top {top}"]
        commands += [f"select -assert-min 1 i:{port}" for port in data_inputs]
        commands.append("design -save whole")
        for index, cut in enumerate(cuts):
            commands.append("design -load whole")
            for register in cut:
                commands += [f"select -assert-min 1 w:{register}", f"cutpoint w:{register}"]
            # A packed struct is one wire; split it, so that its bits have separate dependencies.
            commands.append("splitnets")
            commands += [f"select -set control o:* {outputs}", "select -set cone @control %ci*"]
            for port in data_inputs:
                # The clock is in every file, so that one that could not be written is noticed.
                commands.append(f"select -write {work / port}.{index} @cone i:{port} %i i:clk_i %u")
        run_script(work, commands, f"the cone of {top} cannot be made")
        return [
            [port for port in data_inputs if _selected(work / f"{port}.{index}")]
            for index in range(len(cuts))
        ]


def _selected(file: Path) -> bool:
    """Tell whether a file of selected ports holds any besides the clock."""
    lines = set(file.read_text().split())
    clock = {line for line in lines if line.endswith("/clk_i")}
    if not clock:
        raise TransientError(f"{file} was not written, or only in part")
    return lines != clock
