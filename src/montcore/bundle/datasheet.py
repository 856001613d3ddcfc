# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a bundle: description, measured figures, usage."""

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from montcore.bundle.parts import facts_of_test, made_for
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.templates import render
from montcore.bundle.wrapper import style_parameters
from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.model.spec import r_squared
from montcore.sim.types import Status, describe
from montcore.support.commands import settings_words
from montcore.synth.options import NONE
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target

_ENGINES = {"icarus": "Icarus Verilog", "verilator": "Verilator"}


@dataclass(frozen=True)
class Facts:
    """Everything that the datasheet and the manifest state.

    Attributes:
        core: the core.
        name: name of the top module.
        target: target that it is built for.
        field: the field, or None.
        seed: seed of the test.
        test: outcome of the bundle's own test.
        synthesis: area and clock, or None.
        caption: caption of the waveform.
    """

    core: Core
    name: str
    target: str
    field: Field | None
    seed: int
    test: BenchOutcome
    synthesis: SynthResult | None
    caption: str

    @property
    def command(self) -> str:
        """The command that builds this bundle again."""
        settings = settings_words(self.core.settings().items())
        size = f"--field {self.field.name}" if self.field else f"--bits {self.core.bits}"
        return f"montcore build {self.core.name}{settings} {size} --target {self.target} -o DIR"

    @property
    def period_ns(self) -> float | None:
        """Shortest measured period, if any."""
        return self.synthesis.period_ns if self.synthesis else None

    def manifest(self) -> dict[str, Any]:
        """Return the manifest without the hashes."""
        bits = self.core.bits
        return {
            "name": self.name,
            "core": self.core.name,
            "bits": bits,
            "params": self.core.settings(),
            "target": self.target,
            "field": self.field.name if self.field else None,
            "modulus": f"0x{self.field.p:x}" if self.field else None,
            "bus_width": self.core.bus_width,
            "beats": self.core.beats(bits),
            "r_bits": self.core.r_bits(bits),
            "cycles": self.test.cycles,
            "core_cycles": self.test.core_cycles,
            "interval": self.test.interval,
            "synthesis": self.synthesis.to_json() if self.synthesis else None,
            "test": facts_of_test(self.test, self.seed),
            "command": self.command,
        }


def text(facts: Facts, flat: str) -> str:
    """Return the datasheet, README.md of the bundle; `flat` as `write_flat` returns it."""
    core = facts.core
    field = facts.field
    return render(
        "datasheet.md",
        {
            "name": facts.name,
            "target": get_target(facts.target).title,
            "style_text": _styles(facts),
            "title": core.title[0].upper() + core.title[1:],
            "core": core.name,
            "label": core.label(),
            "field_text": f", tested with the prime of {field.name}" if field else "",
            "r_bits": core.r_bits(core.bits),
            "beats": core.beats(core.bits),
            "bits": core.bits,
            "length": field.bits if field else core.bits,
            "limbs": -(-(field.bits if field else core.bits) // 32),
            "width": core.bus_width,
            "source": core.source(),
            "engine_name": _ENGINES[facts.test.engine],
            "summary": facts.test.summary,
            "figures": "\n".join(f"| {' | '.join(row)} |" for row in _figures(facts)),
            "wave_text": facts.caption,
            "constants": _constants(facts),
            "version": importlib.metadata.version("montcore"),
            "statuses": "\n".join(
                f"| {status.value} | {describe(status)} |"
                for status in Status
                if 0 < status.value < Status.HANG
            ),
            "command": facts.command,
            "flat": flat,
            **made_for(facts.target),
        },
    )


def _figures(facts: Facts) -> Iterator[tuple[str, str, str]]:
    test, found = facts.test, facts.synthesis
    own = "`sh run_test.sh`"
    yield "latency in cycles, last operand beat to first result beat", str(test.cycles), own
    if test.interval is not None:
        yield "interval in cycles, between results that follow each other", str(test.interval), own
    if found is None:
        command = facts.command.rpartition(" -o ")[0] + " --synth -o DIR"
        yield "area and clock", "not measured", f"`{command}` measures them"
        return
    how = f"`{found.command}`"
    if found.ge is not None:
        memory = found.ge_memory or 0.0
        yield "area of the cells", f"{found.ge:,.0f} GE", how
        yield f"area of memory macros, {found.memory_bits} bits", f"{memory:,.0f} GE", how
    for count, unit in (
        (found.lut, "look-up tables"),
        (found.ff if found.ge is None else None, "flip-flops"),
        (found.dsp, "DSP blocks"),
        (found.bram, "block memories"),
    ):
        if count is not None:
            yield unit, f"{count:,}", how
    period = facts.period_ns
    if period is None:
        yield "clock", "not measured", "no free tool places and routes this family"
        return
    if found.tmin_ns is None:
        what = "placed and routed"
    else:
        what = "no wires" if found.wires == NONE else "with wires and clock tree of a placement"
    yield f"shortest period, {what}", f"{period:.2f} ns", how
    yield "latency at that period", f"{test.cycles * period / 1e3:.3f} us", "latency x period"
    if found.ge is not None:
        product = (found.ge + memory) * test.cycles * period / 1e6
        yield "area x time of one product", f"{product:.1f} kGE us", "cells and memory x latency"
    rate = 1e3 / (period * (test.interval or test.cycles))
    yield "products per second at that period", f"{rate:.2f} million", "1 / (period x interval)"


def _styles(facts: Facts) -> str:
    """Return the text on parameters of the top module that depend on the target."""
    styles = style_parameters(facts.core, facts.target)
    if not styles:
        return "No parameter of the top module depends on the target."
    values = ", ".join(f"`{name}` = {options[0]}" for name, options in styles.items())
    return f"Parameters of the top module that depend on the target, with their defaults: {values}."


def _constants(facts: Facts) -> str:
    r_bits = facts.core.r_bits(facts.core.bits)
    if facts.field is None:
        return (
            f"R = 2^{r_bits} for a modulus of the built width. A number enters the Montgomery "
            "domain by a product with R^2 mod m and leaves it by a product with 1."
        )
    p = facts.field.p
    return (
        f"A number enters the Montgomery domain by a product with R^2 mod p and leaves it by a "
        f"product with 1.\n\n| constant | value |\n| --- | --- |\n| p | `0x{p:x}` |\n"
        f"| R mod p | `0x{(1 << r_bits) % p:x}` |\n| R^2 mod p | `0x{r_squared(p, r_bits):x}` |"
    )
