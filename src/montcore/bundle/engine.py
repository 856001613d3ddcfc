# SPDX-License-Identifier: Apache-2.0
"""The bundle of a curve engine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from montcore.bundle.figures import Row, rows, synthesis_rows
from montcore.bundle.parts import (
    DEFAULT_SEED,
    PREFER_VERILATOR,
    BundleResult,
    PageValues,
    Progress,
    bundle_name,
    check_one_clock,
    hex_lines,
    write_bench,
    write_page,
    write_rendered,
    write_sources,
)
from montcore.bundle.pipeline import BundleKind, Made, make
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.target import DEFAULT_TARGET
from montcore.ecc.curves import Curve, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest, curve_packet, operand_packets
from montcore.ecc.isa import EngineStatus
from montcore.ecc.picture import draw
from montcore.ecc.program import Operation
from montcore.ecc.synthesis import EngineFlow, widest_curve
from montcore.support.commands import settings_words
from montcore.support.paths import HW_DIR
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target, options_here

#: The test's short curve: all operations run on it, but only a few on the widest one that fits.
SHORT = "secp112r1"
#: Cycles without progress after which the test is aborted.
_LIMIT = 40_000_000
_CURVE, _X, _Y, _ANSWER, _LOADED, _ZEROIZE = range(6)


def build_engine(
    design: EngineDesign,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    synth: bool = False,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of a curve engine and run its own test; see `build`.

    Raises:
        RequestError: the folder is not empty or cannot be written, no curve fits, or the multiplier
            has two clocks.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    kind = EngineBundle(design, target, seed)
    return make(kind, output, synth=synth, progress=progress)


class EngineBundle(BundleKind):
    """A curve engine.

    Raises:
        RequestError: the multiplier has two clocks, no curve fits, or there is no target.
    """

    page = "engine.md"
    simulator = "verilator"  # Icarus Verilog would take many minutes.

    def __init__(
        self, design: EngineDesign, target: str = DEFAULT_TARGET, seed: int = DEFAULT_SEED
    ) -> None:
        check_one_clock(design.core)
        self.design = design
        self.curve = widest_curve(design.length)
        several = f"_c{design.contexts}" if design.contexts > 1 else ""
        words = settings_words(design.settings().items())
        super().__init__(
            target,
            seed,
            name=f"ecc_{bundle_name(design.core, None)}{several}",
            title=f"Curve engine over {design.core.name}",
            label=design.core.label(),
            request=f"montcore build ecc{words} --bits {design.length}",
            facts={
                "core": "ecc",
                "over": design.core.name,
                "bits": design.length,
                "params": design.core.settings(),
                "bus_width": design.width,
                "curve": self.curve.name,
            },
        )

    def write_rtl(self, folder: Path) -> list[str]:
        """Write the sources of the engine, its top module and the file list."""
        # All sources: if a module in a disabled branch is missing, Verilator reports its parameters
        # as unused.
        sources = self.design.sources(get_target(self.target).technology)
        files = write_sources(sources, self.design.defines, folder, self.name)
        self._write_top("a constant for each operation on a curve", folder)
        return files

    def note_latency(self, folder: Path, outcome: BenchOutcome) -> None:
        """Write the latency into the top module's header."""
        what = f"{outcome.cycles} cycles for k P on {self.curve.name}"
        self._write_top(f"{what}, last operand beat to first result", folder)

    def _write_top(self, latency: str, folder: Path) -> None:
        design, on = self.design, get_target(self.target)
        # The bundle's version, with resolved switches.
        source = (folder / "rtl" / f"{design.top}.sv").read_text(encoding="utf-8")
        ports = source.partition(") (\n")[2].partition("\n);")[0]
        parameters = design.parameters(on.technology).items()
        values = {
            "name": self.name,
            "top": design.top,
            "label": design.title(),
            "target": on.title,
            "bits": design.length,
            "latency": latency,
            "ports": ports.replace("[Width-1:0]", f"[{design.width - 1}:0]"),
            "overrides": ",\n".join(f"      .{key}({value})" for key, value in parameters),
        }
        write_rendered(folder, {f"rtl/{self.name}.sv": "engine.sv"}, values)

    def write_test(self, folder: Path) -> None:
        """Write a test of all operations on a short curve, and of k P on the widest."""
        design = self.design
        script = _script(design, self.curve)
        values = {
            "name": self.name,
            "width": design.width,
            "lines": len(script.stimulus),
            "limit": _LIMIT,
            "copies": -(-design.width // 64),
            "seed": f"{(self.seed * 0x9E3779B97F4A7C15 + 1) % 2**64 or 1:016x}",
        }
        stimulus = hex_lines(script.stimulus, design.width + 6)
        tables = stimulus, hex_lines(script.expected, design.width)
        write_bench(folder, values, "engine_tb.sv", tables, simulators=PREFER_VERILATOR)

    def measure(
        self, folder: Path, files: Sequence[str], progress: Progress | None
    ) -> SynthResult | None:
        """Measure the engine."""
        options = options_here(self.target)
        return EngineFlow(self.design).synthesise(self.target, progress=progress, opts=options)

    def write_rest(self, made: Made) -> PageValues:
        """Draw a schedule and write the description of the port."""
        draw(self.design, made.folder / "schedule", ".svg")
        write_page(_port_page(), made.folder / "PORT.md")
        return {
            "core": self.design.core.name,
            "bits": self.design.length,
            "figures": rows(self._figures(made)),
        }

    def _figures(self, made: Made) -> Iterator[Row]:
        cycles, period = made.test.cycles, made.period_ns
        what = f"k P on {self.curve.name} in cycles, last operand beat to first result beat"
        yield what, f"{cycles:,}", "`sh run_test.sh`"
        area = "area of the cells, multiplier and program included"
        yield from synthesis_rows(made.synthesis, area, self.measuring)
        if period is not None:
            yield "k P at that period", f"{cycles * period / 1e3:.1f} us", "cycles x period"


class _Script:
    """The lines of a test: stimulus and expected answers."""

    def __init__(self, design: EngineDesign) -> None:
        self.design = design
        self.stimulus: list[int] = []
        self.expected: list[int] = []
        #: Whether streams and answers have random gaps.
        self.gaps = False

    def line(self, kind: int, data: int = 0, *, last: bool = True, measured: bool = False) -> None:
        """Add a line; the data of an event is its expected value."""
        width = self.design.width
        word = measured << 5 | self.gaps << 4 | kind << 1 | last
        sent = kind <= _Y
        self.stimulus.append(word << width | (data if sent else 0))
        self.expected.append(0 if sent else data)

    def packet(self, kind: int, packet: tuple[int, int], *, measured: bool = False) -> None:
        """Add the beats of a packet, lowest first."""
        value, beats = packet
        mask = (1 << self.design.width) - 1
        for index in range(beats):
            beat = value >> index * self.design.width & mask
            self.line(kind, beat, last=index == beats - 1, measured=measured)

    def load(self, curve: Curve, error: int = 0) -> None:
        """Load a curve."""
        self.packet(_CURVE, curve_packet(self.design, curve))
        self.line(_LOADED, error)

    def ask(
        self,
        curve: Curve,
        item: EngineRequest,
        status: EngineStatus,
        answer: tuple[int, int] = (0, 0),
        *,
        measured: bool = False,
    ) -> None:
        """Request an operation."""
        x, y = operand_packets(self.design, curve, item)
        self.packet(_Y, y)
        self.packet(_X, x)
        width, beats = self.design.width, self.design.beats(curve.bits)
        number = answer[0] | answer[1] << beats * width
        self.packet(_ANSWER, (status | number << width, 1 + 2 * beats), measured=measured)


def _signature(curve: Curve, k: int, d: int, e: int) -> tuple[int, int]:
    point = curve.multiply(k, curve.base)
    r = (point or (0, 0))[0] % curve.n
    return r, pow(k, -1, curve.n) * (e + r * d) % curve.n


def _operations(script: _Script, curve: Curve) -> None:
    """Request all operations on a curve, and invalid ones that must be refused."""
    n, base = curve.n, (curve.x, curve.y)
    k, d, e = n // 3, n // 5, n // 7
    key = curve.multiply(d, curve.base) or base
    script.ask(
        curve,
        EngineRequest(Operation.BASE, (k,)),
        EngineStatus.OK,
        curve.multiply(k, base) or (0, 0),
    )
    script.ask(curve, EngineRequest(Operation.BASE, (n,)), EngineStatus.INFINITY)
    script.ask(curve, EngineRequest(Operation.BASE, (2 * n,)), EngineStatus.RANGE)
    script.ask(
        curve, EngineRequest(Operation.MULTIPLY, (2,), (curve.x, curve.y ^ 1)), EngineStatus.POINT
    )
    script.ask(curve, EngineRequest(Operation.MULTIPLY, (2,), (curve.x,)), EngineStatus.LENGTH)
    r, s = _signature(curve, k, d, e)
    script.ask(curve, EngineRequest(Operation.SIGN, (k, d), (e,)), EngineStatus.OK, (r, s))
    script.ask(curve, EngineRequest(Operation.VERIFY, (r, s), (e, *key)), EngineStatus.OK)
    script.ask(
        curve, EngineRequest(Operation.VERIFY, (r, s), (e ^ 1, *key)), EngineStatus.SIGNATURE
    )


def _script(design: EngineDesign, curve: Curve) -> _Script:
    """Return the test: operations on the short curve, refusals, k P on `curve`."""
    script, short = _Script(design), get_curve(SHORT)
    # Without a curve every answer has one beat.
    script.packet(_Y, (int(Operation.BASE), 1))
    script.packet(_X, (1, design.beats(2)))
    script.line(_ANSWER, EngineStatus.CURVE)
    script.load(replace(short, y=short.y ^ 1), 4)
    script.load(short)
    _operations(script, short)
    script.gaps = True
    script.load(short)
    double = short.multiply(2, short.base) or (0, 0)
    script.ask(short, EngineRequest(Operation.BASE, (2,)), EngineStatus.OK, double)
    script.gaps = False
    script.line(_ZEROIZE)
    script.load(curve)
    k = curve.n // 3
    wanted = curve.multiply(k, curve.base) or (0, 0)
    request = EngineRequest(Operation.MULTIPLY, (k,), (curve.x, curve.y))
    script.ask(curve, request, EngineStatus.OK, wanted, measured=True)
    return script


def _port_page() -> str:
    """Return the engine datasheet's sections on port and secrets, and the common port."""
    text = (HW_DIR / "ecc" / "README.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in text.split("\n## ")[1:]}
    common = (HW_DIR / "common" / "README.md").read_text(encoding="utf-8").partition("\n")[2]
    own = "\n".join(f"## {sections[title].strip()}\n" for title in ("Ports", "Secrets"))
    return f"# Port of the curve engine\n\n{own}\n# The common port\n\n{common}"
