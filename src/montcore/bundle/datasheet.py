# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a bundle: what it is, its measured figures, how to use it."""

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from montcore.bundle.runner import BenchOutcome
from montcore.bundle.templates import render
from montcore.cores.base import AnyCore
from montcore.fields import Field
from montcore.model.spec import r_squared
from montcore.sim import Status, describe
from montcore.synth import SynthResult

_ENGINES = {"icarus": "Icarus Verilog", "verilator": "Verilator"}


@dataclass(frozen=True)
class Facts:
    """Everything that the datasheet and the manifest state.

    Attributes:
        core: the core.
        config: its configuration.
        name: name of the top module.
        field: the field, or None.
        seed: seed of the test.
        test: outcome of the bundle's own test.
        synthesis: area and clock, or None.
        caption: what the waveform shows.
    """

    core: AnyCore
    config: Any
    name: str
    field: Field | None
    seed: int
    test: BenchOutcome
    synthesis: SynthResult | None
    caption: str

    @property
    def command(self) -> str:
        """The command that builds this bundle again."""
        settings = "".join(f" --set {key}={value}" for key, value in self.config.settings().items())
        size = f"--field {self.field.name}" if self.field else f"--bits {self.config.bits}"
        return f"montcore build {self.core.name}{settings} {size} -o DIR"

    def manifest(self) -> dict[str, Any]:
        """Return the manifest but for the hashes."""
        bits = self.config.bits
        return {
            "name": self.name,
            "core": self.core.name,
            "bits": bits,
            "params": self.config.model_dump(mode="json", exclude={"bits"}),
            "field": self.field.name if self.field else None,
            "modulus": f"0x{self.field.p:x}" if self.field else None,
            "bus_width": self.core.bus_width(self.config),
            "beats": self.core.beats(self.config, bits),
            "r_bits": self.core.r_bits(self.config, bits),
            "cycles": self.test.cycles,
            "core_cycles": self.test.core_cycles,
            "interval": self.test.interval,
            "synthesis": self.synthesis.to_json() if self.synthesis else None,
            "test": {
                "simulator": self.test.engine,
                "passed": self.test.passed,
                "failed": self.test.failed,
                "seed": self.seed,
            },
            "command": self.command,
            "montcore": importlib.metadata.version("montcore"),
        }


def text(facts: Facts) -> str:
    """Return the datasheet, README.md of the bundle."""
    core, config = facts.core, facts.config
    field = facts.field
    return render(
        "datasheet.md",
        {
            "name": facts.name,
            "title": core.title[0].upper() + core.title[1:],
            "core": core.name,
            "label": config.label(),
            "field_text": f", tested with the prime of {field.name}" if field else "",
            "r_bits": core.r_bits(config, config.bits),
            "beats": core.beats(config, config.bits),
            "bits": config.bits,
            "length": field.bits if field else config.bits,
            "limbs": -(-(field.bits if field else config.bits) // 32),
            "width": core.bus_width(config),
            "paper": core.paper,
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
        },
    )


def _figures(facts: Facts) -> Iterator[tuple[str, str, str]]:
    test, found = facts.test, facts.synthesis
    own = "`sh run_test.sh`"
    yield "cycles, last operand beat to first result beat", str(test.cycles), own
    yield "core_cycles, start to done in the datapath", str(test.core_cycles), own
    if test.interval is not None:
        yield "interval, between results that follow each other", str(test.interval), own
    if found is None:
        command = facts.command.split(" -o ")[0] + " --synth"
        yield "area and clock", "not measured", f"`{command}` measures them"
        return
    how = f"`{found.command}`"
    if found.ge is not None:
        yield "area without memory macros", f"{found.ge:,.0f} GE", how
    if found.ge_memory is not None:
        yield f"memory macros, {found.memory_bits} bits", f"{found.ge_memory:,.0f} GE", how
    if found.tmin_ns is not None:
        yield "shortest period, no wires", f"{found.tmin_ns:.2f} ns", how
        rate = 1e3 / (found.tmin_ns * (test.interval or test.core_cycles))
        yield "products per second at that period", f"{rate:.2f} million", "1 / (period * interval)"


def _constants(facts: Facts) -> str:
    r_bits = facts.core.r_bits(facts.config, facts.config.bits)
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
