# SPDX-License-Identifier: Apache-2.0
"""The interface of a multiplier core to the rest of montcore: `Core` and `ConfiguredCore`.

A `Core` is an architecture: it checks parameters and derives properties from them. A
`ConfiguredCore` is a core with all parameters given. The simulation harness, the synthesis layer,
the verifier and the command line use only the latter.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Generic

from pydantic import ValidationError
from typing_extensions import TypeVar

from montcore.cores.config import MAX_BITS, MIN_BITS, CoreConfig
from montcore.cores.contract import Refusal, Verdict, port_verdicts
from montcore.cores.lazy import LazyUnit
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.result import ModelResult
from montcore.support.errors import RequestError
from montcore.support.names import hint
from montcore.support.requests import checked

ConfigT = TypeVar("ConfigT", bound=CoreConfig)
#: Type of a `ConfiguredCore`'s configuration; most of its users do not need it.
ConfigT_co = TypeVar("ConfigT_co", bound=CoreConfig, covariant=True, default=CoreConfig)


#: `Core.paper` of an architecture that is not from a paper.
OURS = "ours"


class Core(ABC, Generic[ConfigT]):
    """A registered multiplier core; the instances live in `montcore.cores`."""

    name: ClassVar[str]
    title: ClassVar[str]
    #: The paper whose architecture it is, or `OURS`.
    paper: ClassVar[str]
    #: Number of the core's colour and marker in every plot and report; no two cores have the same.
    mark: ClassVar[int]
    #: Widths and non-default parameters that its datasheet has figures of in standard cells,
    #: without wires, besides the configurations of docs/cores.md.
    datasheet_points: ClassVar[Sequence[tuple[int, Mapping[str, str]]]] = ()
    config_type: type[ConfigT]

    @checked
    def configure(self, settings: Mapping[str, str], bits: int) -> "ConfiguredCore[ConfigT]":
        """Check the parameters and return the core with them.

        Args:
            settings: the ``--set`` pairs, with values as text.
            bits: the built width L in bits.

        Raises:
            RequestError: an unknown parameter, or a value that the core cannot be built with.
        """
        known = set(self.config_type.model_fields) - {"bits"}
        for key in settings:
            if key not in known:
                raise RequestError(
                    f"core {self.name} has no parameter '{key}'{hint(key, known)}; it has "
                    f"{', '.join(sorted(known))}"
                )
        try:
            return self.bind(self.config_type(bits=bits, **settings))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "parameters"
            message = first["msg"].removeprefix("Value error, ")
            raise RequestError(
                f"core {self.name}: {where} = {first['input']!r}: {message}"
                if first["loc"]
                else f"core {self.name}: {message}"
            ) from None

    def bind(self, config: ConfigT) -> "ConfiguredCore[ConfigT]":
        """Return the core with this configuration."""
        return ConfiguredCore(self, config)

    def widths(self) -> tuple[int, int]:
        """Return the narrowest and the widest supported modulus, in bits."""

        def fits(bits: int) -> bool:
            try:
                self.configure({}, bits)
            except RequestError:
                return False
            return True

        narrowest = next(bits for bits in range(MIN_BITS, MAX_BITS + 1) if fits(bits))
        wider = range(narrowest, MAX_BITS + 1)
        # The supported widths have no gaps: the first one that fails is the limit.
        return narrowest, narrowest + bisect_left(wider, True, key=lambda bits: not fits(bits)) - 1

    @property
    def source(self) -> str:
        """Origin of the architecture, in words."""
        return "our own" if self.paper == OURS else f"after {self.paper}"

    @property
    @abstractmethod
    def top(self) -> str:
        """Name of the SystemVerilog top module, which has the common multiplier port."""

    def top_of(self, config: ConfigT) -> str:
        """Return the top module of one configuration: a core with two clocks may have another."""
        del config
        return self.top

    def fast_clock(self, config: ConfigT) -> str:
        """Return the port of a second clock, twice as fast as `clk_i`, or nothing."""
        del config
        return ""

    def lazy_unit(self, config: ConfigT) -> LazyUnit | None:
        """Return the unit for lazy products that an exponentiator uses instead of the port."""
        del config
        return None

    @abstractmethod
    def sources(self) -> list[Path]:
        """Return the SystemVerilog files in compile order (packages first)."""

    @property
    def folder(self) -> Path:
        """The core's own folder of hw/, with its datasheet."""
        [own] = (path for path in self.sources() if path.stem == self.top)
        return own.parents[1]

    @abstractmethod
    def sv_parameters(self, config: ConfigT, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameter overrides.

        Args:
            config: the configuration.
            technology: technology that it is built for; a core may choose the implementation style
                (never the function or the cycle count) by its traits.
        """

    def shared_modules(self, config: ConfigT) -> tuple[str, ...]:
        """Return modules that an ASIC flow lowers to gates once for all their instances.

        They save minutes if the design has many instances of a large block. Unused outputs and
        constant inputs are not optimised across their boundary.
        """
        del config
        return ()

    def flow_choices(self, config: ConfigT, technology: Technology) -> dict[str, str]:
        """Return the choices by which a technology's flow differs for this core.

        ``placer``, ``router``: the algorithms by which nextpnr places and routes.
        ``dsp_adders`` = ``after``: an adder before the multiplier of a DSP block is not used;
        ``dsp_adders`` = ``packed``: Yosys uses the adders and registers of DSP blocks that have
        none (see `synth.fpga.xilinx`). Figures depend on these choices, so they are part of each
        result's key; with none, nothing is added.
        """
        del config, technology
        return {}

    @abstractmethod
    def bus_width(self, config: ConfigT) -> int:
        """Return the width of the port's word streams in bits (BusWidth)."""

    def port_phases(self, config: ConfigT) -> int:
        """Return the period, in cycles since reset, at which the port can accept first beats.

        Packets first offered in the same phase have the same timing at the port.
        """
        del config
        return 1

    @abstractmethod
    def beats(self, config: ConfigT, length: int) -> int:
        """Return the number of beats of an operand of `length` bits on the port's streams."""

    @abstractmethod
    def r_bits(self, config: ConfigT, length: int) -> int:
        """Return log2 of the Montgomery radix R for a run-time modulus length in bits."""

    @abstractmethod
    def core_cycles(self, config: ConfigT, length: int) -> int:
        """Return the cycle formula: start to done inside the datapath (checked by simulation)."""

    @abstractmethod
    def interval(self, config: ConfigT, length: int) -> int:
        """Return the formula of cycles between results when products follow each other."""

    @abstractmethod
    def multipliers(self, config: ConfigT) -> int:
        """Return the number of word multipliers, for the utilisation figures."""

    @abstractmethod
    def word_products(self, config: ConfigT, length: int) -> int:
        """Return the word products that the algorithm needs for one modular product."""

    @abstractmethod
    def run_model(self, config: ConfigT, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model on one product (x, y < m, m odd, 3 <= m < 2^length)."""

    def verdicts(self, config: ConfigT) -> list[Verdict]:
        """Return the registers through which data may affect control; those of `montcore_front`."""
        del config
        return port_verdicts()

    def refusals(self) -> list[Refusal]:
        """Return parameters that the core cannot be built with, one case for each rule."""
        return []

    @abstractmethod
    def sweep(self, bits: int, full: bool = False) -> Sequence[ConfigT]:
        """Return the configurations worth comparing at a built width, a few or all."""

    def points(self, bits: int, full: bool = False) -> "list[ConfiguredCore[ConfigT]]":
        """Return the core with each configuration of `sweep`."""
        return [self.bind(config) for config in self.sweep(bits, full)]

    def styles(self, bits: int) -> "list[ConfiguredCore[ConfigT]]":
        """Return the core with a small configuration for each combination of named choices.

        These are the parameters that are enumerations (a schedule, a shape, a clocking), each with
        all its values; the other parameters are those of the first usual configuration. Mutually
        exclusive choices are omitted.

        Raises:
            RequestError: the core cannot be built at this width.
        """
        first = self.sweep(bits)[0].settings()
        named = {
            name: list(field.annotation)
            for name, field in self.config_type.model_fields.items()
            if isinstance(field.annotation, type) and issubclass(field.annotation, Enum)
        }
        found, refused = [], None
        for values in product(*named.values()):
            settings = {**first, **dict(zip(named, values, strict=True))}
            try:
                found.append(self.configure({k: str(v) for k, v in settings.items()}, bits))
            except RequestError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return found


AnyCore = Core[Any]


@dataclass(frozen=True)
class ConfiguredCore(Generic[ConfigT_co]):
    """A core with all its parameters given; created by `Core.configure`.

    Attributes:
        core: the architecture.
        config: the parameters, of the architecture's type.
    """

    core: AnyCore
    config: ConfigT_co

    @property
    def name(self) -> str:
        """Name of the core."""
        return self.core.name

    @property
    def title(self) -> str:
        """Short description of the core."""
        return self.core.title

    @property
    def source(self) -> str:
        """Origin of the architecture, in words."""
        return self.core.source

    @property
    def bits(self) -> int:
        """The built width L in bits."""
        return self.config.bits

    def label(self) -> str:
        """Return a short name of the parameters, unique within a core."""
        return self.config.label()

    def settings(self) -> dict[str, int | str]:
        """Return the parameters that `--set` names, i.e. all but the width."""
        return self.config.settings()

    def params(self) -> dict[str, int | str]:
        """Return all parameters as plain values, the width among them."""
        return self.config.params()

    @property
    def folder(self) -> Path:
        """The core's own folder of hw/, with its datasheet."""
        return self.core.folder

    @property
    def top(self) -> str:
        """Name of the SystemVerilog top module."""
        return self.core.top_of(self.config)

    @property
    def fast_clock(self) -> str:
        """The port of a second clock, twice as fast as `clk_i`, or nothing."""
        return self.core.fast_clock(self.config)

    def lazy_unit(self) -> LazyUnit | None:
        """Return the unit for lazy products that an exponentiator uses instead of the port."""
        return self.core.lazy_unit(self.config)

    def sources(self) -> list[Path]:
        """Return the SystemVerilog files in compile order."""
        return self.core.sources()

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameter overrides for simulation or another technology."""
        return self.core.sv_parameters(self.config, technology)

    @property
    def shared_modules(self) -> tuple[str, ...]:
        """Modules that an ASIC flow lowers to gates once for all their instances."""
        return self.core.shared_modules(self.config)

    def flow_choices(self, technology: Technology) -> dict[str, str]:
        """Return what the flow does otherwise for this core than for the rest."""
        return self.core.flow_choices(self.config, technology)

    @property
    def bus_width(self) -> int:
        """Width of the port's word streams in bits."""
        return self.core.bus_width(self.config)

    @property
    def port_phases(self) -> int:
        """Period, in cycles since reset, in which the port takes the first beats."""
        return self.core.port_phases(self.config)

    @property
    def multipliers(self) -> int:
        """Number of word multipliers."""
        return self.core.multipliers(self.config)

    @property
    def verdicts(self) -> list[Verdict]:
        """The registers by which data may act on control."""
        return self.core.verdicts(self.config)

    def beats(self, length: int) -> int:
        """Return the number of beats of an operand of `length` bits on the port's streams."""
        return self.core.beats(self.config, length)

    def r_bits(self, length: int) -> int:
        """Return log2 of the Montgomery radix R for a run-time modulus length in bits."""
        return self.core.r_bits(self.config, length)

    def core_cycles(self, length: int) -> int:
        """Return the cycle formula: start to done inside the datapath."""
        return self.core.core_cycles(self.config, length)

    def interval(self, length: int) -> int:
        """Return the formula of cycles between results when products follow each other."""
        return self.core.interval(self.config, length)

    def word_products(self, length: int) -> int:
        """Return the word products that the algorithm needs for one modular product."""
        return self.core.word_products(self.config, length)

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model on one product (x, y < m, m odd, 3 <= m < 2^length)."""
        return self.core.run_model(self.config, x, y, m, length)
