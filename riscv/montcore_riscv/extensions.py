# SPDX-License-Identifier: Apache-2.0
"""Benefit and cost of the instructions of riscv/rtl.

Cycles and code bytes of the same multiplication with each instruction, on both hosts; area and
clock of each unit on osu018 (register to register, no wires) and its resources on xc7.

``montcore maintain measure rvx`` prints this.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore_riscv.bench import cycles_of, limbs_of, operands
from montcore_riscv.calls import product_call
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


@dataclass(frozen=True)
class Cost:
    """Area and clock of a unit: osu018 gate equivalents and ns, xc7 resources."""

    ge: float
    tmin_ns: float
    lut: int
    ff: int
    dsp: int


def cost_of(extension: Extension) -> Cost | None:
    """Synthesise a unit; return None for the comparison without one.

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
    known = {figure: value for figure, value in found.items() if value is not None}
    if "tmin_ns" not in known:
        raise CheckFailedError(f"{extension.top}: no path from register to register")
    return Cost(**known)  # type: ignore[arg-type]


def cycles(machine: Machine, extension: Extension, bits: Sequence[int]) -> list[int]:
    """Return the cycles of the routine for each length; every product is checked.

    Raises:
        CheckFailedError: a product is wrong, or the cycles depend on the operands.
    """
    found = []
    for length in bits:
        n = limbs_of(length)
        pairs = operands(n, 3, 0)
        calls = [product_call(extension.routine, machine.arena, n, *pair) for pair in pairs]
        counts = cycles_of(machine, calls)
        if len(set(counts)) != 1:
            raise CheckFailedError(f"{extension.routine}: the cycles depend on the operands")
        found.append(counts[0])
    return found


def measure(with_cost: bool = True) -> Iterator[dict[str, object]]:
    """Measure each unit and the comparison without one, one row each.

    Args:
        with_cost: also measure area and clock.

    Raises:
        CheckFailedError: a product is wrong, or a tool failed.
    """
    machines = {host: Machine(get_cpu(host)) for host in HOSTS}
    for extension in EXTENSIONS:
        cost = cost_of(extension) if with_cost else None
        row: dict[str, object] = {"name": extension.name, "what": extension.what}
        row["cost"] = asdict(cost) if cost else None
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
