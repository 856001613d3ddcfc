# SPDX-License-Identifier: Apache-2.0
"""Simulation speed in products; printed by ``montcore maintain measure simulation``.

The time of a run covers everything between a list of products and a list of outcomes. Building the
simulator, generating the products and comparing the results are timed separately.
"""

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from montcore.cores.core import Core
from montcore.model.spec import r_inverse
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.support.errors import CheckFailedError
from montcore_lab.checkout.files import cache_in


def measure(
    core: Core, count: int = 100_000, processes: int = 2, *, rebuild: bool = True
) -> dict[str, Any]:
    """Simulate `count` random products of the built width as a stream and time it.

    Returns:
        wall times in seconds and rates per second, for products of one modulus.

    Args:
        core: the core.
        count: number of products.
        processes: number of parallel simulators.
        rebuild: time a build with an empty cache instead of using a cached simulator.
    """
    build_s = _build_time(core) if rebuild else 0.0
    simulator = Simulator(core, processes=processes)
    simulator.prepare()
    clock = time.perf_counter
    started = clock()
    rng = random.Random(count)
    m = rng.getrandbits(core.bits) | 1 | (1 << (core.bits - 1))
    products = [Product(rng.randrange(m), rng.randrange(m), m, core.bits) for _ in range(count)]
    made = clock()
    outcomes = simulator.run(products, "stream")
    ran = clock()
    inverse = r_inverse(m, core.r_bits(core.bits))
    for product, outcome in zip(products, outcomes, strict=True):
        if outcome.z != product.x * product.y * inverse % m:
            raise CheckFailedError(f"wrong product in the speed measurement: {product}")
    checked = clock()
    cycles = sum(outcome.interval or outcome.cycles for outcome in outcomes)
    return dict(
        core=core.name,
        params=core.params(),
        products=count,
        processes=processes,
        build_s=round(build_s, 2),
        make_s=round(made - started, 2),
        run_s=round(ran - made, 2),
        check_s=round(checked - ran, 2),
        products_per_s=round(count / (ran - made)),
        verified_per_s=round(count / (checked - started)),
        clock_cycles_per_s=round(cycles / (ran - made)),
    )


def _build_time(core: Core) -> float:
    """Return the duration of a build with an empty cache, in seconds."""
    with tempfile.TemporaryDirectory() as folder, cache_in(Path(folder)):
        started = time.perf_counter()
        Simulator(core).prepare()
        return time.perf_counter() - started
