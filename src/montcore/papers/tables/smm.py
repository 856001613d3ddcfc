# SPDX-License-Identifier: Apache-2.0
"""Tables of smm-2021 with our rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import get_core
from montcore.papers import smm2021
from montcore.papers.subject import Figures, PointSubject, Subject, measured_by
from montcore.papers.tables.base import Column, Paper, Row, Table
from montcore.showcase import measure


@dataclass(frozen=True)
class NpeSubject(Subject):
    """All figures of Table 1 for one number of processing elements.

    Attributes:
        npe: how many.
    """

    npe: int

    @property
    def command(self) -> str:
        """The command that measures it again; `make run` measures all of them."""
        return measured_by("smm-2021", f"Table 1 npe={self.npe}")

    def sources(self) -> Sequence[Path]:
        """Return the core's RTL."""
        return get_core("smm").sources()

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters with both schedules."""
        core = get_core("smm")
        settings = {"npe": str(self.npe), "w": str(smm2021.WORD_BITS)}
        return {
            schedule: core.sv_parameters(
                core.configure({**settings, "schedule": schedule}, smm2021.BUILT_BITS), "osu018"
            )
            for schedule in ("fast", "paper")
        }

    def measure(self) -> Figures:
        """Measure it, or take it from the result store."""
        row = measure(self.npe)
        found: dict[str, float | int | None] = {
            "ge": row.ge,
            "ge_memory": row.ge_memory,
            "ram_kbits": row.memory_bits / 1e3,
            "tmin_ns": row.tmin_ns,
        }
        for number, length in enumerate(smm2021.LENGTHS):
            found[f"fast_{length}"] = row.core_cycles[number]
            found[f"interval_{length}"] = row.intervals[number]
            found[f"paper_{length}"] = row.paper_cycles[number]
        return found


def _published(column: smm2021.Column) -> Row:
    figures: dict[str, float | int | None] = {
        f"cycles_{length}": column.cycles_at(length) for length in smm2021.LENGTHS
    }
    figures |= {
        "kge": column.kge,
        "ram_kbits": column.ram_kbits,
        "tmin_ns": smm2021.TMIN_NS,
        "millions_per_s_100": column.millions_per_second,
    }
    return Row("paper", f"npe={column.npe}", figures=figures)


def _measured(npe: int, schedule: str) -> Row:
    take = {f"cycles_{length}": f"{schedule}_{length}" for length in smm2021.LENGTHS}
    if schedule == "fast":
        take |= {"ge": "ge", "ram_kbits": "ram_kbits", "tmin_ns": "tmin_ns"}
        take |= {"interval": "interval_256", "core_cycles": "fast_256"}
    return Row("montcore", f"npe={npe} schedule={schedule}", subject=NpeSubject(npe), take=take)


def _rows() -> tuple[Row, ...]:
    found = []
    for column in smm2021.COLUMNS:
        found.append(_published(column))
        found += [_measured(column.npe, "paper"), _measured(column.npe, "fast")]
    return tuple(found)


PAPER = Paper(
    "smm-2021",
    "J.-B. Choi, K.-W. Shin, A Scalable Montgomery Modular Multiplier (2021)",
    (
        Table(
            "Table 1 and Figures 7, 8: number of processing elements",
            (
                *(Column(f"cycles {n}", f"cycles_{n}") for n in smm2021.LENGTHS),
                Column("kGE", "kge", "{:.1f}"),
                Column("RAM kbit", "ram_kbits", "{:.1f}"),
                Column("Tmin ns", "tmin_ns", "{:.2f}"),
                Column("M/s at 1/Tmin", "millions_per_s", "{:.2f}"),
                Column("M/s at 100 MHz", "millions_per_s_100", "{:.2f}"),
                Column("/s/GE", "per_s_per_ge"),
                Column("ns, 256 bits", "ns"),
            ),
            _rows(),
            "Built for 521 bits, w = 32, 180 nm; rates of 256-bit products, ours back to back, the "
            "paper's one at a time. Both count logic and keep memory apart; ours has the word "
            "streams, the check of operands and a second set of operands in it, and its Tmin is "
            'from cells alone, without wires. The paper states "about 9 ns" for all sizes.',
            "images/smm-npe.png",
        ),
        Table(
            "Table 2: comparison of multipliers",
            (
                Column("bits", "bits", "{:d}"),
                Column("DSP", "dsp"),
                Column("LUT", "lut"),
                Column("cycles", "core_cycles"),
                Column("MHz", "mhz", "{:.1f}"),
                Column("ns", "ns"),
            ),
            (
                *(
                    Row(
                        "paper",
                        design.name,
                        design.device,
                        {
                            "bits": design.bits,
                            "dsp": design.dsp,
                            "lut": design.lut,
                            "mhz": design.mhz,
                            "ns": design.ns,
                        },
                    )
                    for design in smm2021.TABLE_2
                ),
                *(
                    Row(
                        "montcore",
                        f"npe=8 schedule={schedule}",
                        target,
                        {"bits": 256},
                        PointSubject("smm", (("npe", "8"), ("schedule", schedule)), 256, target),
                    )
                    for target in ("xc5v", "xc6v", "xc7", "ecp5")
                    for schedule in ("paper", "fast")
                ),
            ),
            'The paper\'s row "LUT [slice]" is read as look-up tables. Ours of the Xilinx families '
            "are mapped by Yosys and not placed, and so have no clock; that of ECP5 is placed and "
            "routed by nextpnr. [16] is built for 1024 bits.",
        ),
    ),
)
