# SPDX-License-Identifier: Apache-2.0
"""Memories and DSP blocks of FPGA netlists in terms of cells that have a model.

The families' memories differ in names and shapes. Each becomes cells of `models/memories.v`, as far
as the mapped cores use it: of a block memory one port writes and one reads, both as wide, with a
registered output and no other option. The DSP block of Virtex-5 becomes that of Virtex-6, of which
Yosys has a model: it is the same block, with an adder before the multiplier that is off. That of
UltraScale+ keeps what `models/dsp48e2.v` has.
"""

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from montcore.support.errors import CheckFailedError

Item = dict[str, Any]
Bits = list[Any]
#: Bits on the pins of one port of a block memory, by what they are.
Port = dict[str, Bits]

_LUT_MEMORY = re.compile(r"RAM(\d+)(X1D|M(?:8|16)?)")
_BLOCK_MEMORY = re.compile(r"RAMB\w+|DP16KD")
#: Parameters of block memories that have no effect here, or that are read below.
_PARAMETERS = re.compile(
    r"INIT.*|SRVAL.*|WRITE_?MODE_.|(READ|WRITE|DATA)_WIDTH_.|RAM_(MODE|EXTENSION_.)|DO[AB]?_REG"
    r"|REGMODE_.|RESETMODE|ASYNC_RESET_RELEASE|CSDECODE_.|CLK.MUX|GSR"
)
#: Values of parameters with which a block memory has a model.
_PLAIN = {
    **dict.fromkeys(("DO_REG", "DOA_REG", "DOB_REG"), 0),
    **dict.fromkeys(("RAM_EXTENSION_A", "RAM_EXTENSION_B"), "NONE"),
    **{"REGMODE_B": "NOREG", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB"},
}
_ROLES = ("clock", "enable", "bytes", "address", "data", "parity", "out", "parity_out")
#: Pins of the Xilinx families' block memories, in the order of `_ROLES`.
_PINS = {
    "A": "CLKA ENA WEA ADDRA DIA DIPA DOA DOPA",
    "B": "CLKB ENB WEB ADDRB DIB DIPB DOB DOPB",
    "A of E1": "CLKARDCLK ENARDEN WEA ADDRARDADDR DIADI DIPADIP DOADO DOPADOP",
    "B of E1": "CLKBWRCLK ENBWREN WEBWE ADDRBWRADDR DIBDI DIPBDIP DOBDO DOPBDOP",
    "A of E2": "CLKARDCLK ENARDEN WEA ADDRARDADDR DINADIN DINPADINP DOUTADOUT DOUTPADOUTP",
    "B of E2": "CLKBWRCLK ENBWREN WEBWE ADDRBWRADDR DINBDIN DINPBDINP DOUTBDOUT DOUTPBDOUTP",
    "write": "WRCLK WREN WE WRADDR DI DIP - -",
    "read": "RDCLK RDEN - RDADDR - - DO DOP",
}
#: Parameters and pins of the model of DSP48E2. Its other pins are 0, its other parameters 0 or:
_KEPT = re.compile(
    r"[ABCMP]REG|[AB]CASCREG|[AB]_INPUT|CLK|OPMODE|[ABCP]|[ABP]C(IN|OUT)|CE([AB][12]|[CMP])"
    r"|RST[ABCMP]"
)
_USUAL = {"USE_MULT": "MULTIPLY", "USE_SIMD": "ONE48", "AMULTSEL": "A", "BMULTSEL": "B"}


def with_models(module: Item) -> None:
    """Replace the memories of a netlist, and the DSP blocks of Virtex-5, in place.

    Args:
        module: its entry in the output of Yosys' ``write_json``.
    """
    cells: dict[str, Item] = module["cells"]
    used = [bit for net in module["netnames"].values() for bit in net["bits"]]
    free = count(1 + max([1, *(bit for bit in used if isinstance(bit, int))]))
    for name, item in list(cells.items()):
        if item["type"] in ("DSP48E", "DSP48E1", "DSP48E2"):
            _check_product(item)
        if item["type"] == "DSP48E2":
            _keep_inferred(item)
        elif item["type"] == "DSP48E":
            _become_virtex_6(item)
        elif _BLOCK_MEMORY.fullmatch(item["type"]):
            cells[name] = _block_memory(item, free)
        elif _LUT_MEMORY.fullmatch(item["type"]):
            del cells[name]
            for number, table in enumerate(_tables(item)):
                cells[f"{name}.{number}"] = table


def _no_model(item: Item) -> CheckFailedError:
    return CheckFailedError(f"there is no model of a {item['type']} as the netlist uses it")


def _pin(item: Item, name: str) -> Bits:
    bits: Bits = item["connections"].get(name)
    if not bits:
        raise _no_model(item)
    return bits


def _value(item: Item, name: str) -> Any:
    value = str(item["parameters"].get(name, "0"))
    return int(value, 2) if set(value) <= {"0", "1"} else value


def _cell(kind: str, pins: dict[str, Bits], **values: int) -> Item:
    parameters = {name: f"{value:032b}" for name, value in values.items()}
    return {"type": kind, "parameters": parameters, "attributes": {}, "connections": pins}


def _check_product(item: Item) -> None:
    """Refuse a product that Yosys' model of a DSP block gives and the block does not."""
    opmode = item["connections"].get("OPMODE", ["0"] * 7)
    # The multiplexers X and Y take both halves of the product or none.
    halves = [way == ["1", "0"] for way in (opmode[:2], opmode[2:4])]
    off = _value(item, "USE_MULT") == "NONE" or _value(item, "USE_SIMD") not in (0, "ONE48")
    if not {*opmode[:4]} <= {"0", "1"} or halves[0] != halves[1] or (halves[0] and off):
        raise _no_model(item)


def _keep_inferred(item: Item) -> None:
    pins, values, opmode = item["connections"], item["parameters"], _pin(item, "OPMODE")
    if opmode[0] != "1" or {*opmode[7:]} != {"0"}:  # no product, or a fourth addend
        raise _no_model(item)
    for name in [name for name in (*pins, *values) if not _KEPT.fullmatch(name)]:
        off = _value(item, name) == _USUAL.get(name, 0) and {*pins.pop(name, "0")} == {"0"}
        if not off:
            raise _no_model(item)
        values.pop(name, None)


def _become_virtex_6(item: Item) -> None:
    pins, values = item["connections"], item["parameters"]
    if set(pins.get("CARRYINSEL", ["0"])) != {"0"}:  # the carries of the two blocks differ
        raise _no_model(item)
    item["type"] = "DSP48E1"
    values.pop("MULTCARRYINREG", None)
    values |= {"ADREG": "0", "DREG": "0", "INMODEREG": "0", "USE_DPORT": "FALSE"}
    pins.pop("CEMULTCARRYIN", None)
    pins["INMODE"] = ["0"] * 5


def _tables(item: Item) -> Iterator[Item]:
    """Yield a memory for each read port of look-up tables that are memory."""
    found = _LUT_MEMORY.fullmatch(item["type"])
    assert found
    pins, bits = item["connections"], int(found[1]).bit_length() - 1
    if _value(item, "IS_WCLK_INVERTED"):
        raise _no_model(item)
    ports = [("A", "A", "D", "SPO"), ("A", "DPRA", "D", "DPO")]
    if found[2] != "X1D":
        tables = "ABCD" if found[2] == "M" else "ABCDEFGH"
        write = f"ADDR{tables[-1]}"
        ports = [(write, f"ADDR{table}", f"DI{table}", f"DO{table}") for table in tables]

    def address(name: str) -> Bits:
        return pins[name] if name in pins else [_pin(item, f"{name}{n}")[0] for n in range(bits)]

    for write_addr, read_addr, data, out in ports:
        if pins.get(out):
            on = {
                "clk": _pin(item, "WCLK"),
                "write": _pin(item, "WE"),
                "write_addr": address(write_addr),
                "data": _pin(item, data),
                "read_addr": address(read_addr),
                "data_out": pins[out],
            }
            yield _cell("lut_memory", on, AddrBits=bits, Width=len(pins[out]))


def _block_memory(item: Item, free: Iterator[int]) -> Item:
    """Return a block memory as a `block_memory`; `free` gives numbers of nets for open outputs."""
    for name in item["parameters"]:
        plain = _value(item, name) == _PLAIN.get(name, _value(item, name))
        if not (plain and _PARAMETERS.fullmatch(name)):
            raise _no_model(item)
    ports = _ecp5_ports if item["type"] == "DP16KD" else _xilinx_ports
    write, read, lanes = ports(item)

    def inputs(bits: Bits, number: int) -> Bits:
        return [*bits, *["0"] * number][:number]

    def outputs(bits: Bits, number: int) -> Bits:
        return [*bits, *(next(free) for _ in range(number))][:number]

    on = {
        "write_clk": write["clock"],
        "write": [*write["enable"], "1"][:2],
        "bytes": inputs(write["bytes"], lanes),
        "write_addr": write["address"],
        "data": inputs(write["data"], 8 * lanes),
        "parity": inputs(write["parity"], lanes),
        "read_clk": read["clock"],
        "read": read["enable"],
        "read_addr": read["address"],
        "data_out": outputs(read["out"], 8 * lanes),
        "parity_out": outputs(read["parity_out"], lanes),
    }
    return _cell("block_memory", on, AddrBits=len(write["address"]), Bytes=lanes)


def _xilinx_ports(item: Item) -> tuple[Port, Port, int]:
    """Return the port that writes, the port that reads, and the bytes of a word."""
    kind, pins = item["type"], item["connections"]

    def port(name: str) -> Port:
        links = zip(_ROLES, _PINS[name].split(), strict=True)
        return {role: list(pins.get(pin, [])) for role, pin in links}

    if kind.endswith("SDP"):
        return port("write"), port("read"), 4 if kind == "RAMB18SDP" else 8
    fixed = re.fullmatch(r"RAMB16_S(\d+)_S\1", kind)
    if fixed:
        write, lanes = port("A"), int(fixed[1]) // 9
        return write | {"bytes": write["bytes"] * lanes}, port("B"), lanes
    widths = {
        way + side: _value(item, f"{way}_WIDTH_{side}")
        for way in ("WRITE", "READ")
        for side in "AB"
    }
    used = {name: width for name, width in widths.items() if width}
    if set(used) not in ({"WRITEA", "READB"}, {"WRITEB", "READA"}) or len({*used.values()}) > 1:
        raise _no_model(item)
    width = max(used.values())
    newer = f" of {kind[-2:]}" if kind[-2] == "E" else ""
    a, b = (port(side + newer) for side in "AB")
    whole = width == (36 if "18" in kind else 72)
    if whole or _value(item, "RAM_MODE") == "SDP":
        if "WRITEA" in used or not whole:
            raise _no_model(item)
        # The halves of a word are at both ports.
        both = {role: a[role] + b[role] for role in ("data", "parity", "out", "parity_out")}
        a, b = a | both, b | both
    lowest = (width * 8 // 9 if width >= 9 else width).bit_length() - 1
    for side in (a, b):
        side["address"] = side["address"][lowest : 15 if "36" in kind else 14]
    write, read = (a, b) if "WRITEA" in used else (b, a)
    return write, read, max(1, width // 9)


def _ecp5_ports(item: Item) -> tuple[Port, Port, int]:
    """Return the ports of a memory in which A writes and B reads, and the bytes of a word."""
    width = _value(item, "DATA_WIDTH_A")
    if width not in (9, 18, 36) or _value(item, "DATA_WIDTH_B") != width:
        raise _no_model(item)
    lanes = width // 9

    def bus(name: str, bits: int) -> Bits:
        return [_pin(item, f"{name}{number}")[0] for number in range(bits)]

    def address(name: str) -> Bits:
        return bus(name, 14)[2 + lanes.bit_length() :]

    data = bus("DIA", 18) + bus("DIB", 18)
    # With 36 bits the low half leaves on the outputs of port A.
    out = bus("DOA", 18) + bus("DOB", 18) if lanes == 4 else bus("DOB", 18)
    write = {
        "clock": _pin(item, "CLKA"),
        "enable": _pin(item, "CEA") + _pin(item, "WEA"),
        "bytes": ["1"] if lanes == 1 else bus("ADA", lanes),
        "address": address("ADA"),
        "data": [bit for place, bit in enumerate(data) if place % 9 != 8],
        "parity": data[8::9],
    }
    read = {
        "clock": _pin(item, "CLKB"),
        "enable": _pin(item, "CEB"),
        "address": address("ADB"),
        "out": [bit for place, bit in enumerate(out) if place % 9 != 8],
        "parity_out": out[8::9],
    }
    return write, read, lanes
