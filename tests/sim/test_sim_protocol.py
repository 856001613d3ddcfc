# SPDX-License-Identifier: Apache-2.0
"""The rules of the common port other than correct products: all cores, and test-core mutants."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from core_styles import ARRAY_BITS, port_styles
from fixture_core import FixtureCore
from port_rules import (
    RULES,
    nothing_leaves_after_zeroize,
    zeroize_leaves_nothing_that_depends_on_the_numbers,
)

from montcore.cores import all_cores
from montcore.cores.core import Core

pytestmark = pytest.mark.usefixtures("one_simulator")

BITS = 72
#: Widths for the last point of a core whose size grows with the square of its width.
SMALLER = {"mx": ARRAY_BITS}
#: Builds that no sweep has.
MORE = [("op", ARRAY_BITS, {"w": "8", "shape": "2d"})]


def subjects() -> Iterator[Any]:
    """Yield every core in its first usual build and, nightly, in its last one and in more."""
    yield pytest.param(FixtureCore(bits=BITS, bus=8), id="fixture")
    for core in all_cores().values():
        first, last = core.points(BITS)[0], core.points(SMALLER.get(core.name, BITS))[-1]
        more = [core.configure(item[2], item[1]) for item in MORE if item[0] == core.name]
        for point in dict.fromkeys((first, last, *more)):
            marks = [] if point is first else [pytest.mark.nightly]
            yield pytest.param(point, id=f"{core.name} {point.label()}", marks=marks)


def all_styles() -> Iterator[Any]:
    """Each core with each value of its named choices."""
    yield pytest.param(FixtureCore(bits=BITS, bus=8), id="fixture")
    for point in port_styles(BITS):
        yield pytest.param(point, id=f"{point.name} {point.label()}")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("core", list(subjects()))
@pytest.mark.one_in(6)
def test_every_core_holds_to(core: Core, rule: Callable[[Core], None]) -> None:
    rule(core)


@pytest.mark.parametrize("core", list(all_styles()))
@pytest.mark.one_in(2)
def test_nothing_leaves_after_zeroize(core: Core) -> None:
    nothing_leaves_after_zeroize(core)


# ---- the tests above can fail ------------------------------------------------------------------


def test_mutant_that_forgets_to_clear_a_register_is_caught() -> None:
    with pytest.raises(AssertionError, match="zeroize"):
        zeroize_leaves_nothing_that_depends_on_the_numbers(FixtureCore(bits=BITS, bug=7))


def test_mutant_whose_product_ends_after_zeroize_is_caught() -> None:
    with pytest.raises(AssertionError, match="PULSE"):
        nothing_leaves_after_zeroize(FixtureCore(bits=BITS, bug=16))
