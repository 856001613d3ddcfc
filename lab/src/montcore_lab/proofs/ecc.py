# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that the curve engine's control and addresses do not depend on its numbers.

As in `independence.py` for a multiplier: no data input is in the cone of logic of the control
outputs and of the addresses of every memory of the engine, once the signals that control may depend
on are cut. Besides the multiplier's own verdicts, these are:

- the contents of the headers, `HEADERS`: lengths, form of the curve, counts, the operation. Two of
  these are wires: the checks of a header act in the cycle of its own beat and are zero in every
  other;
- the verdicts on a curve and on an operation, `VERDICTS`. `refused` is a wire that is high only in
  the cycle in which a test of the program ends an operation: a number out of range, a point off the
  curve, an invalid signature. Between such tests nothing depends on data. `status_q` is the
  answer's first beat;
- failure of the source of randomness, `SOURCE`.

So for two runs with the same curve, whose operations are not refused, control and addresses are
equal in every cycle, for any scalars, coordinates and random numbers.
"""

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from montcore.ecc.design import EngineDesign
from montcore.support.errors import CheckFailedError
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys
from montcore_lab.proofs.independence import DATA_INPUTS, DATA_OUTPUTS, elaborate, verdict_registers

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
    *(f"{_DATAPATH}.{name}" for name in ("operand", "row", "m_index", "m_row")),
    *(f"{_DATAPATH}.{name}" for name in ("m_we", "s_index", "s_row", "s_we")),
    *(f"u_engine.u_scalar.{name}" for name in ("raddr", "waddr", "we")),
)


def control_knows(design: EngineDesign) -> tuple[str, ...]:
    """Return all signals to cut, including the multiplier's verdicts by their paths."""
    inner = (f"u_multiplier.u_core.{name}" for name in verdict_registers(design.core))
    return (*_in_each(design, (*HEADERS, *VERDICTS, *SOURCE)), *inner)


def _in_each(design: EngineDesign, names: Iterable[str]) -> list[str]:
    """Return names in the engine, or in the engine of each context."""
    several = [f"g_context[{index}]." for index in range(design.contexts)]
    places = several if design.contexts > 1 else [""]
    return [f"{place}{name}" for place in places for name in names]


Bit = int | str


class EngineCone:
    """An engine's bit-level netlist, in which the cone of control is searched.

    Bits are distinguished, because registers and multiplexers combine data with control.

    Args:
        design: the engine.
        sources: its files; the design's own if None.

    Raises:
        CheckFailedError: Yosys failed.
    """

    def __init__(self, design: EngineDesign, sources: Iterable[Path] | None = None) -> None:
        top = design.top
        files = design.sources() if sources is None else sources
        with tempfile.TemporaryDirectory() as folder:
            commands = elaborate(top, files, design.parameters())
            commands += ["simplemap", "write_json netlist.json"]
            run_yosys(commands, Path(folder), "netlist", DEFAULT_OPTIONS)
            text = (Path(folder) / "netlist.json").read_text()
        module: dict[str, Any] = json.loads(text)["modules"][top]
        self._wires = {name: wire["bits"] for name, wire in module["netnames"].items()}
        inputs = (*DATA_INPUTS, "random_data_i")
        self._addresses = _in_each(design, ADDRESSES)
        self._data = {bit: name for name in inputs for bit in module["ports"][name]["bits"]}
        self._outputs: list[Bit] = [
            bit
            for name, port in module["ports"].items()
            if port["direction"] == "output" and name not in DATA_OUTPUTS
            for bit in port["bits"]
        ]
        self._behind: dict[Bit, list[Bit]] = {}
        for cell in module["cells"].values():
            ways = cell["port_directions"]
            pins = cell["connections"].items()
            read = [bit for pin, bits in pins if ways[pin] == "input" for bit in bits]
            for pin, bits in pins:
                if ways[pin] == "output":
                    self._behind.update(dict.fromkeys(bits, read))

    def _bits(self, wire: str) -> list[Bit]:
        if wire not in self._wires:
            raise CheckFailedError(f"the netlist has no {wire}")
        return list(self._wires[wire])

    def reaching(self, cut: Sequence[str]) -> set[str]:
        """Return the data inputs from which control or an address can be reached.

        Args:
            cut: signals that control may depend on, from `control_knows`.

        Raises:
            CheckFailedError: the netlist has no wire of that name.
        """
        seen = {bit for name in cut for bit in self._bits(name)}
        start = [*self._outputs, *(bit for name in self._addresses for bit in self._bits(name))]
        open_bits = [bit for bit in start if bit not in seen]
        found = set()
        while open_bits:
            bit = open_bits.pop()
            if bit in seen:
                continue
            seen.add(bit)
            if bit in self._data:
                found.add(self._data[bit])
            open_bits.extend(self._behind.get(bit, ()))
        return found
