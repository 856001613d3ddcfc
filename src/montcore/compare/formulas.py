# SPDX-License-Identifier: Apache-2.0
"""The cycle formula of a configured core as text, for datasheets; tests evaluate the text.

L is the length of the modulus in bits. Cores of other packages have no formula here.
"""

from collections.abc import Callable, Mapping

from montcore.cores.core import ConfiguredCore
from montcore.cores.karatsuba import KaratsubaConfig
from montcore.cores.row import RowConfig, RowCore
from montcore.cores.smm import SmmConfig, SmmSchedule
from montcore.model.row_high import MARGIN

#: Definitions in order, each a name and an expression; the last one is the number of cycles.
Formula = list[tuple[str, str]]

#: Name of the last definition: cycles from start to done in the datapath.
CYCLES = "cycles"


def _row(core: ConfiguredCore) -> Formula:
    inner, config = core.core, core.config
    assert isinstance(inner, RowCore) and isinstance(config, RowConfig)
    algorithm, w = inner.algorithm, core.bus_width
    length: Formula = [("m", f"ceil(L / {w})"), ("k", f"{w} * m")]
    if core.settings().get("shape") == "2d":
        words = config.words(core.bits)
        length = [("m", f"{words}"), ("k", f"{config.w} * m")]
    digits = "k" if algorithm.digit_bits == 1 else f"k / {algorithm.digit_bits}"
    iterations = f"({digits} + 2)"
    if algorithm.cycles_per_digit > 1:
        iterations = f"{algorithm.cycles_per_digit} * {iterations}"
    return [*length, (CYCLES, f"{iterations} + m + {algorithm.stages}")]


def _smm(core: ConfiguredCore) -> Formula:
    config = core.config
    assert isinstance(config, SmmConfig)
    length: Formula = [("m", f"ceil(L / {config.w})"), ("r", f"ceil(m / {config.npe})")]
    if config.schedule is SmmSchedule.PAPER:
        return [*length, (CYCLES, "5 * r + 2 * m * r + 7")]
    shared = config.shares
    ends = "7 if r == 1 else 6 if r == 2 else 5" if shared else "6 if r <= 2 else 8"
    return [*length, ("c", ends), (CYCLES, "2 * m * r + c")]


def _hr(core: ConfiguredCore) -> Formula:
    settings = core.settings()
    digits = f"ceil(({settings['w']} * m + {MARGIN}) / {settings['radix']})"
    return [("m", f"ceil(L / {settings['w']})"), ("n", digits), (CYCLES, "n + 8")]


def _karatsuba(core: ConfiguredCore) -> Formula:
    assert isinstance(core.config, KaratsubaConfig)
    return [(CYCLES, str(core.core_cycles(core.bits)))]


def _dsp(core: ConfiguredCore) -> Formula:
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
FORMULAS: Mapping[str, Callable[[ConfiguredCore], Formula]] = {
    **dict.fromkeys(("cs", "cs4", "mx", "op", "rc"), _row),
    "smm": _smm,
    "hr": _hr,
    "karatsuba": _karatsuba,
    "dsp": _dsp,
}


def formula(core: ConfiguredCore) -> Formula:
    """Return the definitions of a core's cycle formula, empty if it is not known here."""
    return FORMULAS[core.name](core) if core.name in FORMULAS else []


def formula_text(core: ConfiguredCore) -> str:
    """Return the formula in a line: the number of cycles, then the definitions of its letters."""
    found = formula(core)
    if not found:
        return ""
    (_, cycles), others = found[-1], found[:-1]
    meanings = ", ".join(f"{name} = {words}" for name, words in others)
    return cycles.replace(" * ", " ") + (f"; {meanings.replace(' * ', ' ')}" if meanings else "")
