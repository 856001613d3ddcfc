# SPDX-License-Identifier: Apache-2.0
"""The cycle formula of a configured core as text, for datasheets; tests evaluate the text.

L is the length of the modulus in bits. Cores of other packages have no formula here.
"""

from collections.abc import Callable, Mapping

from montcore.cores.core import Core
from montcore.cores.row import RowCore
from montcore.cores.smm import Smm, SmmSchedule
from montcore.model.row_high import MARGIN

#: Definitions in order, each a name and an expression; the last one is the number of cycles.
Formula = list[tuple[str, str]]

#: Name of the last definition: cycles from start to done in the datapath.
CYCLES = "cycles"


def _row(core: Core) -> Formula:
    assert isinstance(core, RowCore)
    algorithm = core.algorithm
    words = f"ceil(L / {core.w})"
    if core.settings().get("shape") == "2d":
        words = str(core.words(core.bits))
    length: Formula = [("m", words), ("k", f"{core.w} * m")]
    digits = "k" if algorithm.digit_bits == 1 else f"k / {algorithm.digit_bits}"
    iterations = f"({digits} + 2)"
    if algorithm.cycles_per_digit > 1:
        iterations = f"{algorithm.cycles_per_digit} * {iterations}"
    return [*length, (CYCLES, f"{iterations} + m + {algorithm.stages}")]


def _smm(core: Core) -> Formula:
    assert isinstance(core, Smm)
    length: Formula = [("m", f"ceil(L / {core.w})"), ("r", f"ceil(m / {core.npe})")]
    if core.schedule is SmmSchedule.PAPER:
        return [*length, (CYCLES, "5 * r + 2 * m * r + 7")]
    shared = core.shares
    ends = "7 if r == 1 else 6 if r == 2 else 5" if shared else "6 if r <= 2 else 8"
    return [*length, ("c", ends), (CYCLES, "2 * m * r + c")]


def _hr(core: Core) -> Formula:
    settings = core.settings()
    digits = f"ceil(({settings['w']} * m + {MARGIN}) / {settings['radix']})"
    return [("m", f"ceil(L / {settings['w']})"), ("n", digits), (CYCLES, "n + 7")]


def _dsp(core: Core) -> Formula:
    settings = core.settings()
    once = "(k - 1) * r / 2 + 4"
    double = settings["clocking"] == "double"
    return [
        ("n", "ceil((L + 36) / 17)"),
        ("r", f"2 * ceil((n + 1) / {2 * int(settings['alpha'])})"),
        ("k", "2 * n + 4 if r == 2 else 2 * n"),
        (CYCLES, once if double else f"2 * ({once})"),
    ]


#: The formulas by core.
FORMULAS: Mapping[str, Callable[[Core], Formula]] = {
    **dict.fromkeys(("cs", "cs4", "mx", "op", "rc"), _row),
    "smm": _smm,
    "hr": _hr,
    "karatsuba": lambda core: [(CYCLES, str(core.core_cycles(core.bits)))],
    "dsp": _dsp,
}


def formula(core: Core) -> Formula:
    """Return the definitions of a core's cycle formula, empty if it is not known here."""
    return FORMULAS[core.name](core) if core.name in FORMULAS else []


def formula_text(core: Core) -> str:
    """Return the formula in a line: the number of cycles, then the definitions of its letters."""
    found = formula(core)
    if not found:
        return ""
    (_, cycles), others = found[-1], found[:-1]
    meanings = ", ".join(f"{name} = {words}" for name, words in others)
    return cycles.replace(" * ", " ") + (f"; {meanings.replace(' * ', ' ')}" if meanings else "")
