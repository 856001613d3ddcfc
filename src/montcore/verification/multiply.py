# SPDX-License-Identifier: Apache-2.0
"""One modular product on a core, checked against the specification."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from montcore.cores.core import Core
from montcore.model.spec import to_montgomery
from montcore.sim.types import Outcome, Product, describe
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked
from montcore.verification.cases import expected_cases
from montcore.verification.checker import mul_command
from montcore.verification.engines import Engine, RtlEngine, make_engine

Domain = Literal["montgomery", "plain"]


@dataclass(frozen=True)
class MulResult:
    """One product.

    Attributes:
        z: x * y * R^-1 mod m, or x * y mod m in the plain domain.
        cycles: cycles from the last operand beat to the first result beat (plain domain: of the
            one product that the core computed).
        core_cycles: cycles from start to done inside the datapath.
        r_bits: log2 of R.
    """

    z: int
    cycles: int
    core_cycles: int
    r_bits: int


@checked
def multiply(
    core: Core,
    m: int,
    x: int,
    y: int,
    *,
    length: int | None = None,
    engine: Engine = "rtl",
    domain: Domain = "montgomery",
    wave: Path | None = None,
) -> MulResult:
    """Compute one product.

    Args:
        m: modulus, odd, 3 <= m < 2^length.
        x: multiplier, below m.
        y: multiplicand, below m.
        length: run-time length in bits; None: the built width.
        engine: ``rtl`` simulates the hardware, ``model`` runs the Python model.
        domain: ``montgomery``: x * y * R^-1 mod m. ``plain``: x * y mod m; x enters the core in
            Montgomery form, which cancels R^-1.
        wave: write an FST wave of the simulation to this file.

    Raises:
        RequestError: modulus, operand or length is out of range.
        CheckFailedError: the core gave no result or a wrong one.
    """
    length = core.bits if length is None else length
    check_request(m, x, y, core.bits, length)
    r_bits = core.r_bits(length)
    product = Product(to_montgomery(x, m, r_bits) if domain == "plain" else x, y, m, length)
    runner = make_engine(engine, core)
    outcome = runner.run([product], "single", False, lambda _: None)[0]
    if wave is not None:
        if not isinstance(runner, RtlEngine):
            raise RequestError("a wave needs --engine rtl")
        runner.wave([product], "single", False, wave)
    z = _checked(core, product, outcome, engine)
    return MulResult(z, outcome.cycles, outcome.core_cycles, r_bits)


@checked
def check_request(m: int, x: int, y: int, bits: int, length: int | None = None) -> None:
    """Check modulus, operands and run-time length against each other and the built width.

    Raises:
        RequestError: one of them is out of range.
    """
    length = bits if length is None else length
    if m < 2:
        told = "negative" if m < 0 else "one" if m else "zero"
        raise RequestError(f"the modulus must be odd and at least 3, not {told}")
    if m % 2 == 0:
        raise RequestError("the modulus must be odd and at least 3, not even")
    if length > bits or length < 2:
        raise RequestError(f"the length of {length} bits does not lie between 2 and {bits} bits")
    if m.bit_length() > length:
        raise RequestError(
            f"the modulus has {m.bit_length()} bits, more than the {length} bits of the "
            f"{'core' if length == bits else 'run-time length'}"
        )
    for name, value in (("x", x), ("y", y)):
        if not 0 <= value < m:
            raise RequestError(
                f"operand {name} is {'negative' if value < 0 else 'not below the modulus'}"
            )


def _checked(core: Core, product: Product, outcome: Outcome, engine: Engine) -> int:
    again = mul_command(core, product, engine)
    if outcome.z is None:
        raise CheckFailedError(f"no result: {describe(outcome.error)}; again with: {again}")
    right = expected_cases(core, [product])[0].z
    if outcome.z != right:
        raise CheckFailedError(f"wrong result {outcome.z:#x} instead of {right:#x}; again: {again}")
    return outcome.z
