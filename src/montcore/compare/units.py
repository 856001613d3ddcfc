# SPDX-License-Identifier: Apache-2.0
"""Units that perform a whole operation over a multiplier, as points of a comparison.

The exponentiator raises to a power, the curve engine multiplies a point and signs. A unit is
identified by its name and its multiplier: ``modexp core=cs4 w=32``. Determining a point's
dependencies starts no tool and schedules no program, so that the atlas answers at once.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.support.digest import digest
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import module_files
from montcore.support.syntax import code_of
from montcore.synth.options import Options
from montcore.synth.target import Target

if TYPE_CHECKING:
    from montcore.synth.design import Design
    from montcore.synth.result import SynthResult

#: Number of powers in the check of an exponentiator's RTL, and bits of their exponents.
POWERS, EXPONENT_BITS = 12, 40


@dataclass(frozen=True)
class Unit(ABC):
    """A unit over a multiplier core.

    Attributes:
        name: name of the unit for `synth` and `build`.
        title: title of a report about it.
        operation: the operation that its latency refers to.
    """

    name: str
    title: str
    operation: str

    @abstractmethod
    def check(self, core: Core) -> None:
        """Reject a multiplier that the unit cannot be built over.

        Raises:
            RequestError: the multiplier is not suitable; the message states why.
        """

    @abstractmethod
    def sources(self, core: Core) -> list[Path]:
        """Return the committed SystemVerilog files; nothing is generated."""

    @abstractmethod
    def about(self, core: Core, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the figures' dependencies other than those files, as plain values."""

    @abstractmethod
    def rtl(self, core: Core, on: Target | None = None) -> "Design":
        """Return the design for a target, or the one that is simulated."""

    @abstractmethod
    def synthesise(self, core: Core, target: str, opts: Options) -> "SynthResult":
        """Synthesise the unit; its cycles are simulated.

        Raises:
            RequestError, CheckFailedError: as `montcore synth`.
        """

    @abstractmethod
    def verify(self, core: Core, seed: int) -> dict[str, int]:
        """Check the RTL; return the resulting figures of an `Entry`, including ``checked``.

        Raises:
            CheckFailedError: a result is wrong.
        """

    def over(self, bits: int, full: bool = False) -> tuple[list[Core], dict[str, str]]:
        """Return the multipliers to compare it over, and the unsuitable ones, with reasons.

        Args:
            bits: built width.
            full: every point of the cores' small sweeps, instead of each core's fastest one.
        """
        found: list[Core] = []
        refused: dict[str, str] = {}
        for name in all_cores():
            try:
                get_core(name).configure({}, bits)
                own = list(get_core(name).points(bits))
                for core in own:
                    self.check(core)
            except RequestError as error:
                refused[f"{self.name} over {name}"] = str(error)
                continue
            # Of equally fast ones the smaller: the logic around the multiplier is the same.
            own.sort(key=lambda core: (core.core_cycles(bits), core.multipliers))
            found += own if full else own[:1]
        return found, refused


def _code(module: str) -> str:
    """Return a generated module without its comments and white space."""
    return "".join(re.sub(r"//.*", "", module).split())


def _choices(core: Core, technology: Technology) -> dict[str, Any]:
    found = core.flow_choices(technology)
    return {"choices": found} if found else {}


class _Exponentiator(Unit):
    """The exponentiator `modexp`."""

    def check(self, core: Core) -> None:
        """Reject a multiplier whose bus is too narrow, or that is too wide."""
        from montcore.modexp.design import ExponentiatorDesign

        ExponentiatorDesign(core)

    def sources(self, core: Core) -> list[Path]:
        """Return the files of the exponentiator and of its multiplier."""
        from montcore.modexp.design import OWN_MODULES, ExponentiatorDesign

        return [*ExponentiatorDesign(core).multiplier_files(), *module_files(OWN_MODULES)]

    def about(self, core: Core, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the parameters, and the generated module around the multiplier."""
        from montcore.modexp.design import ExponentiatorDesign

        design = ExponentiatorDesign(core)
        return {
            "parameters": design.parameters(technology),
            "multiplier": _code(design.multiplier(technology)),
            "double": design.double,
            **_choices(core, technology),
        }

    def rtl(self, core: Core, on: Target | None = None) -> "Design":
        """Return the design for a target, or the one that is simulated."""
        from montcore.modexp.design import ExponentiatorDesign
        from montcore.modexp.synthesis import rtl

        return rtl(ExponentiatorDesign(core), on)

    def synthesise(self, core: Core, target: str, opts: Options) -> "SynthResult":
        """Synthesise it; its cycles are those of one constant power of the built length."""
        from montcore.modexp.design import ExponentiatorDesign
        from montcore.modexp.synthesis import synthesise

        return synthesise(ExponentiatorDesign(core), target, opts=opts)

    def verify(self, core: Core, seed: int) -> dict[str, int]:
        """Compare random powers of all policies with Python's."""
        from montcore.modexp import Exponentiator, Policy, Power
        from montcore.modexp.design import ExponentiatorDesign

        rng, unit, checked = random.Random(seed), Exponentiator(ExponentiatorDesign(core)), 0
        for policy in Policy:
            powers = []
            for number in range(POWERS // len(Policy)):
                length = core.bits if number % 2 == 0 else max(8, core.bits // 2)
                m = rng.getrandbits(length) | 1 << (length - 1) | 1
                powers.append(
                    Power(rng.randrange(m), rng.getrandbits(min(EXPONENT_BITS, length)) | 1, m)
                )
            for power, found in zip(powers, unit.run(powers, policy), strict=True):
                if found.result != pow(power.base, power.exponent, power.modulus):
                    raise CheckFailedError(f"modexp over {core.name} is wrong: {power}")
                checked += 1
        return {"checked": checked}


@cache
def _code_digest(texts: tuple[str, ...]) -> str:
    """Return a hash of Python code; parsing takes a tenth of a second, each point asks for it."""
    return digest(code_of(text) for text in texts)


class _CurveEngine(Unit):
    """The curve engine `ecc`."""

    #: Modules of `montcore.ecc` that generate the program in its memory.
    _PROGRAM = (*("assembler", "elements", "formulas", "isa", "program", "routines", "schedule"),)

    def check(self, core: Core) -> None:
        """Reject a multiplier with a narrow bus, and a width without a curve."""
        from montcore.ecc.design import EngineDesign
        from montcore.ecc.synthesis import widest_curve

        widest_curve(EngineDesign(core).length)

    def sources(self, core: Core) -> list[Path]:
        """Return the files of the engine and of its multiplier."""
        from montcore.ecc.design import ONE, OWN_MODULES
        from montcore.modexp.design import ExponentiatorDesign

        own = module_files((*OWN_MODULES, *ONE))
        return [*ExponentiatorDesign(core, lazy=False).multiplier_files(), *own]

    def about(self, core: Core, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the parameters, the module around the multiplier, and the program's sources."""
        from montcore.ecc.design import EngineDesign
        from montcore.modexp.design import ExponentiatorDesign

        design, folder = EngineDesign(core), Path(__file__).parents[1] / "ecc"
        makers = [(folder / f"{name}.py").read_text(encoding="utf-8") for name in self._PROGRAM]
        return {
            "parameters": design.parameters(technology),
            "multiplier": _code(
                ExponentiatorDesign(core, lazy=False).multiplier(technology, self.name)
            ),
            "timing": asdict(design.timing),
            # Scheduling the program takes seconds; its generator's code is hashed instead.
            "program": _code_digest(tuple(makers)),
            **_choices(core, technology),
        }

    def rtl(self, core: Core, on: Target | None = None) -> "Design":
        """Return the design for a target, or the one that is simulated."""
        from montcore.ecc.design import EngineDesign
        from montcore.ecc.synthesis import rtl

        return rtl(EngineDesign(core), on)

    def synthesise(self, core: Core, target: str, opts: Options) -> "SynthResult":
        """Synthesise it; its cycles are those of k P on the widest curve that fits."""
        from montcore.ecc.design import EngineDesign
        from montcore.ecc.synthesis import synthesise

        return synthesise(EngineDesign(core), target, opts=opts)

    def verify(self, core: Core, seed: int) -> dict[str, int]:
        """Compare k P, k G, a signature and its verification with the model."""
        del seed  # the scalars are those of `bench.measure`, so that the cycles match too
        from montcore.ecc.bench import measure
        from montcore.ecc.design import EngineDesign
        from montcore.ecc.engine import Engine
        from montcore.ecc.synthesis import widest_curve

        design = EngineDesign(core)
        row = measure(Engine(design), widest_curve(design.length))
        if row.sign is None or row.verify is None:
            raise CheckFailedError(f"the engine over {core.name} gave no signature")
        return {"checked": 4, "sign_cycles": row.sign, "verify_cycles": row.verify}


#: The units by name.
UNITS: Mapping[str, Unit] = {
    unit.name: unit
    for unit in (
        _Exponentiator("modexp", "modular exponentiation", "a power of the built length"),
        _CurveEngine("ecc", "elliptic curves", "k P on the widest curve that fits"),
    )
}
