# SPDX-License-Identifier: Apache-2.0
"""The bundle of a multiplier core with the common port."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from montcore.bundle import driver, parts, runner, wrapper
from montcore.bundle.pipeline import BundleKind, Made, Row, make, rows, synthesis_rows
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.sources import DEFAULT_TARGET, needed_sources
from montcore.bundle.vectors import CaseTables, make_tables
from montcore.bundle.waves import port_picture
from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.model.spec import r_squared
from montcore.sim.types import Status, describe
from montcore.support.errors import RequestError
from montcore.support.requests import Natural, checked
from montcore.support.words import settings_words
from montcore.synth.flow import DesignText, synthesise
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets, options_here

#: Width in bits from which the test prefers Verilator.
LONG_TEST_BITS = 128


@checked
def build(
    core: Core,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    field: Field | None = None,
    synth: bool = False,
    seed: Natural = parts.DEFAULT_SEED,
    progress: parts.Progress | None = None,
) -> parts.BundleResult:
    """Write a self-contained bundle of one configuration and run its own test.

    Args:
        output: folder to create; it must be empty or not exist.
        target: a synthesis target or ``asic``: the RTL has its styles as defaults and its switches
            resolved.
        field: the field whose prime the test uses; random moduli otherwise.
        synth: measure area and clock of the bundle's own text on its target.
        seed: seed of the test's random numbers; equal seeds give equal bundles.

    Raises:
        RequestError: the folder is not empty or cannot be written, the field does not fit, or the
            core has two clocks.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    kind = CoreBundle(core, field, target, seed)
    return make(kind, output, synth=synth, progress=progress)


class CoreBundle(BundleKind):
    """A core with the common port; the test uses a field's prime, if one is given."""

    page = "datasheet.md"

    def __init__(
        self,
        core: Core,
        field: Field | None = None,
        target: str = DEFAULT_TARGET,
        seed: int = parts.DEFAULT_SEED,
    ) -> None:
        self.core, self.field = core, field
        words = settings_words(core.settings().items())
        size = f"--field {field.name}" if field else f"--bits {core.bits}"
        super().__init__(
            target,
            seed=seed,
            name=parts.bundle_name(core, field),
            title=wrapper.capitalised(core.title),
            label=core.label(),
            request=f"montcore build {core.name}{words} {size}",
            facts={
                "core": core.name,
                "bits": core.bits,
                "params": core.settings(),
                "field": field.name if field else None,
                "modulus": f"0x{field.p:x}" if field else None,
                "bus_width": core.bus_width,
                "beats": core.beats(core.bits),
                "r_bits": core.r_bits(core.bits),
            },
        )
        if field is not None and field.bits > core.bits:
            raise RequestError(
                f"field {field.name} has {field.bits} bits, more than the {core.bits} that are "
                "built"
            )
        parts.check_one_clock(core)

    def write_rtl(self, folder: Path) -> list[str]:
        """Write the sources of every target's style, the wrapper and the file list."""
        # The parameter Tech of a bundle accepts every technology's value, also those with
        # primitives.
        headers = tuple(dict.fromkeys(path for on in all_targets().values() for path in on.headers))
        core = self.core
        sets = wrapper.parameter_sets(core)
        needed = needed_sources(core.top, core.sources(), sets, headers=headers)
        files = parts.write_sources(needed, (), folder, self.name)
        self._write_wrapper(folder, None)
        return files

    def _write_wrapper(self, folder: Path, cycles: int | None) -> None:
        text = wrapper.wrapper(self.core, self.name, self.target, cycles)
        (folder / "rtl" / f"{self.name}.sv").write_text(text, encoding="utf-8")

    def note_latency(self, folder: Path, outcome: BenchOutcome) -> None:
        """Write the latency into the wrapper's header."""
        self._write_wrapper(folder, outcome.cycles)

    @cached_property
    def _tables(self) -> CaseTables:
        return make_tables(self.core, self.field.p if self.field else None, self.seed)

    def write_test(self, folder: Path) -> None:
        """Write the test with all cases."""
        self._write_cases(self._tables, folder)

    def _write_cases(self, tables: CaseTables, folder: Path) -> None:
        styles = wrapper.style_parameters(self.core, self.target)
        values = {
            **bench_values(self.core, tables, self.seed),
            "name": self.name,
            "header": wrapper.header(styles),
            "style": f" #({', '.join(f'.{name}({name})' for name in styles)})" if styles else "",
        }
        long = self.core.bits >= LONG_TEST_BITS
        simulators = parts.PREFER_VERILATOR if long else parts.PREFER_ICARUS
        parts.write_bench(folder, values, "tb.sv", tables.texts(), simulators=simulators)

    def run_test(self, folder: Path) -> tuple[BenchOutcome, parts.PageValues]:
        """Run the test, scaled down if it would take too long, and draw a product from its wave."""
        outcome, tables, waves = self._scaled_run(folder)
        runner.check_passed(outcome)
        caption, svg = port_picture(self.core, self.name, waves, tables)
        (folder / "waves.svg").write_text(svg, encoding="utf-8")
        return outcome, {"wave_text": caption}

    def _scaled_run(self, folder: Path) -> tuple[BenchOutcome, CaseTables, Path]:
        """Run the test with waves of the port; only its light cases if all take too long."""
        tables, waves = self._tables, folder.parent / "work" / "waves.vcd"

        def run(bundle: Path, seconds: float) -> BenchOutcome:
            return runner.run_bundle_test(bundle, waves="port", work=waves.parent, seconds=seconds)

        try:
            return run(folder, runner.PATIENCE_S), tables, waves
        except runner.TooSlowError:
            copy = folder.parent / "light"
            shutil.copytree(folder, copy)
            light = tables.light()
            self._write_cases(light, copy)
            outcome = run(copy, runner.LIGHT_TIMEOUT_SECONDS)
            left_out = len(tables.cases) - len(light.cases)
            return replace(outcome, left_out=left_out), light, waves

    def measure(
        self, folder: Path, files: Sequence[str], progress: parts.Progress | None
    ) -> SynthResult | None:
        """Measure the bundle's own text."""
        text = tuple(folder / file for file in files)
        own = DesignText(self.name, text, self.measuring)
        options = options_here(self.target)
        return synthesise(self.core, self.target, text=own, progress=progress, opts=options)

    def write_rest(self, made: Made) -> parts.PageValues:
        """Write the driver and the description of the port."""
        core, field = self.core, self.field
        driver.write(core, self.name, field, made.folder)
        parts.write_port_page(made.folder)
        length = field.bits if field else core.bits
        return {
            "core": core.name,
            "style_text": self._styles(),
            "field_text": f", tested with the prime of {field.name}" if field else "",
            "r_bits": core.r_bits(core.bits),
            "beats": core.beats(core.bits),
            "bits": core.bits,
            "length": length,
            "limbs": -(-length // 32),
            "width": core.bus_width,
            "source": core.source(),
            "figures": rows(self._figures(made)),
            "constants": self._constants(),
            "statuses": rows(
                (str(status.value), describe(status))
                for status in Status
                if 0 < status.value < Status.HANG
            ),
        }

    def _figures(self, made: Made) -> Iterator[Row]:
        test, found, period = made.test, made.synthesis, made.period_ns
        own = "`sh run_test.sh`"
        yield "latency in cycles, last operand beat to first result beat", str(test.cycles), own
        if test.interval is not None:
            what = "interval in cycles, between results that follow each other"
            yield what, str(test.interval), own
        yield from synthesis_rows(found, "area of the cells", self.measuring)
        if found is None or period is None:
            return
        yield "latency at that period", f"{test.cycles * period / 1e3:.3f} us", "latency x period"
        if found.ge is not None:
            product = (found.ge + (found.ge_memory or 0.0)) * test.cycles * period / 1e6
            how = "cells and memory x latency"
            yield "area x time of one product", f"{product:.1f} kGE us", how
        rate = 1e3 / (period * (test.interval or test.cycles))
        how = "1 / (period x interval)"
        yield "products per second at that period", f"{rate:.2f} million", how

    def _styles(self) -> str:
        styles = wrapper.style_parameters(self.core, self.target)
        if not styles:
            return "No parameter of the top module depends on the target."
        values = ", ".join(f"`{name}` = {options[0]}" for name, options in styles.items())
        start = "Parameters of the top module that depend on the target, with their defaults"
        return f"{start}: {values}."

    def _constants(self) -> str:
        r_bits = self.core.r_bits(self.core.bits)
        if self.field is None:
            return (
                f"R = 2^{r_bits} for a modulus of the built width. A number enters the Montgomery "
                "domain by a product with R^2 mod m and leaves it by a product with 1."
            )
        p = self.field.p
        numbers = {"p": p, "R mod p": (1 << r_bits) % p, "R^2 mod p": r_squared(p, r_bits)}
        listed = rows((name, f"`0x{value:x}`") for name, value in numbers.items())
        return (
            "A number enters the Montgomery domain by a product with R^2 mod p and leaves it by a "
            f"product with 1.\n\n| constant | value |\n| --- | --- |\n{listed}"
        )


def bench_values(core: Core, tables: CaseTables, seed: int) -> dict[str, object]:
    """Return the placeholder values of the test bench of the common port."""
    return {
        **tables.values(),
        "width": core.bus_width,
        "limit": 4096 + 64 * (core.core_cycles(core.bits) + 64),
        "seed": parts.seed_32(seed),
        "phases": "one at a time, as a stream, and with random gaps",
        "first_phase": "Single",
        "more_logic": "",
        "more_ports": "",
    }
