# SPDX-License-Identifier: Apache-2.0
"""Show on the netlist that the exponentiator's control does not depend on base and exponent.

As in `independence.py` for a multiplier: no data input is in the cone of logic of the control
outputs and of the addresses and write enables of memories, once the signals that control may depend
on are cut. Besides the multiplier's own verdicts, these are:

- the contents of the headers: lengths and policy, `HEADERS`; the policy is fixed to one number;
- whether modulus and operands are accepted, `VERDICTS`: these are wires, not registers. `refused`
  is used only in `StVerdict` and `operands_bad` only in `StJudge`, in the cycles that answer a
  packet; so none of the registers behind them has an effect at any other time;
- the modulus's length in beats without leading zeros, `MODULUS`: the set-up's time depends on it.
"""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from montcore.modexp.design import ExponentiatorDesign
from montcore.support.errors import CheckFailedError
from montcore_lab.proofs.independence import reaching_inputs, verdict_registers

# room_q is a length less the bits of the beats that came: the place of the exponent's top bit.
HEADERS = tuple(
    f"u_packets.{name}" for name in ("length_q", "e_length_q", "length_bad_q", "room_q")
)
VERDICTS = ("refused", "operands_bad", "u_packets.error_q")
MODULUS = ("u_packets.top_beat_q",)

#: Where a pair's memories are, but those in the blocks of its row: their addresses pass from block
#: to block beside operands, in one register, of which the search sees only the whole.
PLACES_IN_PAIR = ("g_side*", "u_kept*", "u_multiplier.u_engine.g_side*")

#: How the policy is read, and in which files, how often.
_POLICY = "policy_q == Policy"
_FILES = {"montcore_modexp_packets.sv": 4, "montcore_modexp_squares.sv": 2}

#: Of a pair: which exponentiator the modulus packet is for, and of a modulus that is marked as
#: public the mark, whether it is the kept one, and its length.
PAIR = ("side_q", "u_kept.marked_q", "u_kept.same", "u_kept.top_q")


def control_knows(design: ExponentiatorDesign) -> tuple[str, ...]:
    """Return all signals to cut, including the multiplier's verdicts by their paths."""
    # A lazy unit is a datapath without the core's front end.
    verdicts = [] if design.core.lazy_unit() is not None else verdict_registers(design.core)
    return (
        *_in_each(design, (*HEADERS, *VERDICTS, *MODULUS)),
        *(PAIR if design.pair else ()),
        *(f"u_multiplier.u_core.{verdict}" for verdict in verdicts),
    )


def _in_each(design: ExponentiatorDesign, names: Iterable[str]) -> list[str]:
    """Return names in the engine, or in the engine of each exponentiator."""
    # A pattern for all slots: equal registers of two slots are merged in the netlist.
    place = "g_side*." if design.pair else "g_slot*." if design.slots > 1 else ""
    return [f"{place}u_engine.{name}" for name in names]


def reaching_exponentiator(
    design: ExponentiatorDesign, policy: int, cuts: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return the data inputs from which control or an address can be reached under a policy.

    Args:
        design: the exponentiator, with one clock.
        policy: as in the header of the exponent.
        cuts: sets of signals to cut, from `control_knows`; each is searched separately.

    Raises:
        CheckFailedError: as `reaching_inputs`; or the design is not supported.
    """
    build = design.build()
    if build.extra_flags:
        raise CheckFailedError("the cone is made of builds with one clock")
    with tempfile.TemporaryDirectory() as folder:
        sources = [_tied(path, policy, Path(folder)) for path in build.sources]
        places = PLACES_IN_PAIR if design.pair else ("*",)
        also = [f"{at}.{pin}" for at in places for pin in ("raddr_i", "waddr_i", "we_i")]
        return reaching_inputs(build.top, sources, build.parameters, cuts, also)


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
