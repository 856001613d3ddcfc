# SPDX-License-Identifier: Apache-2.0
"""The peers that montcore can measure."""

from montcore.support.errors import RequestError
from montcore_lab.peers.peer import Peer


def _minus_inverse(bits: int, m: int) -> int:
    """Return -m^-1 mod 2^bits."""
    return -pow(m, -1, 1 << bits) % (1 << bits)


def _caliptra(radix: int) -> Peer:
    parts = ("mult_dsp", "adder", "pe", "pe_first", "pe_final", "montgomerymultiplier")

    def parameters(bits: int) -> dict[str, int]:
        return {"REG_SIZE": bits, "RADIX": radix}

    def r_bits(bits: int) -> int:
        return (-(-bits // radix) + 1) * radix

    def refuses(bits: int) -> str | None:
        return (
            "with an odd number of words its products are wrong" if -(-bits // radix) % 2 else None
        )

    return Peer(
        name=f"caliptra-r{radix}",
        title=f"multiplier of the ECC core of Caliptra, radix 2^{radix}",
        home="github.com/chipsalliance/caliptra-rtl",
        licence="Apache-2.0",
        files=tuple(f"src/ecc/rtl/ecc_{part}.sv" for part in parts),
        top="ecc_montgomerymultiplier",
        clock="clk",
        adapter="montcore_peer.caliptra.sv",
        parameters=parameters,
        r_bits=r_bits,
        constant=lambda m: _minus_inverse(radix, m),
        refuses=refuses,
        span="from the start pulse to the result, operands and modulus at their ports",
        lacks="The caller computes -M^-1; nothing is checked; the modulus stays at its port; "
        "numbers go in and out in one cycle over four buses of the built width.",
    )


_VHDL = (
    *("std_functions", "mod_sim_exp_pkg", "d_flip_flop", "register_1b", "register_n"),
    *("cell_1b_adder", "cell_1b_mux", "cell_1b", "adder_block", "standard_cell_block"),
    *("sys_stage", "sys_first_cell_logic", "sys_last_cell_logic", "counter_sync"),
    *("stepping_logic", "x_shift_reg", "sys_pipeline", "mont_multiplier"),
)

_MOD_SIM_EXP = Peer(
    name="mod_sim_exp",
    title="radix-2 systolic pipeline, four bits a stage",
    home="github.com/freecores/mod_sim_exp",
    licence="LGPL-2.1-or-later",
    files=tuple(f"rtl/vhdl/core/{part}.vhd" for part in _VHDL),
    top="mont_multiplier",
    clock="core_clk",
    adapter="montcore_peer.mod_sim_exp.sv",
    parameters=lambda _: {},
    library="mod_sim_exp",
    generics=lambda bits: {"n": f"{bits}", "t": f"{bits // 4}", "tl": "1", "split": "false"},
    # GHDL names an instance's port after the instance's label, which clashes with a signal.
    edits=(("my0_mux : cell_1b_mux", "first_mux : cell_1b_mux"),),
    r_bits=lambda bits: bits,
    refuses=lambda bits: None if bits % 4 == 0 and bits >= 16 else "its stages have four bits",
    span="from X at the port to the result, Y and the modulus at their ports all the time",
    lacks="Y and the modulus stay at their ports, so their registers are not counted; nothing "
    "is checked; one product at a time.",
)

_SECWORKS = Peer(
    name="secworks",
    title="bit-serial multiplier of the exponentiator modexp",
    home="github.com/secworks/modexp",
    licence="BSD-2-Clause",
    files=tuple(f"src/rtl/{part}.v" for part in ("adder32", "shr32", "blockmem1r1w", "montprod")),
    top="montprod",
    clock="clk",
    adapter="montcore_peer.secworks.sv",
    replaced={"blockmem1r1w.v": "blockmem1r1w.sv"},
    parameters=lambda _: {},
    r_bits=lambda bits: (bits // 32 + 1) * 32,
    refuses=lambda bits: (
        None
        if bits < 8160 and bits % 32 < 31
        else "two bits of its 255 words of 32 bits must stay free"
    ),
    span="from the start pulse to the last word of the result, operands in memories outside",
    lacks="Three external memories hold the operands and are not counted; nothing is checked. "
    "Its memory of intermediate results has 256 words at every width. Products are wrong for "
    "a modulus with fewer than two unused bits in its words, so one word is added.",
)

_FIOS = Peer(
    name="fios",
    title="folded row of DSP blocks, FIOS order; its blocks as plain logic",
    home="github.com/LOUISNOYEZ/FIOS_DSP_MM",
    licence="none stated",
    files=(
        "SRC/RTL/delay_line.sv",
        "SRC/RTL/MM_top_control.sv",
        *(
            f"SRC/RTL/4A/NOCASC_4A/{part}.sv"
            for part in (
                "DSP_model_NOCASC_4A/generic_DSP_NOCASC_4A",
                "PE_NOCASC_4A",
                "FIOS_MM_NOCASC_4A",
                "FIOS_control_1_NOCASC_4A",
                "FIOS_control_2_NOCASC_4A",
                "FIOS_control_3_NOCASC_4A",
                "FIOS_NOCASC_4A",
            )
        ),
        "SRC/RTL/MM_top.sv",
    ),
    top="montcore_peer_fios",
    clock="clk_i",
    adapter="montcore_peer.fios.sv",
    own=("montcore_peer_fios.sv",),
    parameters=lambda bits: {"Words": -(-(bits + 2) // 17)},
    # Blocking and non-blocking assignments to one register.
    edits=(("data_dly[i] = 0;", "data_dly[i] <= 0;"),),
    r_bits=lambda bits: -(-(bits + 2) // 17) * 17,
    constant=lambda m: _minus_inverse(17, m),
    span="from the start pulse to the last word of the result, words of 17 bits in and out "
    "included",
    refuses=lambda bits: (
        None if bits >= 250 else "with few words its products are wrong or do not terminate"
    ),
    lacks="The caller computes -M^-1; results are below 2 M, without a final subtraction; it "
    "computes one product per reset; nothing is checked.",
)

_MODMULCS = Peer(
    name="modmulcs",
    title="interleaved carry-save multiplier of ICCAD 2022, not pipelined",
    home="github.com/momalab/ModmulCS",
    licence="GPL-3.0",
    files=tuple(
        f"rtl/non-pipelined/{part}.v"
        for part in (
            *("Majority", "Topup", "CarrySaveAdder", "Lcu", "Rx", "MainRound", "ShrinkerRound"),
            *("SqueezerRule", "Squeezer", "SplitAdder", "SplitAdderRound", "Multiplier"),
        )
    ),
    top="Multiplier",
    clock="clock",
    adapter="montcore_peer.modmulcs.sv",
    parameters=lambda bits: {"N": bits},
    r_bits=lambda _: 0,
    span="from the first cycle without reset to the result, modulus and constants at their ports; "
    "the mean, since the number depends on the operands",
    lacks="The caller computes five constants of the modulus; they and the modulus, 1,536 bits, "
    "stay at their ports, so their registers are not counted; its time depends on the operands; "
    "nothing is checked.",
)

#: The peers by name.
PEERS = {
    peer.name: peer
    for peer in (_caliptra(16), _caliptra(32), _FIOS, _MOD_SIM_EXP, _MODMULCS, _SECWORKS)
}


def get_peer(name: str) -> Peer:
    """Return a peer.

    Raises:
        RequestError: there is no peer of that name.
    """
    if name not in PEERS:
        raise RequestError(f"there is no peer '{name}'; there are {', '.join(PEERS)}")
    return PEERS[name]
