# SPDX-License-Identifier: Apache-2.0
"""Reads the needed parts of a 32-bit RISC-V ELF file: loadable segments and symbols."""

import struct
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError

_LOAD = 1
_SYMBOL_TABLE = 2
_FUNCTION = 2


@dataclass(frozen=True)
class Symbol:
    """A symbol of a program: its address and size in bytes (0: unknown)."""

    address: int
    size: int
    is_function: bool


@dataclass(frozen=True)
class ElfProgram:
    """A linked program.

    Attributes:
        segments: address and bytes of each loadable segment.
        symbols: the symbols by name.
        entry: address of the first instruction.
    """

    segments: tuple[tuple[int, bytes], ...]
    symbols: dict[str, Symbol]
    entry: int

    def address(self, name: str) -> int:
        """Return the address of a symbol.

        Raises:
            CheckFailedError: the program has no symbol of that name.
        """
        if name not in self.symbols:
            raise CheckFailedError(f"the program has no symbol '{name}'")
        return self.symbols[name].address

    def function_bytes(self, name: str) -> int:
        """Return the code bytes of a function, from its .size."""
        self.address(name)
        return self.symbols[name].size


def read_program(path: Path) -> ElfProgram:
    """Read an ELF file.

    Raises:
        CheckFailedError: it is not a 32-bit little-endian ELF file.
    """
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x01\x01":
        raise CheckFailedError(f"{path} is not a 32-bit little-endian ELF file")
    header = struct.unpack_from("<HHIIIIIHHHHHH", data, 16)
    entry, program_at, section_at = header[3], header[4], header[5]
    program_size, programs, section_size, sections = header[8:12]
    segments = []
    for number in range(programs):
        kind, at, address, _, size, _, _, _ = struct.unpack_from(
            "<8I", data, program_at + number * program_size
        )
        if kind == _LOAD and size:
            segments.append((address, data[at : at + size]))
    tables = [
        struct.unpack_from("<10I", data, section_at + number * section_size)
        for number in range(sections)
    ]
    symbols = {}
    for table in tables:
        if table[1] == _SYMBOL_TABLE:
            names_at = tables[table[6]][4]
            for at in range(table[4], table[4] + table[5], 16):
                name, value, size, info, _, _ = struct.unpack_from("<IIIBBH", data, at)
                end = data.index(b"\0", names_at + name)
                text = data[names_at + name : end].decode()
                symbols[text] = Symbol(value, size, info & 15 == _FUNCTION)
    return ElfProgram(tuple(segments), symbols, entry)
