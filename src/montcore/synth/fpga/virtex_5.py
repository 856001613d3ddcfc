# SPDX-License-Identifier: Apache-2.0
"""The DSP block of Virtex-5 from that of Virtex-6, into which Yosys packs adders and registers.

It is the same block without the adder before the multiplier. Where that adder is used, the cell
stays what it is.
"""

#: Inputs and outputs of both blocks, with their widths in bits where they are vectors.
_INPUTS = (
    *("CLK", "A:30", "ACIN:30", "B:18", "BCIN:18", "C:48", "PCIN:48", "CARRYCASCIN", "MULTSIGNIN"),
    *("CARRYIN", "CARRYINSEL:3", "ALUMODE:4", "OPMODE:7", "CEA1", "CEA2", "CEALUMODE", "CEB1"),
    *("CEB2", "CEC", "CECARRYIN", "CECTRL", "CEM", "CEP", "RSTA", "RSTALLCARRYIN", "RSTALUMODE"),
    *("RSTB", "RSTC", "RSTCTRL", "RSTM", "RSTP"),
)
_OUTPUTS = (
    *("ACOUT:30", "BCOUT:18", "CARRYCASCOUT", "CARRYOUT:4", "MULTSIGNOUT", "OVERFLOW", "P:48"),
    *("PATTERNBDETECT", "PATTERNDETECT", "PCOUT:48", "UNDERFLOW"),
)
#: Inputs of the adder before the multiplier.
_PRE_ADDER = ("D:25", "INMODE:5", "CED", "CEAD", "CEINMODE", "RSTD", "RSTINMODE")
#: Parameters of both blocks: numbers of registers, and others with their values in Virtex-6.
_REGISTERS = (
    *("ACASCREG", "ALUMODEREG", "AREG", "BCASCREG", "BREG", "CARRYINREG", "CARRYINSELREG"),
    *("CREG", "MREG", "OPMODEREG", "PREG"),
)
_OTHERS = {"A_INPUT": '"DIRECT"', "B_INPUT": '"DIRECT"', "USE_SIMD": '"ONE48"'}
_OF_VIRTEX_6 = {
    **dict.fromkeys(("ADREG", "DREG", "INMODEREG"), "1"),
    **{"USE_DPORT": '"FALSE"', "USE_MULT": '"MULTIPLY"'},
}


def virtex_5_map() -> str:
    """Return the technology map from the one block to the other."""

    def declared(way: str, port: str) -> str:
        name, _, width = port.partition(":")
        return f"  {way} {f'[{int(width) - 1}:0] ' if width else ''}{name}"

    ports = [declared("input", port) for port in (*_INPUTS, *_PRE_ADDER)]
    ports += [declared("output", port) for port in _OUTPUTS]
    values = {**dict.fromkeys(_REGISTERS, "1"), **_OTHERS, **_OF_VIRTEX_6}
    kept = {name: name for name in (*_REGISTERS, *_OTHERS)}
    kept["MULTCARRYINREG"] = "CARRYINREG"
    kept["USE_MULT"] = '(USE_MULT == "NONE") ? "NONE" : MREG ? "MULT_S" : "MULT"'
    links = {port.partition(":")[0]: port.partition(":")[0] for port in (*_INPUTS, *_OUTPUTS)}
    links["CEMULTCARRYIN"] = "1'b1"

    def passed(names: dict[str, str]) -> str:
        return ",\n".join(f"    .{name}({value})" for name, value in names.items())

    return "\n".join(
        (
            "module DSP48E1 (",
            ",\n".join(ports),
            ");",
            *(f"  parameter {name} = {value};" for name, value in values.items()),
            '  wire _TECHMAP_FAIL_ = USE_DPORT == "TRUE";',
            f"  DSP48E #(\n{passed(kept)}\n  ) _TECHMAP_REPLACE_ (\n{passed(links)}\n  );",
            "endmodule\n",
        )
    )
