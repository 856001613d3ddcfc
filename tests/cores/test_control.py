# SPDX-License-Identifier: Apache-2.0
"""Control of every core is independent of its data, on the netlist, but for valid verdicts."""

from pathlib import Path
from typing import Any

import pytest

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, DspBlock, Technology
from montcore_lab.proofs.netlist import FlatNetlist
from montcore_lab.proofs.runs import TwoRuns
from montcore_lab.proofs.verdicts import knowledge, verdict_faults

#: Technologies that lead to other styles of the same core.
TREES = Technology(multiplier_trees=True)
GRID = Technology(dsp=DspBlock(25, 18))
COLUMNS = Technology(dsp=DspBlock(25, 18, pre_adder=True))

#: Width in bits at which each core is built in all of its styles: several beats, the last of them
#: not full, so that the check of the length also depends on data.
BITS = 70

MORE: list[Any] = [
    ("smm", {"npe": "1"}, 64, TREES),
    ("smm", {"npe": "8"}, 256, SIMULATION),
    ("smm", {"npe": "8", "w": "32", "schedule": "paper"}, 256, SIMULATION),
    ("karatsuba", {}, 70, TREES),
    ("karatsuba", {"schedule": "paper"}, 256, GRID),
    ("karatsuba", {"depth": "2"}, 64, SIMULATION),
    ("dsp", {"alpha": "2"}, 64, SIMULATION),
    *(
        (name, {"w": "8"}, bits, SIMULATION)
        for name in ("mx", "cs", "op", "rc")
        for bits in (8, 21)
    ),
    *(("cs4", {"w": "16"}, bits, SIMULATION) for bits in (8, 21)),
    *((name, {"w": "8", "shape": "2d"}, 8, SIMULATION) for name in ("mx", "op")),
    # The same registers at lengths that take many seconds.
    *(
        pytest.param(*more, marks=pytest.mark.nightly)
        for more in (
            ("smm", {"npe": "3"}, 521, SIMULATION),
            ("karatsuba", {}, 256, SIMULATION),
            ("karatsuba", {"schedule": "paper", "depth": "2"}, 192, COLUMNS),
            ("dsp", {}, 521, SIMULATION),
            ("mx", {"w": "32", "shape": "2d"}, BITS, SIMULATION),
        )
    ),
]


#: An array with a few rows: its real size takes ten seconds.
SMALL_ARRAY = {"w": "8", "shape": "2d"}


def styles() -> list[Any]:
    """Return every core in each of its styles."""
    found = []
    for core in all_cores().values():
        for point in core.styles(BITS):
            array = point.settings().get("shape") == "2d"
            found.append(core.configure(SMALL_ARRAY, 21) if array else point)
    return [pytest.param(point, id=f"{point.name} {point.label()}") for point in found]


@pytest.mark.parametrize("core", styles())
@pytest.mark.one_in(9)
def test_data_reaches_control_through_verdicts_and_through_each_of_them(
    core: Core, tmp_path: Path
) -> None:
    assert verdict_faults(core) == []
    netlist = FlatNetlist.of(core.top, core.sources(), core.sv_parameters(), tmp_path)
    for left_out in core.verdicts:
        others = [verdict for verdict in core.verdicts if verdict != left_out]
        found = TwoRuns(netlist, knowledge(others)).differing(tmp_path)
        assert found, f"{left_out} tells nothing"


@pytest.mark.parametrize(("name", "settings", "bits", "technology"), MORE)
@pytest.mark.one_in(9)
def test_nor_do_they_at_other_sizes_and_in_other_technologies(
    name: str, settings: dict[str, str], bits: int, technology: Technology
) -> None:
    core = get_core(name).configure(settings, bits)
    assert verdict_faults(core, technology=technology) == []
