# SPDX-License-Identifier: Apache-2.0
"""Benefit and cost of the instructions of riscv/rtl.

Cycles and code bytes of the same multiplication with each instruction, on both hosts; area and
clock of each unit on osu018 (register to register, no wires) and its resources on xc7.

``montcore maintain measure rvx`` prints this.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore_riscv.bench import multiplier_cell
from montcore_riscv.machine import Machine, get_cpu
from montcore_riscv.toolchain import RISCV_DIR

HOSTS = ("vexriscv-rvx", "picorv32-rvx")
BITS = (256, 512, 1024)
#: Targets on which a unit is measured, and the figures used.
TARGETS = {"osu018": ("ge", "tmin_ns"), "xc7": ("lut", "ff", "dsp")}


@dataclass(frozen=True)
class Extension:
    """One unit of riscv/rtl, or none.

    Attributes:
        name: short name.
        what: description of its instructions.
        routine: the multiplication that uses them.
        top: its module, or None for the comparison without.
        parameters: overrides of the module's parameters.
    """

    name: str
    what: str
    routine: str
    top: str | None
    parameters: tuple[tuple[str, int], ...] = ()


EXTENSIONS = (
    Extension("none", "RV32IM alone", "mc_mul_rvx_none", None),
    Extension(
        "mul64", "32 x 32 -> 64 (the paper's first)", "mc_mul_rvx_mul64", "montcore_rvx_mul64"
    ),
    Extension(
        "block", "64 x 64 block (the paper's second)", "mc_mul_rvx_block", "montcore_rvx_block"
    ),
    Extension("adc", "add with carry (the paper's third)", "mc_mul_rvx_adc", "montcore_rvx_adc"),
    Extension("mac", "accumulate into 96 bits (ours)", "mc_mul_rvx_mac", "montcore_rvx_mac"),
    Extension(
        "wide",
        "accumulate into 160 bits (ours)",
        "mc_mul_rvx_wide",
        "montcore_rvx_mac",
        (("Wide", 1),),
    ),
)


def cost_of(extension: Extension) -> dict[str, float | int | None] | None:
    """Return area and clock of a unit, as `TARGETS` names them; None without a unit.

    Raises:
        CheckFailedError: a tool failed.
    """
    from montcore.synth.design import Design
    from montcore.synth.options import CELLS
    from montcore.synth.target import get_target

    if extension.top is None:
        return None
    source = RISCV_DIR / "rtl" / f"{extension.top}.sv"
    design = Design.of(extension.top, [source], dict(extension.parameters))
    found: dict[str, float | int | None] = {}
    for name, figures in TARGETS.items():
        with tempfile.TemporaryDirectory() as scratch:
            on = get_target(name)
            mapped = on.synthesise(design, Path(scratch), CELLS, lambda _: None)
        found |= {figure: getattr(mapped.result, figure) for figure in figures}
    if found["tmin_ns"] is None:
        raise CheckFailedError(f"{extension.top}: no path from register to register")
    return found


def cycles(machine: Machine, extension: Extension, bits: Sequence[int]) -> list[int]:
    """Return the cycles of the routine for each length; every product is checked.

    Raises:
        CheckFailedError: a product is wrong, or the cycles depend on the operands.
    """
    found = [multiplier_cell(machine, extension.routine, length, 3).cycles for length in bits]
    known = [count for count in found if count is not None]
    if len(known) != len(found):
        raise CheckFailedError(f"{extension.routine}: the cycles depend on the operands")
    return known


def measure(with_cost: bool = True) -> Iterator[dict[str, object]]:
    """Measure each unit and the comparison without one, one row each.

    Args:
        with_cost: also measure area and clock.

    Raises:
        CheckFailedError: a product is wrong, or a tool failed.
    """
    machines = {host: Machine(get_cpu(host)) for host in HOSTS}
    for extension in EXTENSIONS:
        row: dict[str, object] = {"name": extension.name, "what": extension.what}
        row["cost"] = cost_of(extension) if with_cost else None
        for host, machine in machines.items():
            row[host] = dict(zip(BITS, cycles(machine, extension, BITS), strict=True))
        row["code_bytes"] = machines[HOSTS[0]].program.function_bytes(extension.routine)
        yield row


def line(row: dict[str, object]) -> str:
    """Return a row of `measure` as text."""
    counts = [
        " / ".join(f"{count:,}" for count in value.values())
        for host in HOSTS
        if isinstance(value := row[host], dict)
    ]
    cost = row["cost"]
    text = ""
    if isinstance(cost, dict):
        text = (
            f"  {cost['ge']:,.0f} GE, {cost['tmin_ns']:.2f} ns; xc7: {cost['lut']} LUT, "
            f"{cost['ff']} FF, {cost['dsp']} DSP"
        )
    return f"{row['name']:<6} {counts[0]:<24} {counts[1]:<26} {row['code_bytes']} bytes{text}"
