# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that the curve engine's control and addresses do not depend on its numbers.

It is a proof of `runs.py`, in which the packet of the curve and the header of an operation are
public. Control may also know:

- the status, and `refused`, which is high only in the cycle in which a test of the program ends an
  operation: a number out of range, a point off the curve, an invalid signature. Between such tests
  nothing depends on data;
- failure of the source of randomness.

So for two runs with the same curve, whose operations are not refused, control and addresses are
equal in every cycle, for any scalars, coordinates and random numbers.
"""

from collections.abc import Iterable
from pathlib import Path

from montcore.cores.contract import MODULUS
from montcore.ecc.design import EngineDesign
from montcore_lab.proofs.netlist import DATA_INPUTS
from montcore_lab.proofs.runs import Knowledge, control_faults

REFUSED = ("u_sequence.refused", "u_sequence.status_q", "u_random.fail")

_DATAPATH = "u_engine.u_datapath"
#: Addresses of the engine's memories; elements have four copies, scalars three of one address.
ADDRESSES = (
    *(f"u_engine.u_table.u_ram.{name}" for name in ("raddr_i", "waddr_i", "we_i")),
    *(f"{_DATAPATH}.{name}" for name in ("operand", "row", "m_index", "m_row")),
    *(f"{_DATAPATH}.{name}" for name in ("m_we", "s_index", "s_row", "s_we")),
    *(f"u_engine.u_scalar.{name}" for name in ("raddr", "waddr", "we")),
)


def knowledge(design: EngineDesign) -> Knowledge:
    """Return what control may depend on."""
    several = [f"g_context[{index}]." for index in range(design.contexts)]
    places = several if design.contexts > 1 else [""]
    # The modulus is of the curve, and public.
    inner = {one.register for one in design.core.verdicts if one.streams != MODULUS}
    return Knowledge(
        places=tuple(f"{place}u_engine." for place in places),
        verdicts=(),
        beats=(("cfg_data_i", ""), ("y_data_i", "u_packets.y_header_q==0&u_packets.y_beat==1")),
        assumed=(
            *(f"{place}u_engine.{name}" for place in places for name in REFUSED),
            *(f"u_multiplier.u_core.{name}" for name in sorted(inner)),
        ),
        addresses=tuple(f"{place}{name}" for place in places for name in ADDRESSES),
        data=(*DATA_INPUTS, "random_data_i"),
    )


def engine_faults(
    design: EngineDesign, known: Knowledge | None = None, sources: Iterable[Path] | None = None
) -> list[str]:
    """Return what of control depends on numbers.

    Args:
        design: the engine.
        known: what control may depend on; `knowledge` if None.
        sources: its files; the design's own if None.

    Raises:
        CheckFailedError: as `control_faults`.
    """
    files = design.sources() if sources is None else sources
    return control_faults(design.top, files, design.parameters(), known or knowledge(design))
