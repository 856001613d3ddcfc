# SPDX-License-Identifier: Apache-2.0
"""Table 8 of riscv-2021 with our rows, and the comparisons in its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

from montcore.synth import identity
from montcore_lab.papers.base import Column, Paper, Row, Table
from montcore_lab.papers.elements import read_elements
from montcore_lab.papers.riscv2021 import published as riscv2021
from montcore_lab.papers.subject import Figures, Subject, measured_by
from montcore_riscv.bench import arithmetic_cell, multiplier_cell
from montcore_riscv.extensions import EXTENSIONS
from montcore_riscv.machine import CPUS, Machine, get_cpu
from montcore_riscv.toolchain import RISCV_DIR

_LENGTHS = tuple(riscv2021.CYCLES)
_COLUMNS = (
    *(Column(f"cycles, {length} bits", f"cycles_{length}") for length in _LENGTHS),
    Column("code bytes", "code_bytes"),
)


@dataclass(frozen=True)
class Routine(Subject):
    """Cycles of a multiplication routine on a simulated processor.

    Attributes:
        cpu: name of the processor.
        name: the routine in the library.
        schedule: build variant of the library.
    """

    cpu: str
    name: str
    schedule: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("riscv-2021", f"{self.name} {self.schedule} on {self.cpu}")

    def sources(self) -> Sequence[Path]:
        """Return the library's assembly, and the RTL of the custom instructions if used."""
        found = [*(RISCV_DIR / "src").rglob("*.S")]
        found += (RISCV_DIR / "src").rglob("*.inc")
        if "rvx" in self.cpu:
            found += (RISCV_DIR / "rtl").glob("*.sv")
        return sorted(found)

    def parameters(self) -> Mapping[str, object]:
        """Return an empty mapping: the command determines everything."""
        return {}

    def flow(self) -> Mapping[str, object]:
        """Return the simulation, and the packages that provide the processors."""
        flow = identity.flow_of(identity.SIMULATION)
        processors = [name for name in identity.pinned() if name.startswith("pythondata-cpu-")]
        own = [name for name in processors if self.cpu.startswith(name.rpartition("-")[2])]
        return {**flow, "tools": {**flow["tools"], **identity.pins(own)}}

    def measure(self) -> Figures:
        """Simulate products of every length; each is checked.

        Raises:
            CheckFailedError: a product is wrong.
        """
        machine = Machine(get_cpu(self.cpu), self.schedule)
        found: dict[str, float | int | None] = {}
        for length in _LENGTHS:
            cell = multiplier_cell(machine, self.name, length)
            found |= {"code_bytes": cell.code_bytes, f"cycles_{length}": cell.cycles}
        return found


@dataclass(frozen=True)
class FieldProduct(Routine):
    """Cycles of a product with and without Montgomery reduction in a prime field.

    Attributes:
        prime: name of the prime in `PRIMES`.
    """

    prime: str = ""

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("riscv-2021", f"field of {self.prime} on {self.cpu}")

    def measure(self) -> Figures:
        """Simulate products with this modulus; each is checked.

        Raises:
            CheckFailedError: a product is wrong.
        """
        machine, modulus = Machine(get_cpu(self.cpu), self.schedule), PRIMES[self.prime]
        length = padded(modulus)
        product = multiplier_cell(machine, "mc_mul_raw", length)
        reduced = arithmetic_cell(machine, self.name, length, modulus)
        return {"cycles_product": product.cycles, "cycles_montgomery": reduced.cycles}


def padded(modulus: int) -> int:
    """Return the bits of a number, rounded up to 64-bit limbs."""
    return -(-modulus.bit_length() // 64) * 64


def _csidh_512() -> int:
    factors: list[int] = []
    number = 3
    while len(factors) < riscv2021.CSIDH_512_LEAST:
        if all(number % factor for factor in factors):
            factors.append(number)
        number += 2
    return 4 * prod(factors) * riscv2021.CSIDH_512_LAST - 1


#: Primes of isogenies by name.
PRIMES = {
    **{name: 2**e * 3**f - 1 for name, (e, f) in riscv2021.SIKE.items()},
    "CSIDH-512": _csidh_512(),
}

#: The cores with the schedule meant for each, in the order of the tables.
_ON = {
    "rocket-e31": "iterative",
    "rocket-fast": "pipelined",
    "vexriscv": "pipelined",
    "cv32e40p": "pipelined",
    "picorv32": "pipelined",
}
#: Our column-wise and row-wise routines in comparison, and the variants that the paper rejects.
_COMPARED = {
    "mc_mul_rows": "rows, strips of eight words: mul",
    "mc_mul_columns": "columns of 64-bit blocks",
    "mc_mul_products": "columns of words",
    "mc_mul_reduced": "columns of words of 28 bits",
}


def _measured(cpu: str, name: str, schedule: str, what: str) -> Row:
    return Row("montcore", what, CPUS[cpu].title, subject=Routine(cpu, name, schedule))


def _field(cpu: str, prime: str) -> Row:
    modulus = PRIMES[prime]
    return Row(
        "montcore",
        prime,
        CPUS[cpu].title,
        {"bits": modulus.bit_length(), "limbs": padded(modulus) // 64},
        FieldProduct(cpu, "mc_montmul_raw", _ON[cpu], prime),
    )


def _cycles(counts: dict[int, int]) -> dict[str, float | int | None]:
    return {f"cycles_{length}": count for length, count in counts.items()}


PAPER = Paper(
    "riscv-2021",
    "H. Seo et al., scalable multi-precision multiplication on RISC-V (2021)",
    (
        Table(
            "Table 8: products on RV32",
            _COLUMNS,
            (
                Row(
                    "paper",
                    "one routine for all lengths",
                    "SiFive E31",
                    {**_cycles(riscv2021.CYCLES), "code_bytes": riscv2021.CODE_BYTES},
                ),
                Row(
                    "paper",
                    "[4] Stoffelen 2019, row by row",
                    "",
                    _cycles(riscv2021.EARLIER_CYCLES),
                    about=frozenset(_cycles(riscv2021.EARLIER_CYCLES)),
                ),
                _measured("rocket-e31", "mc_mul_paper", "iterative", "the paper's schedule"),
                _measured("rocket-e31", "mc_mul_columns", "iterative", _COMPARED["mc_mul_columns"]),
                _measured("rocket-e31", "mc_mul_rows", "iterative", "mul"),
                _measured("rocket-fast", "mc_mul_rows", "pipelined", "mul"),
                _measured("vexriscv", "mc_mul_rows", "pipelined", "mul"),
                _measured("picorv32", "mc_mul_rows", "pipelined", "mul"),
                _measured("cv32e40p", "mc_mul_rows", "pipelined", "mul"),
                *(
                    _measured("vexriscv-rvx", extension.routine, "pipelined", extension.what)
                    for extension in EXTENSIONS
                ),
            ),
            "The paper measures silicon; rocket-e31 is a core of the same generator in the E31's "
            "configuration, simulated cycle by cycle. Call and return are counted. The title names "
            "post-quantum cryptography, but the paper measures integer products, as do these rows; "
            "another table has products in fields of isogeny-based cryptography.",
            headline=frozenset(
                {
                    ("one routine for all lengths", "SiFive E31"),
                    ("the paper's schedule", CPUS["rocket-e31"].title),
                    ("mul", CPUS["rocket-e31"].title),
                }
            ),
        ),
        Table(
            "Section 2.2: columns against rows under equal conditions",
            _COLUMNS,
            tuple(
                _measured(cpu, name, schedule, what)
                for cpu, schedule in _ON.items()
                for name, what in _COMPARED.items()
            ),
            "The paper compares its column-wise routine with a row-wise routine of other authors. "
            "Here all routines are optimised equally: unrolled, operands and sums in registers, "
            "scheduled for the multiplier. In row-wise order, eight words of one operand and eight "
            "of the sum stay in registers while the words of the other operand are loaded. With "
            "words of 28 bits an operand has 10, 19 or 37 words, and operands and result stay in "
            "that form. Code bytes are of the routine for all lengths.",
        ),
        Table(
            "Title: products in fields of isogeny-based cryptography",
            (
                Column("bits", "bits"),
                Column("64-bit limbs", "limbs"),
                Column("cycles, product", "cycles_product"),
                Column("cycles, Montgomery product", "cycles_montgomery"),
            ),
            tuple(_field(cpu, prime) for cpu in ("rocket-e31", "vexriscv") for prime in PRIMES),
            "The paper has no such figures. Routines for any odd modulus (mc_mul_raw, "
            "mc_montmul_raw): they do not use that -1/p mod 2^64 is 1 for SIKE's primes. SIKE was "
            "broken in 2022; its primes are included because of the paper's title, CSIDH-512 as "
            "one still in use.",
        ),
    ),
    read_elements(Path(__file__).with_name("elements.ini")),
)
