# SPDX-License-Identifier: Apache-2.0
"""Synthesis targets: what one is, and the registry of all of them.

A target is one module and one line of `_MODULES`; a target of another package calls `register`.
All other code uses the target object; only tables of papers and command-line defaults name targets.
"""

import importlib
import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montcore.cores.technology import SIMULATION, Technology
from montcore.support.errors import RequestError
from montcore.support.needed import package_version
from montcore.support.requests import checked
from montcore.support.words import hint
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, Options, chosen_options
from montcore.synth.result import SynthResult

if TYPE_CHECKING:
    from montcore.cores.core import Core
    from montcore.synth.gatesim.gate_model import GateBuild

Progress = Callable[[str], None]

#: Figures of a standard-cell library, and of an FPGA family, besides the cycles.
GATE_FIGURES = ("ge", "ge_memory", "memory_bits", "tmin_ns", "energy_nj")
BLOCK_FIGURES = ("lut", "ff", "dsp", "bram")
#: The netlist of the figures, in the folder of the flow.
MAPPED = "mapped.v"


@dataclass(frozen=True)
class Mapped:
    """What the flow of a target returns.

    Attributes:
        result: area and clock, without cycles and gate-level check.
        build: the simulator of the netlist that the figures are of.
    """

    result: SynthResult
    build: "GateBuild"


@dataclass(frozen=True, kw_only=True)
class Target(ABC):
    """A technology, the flow that maps to it, and the dependencies of its figures.

    Attributes:
        name: its name on the command line.
        title: readable description.
        technology: the traits by which cores choose an implementation style.
        figures: its figures other than cycles, by their names in `compare.entry.Entry`.
        aliases: other names that `montcore build` takes.
        primitives: modules of the vendor that the sources instantiate for this technology.
        headers: files with the headers of these primitives.
        maps: technology maps that the flow reads, relative to this folder.
        packages: pinned Python packages that the figures depend on, excluding the simulator.
        constraints: the vendor's file of constraints in a bundle, beside SDC.
        luts_per_slice: look-up tables in a slice, for papers that count slices.
        two_clocks: whether a design may have a second clock.
        shares_modules: whether modules that a core declares shared are lowered once.
        has_cells: whether it is a cell library, with a choice of wires and memories.
        usual: its options if nothing is said of them.
        effort: relative run time of the flow; a comparison begins with the smallest.
    """

    name: str
    title: str
    technology: Technology
    figures: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    primitives: tuple[str, ...] = ()
    headers: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    packages: tuple[str, ...] = ("pyosys",)
    constraints: str = ""
    luts_per_slice: int | None = None
    two_clocks: bool = True
    shares_modules: bool = False
    has_cells: bool = False
    usual: Options = DEFAULT_OPTIONS
    effort: int = 0

    @abstractmethod
    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map a design in its own folder.

        Raises:
            ToolError: a tool failed or ran out of time.
        """

    def reading(self, design: Design, work: Path) -> list[str]:
        """Return the Yosys commands that elaborate a design with the vendor's primitives."""
        flags = [f"--blackboxed-module {name}" for name in self.primitives]
        flags += [f'"{path}"' for path in self.headers]
        # The headers are no longer needed; Yosys has its own primitives.
        return [
            design.read_command(work, *flags),
            *(f"delete ={name}" for name in self.primitives),
        ]

    @property
    def named(self) -> tuple[str, str]:
        """The option of a command that names the target, and its value."""
        return "--target", self.name

    @property
    def words(self) -> str:
        """The words of a command that name the target."""
        return shlex.join(self.named)

    def netlist(self, result: SynthResult) -> Path:
        """Return the path of the netlist that a result is based on."""
        return Path(result.log_dir) / MAPPED

    def settings(self, opts: Options) -> dict[str, Any]:
        """Return the options that the figures depend on, for the key of a stored result."""
        del opts
        return {}

    def check(self, opts: Options) -> None:
        """Check that the tools required by the options are installed.

        Raises:
            RequestError: a tool is missing.
        """
        del opts

    def flags(self, opts: Options) -> str:
        """Return the command-line flags that select these options."""
        del opts
        return ""

    def recorded(self) -> Mapping[str, str]:
        """Return the recorded versions of tools that are not Python packages."""
        return {}

    def probes(self) -> Mapping[str, Callable[[], str]]:
        """Return, for each tool of `recorded`, a function that returns its installed version."""
        return {}

    def versions(self) -> dict[str, str]:
        """Return the installed versions of everything that the figures depend on.

        Raises:
            RequestError: a tool is missing.
        """
        found = {package: package_version(package) for package in self.packages}
        return found | {name: probe() for name, probe in self.probes().items()}

    def energy_nj(self, core: "Core", result: SynthResult) -> float | None:
        """Return the energy per product in sustained operation in nJ, None if not available.

        Raises:
            CheckFailedError: a tool failed.
        """
        del core, result
        return None


#: Modules that define ``TARGETS``, in the order in which targets are listed.
_MODULES = (
    "montcore.synth.asic.standard_cells",
    "montcore.synth.fpga.xilinx",
    "montcore.synth.fpga.ecp5",
    "montcore.synth.fpga.nexus",
    "montcore.synth.fpga.gatemate",
)
_REGISTERED: dict[str, Target] = {}
#: Environment variable with the descriptions of further cell libraries, so that processes of a
#: comparison know them too.
LIBRARIES = "MONTCORE_LIBRARIES"


@cache
def _own_targets() -> dict[str, Target]:
    modules = (importlib.import_module(name) for name in _MODULES)
    return {target.name: target for module in modules for target in module.TARGETS}


@checked
def register(target: Target) -> None:
    """Add a target to the registry of this process.

    Raises:
        RequestError: the name is taken.
    """
    if target.name in all_targets():
        raise RequestError(f"there is a target '{target.name}' already")
    _REGISTERED[target.name] = target


@cache
def _described(paths: str) -> dict[str, Target]:
    if not paths:
        return {}
    described = importlib.import_module("montcore.synth.asic.standard_cells").described
    found: dict[str, Target] = {}
    for path in paths.split(os.pathsep):
        target = described(Path(path))
        if target.name in found or target.name in {**_own_targets(), **_REGISTERED}:
            raise RequestError(f"{path} describes '{target.name}', and there is such a target")
        found[target.name] = target
    return found


def add_library(path: Path) -> str:
    """Make a described library a target of this process and of those that it starts.

    Returns:
        the name of the target.

    Raises:
        RequestError: the description or a file of it cannot be used, or the name is taken.
    """
    known = os.environ.get(LIBRARIES, "")
    paths = list(dict.fromkeys([*filter(None, known.split(os.pathsep)), str(path.resolve())]))
    name = list(_described(os.pathsep.join(paths)))[paths.index(str(path.resolve()))]
    os.environ[LIBRARIES] = os.pathsep.join(paths)
    return name


def all_targets() -> dict[str, Target]:
    """Return the targets by name."""
    described = _described(os.environ.get(LIBRARIES, ""))
    return {**_own_targets(), **described, **_REGISTERED}


def check_wires(wires: str | None, targets: Iterable[str]) -> None:
    """Check that wires are asked for only if a target has cells."""
    if wires and not any(get_target(name).has_cells for name in targets):
        raise RequestError(f"--wires is only for ASIC targets, not for {', '.join(targets)}")


@checked
def get_target(name: str) -> Target:
    """Return the target of that name.

    Raises:
        RequestError: there is none.
    """
    targets = all_targets()
    if name not in targets:
        raise RequestError(
            f"there is no synthesis target '{name}'{hint(name, targets)}; the targets are "
            f"{', '.join(targets)}"
        )
    return targets[name]


def check_target(target: str) -> None:
    """Check that a target exists and that its tools are installed.

    Raises:
        RequestError: unknown target, or a tool is missing (the message names the remedy).
    """
    get_target(target).versions()


def options_here(target: str, wires: str | None = None, memory: str | None = None) -> Options:
    """Return the chosen options; the default is what is usual for the target."""
    return chosen_options(wires, memory, get_target(target).usual)


def technologies() -> tuple[Technology, ...]:
    """Return the distinct traits of simulation and of all targets."""
    found = [SIMULATION, *(target.technology for target in all_targets().values())]
    return tuple(dict.fromkeys(found))
