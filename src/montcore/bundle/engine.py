# SPDX-License-Identifier: Apache-2.0
"""The bundle of a curve engine: RTL, its own test, datasheet, FuseSoC file and constraints."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from montcore.bundle import runner
from montcore.bundle.parts import (
    DEFAULT_SEED,
    PREFER_VERILATOR,
    SIMULATORS,
    BundleResult,
    Progress,
    bundle_name,
    check_one_clock,
    check_output,
    common_values,
    constraint_files,
    facts_of_test,
    hex_lines,
    made_for,
    making,
    passed,
    write_bench,
    write_flat,
    write_manifest,
    write_page,
    write_rendered,
    write_sources,
)
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.target import DEFAULT_TARGET, find_target
from montcore.bundle.templates import render
from montcore.ecc.curves import Curve, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest, curve_packet, operand_packets
from montcore.ecc.isa import EngineStatus
from montcore.ecc.picture import draw
from montcore.ecc.program import Operation
from montcore.ecc.synthesis import synthesise, widest_curve
from montcore.support.commands import settings_words
from montcore.support.paths import HW_DIR
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target, options_here

#: The test's short curve: all operations run on it, but only a few on the widest one that fits.
SHORT = "secp112r1"
#: Cycles without progress after which the test is aborted.
_LIMIT = 40_000_000
_CURVE, _X, _Y, _ANSWER, _LOADED, _ZEROIZE = range(6)
_PORT = re.compile(r"^    (?:input|output) logic (?:\[\S+\] )?(\w+)", re.M)


def build_engine(
    design: EngineDesign,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    synth: bool = False,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of a curve engine and run its own test.

    Args:
        design: the engine.
        output: folder to create; it must be empty or not exist.
        target: a synthesis target or ``asic``.
        synth: measure area and clock on the target.
        seed: seed of the test's random numbers.
        progress: receives a short text at each step.

    Raises:
        RequestError: the folder is not empty or cannot be written, no curve fits, or the multiplier
            has two clocks.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    say = progress or (lambda _: None)
    output, target = output.absolute(), find_target(target)
    check_output(output)
    check_one_clock(design.core)
    curve = widest_curve(design.length)
    several = f"_c{design.contexts}" if design.contexts > 1 else ""
    name = f"ecc_{bundle_name(design.core, None)}{several}"
    with making(output, name) as folder:
        say("collecting sources")
        files = write_engine_rtl(design, name, target, folder)
        _write_test(design, curve, name, seed, folder)
        say("running the bundle's own test")
        # Icarus Verilog would take many minutes.
        work = folder.parent / "work"
        outcome = passed(runner.run_bundle_test(folder, "verilator", work=work))
        latency = f"{outcome.cycles} cycles for k P on {curve.name}"
        _write_top(design, name, target, f"{latency}, last operand beat to first result", folder)
        found = None
        if synth:
            say("synthesis")
            found = synthesise(design, target, progress=progress, opts=options_here(target))
        say("drawing the schedule")
        draw(design, folder / "schedule", ".svg")
        command = _command(design, target)
        values = _values(design, curve, name, target, files, outcome, found)
        values["flat"] = write_flat(folder, name, target)
        templates = {
            **{file: file for file in constraint_files(target)},
            f"{name}.core": "fusesoc.core",
            "README.md": "engine.md",
        }
        write_rendered(folder, templates, values)
        write_page(_port_page(), folder / "PORT.md")
        manifest = {
            "name": name,
            "core": "ecc",
            "over": design.core.name,
            "bits": design.length,
            "params": design.core.settings(),
            "target": target,
            "bus_width": design.width,
            "cycles": outcome.cycles,
            "curve": curve.name,
            "synthesis": found.to_json() if found else None,
            "test": facts_of_test(outcome, seed),
            "command": command,
        }
        written = write_manifest(manifest, folder)
    return BundleResult(output, name, target, outcome, found, written)


def _command(design: EngineDesign, target: str) -> str:
    words = settings_words(design.settings().items())
    return f"montcore build ecc{words} --bits {design.length} --target {target} -o DIR"


def write_engine_rtl(design: EngineDesign, name: str, target: str, folder: Path) -> list[str]:
    """Write the sources of an engine and its top module, and the file list; return the list."""
    # All sources: if a module in a disabled branch is missing, Verilator reports its parameters as
    # unused.
    sources = design.sources(get_target(target).technology)
    files = write_sources(sources, design.defines, folder, name)
    _write_top(design, name, target, "a constant for each operation on a curve", folder)
    return files


def _write_top(design: EngineDesign, name: str, target: str, latency: str, folder: Path) -> None:
    """Write the top module; its header states the measured latency once it is known."""
    # The bundle's version, with resolved switches.
    source = (folder / "rtl" / f"{design.top}.sv").read_text(encoding="utf-8")
    ports = source.partition(") (\n")[2].partition("\n);")[0]
    parameters = design.parameters(get_target(target).technology).items()
    values = {
        "name": name,
        "top": design.top,
        "label": design.title(),
        "target": get_target(target).title,
        "bits": design.length,
        "latency": latency,
        "ports": ports.replace("[Width-1:0]", f"[{design.width - 1}:0]"),
        "overrides": ",\n".join(f"      .{key}({value})" for key, value in parameters),
        "connections": ",\n".join(f"      .{port}" for port in _PORT.findall(ports)),
    }
    text = render("engine.sv", values)
    (folder / "rtl" / f"{name}.sv").write_text(text, encoding="utf-8")


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


def _write_test(design: EngineDesign, curve: Curve, name: str, seed: int, folder: Path) -> None:
    """Write the testbench, its tables, its clocks and the command that runs it."""
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
    values = {
        "name": name,
        "width": design.width,
        "lines": len(script.stimulus),
        "limit": _LIMIT,
        "copies": -(-design.width // 64),
        "seed": f"{(seed * 0x9E3779B97F4A7C15 + 1) % 2**64 or 1:016x}",
    }
    tables = (
        hex_lines(script.stimulus, design.width + 6),
        hex_lines(script.expected, design.width),
    )
    write_bench(folder, values, "engine_tb.sv", tables, simulators=PREFER_VERILATOR)


def _figures(
    curve: Curve, outcome: BenchOutcome, found: SynthResult | None, command: str
) -> Iterator[tuple[str, str, str]]:
    what = f"k P on {curve.name} in cycles, last operand beat to first result beat"
    yield what, f"{outcome.cycles:,}", "`sh run_test.sh`"
    if found is None:
        yield "area and clock", "not measured", f"`{command.rpartition(' -o ')[0]} --synth -o DIR`"
        return
    how = f"`{found.command}`"
    if found.ge is not None:
        yield "area of the cells, multiplier and program included", f"{found.ge:,.0f} GE", how
        memory = f"{found.ge_memory or 0:,.0f} GE"
        yield f"area of memory macros, {found.memory_bits} bits", memory, how
    for count, unit in ((found.lut, "look-up tables"), (found.bram, "block memories")):
        if count is not None:
            yield unit, f"{count:,}", how
    period = found.period_ns
    if period is not None:
        yield "shortest period", f"{period:.2f} ns", how
        yield "k P at that period", f"{outcome.cycles * period / 1e3:.1f} us", "cycles x period"


def _values(
    design: EngineDesign,
    curve: Curve,
    name: str,
    target: str,
    files: list[str],
    outcome: BenchOutcome,
    found: SynthResult | None,
) -> dict[str, object]:
    """Return the placeholder values of the datasheet, the constraints and the FuseSoC file."""
    core, title = design.core, get_target(target).title
    command = _command(design, target)
    figures = _figures(curve, outcome, found, command)
    period = found.period_ns if found else None
    return {
        **common_values(
            name,
            f"Curve engine over {core.name}",
            core.label(),
            files,
            period_ns=period,
            target=title,
        ),
        "core": core.name,
        "bits": design.length,
        "target": title,
        "engine_name": SIMULATORS[outcome.engine],
        "summary": outcome.summary,
        "figures": "\n".join(f"| {' | '.join(row)} |" for row in figures),
        "picture_text": (
            "The program is scheduled for this multiplier: the addition for a = -3, and what each "
            "unit does in which cycle."
        ),
        "command": command,
        **made_for(target),
    }


def _port_page() -> str:
    """Return the engine datasheet's sections on port and secrets, and the common port."""
    text = (HW_DIR / "ecc" / "README.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in text.split("\n## ")[1:]}
    common = (HW_DIR / "common" / "README.md").read_text(encoding="utf-8").partition("\n")[2]
    own = "\n".join(f"## {sections[title].strip()}\n" for title in ("Ports", "Secrets"))
    return f"# Port of the curve engine\n\n{own}\n# The common port\n\n{common}"
