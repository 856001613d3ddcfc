# SPDX-License-Identifier: Apache-2.0
"""Wires as SPEF, the parasitics file for static timing."""

from collections.abc import Mapping
from pathlib import Path

from montcore.synth.asic.placement.wires import PORT, Net
from montcore.synth.asic.sizing.editable import Gate

_HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{top}"
*DATE ""
*VENDOR "montcore"
*PROGRAM "montcore"
*VERSION "1"
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""
_LEAST_OHM = 0.01


def write_spef(
    path: Path,
    top: str,
    nets: Mapping[int, Net],
    names: Mapping[int, str],
    gates: list[Gate],
    outputs: frozenset[str],
) -> None:
    """Write the wires of a netlist.

    Args:
        names: net name of each bit, also the port name of a port bit.
        outputs: names of pins that drive.
    """
    lines = [_HEAD.format(top=top)]
    for bit, net in nets.items():
        tree = net.tree
        nodes = [
            names[bit] if gate == PORT else f"{gates[gate].name}:{pin}" for gate, pin in net.pins
        ]
        lines.append(f"*D_NET {names[bit]} {net.capacitance:.6g}")
        lines.append("*CONN")
        for index, ((gate, pin), node) in enumerate(zip(net.pins, nodes, strict=True)):
            if gate == PORT:
                lines.append(f"*P {node} {'O' if index else 'I'}")
            else:
                lines.append(f"*I {node} {'O' if pin.partition('[')[0] in outputs else 'I'}")
        caps = [0.0] * len(nodes)
        for child, parent in enumerate(tree.parents):
            if parent >= 0:
                half = tree.lengths[child] * net.wire.pf_per_um / 2
                caps[child] += half
                caps[parent] += half
        lines.append("*CAP")
        lines += [
            f"{i + 1} {node} {cap:.6g}"
            for i, (node, cap) in enumerate(zip(nodes, caps, strict=True))
        ]
        lines.append("*RES")
        number = 0
        for child, parent in enumerate(tree.parents):
            if parent >= 0:
                number += 1
                ohms = max(tree.lengths[child] * net.wire.ohm_per_um, _LEAST_OHM)
                lines.append(f"{number} {nodes[parent]} {nodes[child]} {ohms:.4g}")
        lines.append("*END\n")
    path.write_text("\n".join(lines) + "\n")
