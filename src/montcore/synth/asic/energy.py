# SPDX-License-Identifier: Apache-2.0
"""Energy per product in a cell library: netlist toggles combined with OpenSTA's power report.

The method and its limits are those of `docs/measuring.md`, "Energy of a product". OpenSTA 2.0
cannot read activities of single nets, hence two reports of the power. A cell with two outputs
weighs them equally.
"""

import random
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from montcore.cores.core import Core
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.support.errors import CheckFailedError
from montcore.synth.asic.library import OSU018_DESCRIPTION, cell_library
from montcore.synth.asic.macros import macros_of
from montcore.synth.asic.memory import Macro
from montcore.synth.asic.sta import run_sta
from montcore.synth.gatesim.check import compare
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.result import SynthResult
from montcore.synth.target import MAPPED

#: Numbers of products of the two streams.
STREAMS = (8, 40)
_PERIOD_NS = 10.0
_REPORT_MARK = "cell powers:"
_NUMBER = r"(-?[\d.]+(?:e[+-]\d+)?)"
_POWER_LINE = re.compile(rf"^\s*{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}\s+\S+\s+(\S+)\s*$")


@dataclass(frozen=True)
class CellPower:
    """Power of one cell in W at the period of the report: dynamic, and leakage."""

    dynamic: float
    leakage: float


@dataclass(frozen=True)
class Energy:
    """Energy of one product in sustained operation, in nJ.

    Attributes:
        data: energy of the transitions of all cells' outputs.
        leakage: leakage between two results at the shortest clock period.
    """

    clock: float
    data: float
    leakage: float

    @property
    def total(self) -> float:
        """Total energy in nJ."""
        return self.clock + self.data + self.leakage


def energy_of(core: Core, result: SynthResult, description: Path = OSU018_DESCRIPTION) -> Energy:
    """Return the energy per product of the netlist that a result in a library is based on."""
    netlist = Path(result.log_dir) / MAPPED
    if not netlist.is_file():
        raise CheckFailedError(
            f"its netlist is no longer in the cache; `make clean`, then: {result.command}"
        )
    if result.interval is None or result.tmin_ns is None:
        raise CheckFailedError(f"no interval or no clock is known of: {result.command}")
    top = core.top
    own = {name: macro for name, (macro, _) in macros_of(cell_library(description)).items()}
    names = (name.lstrip("\\") for name in result.cells)
    macros = tuple(size for name in names if (size := own.get(name) or Macro.of_cell(name)))
    build = GateBuild(top, (netlist,), macros=macros, description=description)
    shorter, longer = (toggles(core, build, count) for count in STREAMS)
    per_product = (longer.astype(np.float64) - shorter) / (STREAMS[1] - STREAMS[0])
    with tempfile.TemporaryDirectory() as folder:
        spef = netlist.with_suffix(".spef")
        wires = spef if spef.is_file() else None
        liberty = cell_library(description).liberty
        quiet, busy = cell_powers(netlist, top, liberty, (0.0, 1.0), Path(folder), wires)
    return combine(
        build.outputs(), per_product, quiet, busy, result.interval, result.interval * result.tmin_ns
    )


def combine(
    outputs: Mapping[str, Sequence[int]],
    toggled: npt.NDArray[np.float64],
    quiet: Mapping[str, CellPower],
    busy: Mapping[str, CellPower],
    cycles: int,
    time_ns: float,
) -> Energy:
    """Combine toggles and powers into an energy per product.

    Args:
        outputs: nets that each cell drives, by the name of its instance.
        quiet, busy: powers with nothing and with everything toggling once a cycle.
    """
    clock = data = leakage = 0.0
    for name, nets in outputs.items():
        if name not in quiet or name not in busy:
            raise CheckFailedError(f"OpenSTA reports no power of the cell {name}")
        # 1 W for 1 ns is 1 nJ.
        still = quiet[name].dynamic * _PERIOD_NS
        moving = busy[name].dynamic * _PERIOD_NS - still
        clock += still * cycles
        if nets:
            data += moving * float(np.mean(toggled[list(nets)]))
        leakage += quiet[name].leakage * time_ns
    return Energy(clock, data, leakage)


def toggles(core: Core, build: GateBuild, count: int) -> npt.NDArray[np.uint32]:
    """Return how often each net changes in a stream of random products.

    Args:
        count: number of products; longer streams begin with the products of shorter ones.
    """
    rng = random.Random(DEFAULT_OPTIONS.vector_seed)
    bits = core.bits
    m = rng.getrandbits(bits) | 1 | (1 << (bits - 1))
    products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(count)]
    with tempfile.NamedTemporaryFile() as file:
        simulator = Simulator(core, rtl=build, environment={"MONTCORE_TOGGLES": file.name})
        outcomes = simulator.run(products, mode="stream")
        found = np.fromfile(file.name, np.uint32)
    compare(core, products, outcomes, f"the netlist of {core.name} {core.label()}")
    if not found.size:
        raise CheckFailedError("the simulator of the netlist wrote no toggles")
    return found


def cell_powers(
    netlist: Path,
    top: str,
    liberty: Path,
    activities: Sequence[float],
    work: Path,
    spef: Path | None = None,
) -> list[dict[str, CellPower]]:
    """Return each cell's power from OpenSTA with all nets toggling at given activities.

    Args:
        activities: transitions of each net per cycle; each value gives one report.
    """
    commands = [
        f"read_liberty {{{liberty}}}",
        f"read_verilog {{{netlist}}}",
        # Memory macros are left unlinked: OpenSTA 2.0 crashes when it computes their power.
        f"link_design {top}",
        f"create_clock -name clk -period {_PERIOD_NS:g} [get_ports clk_i]",
    ]
    if spef is not None:
        commands += ["set_propagated_clock [all_clocks]", f"read_spef {{{spef}}}"]
    for activity in activities:
        commands += [
            f"set_power_activity -global -activity {activity} -duty 0.5",
            f"set_power_activity -input -activity {activity} -duty 0.5",
            f'puts "{_REPORT_MARK}"',
            "report_power -instances [get_cells *] -digits 12",
        ]
    _, *reports = run_sta(commands, work, "power").split(f"{_REPORT_MARK}\n")
    return [parse_powers(report) for report in reports]


def parse_powers(report: str) -> dict[str, CellPower]:
    """Return the powers in an instance report by instance name."""
    found = {}
    for line in report.splitlines():
        match = _POWER_LINE.match(line)
        if match is None:
            continue
        internal, switching, leakage = (float(text) for text in match.groups()[:3])
        found[match[4].replace("\\", "")] = CellPower(internal + switching, leakage)
    return found
