# SPDX-License-Identifier: Apache-2.0
"""Designs to elaborate: tops with parameters that together reach every branch of the sources.

A module is checked only where a design instantiates it, and a branch of a generate block only
where its condition holds. The designs come from the registry: each core in every style that a
parameter or a target can choose, the exponentiator over each of them, and the tops that no core
uses. By slang, `reached` returns the modules and branches of a design, `declared` all of them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from montcore.cores import all_cores
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Tech, Technology
from montcore.ecc.design import EngineDesign
from montcore.hdl.modules import declarations, instantiated, read_design, visit_hierarchy
from montcore.modexp.design import ExponentiatorDesign
from montcore.soc.design import TOP as PKA
from montcore.soc.design import AcceleratorDesign
from montcore.support.errors import RequestError
from montcore.synth.target import all_targets, technologies
from montcore_lab.checkout.files import rtl_files
from montcore_lab.checkout.modules import root_modules, rtl_units, sources_below
from montcore_lab.checkout.remembered import Question, remembered

#: Widths in bits at which every style is elaborated: of one bus word and of several, with a last
#: word that is not full. Additions that a core needs to reach all of its branches: widths for its
#: styles, and widths for all configurations of a full sweep.
STYLE_WIDTHS = (20, 72)
MORE_WIDTHS = {"smm": (264,)}
FULL_WIDTHS = {"karatsuba": (100, 136), "smm": (72,), "dsp": (72,), "hr": (72,)}
#: Width in bits at which the exponentiator is elaborated over each core, and over an array, which
#: grows with the square of it.
MODEXP_WIDTH, MODEXP_ARRAY_WIDTH = 72, 24
#: Multipliers over which exponentiators with several slots are elaborated: core, parameters, width
#: in bits, whether lazy products are used, slots. Numbers of one beat and of several, two clocks,
#: and each number of slots.
MODEXP_SLOTS: tuple[tuple[str, Mapping[str, str], int, bool, int], ...] = (
    ("karatsuba", {}, 72, True, 2),
    ("dsp", {"alpha": "2"}, 72, True, 3),
    ("dsp", {"alpha": "2", "clocking": "double"}, 72, True, 2),
    ("dsp", {"alpha": "2"}, 72, False, 2),
    ("mx", {"shape": "2d"}, 24, True, 4),
    ("smm", {"npe": "2"}, 300, True, 3),
)
#: Rows of `dsp` and widths in bits with which pairs of exponentiators are elaborated:
#: half-iterations of one pair of words and of several, two clocks.
MODEXP_PAIRS: tuple[tuple[Mapping[str, str], int], ...] = (
    ({"alpha": "4"}, 72),
    ({"alpha": "3"}, 72),
    ({"alpha": "1"}, 72),
    ({"alpha": "2", "clocking": "double"}, 100),
)
#: Cores and widths in bits over which the curve engine is elaborated: elements of one beat and of
#: several, and a bus wider than the blinding of a scalar; the first also with several contexts.
ECC_WIDTHS = {"smm": (20, 72), "karatsuba": (136,)}
ECC_CONTEXTS = (1, 2, 3)
#: Widths in bits at which the accelerator is elaborated: of the exponentiator, of the curves.
PKA_WIDTHS = (96, 72)
_VENDOR = Path(__file__).with_name("vendor")
#: Cores with branches only for a block in `_VENDOR`: the technology, the block, widths in bits.
VENDORS_BLOCKS = {
    "smm": (Tech.MULT18, "MULT18X18D", (48, 72, 160)),
    "karatsuba": (Tech.MULT18, "MULT18X18D", (48,)),
}
#: Parameters of tops that do not belong to a core, if their defaults leave branches out.
OTHER_PARAMETERS: Mapping[str, tuple[Mapping[str, int | str], ...]] = {
    "montcore_mul_registered": ({"ProductRegister": 0},),
    "montcore_mul_signed": ({"ProductRegister": 0}, {"ProductRegister": 1}),
    "montcore_smm": (
        {"Length": 72, "WordBits": 16, "NumPe": 2, "PaperSchedule": 1, "PaperElement": 1},
    ),
    "montcore_soc_reset": ({"Async": 0}, {"High": 1}),
    "montcore_rvx_pcpi": (*({"Units": f"4'd{1 << unit}"} for unit in range(4)), {"Wide": 1}),
}


Branch = tuple[str, str]
"""A module, and the name of a generate block in it; nothing for the module itself."""


@dataclass(frozen=True)
class Elaboration:
    """One design as input of a tool.

    Attributes:
        top: name of the top module.
        sources: the files, packages first.
        parameters: overrides of the top's parameters; text is a literal of SystemVerilog.
        defines: names of macros to define as 1.
        origin: distinguishes it from others with equal parameters.
    """

    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    defines: tuple[str, ...] = ()
    origin: str = ""

    @property
    def label(self) -> str:
        """Return the top with its parameters and macros."""
        values = [f"{key}={value}" for key, value in self.parameters.items()]
        return " ".join([self.top, *values, *self.defines])

    def slang_words(self) -> list[str]:
        """Return slang's arguments for this design."""
        parameters = [f"-G{key}={value}" for key, value in self.parameters.items()]
        defines = [f"-D{name}=1" for name in self.defines]
        return ["--top", self.top, *parameters, *defines, *map(str, self.sources)]


def _distinct(found: Iterable[Elaboration]) -> list[Elaboration]:
    """Return the elaborations without duplicates."""
    return list({item.label: item for item in found}.values())


@cache
def _primitives() -> tuple[str, ...]:
    """Return the modules of vendors that sources may instantiate."""
    return tuple(name for target in all_targets().values() for name in target.primitives)


def technologies_of(core: type[Core]) -> list[Technology]:
    """Return the technologies for which a core can be checked with only its own sources.

    A vendor's primitive has no source that could be checked.
    """
    texts = (path.read_text(encoding="utf-8") for path in core.sources())
    vendor = any(instantiated(text, _primitives()) for text in texts)
    return [item for item in technologies() if not (vendor and item.dsp and item.dsp.instantiated)]


def of_core(core: type[Core]) -> list[Elaboration]:
    """Return a core in every style, at small widths."""
    sources = tuple(core.sources())
    chosen = technologies_of(core)
    found = []
    full_widths = FULL_WIDTHS.get(core.name, ())
    for bits in (*STYLE_WIDTHS, *MORE_WIDTHS.get(core.name, ()), *full_widths):
        try:
            points = core.styles(bits)
            if bits in full_widths:
                points += core.points(bits, full=True)
        except RequestError:
            continue  # not a width of this core
        for point in dict.fromkeys(points):
            for technology in chosen:
                parameters = point.sv_parameters(technology)
                found.append(Elaboration(point.top, sources, parameters))
    return _distinct(found)


def of_vendors_blocks() -> list[Elaboration]:
    """Return cores in the styles that instantiate a vendor's block, with a model of it."""
    found = []
    for name, (technology, block, widths) in VENDORS_BLOCKS.items():
        core = all_cores()[name]
        sources = (_VENDOR / f"{block}.v", *core.sources())
        for bits in widths:
            for point in dict.fromkeys([*core.styles(bits), *core.points(bits)]):
                parameters = point.sv_parameters() | {"Tech": int(technology)}
                found.append(Elaboration(point.top, sources, parameters))
    return _distinct(found)


def of_modexp() -> list[Elaboration]:
    """Return the exponentiator over each core in every style that is chosen by name, and slots."""
    designs = []
    for core in all_cores().values():
        for point in core.styles(MODEXP_WIDTH):
            chosen = {name: str(value) for name, value in point.settings().items()}
            if chosen.get("shape") == "2d":
                point = core.configure(chosen, MODEXP_ARRAY_WIDTH)
            designs.append(ExponentiatorDesign(point))
    for name, settings, bits, lazy, slots in MODEXP_SLOTS:
        designs.append(
            ExponentiatorDesign(all_cores()[name].configure(settings, bits), lazy, slots)
        )
    designs += [
        ExponentiatorDesign(all_cores()["dsp"].configure(settings, bits), pair=True)
        for settings, bits in MODEXP_PAIRS
    ]
    # The lazy unit of dsp has registers only for FPGAs.
    fpga = next(item for item in technologies() if item.tech == Tech.FPGA)
    dsp = ExponentiatorDesign(all_cores()["dsp"].configure({"alpha": "2"}, MODEXP_WIDTH))
    return [
        *(_over(design, "" if design.lazy else " by its port") for design in designs),
        _over(dsp, " on FPGAs", fpga),
        _over(replace(dsp, pair=True), " on FPGAs", fpga),
    ]


def of_ecc() -> list[Elaboration]:
    """Return the curve engine over a few cores, each in its first style."""
    designs = []
    for name, widths in ECC_WIDTHS.items():
        for bits in widths:
            point = all_cores()[name].styles(bits)[0]
            several = ECC_CONTEXTS if bits == widths[0] else (1,)
            designs += [EngineDesign(point, contexts) for contexts in several]
    double = all_cores()["dsp"].configure({"alpha": "2", "clocking": "double"}, min(PKA_WIDTHS))
    designs += [EngineDesign(double, contexts) for contexts in ECC_CONTEXTS]
    return [_over(design) for design in designs]


def _over(
    design: ExponentiatorDesign | EngineDesign, how: str = "", technology: Technology = SIMULATION
) -> Elaboration:
    """Return an exponentiator or a curve engine; `how` follows its core's name in the label."""
    # The multiplier is generated, so that equal parameters do not make equal designs.
    return Elaboration(
        design.top,
        tuple(design.sources(technology)),
        design.parameters(technology),
        design.defines,
        f"over {design.title()}{how}",
    )


def of_accelerator() -> list[Elaboration]:
    """Return the accelerator with each of its units and with both, and over multipliers alone."""
    smm, dsp = all_cores()["smm"], all_cores()["dsp"]
    long, short = (smm.configure({"npe": "2", "w": "32"}, bits) for bits in PKA_WIDTHS)
    double = dsp.configure({"alpha": "2", "clocking": "double"}, min(PKA_WIDTHS))
    designs = (
        AcceleratorDesign(long),
        AcceleratorDesign(None, short),
        AcceleratorDesign(long, short),
        AcceleratorDesign(None, double),
        AcceleratorDesign(double, short),
        AcceleratorDesign(long, double),
        AcceleratorDesign(None, multiplier=short),
        AcceleratorDesign(None, multiplier=double),
    )
    return [
        Elaboration(
            PKA,
            tuple(design.sources()),
            design.parameters(),
            design.defines,
            f"over {design.main.name} {design.main.label()}",
        )
        for design in designs
    ]


def of_others() -> list[Elaboration]:
    """Return the tops of no core, no exponentiator, no curve engine and no accelerator."""
    taken = {item.top for core in all_cores().values() for item in of_core(core)}
    taken |= {item.top for item in (*of_modexp(), *of_ecc(), *of_accelerator())}
    designs: list[tuple[str, Mapping[str, int | str]]] = []
    designs += [(unit.name, {}) for unit in root_modules() if unit.name not in taken]
    designs += [(name, item) for name, items in OTHER_PARAMETERS.items() for item in items]
    return [
        Elaboration(name, tuple(sources_below(rtl_units()[name])), parameters)
        for name, parameters in designs
    ]


@cache
def of_cores() -> tuple[Elaboration, ...]:
    """Return all registered cores in every style."""
    cores = [item for core in all_cores().values() for item in of_core(core)]
    return (*cores, *of_vendors_blocks())


@cache
def all_elaborations() -> tuple[Elaboration, ...]:
    """Return all elaborations."""
    return (*of_cores(), *of_modexp(), *of_ecc(), *of_accelerator(), *of_others())


def reached(design: Elaboration) -> set[Branch]:
    """Return the modules and generate blocks that occur in a design, remembered by its files.

    Raises:
        RuntimeError: slang cannot elaborate it.
    """
    question = Question(
        ["reached", design.label], design.sources, asked_by=("montcore_lab.lint", "montcore.hdl")
    )
    found = remembered(question, lambda: sorted(_reached(design)))
    return {(module, block) for module, block in found}


def _reached(design: Elaboration) -> set[Branch]:
    """Compute `reached` by elaborating the design."""
    slang = read_design(design.slang_words())
    if slang is None:
        raise RuntimeError(f"slang does not read {design.label}")
    found: set[Branch] = set()

    def see(kind: str, symbol: Any) -> None:
        if kind == "InstanceSymbol":
            found.add((symbol.definition.name, ""))
        single = kind == "GenerateBlockSymbol" and not symbol.isUninstantiated and symbol.name
        several = kind == "GenerateBlockArraySymbol" and len(symbol.entries)
        if single or several:
            found.add((symbol.declaringDefinition.name, symbol.name))

    visit_hierarchy(slang.createCompilation(), see)
    return found


def covering(
    designs: Iterable[Elaboration], elsewhere: Collection[Branch] = ()
) -> list[Elaboration]:
    """Return a small subset of designs that together reach everything that all of them reach.

    Greedy: each one adds most; ties go to the first.

    Args:
        designs: the designs to choose from.
        elsewhere: what need not be reached, as other designs reach it.

    Raises:
        RuntimeError: slang cannot elaborate one of them.
    """
    reaching = [(design, reached(design)) for design in designs]
    left = {branch for _, branches in reaching for branch in branches}.difference(elsewhere)
    found = []
    while left:
        design, branches = max(reaching, key=lambda item: len(item[1] & left))
        found.append(design)
        left -= branches
    return found


def declared() -> set[Branch]:
    """Return the modules and named generate blocks of the synthesisable sources.

    Blocks that reject parameters, with $fatal, and those of a vendor's primitive are left out.
    """
    from pyslang import syntax

    found: set[Branch] = set()

    def look(module: str, node: Any) -> None:
        block = getattr(node, "kind", None) == syntax.SyntaxKind.GenerateBlock
        text = str(node) if block and node.beginName is not None else "$fatal"
        if "$fatal" not in text and not instantiated(text, _primitives()):
            found.add((module, node.beginName.name.value))

    for path in rtl_files():
        for _, member in declarations(path):
            if member.kind == syntax.SyntaxKind.ModuleDeclaration:
                name = member.header.name.value
                found.add((name, ""))
                member.visit(partial(look, name))
    return found
