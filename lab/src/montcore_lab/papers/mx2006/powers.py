# SPDX-License-Identifier: Apache-2.0
"""RSA-1024 over several cores: cost of reducing each result instead of feeding it back."""

import random
from dataclasses import dataclass

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power, multiplications
from montcore.support.errors import CheckFailedError
from montcore_lab.papers.exponentiator import OfExponentiator
from montcore_lab.papers.subject import Figures, measured_by

BITS = 1024
#: Bits of the simulated exponents; between them, the cycles per product are constant.
_SHORT = (20, 70, 120)


@dataclass(frozen=True)
class PowerOver(OfExponentiator):
    """A power of 1024 bits with the constant policy.

    Attributes:
        core: name of the multiplier, with its default parameters.
        lazy: use its unit for lazy products, if it has one.
    """

    core: str
    lazy: bool = True

    @property
    def name(self) -> str:
        """The core and how it is used."""
        return f"{self.core}, lazy operands" if self._uses_lazy() else f"{self.core}, by its port"

    def _uses_lazy(self) -> bool:
        return self.design().lazy_unit() is not None

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("mmm-mx-2006", f"RSA-{BITS} over {self.name}")

    def design(self) -> ExponentiatorDesign:
        """Return the exponentiator."""
        return ExponentiatorDesign(get_core(self.core).configure({}, BITS), self.lazy)

    def measure(self) -> Figures:
        """Simulate powers with short exponents, and extrapolate to the full length.

        Raises:
            CheckFailedError: a power is wrong, or its cycles are not linear in its products.
        """
        design = self.design()
        m = random.Random(BITS).getrandbits(BITS) | 1 << (BITS - 1) | 1
        powers = [Power(3, (1 << length) - 1, m) for length in _SHORT]
        outcomes = Exponentiator(design).run(powers, Policy.CONSTANT)
        for power, outcome in zip(powers, outcomes, strict=True):
            if outcome.result != pow(power.base, power.exponent, m):
                raise CheckFailedError(f"a power over {self.name} is wrong")
        one, two, three = outcomes
        per_product = (three.cycles - one.cycles) / (three.multiplications - one.multiplications)
        half = (two.cycles - one.cycles) / (two.multiplications - one.multiplications)
        if abs(half / per_product - 1) > 0.002:
            raise CheckFailedError(
                f"over {self.name} a product takes {half} and then {per_product}"
            )
        products = multiplications(Power(3, (1 << BITS) - 1, m), Policy.CONSTANT)
        interval = design.core.interval(BITS)
        return {
            "products": products,
            "core_cycles": round(three.cycles + (products - three.multiplications) * per_product),
            "per_product": per_product,
            "interval": interval,
            "above": 100 * (per_product / interval - 1),
        }
