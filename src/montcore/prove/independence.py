# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that a core's control outputs do not depend on the data it is given.

The whole cone of logic behind the control outputs, through all registers and memories, is searched
for the data inputs. The registers that hold a verdict on the data (is the modulus odd, is the
operand in range) are cut: the core may act on these, and on nothing else. So two runs with the same
handshakes and the same verdicts are alike in every control output in every cycle, at any size.

What a verdict register may hold, and when control may look at it, is proved by `verdicts.py`.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.support.errors import CheckFailedError

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
        [sys.executable, "-m", "montcore.prove.yosys", "-ql", str(log), str(script)],
        cwd=work,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        lines = [line for line in log.read_text().splitlines() if "ERROR" in line]
        raise CheckFailedError(f"{what}: {' '.join(lines)}")


def verdict_registers(core: ConfiguredCore) -> list[str]:
    """Return the registers that hold the verdicts of a core."""
    return list(dict.fromkeys(verdict.register for verdict in core.verdicts))


def reaching_data(
    core: ConfiguredCore,
    registers: Sequence[str] | None = None,
    technology: Technology = SIMULATION,
) -> list[str]:
    """Return the data inputs of a core from which a control output can be reached.

    Args:
        core: the core.
        registers: registers to cut; those of the core's verdicts if None.
        technology: what the core is built for.

    Raises:
        CheckFailedError: as `reaching_inputs`.
    """
    return reaching_inputs(
        core.top,
        core.sources(),
        core.sv_parameters(technology),
        data_inputs=DATA_INPUTS,
        data_outputs=DATA_OUTPUTS,
        verdicts=verdict_registers(core) if registers is None else registers,
    )


def reaching_inputs(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    *,
    data_inputs: Sequence[str],
    data_outputs: Sequence[str],
    verdicts: Sequence[str],
) -> list[str]:
    """Return the data inputs from which a control output can be reached.

    Args:
        top: the core's top module.
        sources: its files, packages first.
        parameters: of the top module.
        data_inputs: ports that carry data.
        data_outputs: output ports that carry data; all others are control outputs.
        verdicts: registers to cut, by their path, e.g. ``u_front.u_loader.range_q``.

    Raises:
        CheckFailedError: Yosys failed, or a verdict or port does not exist.
    """
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        values = " ".join(f"-G {key}={value}" for key, value in parameters.items())
        files = " ".join(str(path) for path in sources)
        commands = [f"read_slang {values} --top {top} {files}", f"prep -flatten -top {top}"]
        for verdict in verdicts:
            commands += [f"select -assert-min 1 w:{verdict}", f"cutpoint w:{verdict}"]
        # A packed struct is one wire, and what one of its bits knows is not known to the others.
        commands.append("splitnets")
        outputs = " ".join(f"o:{port} %d" for port in data_outputs)
        commands += [f"select -set control o:* {outputs}", "select -set cone @control %ci*"]
        for port in data_inputs:
            commands += [f"select -assert-min 1 i:{port}"]
            commands += [f"select -write {work / port}.txt @cone i:{port} %i"]
        run_script(work, commands, f"the cone of {top} cannot be made")
        for port in data_inputs:
            if (work / f"{port}.txt").read_text().strip():
                found.append(port)
    return found
