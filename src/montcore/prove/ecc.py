# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that the curve engine's control and addresses do not depend on its numbers.

As `independence.py` does it for a multiplier: no data input is in the cone of logic behind the
control outputs and the addresses of every memory of the engine, once what control may know is cut.
That is, beside the multiplier's own verdicts:

- what the headers say, `HEADERS`: lengths, form of the curve, counts, the operation. Two of these
  are wires: the checks of a header act in the cycle of its own beat and are zero in every other;
- the verdicts on a curve and on an operation, `VERDICTS`. `refused` is a wire that is high only in
  the cycle in which a test of the program ends an operation: a number out of range, a point off the
  curve, a signature that does not fit. Between such tests nothing acts on data. `status_q` is the
  answer's first beat;
- that the source of randomness fails, `SOURCE`.

So for two runs with the same curve, whose operations are not refused, control and addresses are
alike in every cycle, whatever scalars, coordinates and random numbers are.
"""

from collections.abc import Sequence
from pathlib import Path

from montcore.ecc.design import TOP, Design
from montcore.prove.independence import (
    DATA_INPUTS,
    DATA_OUTPUTS,
    reaching_inputs,
    verdict_registers,
)

_PACKETS, _SEQUENCE = "u_engine.u_packets", "u_engine.u_sequence"
HEADERS = tuple(
    f"{_PACKETS}.{name}"
    for name in (
        *("p_length_q", "n_length_q", "family_q", "public_q", "columns_q", "windows_q"),
        *("operation_q", "header_bad", "counts_bad"),
    )
)
VERDICTS = (
    *(f"{_PACKETS}.{name}" for name in ("bad_q", "even_q")),
    *(f"{_SEQUENCE}.{name}" for name in ("refused", "status_q")),
)
SOURCE = ("u_engine.u_random.fail",)

_DATAPATH = "u_engine.u_datapath"
#: Addresses of the engine's memories; elements have four copies, scalars three of one address.
ADDRESSES = (
    *(f"u_engine.u_table.u_ram.{name}" for name in ("raddr_i", "waddr_i", "we_i")),
    *(f"{_DATAPATH}.u_elements.{name}" for name in ("operand", "row", "m_index_i", "m_row_i")),
    *(f"{_DATAPATH}.u_elements.{name}" for name in ("m_we_i", "s_index_i", "s_row_i", "s_we_i")),
    *(f"u_engine.u_scalar.{name}" for name in ("raddr", "waddr", "we")),
)


def control_knows(design: Design) -> tuple[str, ...]:
    """Return everything that is cut, with the multiplier's verdicts by their paths."""
    inner = (f"u_multiplier.u_core.{name}" for name in verdict_registers(design.core))
    return (*HEADERS, *VERDICTS, *SOURCE, *inner)


def reaching_engine(
    design: Design,
    verdicts: Sequence[str] | None = None,
    sources: Sequence[Path] | None = None,
) -> list[str]:
    """Return the data inputs from which control or an address can be reached.

    Args:
        design: the engine.
        verdicts: what is cut; all of `control_knows` if None.
        sources: its files; the design's own if None.

    Raises:
        CheckFailedError: as `reaching_inputs`.
    """
    return reaching_inputs(
        TOP,
        design.sources() if sources is None else sources,
        design.parameters(),
        data_inputs=(*DATA_INPUTS, "random_data_i"),
        data_outputs=DATA_OUTPUTS,
        verdicts=control_knows(design) if verdicts is None else verdicts,
        wires=ADDRESSES,
        bitwise=True,
    )
