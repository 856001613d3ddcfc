# SPDX-License-Identifier: Apache-2.0
"""`smm`: the scalable word-serial multiplier of smm-2021, and its faster schedule."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator
from typing_extensions import Self

from montcore.cores.config import Allowed, TextEnum, word_size
from montcore.cores.contract import Refusal
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.smm import uncorrected_fast, uncorrected_paper
from montcore.model.spec import ModelResult
from montcore.support.paths import module_files

WORD_SIZES = (4, 8, 16, 32, 64)
WORD_SIZE = word_size(*WORD_SIZES)
DEFAULT_NPE = 4
DEFAULT_WORD = 32
#: Number of built rows from which on element 0 computes the last digit (`shares` in the RTL).
SHARED_ROWS = 4

#: Modules of hw/common/rtl and hw/smm/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "csa", "csa_tree", "sum"),
    *("recode", "mult18", "mul_registered", "mul_add_pkg", "mul_add", "mul_dsp", "mul_cs"),
    *("ram_macro", "ram", "sweep", "config", "loader", "front"),
)
OWN_MODULES = (
    *("smm_fast_pkg", "smm_row_queue", "smm_fast_pe", "smm_fast_array"),
    *("smm_fast_compare_blocks", "smm_fast_compare"),
    *("smm_fast_output", "smm_fast_sequencer"),
    *("smm_newton", "smm_fast_setup", "smm_shared_setup"),
    *("smm_quotient", "smm_tile_quotient"),
    *("smm_word_plain", "smm_word_shared", "smm_word_tiles", "smm_fast"),
    *("smm_paper_pkg", "smm_paper_pe", "smm_paper_carry", "smm_paper_sums", "smm_paper_array"),
    *("smm_select_adder", "smm_drawn_pe", "smm_drawn_array"),
    *("smm_paper_sequencer", "smm_paper"),
    *("smm_operand_memory", "smm_fast_memory", "smm"),
)


def digit_slots(rows: int) -> int:
    """Return the slots without a row of a pass that the last digit takes in element 0."""
    return max(4 - rows, 1)


class SmmSchedule(TextEnum):
    """The order of the word products."""

    FAST = "fast"
    PAPER = "paper"


class SmmElement(TextEnum):
    """The circuit of the processing elements, with the paper's schedule."""

    OURS = "ours"
    PAPER = "paper"


class Smm(Core):
    """The word-serial array and its parameters."""

    name = "smm"
    title = "word-serial row of processing elements"
    mark = 7
    paper = "smm-2021"
    datasheet_points = (
        *((521, {"npe": npe}) for npe in ("4", "8")),
        *((521, {"npe": npe, "w": "64"}) for npe in ("4", "8")),
        *((1024, {"npe": npe}) for npe in ("4", "8")),
        *((1024, {"npe": npe, "w": "64"}) for npe in ("4", "8")),
    )

    npe: int = Field(default=DEFAULT_NPE, description="number of processing elements")
    w: Annotated[int, WORD_SIZE] = Field(default=DEFAULT_WORD, description="word size in bits")
    schedule: SmmSchedule = Field(default=SmmSchedule.FAST, description="fast, or as in the paper")
    element: SmmElement = Field(
        default=SmmElement.OURS,
        description="ours; with schedule=paper also as the paper draws it: a product register and "
        "two carry-select adders",
    )

    @classmethod
    def allowed(cls) -> dict[str, Allowed]:
        """Return the allowed values of each parameter except the width."""
        words = "the words of the modulus, L / w rounded up"
        default = f"{DEFAULT_NPE}, or as many as there are words"
        return {**super().allowed(), "npe": Allowed("npe", default, (), 1, words)}

    @model_validator(mode="before")
    @classmethod
    def _npe_follows_the_width(cls, values: Any) -> Any:
        if not isinstance(values, dict) or "npe" in values:
            return values
        try:
            bits, w = int(values["bits"]), int(values.get("w", DEFAULT_WORD))
            return {**values, "npe": max(1, min(DEFAULT_NPE, -(-bits // w)))}
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            return values  # rejected by the fields' own checks

    # Unsupported parameters; `montcore_smm.sv` rejects them with the same messages.
    @model_validator(mode="after")
    def _npe_fits(self) -> Self:
        if not 1 <= self.npe <= self.words(self.bits):
            raise ValueError(
                f"npe must lie between 1 and the number of words "
                f"({self.words(self.bits)} of {self.w} bits in {self.bits})"
            )
        return self

    @model_validator(mode="after")
    def _element_has_its_schedule(self) -> Self:
        if self.element is SmmElement.PAPER and self.schedule is not SmmSchedule.PAPER:
            raise ValueError("the paper's element needs the paper's schedule")
        return self

    # Only one schedule has a choice of elements; the others do not show it.
    def params(self) -> dict[str, int | str]:
        """Return all parameters as plain values; the element only if it is not ours."""
        return self._named(super().params())

    def settings(self) -> dict[str, int | str]:
        """Return the parameters of `--set`; the element only if it is not ours."""
        return self._named(super().settings())

    def _named(self, values: dict[str, int | str]) -> dict[str, int | str]:
        return {
            name: value
            for name, value in values.items()
            if name != "element" or self.element == SmmElement.PAPER
        }

    def words(self, length: int) -> int:
        """Return m, the words of a modulus of `length` bits."""
        return -(-length // self.w)

    def rows(self, length: int) -> int:
        """Return r, the slots of a pass over all words."""
        return -(-self.words(length) // self.npe)

    @property
    def shares(self) -> bool:
        """Whether element 0 computes the last digit, with the fast schedule."""
        return self.rows(self.bits) >= SHARED_ROWS

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files(COMMON_MODULES) + module_files(OWN_MODULES)

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {
            "Length": self.bits,
            "WordBits": self.w,
            "NumPe": self.npe,
            "PaperSchedule": int(self.schedule is SmmSchedule.PAPER),
            **({"PaperElement": 1} if self.element == SmmElement.PAPER else {}),
            "Tech": int(technology.tech),
        }

    @property
    def bus_width(self) -> int:
        """Return w: the streams carry one word per beat."""
        return self.w

    def beats(self, length: int) -> int:
        """Return m."""
        return self.words(length)

    def r_bits(self, length: int) -> int:
        """Return w m."""
        return self.w * self.words(length)

    def core_cycles(self, length: int) -> int:
        """Return 5r + 2mr + 7 for the paper's schedule; fast 2mr + 6, 6, 8 for r = 1, 2, 3.

        Built for four rows or more, the fast schedule takes 2mr + 7, 6, 5, 5 for r = 1, 2, 3, 4...
        """
        m, r = self.words(length), self.rows(length)
        if self.schedule is SmmSchedule.PAPER:
            return 5 * r + 2 * m * r + 7
        if self.shares:
            return 2 * m * r + 4 + digit_slots(r)
        return 2 * m * r + {1: 6, 2: 6, 3: 8}[r]

    def interval(self, length: int) -> int:
        """Return 2mr, the array's own interval, or that of the output stage if it is longer.

        With one row a result holds the queue F for m + 7 cycles, so that the full rate needs
        m >= 7; products of one or two words do not overlap and take m + r + 6. If built for four
        rows or more, the last digit takes separate slots. In the paper's schedule products do not
        overlap: one begins when the m words of the previous result have left.
        """
        m, r = self.words(length), self.rows(length)
        if self.schedule is SmmSchedule.PAPER:
            return self.core_cycles(length) + m
        if self.shares:
            return 2 * m * r + digit_slots(r)
        if m <= 2:
            return m + r + 6
        return max(2 * m * r, m + 7) if r == 1 else 2 * m * r

    @property
    def multipliers(self) -> int:
        """Return the number of word multipliers of the array."""
        return self.npe

    def word_products(self, length: int) -> int:
        """Return 2 m^2."""
        return 2 * self.words(length) ** 2

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        paper = self.schedule is SmmSchedule.PAPER
        uncorrected = uncorrected_paper if paper else uncorrected_fast
        z = uncorrected(self.w, self.words(length), x, y, m) % m
        cycles = self.core_cycles(length)
        return ModelResult(z, cycles, cycles + 1)

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters."""
        npe = "npe must lie between 1 and the number of words"
        return [
            *(Refusal(64, {"npe": 1, "w": w}, WORD_SIZE.rule) for w in (5, 2, 12)),
            Refusal(256, {"npe": 1, "w": 128}, WORD_SIZE.rule),
            Refusal(1, {"npe": 1, "w": 4}, "the built width must be at least 2 bits"),
            Refusal(256, {"npe": 0}, f"{npe} (8 of 32 bits in 256)"),
            Refusal(256, {"npe": 9}, f"{npe} (8 of 32 bits in 256)"),
            Refusal(521, {"npe": 18}, f"{npe} (17 of 32 bits in 521)"),
            Refusal(256, {"element": "paper"}, "the paper's element needs the paper's schedule"),
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return points at w = 32, or, for a full sweep, every npe up to 17 at w = 16, 32 and 64.

        The sweep includes the paper's schedule at the paper's word size, for comparison.
        """
        if not full:
            points = [(npe, SmmSchedule.FAST) for npe in (1, 2, 4, 8)]
            points += [(npe, SmmSchedule.PAPER) for npe in (1, 8)]
            return [
                cls(bits=bits, npe=npe, schedule=schedule)
                for npe, schedule in points
                if npe <= -(-bits // 32)
            ]
        return [
            cls(bits=bits, npe=npe, w=w, schedule=schedule)
            for schedule, sizes in ((SmmSchedule.FAST, (16, 32, 64)), (SmmSchedule.PAPER, (32,)))
            for w in sizes
            for npe in range(1, min(17, -(-bits // w)) + 1)
        ]


CORE = Smm
