# SPDX-License-Identifier: Apache-2.0
"""The steps by which every bundle is made; a `BundleKind` says what is special about one kind."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from montcore.bundle import packaging, parts, runner
from montcore.bundle.boundary import Boundary
from montcore.bundle.runner import BenchOutcome, Engine
from montcore.bundle.sources import find_target
from montcore.support.needed import package_version
from montcore.synth.options import NONE
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target

#: Module of a test between the ports of the top module and those of the test bench.
PORT_MODULE = "test/port.sv"


@dataclass(frozen=True)
class Made:
    """A bundle whose RTL was tested and, if asked for, measured.

    Attributes:
        files: its RTL, in compile order.
    """

    folder: Path
    files: Sequence[str]
    test: BenchOutcome
    synthesis: SynthResult | None

    @property
    def period_ns(self) -> float | None:
        """Shortest measured period, if any."""
        return self.synthesis.period_ns if self.synthesis else None


@dataclass(eq=False)
class BundleKind(ABC):
    """What is special about one kind of bundle.

    Attributes:
        simulator: simulator of its test; None: any one.
        target: name or alias of a target: the RTL has its styles as defaults and its switches
            resolved.
        seed: seed of the test's random numbers; equal seeds give equal bundles.
        request: the command that builds it again, without its target and folder.
        facts: entries of its manifest that only this kind has.
        bench: name of the module that the test bench tests, if it is not the top module.
    """

    page: ClassVar[str]
    simulator: ClassVar[Engine | None] = None

    target: str
    name: str
    title: str
    label: str
    request: str
    facts: Mapping[str, Any]
    seed: int = parts.DEFAULT_SEED
    bench: str = ""
    boundary: Boundary | None = None

    def __post_init__(self) -> None:
        self.target = find_target(self.target)

    @property
    def command(self) -> str:
        """The command that builds it again."""
        return f"{self.request} {get_target(self.target).words} -o DIR"

    @property
    def measuring(self) -> str:
        """The command that measures it too."""
        return f"{self.request} {get_target(self.target).words} --synth -o DIR"

    @abstractmethod
    def write_rtl(self, folder: Path) -> list[str]:
        """Write the sources, the top module and the file list; return the list."""

    @abstractmethod
    def write_test(self, folder: Path) -> None:
        """Write the test bench, its tables, its clocks and the command that runs it."""

    def run_test(self, folder: Path) -> tuple[BenchOutcome, parts.PageValues]:
        """Run the test; return its outcome and what the page says of it."""
        work = folder.parent / "work"
        return runner.run_bundle_test(folder, self.simulator, work=work), {}

    def note_latency(self, folder: Path, outcome: BenchOutcome) -> None:  # noqa: B027
        """Write the measured latency into the top module, if it has a place for it."""

    def measure(
        self, folder: Path, files: Sequence[str], progress: parts.Progress | None
    ) -> SynthResult | None:
        """Measure area and clock."""
        del folder, files, progress
        return None

    @abstractmethod
    def write_rest(self, made: Made) -> parts.PageValues:
        """Write what only this kind has; return the further placeholder values of its page."""


def make(
    kind: BundleKind, output: Path, *, synth: bool = False, progress: parts.Progress | None = None
) -> parts.BundleResult:
    """Write a self-contained bundle, run its own test, and move it to its place."""
    say = progress or (lambda _: None)
    output = output.absolute()
    parts.check_output(output)
    with parts.making(output, kind.name) as folder:
        say("collecting sources")
        files = kind.write_rtl(folder)
        kind.write_test(folder)
        parts.write_primitives(folder)
        say("running the bundle's own test")
        outcome, told = kind.run_test(folder)
        runner.check_passed(outcome)
        kind.note_latency(folder, outcome)
        found = None
        if synth:
            say("synthesis")
            found = kind.measure(folder, files, progress)
        say("writing one file of Verilog-2005")
        told = {**told, "flat": parts.write_flat(folder, kind.name, kind.target)}
        made = Made(folder, files, outcome, found)
        _write_surroundings(kind, made, told)
        written = parts.write_manifest(_manifest(kind, made), folder)
    return parts.BundleResult(output, kind.name, kind.target, outcome, found, written)


def _write_surroundings(kind: BundleKind, made: Made, told: parts.PageValues) -> None:
    folder, name = made.folder, kind.name
    values = {**_common_values(kind, made), **told}
    boundary = kind.boundary
    packaging.write_constraints(folder, kind.target, boundary, values)
    if boundary is not None:
        packaging.write_package(folder, boundary, made.files, kind.title, kind.target)
    values |= kind.write_rest(made)
    parts.write_rendered(folder, {f"{name}.core": "fusesoc.core", "README.md": kind.page}, values)
    if boundary is not None:
        packaging.write_bill(folder, name, kind.title, kind.command)


#: Of a FuseSoC core: models of the device's primitives, for its simulation and for lint.
_MODELS = f"""  models:
    files: [{parts.PRIMITIVES}]
    file_type: systemVerilogSource

"""


def _common_values(kind: BundleKind, made: Made) -> dict[str, object]:
    measured = made.period_ns
    period = measured * 1.3 if measured else 10.0
    target = get_target(kind.target)
    boundary = kind.boundary
    extra = [PORT_MODULE] if (made.folder / PORT_MODULE).is_file() else []
    models = (made.folder / parts.PRIMITIVES).is_file()
    vivado = ", `vivado/package_ip.tcl`" if target.constraints == packaging.XDC else ""
    return {
        "name": kind.name,
        "bench": kind.bench or kind.name,
        "title": kind.title,
        "label": kind.label,
        "command": kind.command,
        "version": package_version("montcore"),
        "target": target.title,
        "clock": boundary.clocks[0].port if boundary else "clk_i",
        "clocking": boundary.clocking if boundary else "",
        "resets": (
            "asynchronous" if boundary and boundary.reset.style == "async" else "synchronous"
        ),
        "period": f"{period:.2f}",
        "mhz": f"{1000 / period:.1f}",
        "period_note": (
            f"1.3 times the shortest period that was measured for {target.title}, {measured:.2f} ns"
            if measured
            else "a period of 10 ns to begin with"
        ),
        "rtl_files": "\n".join(f"      - {file}" for file in made.files),
        "test_files": "".join(
            f"\n      - {file}: {{file_type: systemVerilogSource}}" for file in extra
        ),
        "models": _MODELS if models else "",
        "with_models": ", models" if models else "",
        "constraints": ", ".join(f"`{file}`" for file in packaging.constraint_files(kind.target)),
        "vivado": vivado,
        "vivado_text": "; makes an IP for Vivado's catalogue" if vivado else "",
        "engine": parts.SIMULATORS[made.test.engine],
        "summary": made.test.summary,
        "cycles": f"{made.test.cycles:,}",
    }


def _manifest(kind: BundleKind, made: Made) -> dict[str, Any]:
    test = made.test
    return {
        "name": kind.name,
        **kind.facts,
        "target": kind.target,
        "cycles": test.cycles,
        "core_cycles": test.core_cycles,
        "interval": test.interval,
        "synthesis": made.synthesis.to_json() if made.synthesis else None,
        "test": {
            "simulator": test.engine,
            "passed": test.passed,
            "failed": test.failed,
            "seed": kind.seed,
        },
        "command": kind.command,
    }


#: What it is, its value, how it was measured.
Row = tuple[str, str, str]


def rows(cells: Iterable[tuple[str, ...]]) -> str:
    """Return rows of a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def synthesis_rows(found: SynthResult | None, area: str, command: str) -> Iterator[Row]:
    """Yield area and shortest period, or that they were not measured."""
    if found is None:
        yield "area and clock", "not measured", f"`{command}` measures them"
        return
    how = f"`{found.command}`"
    if found.ge is not None:
        yield area, f"{found.ge:,.0f} GE", how
        memory = f"{found.ge_memory or 0.0:,.0f} GE"
        yield f"area of memory macros, {found.memory_bits} bits", memory, how
    for count, unit in (
        (found.lut, "look-up tables"),
        (found.ff if found.ge is None else None, "flip-flops"),
        (found.dsp, "DSP blocks"),
        (found.bram, "block memories"),
    ):
        if count is not None:
            yield unit, f"{count:,}", how
    if found.period_ns is None:
        yield "clock", "not measured", "no free tool places and routes this family"
        return
    if found.tmin_ns is None:
        what = "placed and routed"
    else:
        what = "no wires" if found.wires == NONE else "with wires and clock tree of a placement"
    yield f"shortest period, {what}", f"{found.period_ns:.2f} ns", how
