# SPDX-License-Identifier: Apache-2.0
"""Description of other open multipliers: their files and how to simulate them.

Their sources are not part of montcore. A peer is driven through an adapter of ours, a module
`montcore_peer` with the same ports for all (``rtl/montcore_peer_bench.sv``), and measured without
it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: Our own files for peers.
RTL = Path(__file__).parent / "rtl"


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A multiplier from another project.

    Attributes:
        name: montcore's name for it.
        title: description.
        home: where its sources are published.
        licence: its licence, as stated in its files.
        files: its files that are read, relative to the folder of its sources, in order.
        top: the module that is measured.
        clock: the clock port of that module.
        adapter: file with our `montcore_peer` around it, in `RTL`.
        own: files of ours that are also read, in `RTL`.
        replaced: for names of its files, our replacements in the measurement, in `RTL`.
        parameters: the top module's numeric parameters for a width.
        generics: the same for VHDL, which GHDL converts; None for Verilog.
        library: VHDL library of its files.
        edits: replacements in copies of the files, for constructs that our tools do not support.
        r_bits: log2 R for a width.
        constant: value that the caller precomputes from the modulus; 0 if none.
        refuses: the reason why it cannot be built for a width, or None.
        span: the interval in which the cycles are counted.
        lacks: functions that it leaves to the user, in a sentence.
    """

    name: str
    title: str
    home: str
    licence: str
    files: tuple[str, ...]
    top: str
    clock: str
    adapter: str
    r_bits: Callable[[int], int]
    span: str
    lacks: str
    own: tuple[str, ...] = ()
    replaced: Mapping[str, str] = field(default_factory=dict)
    parameters: Callable[[int], Mapping[str, int]]
    generics: Callable[[int], Mapping[str, str]] | None = None
    library: str = ""
    edits: tuple[tuple[str, str], ...] = ()
    constant: Callable[[int], int] = lambda _: 0
    refuses: Callable[[int], str | None] = lambda _: None
