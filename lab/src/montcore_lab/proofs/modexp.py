# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that the exponentiator's control does not depend on base and exponent.

It is a proof of `runs.py`, for a policy, in which the packet of the modulus and the header of the
exponent are public. Control may also know whether the operands are accepted, in the state that
answers them, and of a pair the signals of `PAIR`.
"""

import tempfile
from pathlib import Path

from montcore.modexp.design import ExponentiatorDesign
from montcore.support.errors import CheckFailedError
from montcore_lab.proofs.runs import Knowledge, control_faults
from montcore_lab.proofs.verdicts import verdict_registers

#: Of a pair: whether a modulus that is marked as public is the kept one, and its length.
PAIR = ("u_kept.same", "u_kept.top_q")
#: The verdict in its state, StJudge, and the beat of the exponent's header.
VERDICTS = (("operands_bad", "u_sequence.state_q==19"),)
HEADER = "u_packets.y_header_q==0&u_packets.y_beat==1"

#: Where a pair's memories are, but those in the blocks of its row: their addresses pass from block
#: to block beside operands, in one register, of which the search sees only the whole.
PLACES_IN_PAIR = ("g_side*", "u_kept*", "u_multiplier.u_engine.g_side*")

#: How the policy is read, and in which files, how often.
_POLICY = "policy_q == Policy"
_FILES = {"montcore_modexp_packets.sv": 4, "montcore_modexp_squares.sv": 2}


def knowledge(design: ExponentiatorDesign) -> Knowledge:
    """Return what control may depend on."""
    several = "g_side" if design.pair else "g_slot" if design.slots > 1 else ""
    count = 2 if design.pair else design.slots
    inside = [f"{several}[{index}]." for index in range(count)] if several else [""]
    # A lazy unit is a datapath without the core's front end.
    inner = [] if design.core.lazy_unit() is not None else verdict_registers(design.core)
    memories = PLACES_IN_PAIR if design.pair else ("*",)
    return Knowledge(
        places=tuple(f"{place}u_engine." for place in inside),
        verdicts=VERDICTS,
        beats=(("cfg_data_i", ""), ("y_data_i", HEADER)),
        assumed=(
            *(PAIR if design.pair else ()),
            *(f"u_multiplier.u_core.{name}" for name in inner),
        ),
        addresses=tuple(f"{at}.{pin}" for at in memories for pin in ("raddr_i", "waddr_i", "we_i")),
    )


def exponentiator_faults(
    design: ExponentiatorDesign, policy: int, known: Knowledge | None = None
) -> list[str]:
    """Return what of control depends on base or exponent under a policy.

    Args:
        design: the exponentiator, with one clock.
        policy: as in the header of the exponent.
        known: what control may depend on; `knowledge` if None.

    Raises:
        CheckFailedError: as `control_faults`; or the design is not supported.
    """
    build = design.build()
    if build.extra_flags:
        raise CheckFailedError("the netlist is made of builds with one clock")
    with tempfile.TemporaryDirectory() as folder:
        sources = [_tied(path, policy, Path(folder)) for path in build.sources]
        return control_faults(build.top, sources, build.parameters, known or knowledge(design))


def _tied(source: Path, policy: int, folder: Path) -> Path:
    """Return a file; if it reads the policy, return a copy with a constant instead."""
    if source.name not in _FILES:
        return source
    count = _FILES[source.name]
    text = source.read_text(encoding="utf-8")
    if text.count(_POLICY) != count:
        raise CheckFailedError(f"{source.name} does not compare the policy with {count} numbers")
    copy = folder / source.name
    copy.write_text(text.replace(_POLICY, f"2'd{policy} == Policy"), encoding="utf-8")
    return copy
