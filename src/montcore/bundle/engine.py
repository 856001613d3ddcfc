# SPDX-License-Identifier: Apache-2.0
"""The bundle of a curve engine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from montcore.bundle import parts
from montcore.bundle.pipeline import BundleKind, Made, Row, rows, synthesis_rows
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.sources import DEFAULT_TARGET
from montcore.bundle.vectors import BenchCase, CaseKind, CaseTables
from montcore.ecc.curves import Curve, Point, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest, curve_packet, operand_packets
from montcore.ecc.isa import EngineStatus
from montcore.ecc.picture import draw
from montcore.ecc.program import Operation
from montcore.ecc.synthesis import EngineFlow, widest_curve
from montcore.support.paths import HW_DIR
from montcore.support.words import settings_words
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target, options_here

#: The test's short curve: all operations run on it, but only a few on the widest one that fits.
SHORT = "secp112r1"
#: Cycles without progress after which the test is aborted.
_LIMIT = 40_000_000
#: The source of random words in the test: predictable, and so for a test only.
_RANDOM_LOGIC = """  logic random_ready;
  logic [31:0] random_q;
  always @(posedge clk_i) random_q <= random;
"""
_RANDOM_PORTS = """      .random_valid_i(1'b1),
      .random_ready_o(random_ready),
      .random_data_i(Width'({{{copies}{{random_q}}}})),
      .random_fail_i(1'b0),
"""


class EngineBundle(BundleKind):
    """A curve engine."""

    page = "engine.md"
    simulator = "verilator"  # Icarus Verilog would take many minutes.

    def __init__(self, design: EngineDesign, target: str = DEFAULT_TARGET) -> None:
        parts.check_one_clock(design.core)
        self.design = design
        self.curve = widest_curve(design.length)
        several = f"_c{design.contexts}" if design.contexts > 1 else ""
        words = settings_words(design.settings().items())
        super().__init__(
            target,
            name=f"ecc_{parts.bundle_name(design.core, None)}{several}",
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
        files = parts.write_sources(sources, self.design.defines, folder, self.name)
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
        parts.write_rendered(folder, {f"rtl/{self.name}.sv": "engine.sv"}, values)

    def write_test(self, folder: Path) -> None:
        """Write a test of all operations on a short curve, and of k P on the widest."""
        design = self.design
        tables = _tables(design, self.curve)
        values = {
            **tables.values(),
            "name": self.name,
            "width": design.width,
            "limit": _LIMIT,
            "seed": parts.seed_32(self.seed),
            "phases": "with random gaps",
            "first_phase": "Gaps",
            "more_logic": _RANDOM_LOGIC,
            "more_ports": _RANDOM_PORTS.format(copies=-(-design.width // 32)),
        }
        parts.write_bench(
            folder, values, "tb.sv", tables.texts(), simulators=parts.PREFER_VERILATOR
        )

    def measure(
        self, folder: Path, files: Sequence[str], progress: parts.Progress | None
    ) -> SynthResult | None:
        """Measure the engine."""
        options = options_here(self.target)
        return EngineFlow(self.design).synthesise(self.target, progress=progress, opts=options)

    def write_rest(self, made: Made) -> parts.PageValues:
        """Draw a schedule and write the description of the port."""
        draw(self.design, made.folder / "schedule", ".svg")
        parts.write_page(_port_page(), made.folder / "PORT.md")
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


class _Cases:
    def __init__(self, design: EngineDesign) -> None:
        self.design = design
        self.found: list[BenchCase] = []

    def load(self, curve: Curve, note: str, error: int = 0) -> None:
        """Load a curve."""
        packet, beats = curve_packet(self.design, curve)
        case = BenchCase(CaseKind.CONFIGURE, note, packet, x_beats=beats, status=error)
        self.found.append(case)

    def ask(
        self,
        curve: Curve,
        item: EngineRequest,
        status: EngineStatus,
        answer: Point | None = None,
        *,
        measured: bool = False,
    ) -> None:
        """Request an operation on a curve; its answer has the status and two numbers."""
        (x, x_beats), (y, y_beats) = operand_packets(self.design, curve, item)
        width, beats = self.design.width, self.design.beats(curve.bits)
        first, second = answer or (0, 0)
        z = status | first << width | second << (1 + beats) * width
        note = f"operations on {curve.name}"
        sizes = {"x_beats": x_beats, "y_beats": y_beats, "z_beats": 1 + 2 * beats}
        self.found.append(BenchCase(CaseKind.PRODUCT, note, x, y, z=z, measured=measured, **sizes))

    def operations(self, curve: Curve) -> None:
        """Request all operations on a curve, and invalid ones that must be refused."""
        ok, n, base = EngineStatus.OK, curve.n, (curve.x, curve.y)
        k, d, e = n // 3, n // 5, n // 7
        key = curve.multiply(d, base) or base
        point = curve.multiply(k, base)
        r = (point or base)[0] % n
        s = pow(k, -1, n) * (e + r * d) % n
        wrong = (curve.x, curve.y ^ 1)
        self.ask(curve, EngineRequest(Operation.BASE, (k,)), ok, point)
        self.ask(curve, EngineRequest(Operation.BASE, (n,)), EngineStatus.INFINITY)
        self.ask(curve, EngineRequest(Operation.BASE, (2 * n,)), EngineStatus.RANGE)
        self.ask(curve, EngineRequest(Operation.MULTIPLY, (2,), wrong), EngineStatus.POINT)
        self.ask(curve, EngineRequest(Operation.MULTIPLY, (2,), (curve.x,)), EngineStatus.LENGTH)
        self.ask(curve, EngineRequest(Operation.SIGN, (k, d), (e,)), ok, (r, s))
        self.ask(curve, EngineRequest(Operation.VERIFY, (r, s), (e, *key)), ok)
        other = EngineRequest(Operation.VERIFY, (r, s), (e ^ 1, *key))
        self.ask(curve, other, EngineStatus.SIGNATURE)


def _tables(design: EngineDesign, curve: Curve) -> CaseTables:
    """Return the test: operations on the short curve, refusals, k P on `curve`."""
    cases, short = _Cases(design), get_curve(SHORT)
    beats = design.beats(2)
    # Without a curve every answer has one beat.
    note, status = "no curve", EngineStatus.CURVE
    cases.found.append(
        BenchCase(CaseKind.PRODUCT, note, 1, int(Operation.BASE), beats, 1, z=status, z_beats=1)
    )
    cases.load(replace(short, y=short.y ^ 1), "a curve that is refused", 4)
    cases.load(short, f"curve {short.name}")
    cases.operations(short)
    cases.found.append(BenchCase(CaseKind.ZEROIZE, "zeroize: the curve is gone"))
    cases.load(curve, f"curve {curve.name}")
    base, k = (curve.x, curve.y), curve.n // 3
    request = EngineRequest(Operation.MULTIPLY, (k,), base)
    cases.ask(curve, request, EngineStatus.OK, curve.multiply(k, base), measured=True)
    most = max(max(case.x_beats, case.y_beats, case.z_beats) for case in cases.found)
    return CaseTables(tuple(cases.found), -(-most * design.width // 4) * 4)


def _port_page() -> str:
    text = (HW_DIR / "ecc" / "README.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in text.split("\n## ")[1:]}
    common = (HW_DIR / "common" / "README.md").read_text(encoding="utf-8").partition("\n")[2]
    own = "\n".join(f"## {sections[title].strip()}\n" for title in ("Ports", "Secrets"))
    return f"# Port of the curve engine\n\n{own}\n# The common port\n\n{common}"
