# SPDX-License-Identifier: Apache-2.0
"""Description of other open multipliers: their files and how to simulate them.

Their sources are not part of montcore. A peer is driven through an adapter of ours, a module
`montcore_peer`
with the same ports for all (``rtl/montcore_peer_bench.sv``), and measured without it.
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
        name: how montcore calls it.
        title: what it is.
        home: where its sources are published.
        licence: under which terms, as its files say.
        files: what is read of it, below the folder of its sources, in order.
        top: the module that is measured.
        clock: the clock port of that module.
        adapter: file with our `montcore_peer` around it, in `RTL`.
        own: files of ours that are read as well, in `RTL`.
        replaced: by the name of one of its files, ours in its place in the measurement, in `RTL`.
        parameters: what the top module is built with for a width, numbers.
        generics: the same for VHDL, which GHDL converts; None for Verilog.
        library: the library of VHDL that its files are in.
        edits: what is written otherwise in copies of the files, since our tools do not read it.
        r_bits: log2 R for a width.
        constant: what the caller computes from the modulus beforehand; 0 if nothing.
        refuses: why it cannot be built for a width, or None.
        span: what the cycles count.
        lacks: what it leaves to its user, a sentence.
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
