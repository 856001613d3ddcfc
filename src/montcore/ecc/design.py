# SPDX-License-Identifier: Apache-2.0
"""The curve engine's sources: `montcore_ecc`, its multiplier and, scheduled for it, its program."""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from montcore.cores.technology import SIMULATION, Technology
from montcore.ecc.isa import WORD_BITS
from montcore.ecc.program import Program, generator_digest, program
from montcore.ecc.schedule import EngineTiming
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.unit import UnitDesign
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CheckedPort
from montcore.support.errors import RequestError
from montcore.support.files import generated_file
from montcore.support.paths import HW_DIR, PREFIX, module_files
from montcore.support.requests import checked

MIN_WIDTH = 32
MAX_LENGTH = 1000
MAX_CONTEXTS = 4

#: Top modules: the engine, the engine with several contexts, and the simulation bench with a source
#: of randomness.
TOP = f"{PREFIX}ecc"
TOP_OF_SEVERAL = f"{PREFIX}ecc_contexts"
BENCH = f"{PREFIX}ecc_bench"

#: Files in compile order.
OWN_MODULES = (
    *("ecc_pkg", "ecc_adder", "ecc_datapath", "ecc_table", "ecc_scalar"),
    *("ecc_stream", "ecc_random", "ecc_fetch", "ecc_sequence", "ecc_packets", "ecc_engine"),
)
#: The remaining files, for one context or for several.
ONE = ("ecc",)
SEVERAL = ("turns", "ecc_share", "ecc_contexts")


#: Cycles of a product from the last operand beat to the first result beat, beyond the core's own.
_PORT_CYCLES = 1


@checked
@dataclass(frozen=True)
class EngineDesign(UnitDesign):
    """A curve engine over one core in one configuration.

    Attributes:
        contexts: operations that can be in progress at once, each in its own engine.
    """

    name: ClassVar[str] = "ecc"

    contexts: int = 1

    def __post_init__(self) -> None:
        """Reject a configuration that cannot be built.

        Raises:
            RequestError: the multiplier's bus is too narrow for the packet headers, or the number
                of bits too large for them; or too many contexts.
        """
        if not 1 <= self.contexts <= MAX_CONTEXTS:
            raise RequestError(f"a curve engine has 1 to {MAX_CONTEXTS} contexts")
        # `montcore_ecc.sv` rejects the same cases with the same message.
        if self.width < MIN_WIDTH:
            raise RequestError(
                f"the curve engine needs a multiplier with a bus of at least {MIN_WIDTH} bits"
            )
        if self.length > MAX_LENGTH:
            raise RequestError(f"the curve engine is built for at most {MAX_LENGTH} bits")

    @property
    def top(self) -> str:
        """Name of the top module."""
        return TOP if self.contexts == 1 else TOP_OF_SEVERAL

    def own_settings(self) -> dict[str, int]:
        """Return the ``--set`` values that are not the default."""
        return {"contexts": self.contexts} if self.contexts > 1 else {}

    def title(self) -> str:
        """Return a readable title: the multiplier with its parameters."""
        return title_of(self.core.name, self.core.label(), self.contexts)

    @property
    def defines(self) -> tuple[str, ...]:
        """Preprocessor macros of the sources.

        The name differs from the exponentiator's: in an accelerator one unit may have the fast
        clock and the other not.
        """
        return ("MONTCORE_CURVE_CLK2X",) if self.double else ()

    @property
    def lanes(self) -> int:
        """Beats that the adder processes per cycle: two, or one if an element is a single beat."""
        return 2 if self.beats(self.length) > 1 else 1

    def beats(self, length: int) -> int:
        """Return the beats of an element at a run-time length."""
        return self.core.beats(max(2, length))

    @property
    def timing(self) -> EngineTiming:
        """What the program is scheduled for."""
        return EngineTiming(
            self.beats(self.length),
            self.core.core_cycles(self.length) + _PORT_CYCLES,
            self.core.interval(self.length),
            self.lanes,
        )

    @property
    def open_products(self) -> int:
        """Products that can be in progress: in the datapath and in the front end's banks."""
        timing = self.timing
        wanted = -(-timing.latency // timing.interval) + 4
        return 1 << (wanted - 1).bit_length()

    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""
        several = {"Contexts": self.contexts} if self.contexts > 1 else {}
        return several | {
            "Length": self.length,
            "Width": self.width,
            "Beats": self.beats(self.length),
            "Lanes": self.lanes,
            "Open": self.open_products,
            "Tech": int(technology.tech),
        }

    @cached_property
    def program(self) -> Program:
        """The program, scheduled for the multiplier."""
        return program(self.timing)

    def rom(self) -> str:
        """Return the module with the program."""
        code = [f"{WORD_BITS}'h{item.word():06x}" for item in self.program.code]
        code += [f"{WORD_BITS}'h000000"] * (-len(code) % _ROW_WORDS)
        rows = [", ".join(code[at : at + _ROW_WORDS]) for at in range(0, len(code), _ROW_WORDS)]
        words = "\n".join(f"      8'd{at}: row = {{{row}}};" for at, row in enumerate(rows))
        count = len(self.program.code)
        return _ROM.format(count=count, words=words, core=self.core.name)

    @property
    def _over(self) -> ExponentiatorDesign:
        """An exponentiator over the same port, which has the same multiplier."""
        return ExponentiatorDesign(self.core, lazy=False)

    def multiplier(self, technology: Technology = SIMULATION) -> str:
        """Return the module around the multiplier, in the style for a technology."""
        return self._over.multiplier(technology, self.name)

    def files(self) -> list[Path]:
        """Return the committed files of one context."""
        return [*self._over.multiplier_files(), *module_files((*OWN_MODULES, *ONE))]

    def about(self, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the figures' dependencies other than the files."""
        return {
            **super().about(technology),
            "timing": asdict(self.timing),
            # Scheduling the program takes seconds; its generator's code is hashed instead.
            "program": generator_digest(),
        }

    def sources(self, technology: Technology = SIMULATION) -> list[Path]:
        """Return the SystemVerilog files; the generated ones are in the cache folder."""
        multiplier = self._over.multiplier_sources(technology, self.name)
        rom = generated_file("ecc_rom", self.rom())
        own = (*OWN_MODULES, *(ONE if self.contexts == 1 else SEVERAL))
        return [*multiplier, rom, *module_files(own)]

    def build(self) -> RtlBuild:
        """Return what the simulator is compiled from."""
        verif = [HW_DIR / "ecc" / "verif" / f"{name}.sv" for name in (f"{BENCH}_random", BENCH)]
        inner = CheckedPort(self.core.top, f"{BENCH}.u_ecc.u_multiplier.u_core", self.width)
        several = ("MONTCORE_ECC_CONTEXTS",) if self.contexts > 1 else ()
        flags = tuple(f"-D{name}" for name in (*self.defines, *several))
        return RtlBuild(BENCH, (*self.sources(), *verif), self.parameters(), flags, (inner,))


def title_of(core: str, label: str, contexts: int) -> str:
    """Return a readable title: a multiplier with its parameters and the number of contexts."""
    several = f", {contexts} contexts" if contexts > 1 else ""
    return f"{core} {label}{several}"


_ROW_WORDS = 4

_ROM = """// SPDX-License-Identifier: Apache-2.0

/// The curve engine's program, scheduled for the core {core}. Generated by montcore.ecc.design.
///
/// word_o = instruction at address_i; see src/montcore/ecc/isa.py
/// Precondition: address_i below {count}. Four instructions a line, the first one leftmost.
/// Latency: 0.
/// Example: address 8 is the end of an operation, 0.
module montcore_ecc_rom (
    input logic [9:0] address_i,  // Address of an instruction.
    output logic [21:0] word_o  // The instruction at address_i.
);
  logic [3:0][21:0] row;
  always_comb begin
    unique case (address_i[9:2])
{words}
      default: row = '0;
    endcase
  end
  assign word_o = row[~address_i[1:0]];
endmodule
"""
