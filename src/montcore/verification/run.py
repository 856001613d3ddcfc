# SPDX-License-Identifier: Apache-2.0
"""Compares a core with the specification: edge cases, random products, vectors, or everything.

Failures are: a wrong product, a missing or wrong error status, a violated rule of the port, a cycle
count that depends on data or differs from the core's formula, and any control output of the port
that depends on data in any cycle from the first beat of a packet on.
"""

import random
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import Field as Limits

from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.sim.simulator import Mode
from montcore.support.errors import RequestError
from montcore.support.requests import Natural, Processes, checked
from montcore.support.words import settings_list
from montcore.verification import cases
from montcore.verification.cases import MAX_BITS, product_count
from montcore.verification.checker import Checker, VerifyResult
from montcore.verification.engines import Engine, make_engine
from montcore.verification.vectors import find_vectors, read_products

#: Called with (work done, total work), counted in products, during verification.
Progress = Callable[[int, int], None]

#: Random products if neither a number nor vectors nor an exhaustive run is requested.
DEFAULT_RANDOM = 1000
#: Most random products of one verification: about a day of a small core.
MAX_RANDOM = 1_000_000_000
#: Random products held in memory at a time.
RANDOM_CHUNK = 20_000


@checked
def verify(
    core: Core,
    *,
    field: Field | None = None,
    random_count: Annotated[int, Limits(ge=0, le=MAX_RANDOM)] | None = None,
    seed: Natural = 0,
    vectors: str | Path | None = None,
    exhaustive: bool = False,
    engine: Engine = "rtl",
    processes: Processes = 2,
    progress: Progress | None = None,
    stop: bool = False,
) -> VerifyResult:
    """Verify a core in one configuration.

    Args:
        field: use this field's prime as the only modulus of edge cases and random products.
        random_count: number of random products; edge cases are added. None: 1000, unless `vectors`
            or `exhaustive` is given.
        vectors: file of test vectors to run, or the name of a set of vectors/.
        exhaustive: run all x, y below all odd moduli of the built width.
        engine: ``rtl`` simulates the hardware, ``model`` runs the Python model.
        stop: end at the first failure, without a wave of it.

    Raises:
        RequestError: there is no such file or set, the file is unreadable, or an exhaustive run
            would take too long.
        CheckFailedError: the simulator could not be built, or crashed.
    """
    # Check the request completely before anything that takes time.
    stated = read_products(find_vectors(vectors)) if vectors is not None else []
    if exhaustive and core.bits > MAX_BITS:
        raise RequestError(
            f"an exhaustive run of {core.bits} bits would take {product_count(core.bits):.1e} "
            f"products; at most {MAX_BITS} bits are accepted"
        )
    if random_count is None:
        random_count = 0 if vectors is not None or exhaustive else DEFAULT_RANDOM

    rng = random.Random(seed)
    checker = Checker(
        core,
        make_engine(engine, core, seed=seed, processes=processes),
        _command(core, field, random_count, seed, vectors, exhaustive, engine),
        seed,
        stop,
    )
    if vectors is not None:
        answered, refused = cases.vector_cases(core, stated)
        checker.plan_cases(answered, "single")
        checker.plan_refused(refused)
    if random_count:
        modulus = field.p if field is not None else None
        edges = cases.expected_cases(core, cases.edge_products(core, modulus, rng))
        checker.plan_cases(edges, "single")
        checker.plan_cases(edges[::3], "stream", gaps=True)
        _plan_random(checker, core, modulus, random_count, rng)
        checker.plan_cases(cases.refused_operands(core, modulus, rng), "single")
        checker.plan_refused(cases.refused_moduli(core.bits, rng))
        checker.plan_interval(rng)
    if exhaustive:
        checker.plan_exhaustive()
    return checker.work(progress)


def _plan_random(
    checker: Checker, core: Core, modulus: int | None, count: int, rng: random.Random
) -> None:
    """Plan random products.

    Half of them run from idle, which gives the cycles; the rest run back to back, half of these
    with gaps and back-pressure.
    """
    modes: tuple[Mode, ...] = ("single", "stream", "single", "stream")
    size = min(RANDOM_CHUNK, -(-count // len(modes)))
    for number, start in enumerate(range(0, count, size)):
        way = number % len(modes)
        many = min(size, count - start)

        def make(many: int = many, seed: int = rng.getrandbits(64)) -> list[cases.Case]:
            products = cases.random_products(core.bits, modulus, many, random.Random(seed))
            return cases.expected_cases(core, list(products))

        checker.plan_made(many, make, modes[way], gaps=way == 3)


def _command(
    core: Core,
    field: Field | None,
    random_count: int,
    seed: int,
    vectors: str | Path | None,
    exhaustive: bool,
    engine: Engine,
) -> str:
    words = ["montcore", "verify", core.name, *settings_list(core.settings().items())]
    words += ["--field", field.name] if field is not None else ["--bits", str(core.bits)]
    words += ["--seed", str(seed)]
    words += ["--random", str(random_count)] if random_count else []
    words += ["--vectors", str(vectors)] if vectors is not None else []
    words += ["--exhaustive"] if exhaustive else []
    words += ["--engine", engine] if engine != "rtl" else []
    return shlex.join(words)
