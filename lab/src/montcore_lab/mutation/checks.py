# SPDX-License-Identifier: Apache-2.0
"""The checks that mutants of a unit are judged by, and its files.

``python -m montcore_lab.mutation.checks UNIT CHECKS NUMBERS FOLDER`` judges mutants of the hardware
in the folder MONTCORE_HW, and writes a file for each: a process of its own, since that folder is
read when montcore is imported.
"""

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from montcore.bundle.styles import Design, port, targets
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import ExponentiatorDesign
from montcore.sim.build import RtlBuild
from montcore.support.errors import CheckFailedError, RequestError, TransientError
from montcore.support.files import write_whole
from montcore.support.paths import HW_DIR
from montcore.verification import sequences
from montcore.verification.run import verify
from montcore_lab.checkout.files import rtl_files
from montcore_lab.lint.elaborations import Elaboration
from montcore_lab.mutation.mutants import CHOICE
from montcore_lab.mutation.port_rules import RULES, nothing_leaves_after_zeroize

#: Widths in bits: of all products, of random sequences of packets, and of random products. With
#: that of full words, operands have a one in the topmost bit of a word.
TINY, NARROW, WIDE, FULL = (4, 5, 6, 8, 12), 40, 72, 64
#: Packets of a sequence, and random products.
PACKETS, PRODUCTS = 300, 120
#: Units that are no core, and the folder of each.
OTHERS = {
    "rows": HW_DIR / "rows" / "common",
    **{name: HW_DIR / name for name in ("modexp", "ecc", "common")},
}


@dataclass(frozen=True)
class Judge:
    """One check of one build; `fault` says what is wrong, or nothing."""

    kind: str
    label: str
    build: RtlBuild
    fault: Callable[[], str]

    def elaboration(self) -> Elaboration:
        """Return the build for a tool that finds the modules and branches that it has."""
        defines = tuple(flag[2:] for flag in self.build.extra_flags if flag.startswith("-D"))
        build = self.build
        return Elaboration(build.top, tuple(build.sources), build.parameters, defines, self.label)


def units() -> list[str]:
    """Return the names of the units."""
    return [*all_cores(), *OTHERS]


def files_of(unit: str) -> list[Path]:
    """Return the sources of a unit that no other has."""
    if unit not in OTHERS:
        core = get_core(unit)
        return [path for path in core.sources() if path.is_relative_to(core.folder())]
    return [path for path in rtl_files() if path.is_relative_to(OTHERS[unit] / "rtl")]


def checks_of(unit: str) -> list[Judge]:
    """Return every check of a unit, the cheap ones first."""
    found: list[Judge] = []
    for design in _designs(unit):
        if isinstance(design, Core):
            found += _of_core(design)
        found += [_sequences(design, target) for target in targets(design)]
    order = ("all products", "sequences", "random products", "port rules")
    return sorted({one.label: one for one in found}.values(), key=lambda one: order.index(one.kind))


def _designs(unit: str) -> Iterator[Design]:
    if unit in all_cores():
        core = get_core(unit)
        for bits in (NARROW, WIDE, FULL):
            chosen = [*core.styles(bits), *core.points(bits), *core.points(bits, full=True)]
            yield from dict.fromkeys(chosen)
        # Branches that only lazy products use.
        for point in core.styles(NARROW):
            yield ExponentiatorDesign(point)
        return
    if unit in ("rows", "common"):
        others = ("hr", "smm", "karatsuba") if unit == "common" else ()
        for name in ("cs4", "mx", "cs", "op", "rc", *others):
            yield from get_core(name).styles(NARROW)
    if unit in ("common", "modexp"):
        for bits, clocking in ((140, "single"), (NARROW, "single"), (NARROW, "double")):
            row = get_core("dsp").configure({"alpha": "3", "clocking": clocking}, bits)
            yield ExponentiatorDesign(row, pair=True)
        for slots in (1, 2, 3):
            for name, settings in (("hr", {"radix": "4"}), ("dsp", {"alpha": "2"}), ("mx", {})):
                yield ExponentiatorDesign(get_core(name).configure(settings, NARROW), slots=slots)
        yield ExponentiatorDesign(get_core("karatsuba").configure({}, 64))
    if unit in ("common", "ecc"):
        for contexts in (1, 2):
            yield EngineDesign(get_core("smm").configure({}, 9), contexts)


def _of_core(core: Core) -> Iterator[Judge]:
    settings = {name: str(value) for name, value in core.settings().items()}
    if core.bits in (WIDE, FULL):
        name, rtl = f"{core.name} {core.label()} {core.bits}", RtlBuild.of_core(core)
        yield Judge(
            "random products",
            f"{PRODUCTS} products of {name}",
            rtl,
            partial(_wrong, core, PRODUCTS),
        )
        if core.bits == WIDE:
            rtl = replace(rtl, savable=True)
            for rule in (nothing_leaves_after_zeroize, *RULES):
                label = f"{rule.__name__} of {name}"
                yield Judge("port rules", label, rtl, partial(_broken, rule, core))
        return
    for bits in TINY:
        try:
            tiny = type(core).configure(settings, bits)
        except RequestError:
            continue
        label = f"all products of {core.name} {core.label()} {bits}"
        yield Judge("all products", label, RtlBuild.of_core(tiny), partial(_wrong, tiny))
        return


def _wrong(core: Core, random_count: int | None = None) -> str:
    """Return the first wrong product: of random ones, or of all."""
    exhaustive = random_count is None
    found = verify(core, exhaustive=exhaustive, random_count=random_count, processes=1, stop=True)
    return found.failures[0].what if found.failed else ""


def _broken(rule: Callable[[Core], None], core: Core) -> str:
    """Return how a core breaks a rule of the port, if it does."""
    try:
        rule(core)
    except AssertionError as error:
        return f"{rule.__name__}: {error}"
    return ""


def _sequences(design: Design, target: str) -> Judge:
    unit = port(design, target)

    def fault() -> str:
        ops = sequences.sequence(unit, random.Random(1), PACKETS)
        return sequences.run(unit, ops, 1).fault

    label = f"{PACKETS} packets of {' '.join(unit.words)}"
    return Judge("sequences", label, unit.rtl, fault)


def judge(chosen: list[Judge], number: int) -> dict[str, str]:
    """Return the check that kills a mutant, and what it says; nothing if none does."""
    os.environ[CHOICE] = str(number)
    for check in chosen:
        try:
            fault = check.fault()
        except TransientError:
            raise
        except CheckFailedError as error:
            fault = str(error)
        if fault:
            return {"by": check.label, "fault": fault.splitlines()[0][:200]}
    return {"by": "", "fault": ""}


def main(unit: str, places: str, numbers: str, folder: str) -> None:
    """Judge mutants; each result is in a file of its own as soon as it is known."""
    every = checks_of(unit)
    chosen = [every[int(place)] for place in places.split(",")]
    for number in numbers.split(","):
        file = Path(folder) / f"judged-{number}.json"
        write_whole(file, json.dumps(judge(chosen, int(number))))


if __name__ == "__main__":
    main(*sys.argv[1:])
