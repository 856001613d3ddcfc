# SPDX-License-Identifier: Apache-2.0
"""A multiplier core in one configuration, and its interface to the rest of montcore.

A core is a subclass of `Core`. Its fields are its parameters; an object is a core that can be
built. The registry has the classes, and `Core.configure` makes an object from text.
"""

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import product
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from typing_extensions import Self

from montcore.cores.config import MAX_BITS, MIN_BITS, Allowed, OneOf
from montcore.cores.contract import LazyUnit, Refusal, Verdict, port_verdicts
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.spec import ModelResult
from montcore.support.errors import RequestError
from montcore.support.paths import PREFIX
from montcore.support.requests import checked
from montcore.support.words import hint

#: `Core.paper` of an architecture that is not from a paper.
OURS = "ours"


class Core(BaseModel):
    """A multiplier core with its parameters; `bits` is the built width L in bits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    #: Number of the core's colour and marker in every plot and report; no two cores have the same.
    mark: ClassVar[int]
    #: Widths and non-default parameters that its datasheet has figures of in standard cells,
    #: without wires, besides the configurations of docs/cores.md.
    datasheet_points: ClassVar[Sequence[tuple[int, Mapping[str, str]]]] = ()

    bits: int = Field(le=MAX_BITS)

    # The top module refuses the same widths with the same message.
    @field_validator("bits")
    @classmethod
    def _built_width(cls, value: int) -> int:
        if value < MIN_BITS:
            raise ValueError(f"the built width must be at least {MIN_BITS} bits")
        return value

    @classmethod
    @checked
    def configure(cls, settings: Mapping[str, str], bits: int) -> Self:
        """Check the parameters and return the core with them.

        Args:
            settings: the ``--set`` pairs, with values as text.
            bits: the built width L in bits.

        Raises:
            RequestError: an unknown parameter, or a value that the core cannot be built with.
        """
        known = set(cls.model_fields) - {"bits"}
        for key in settings:
            if key not in known:
                raise RequestError(
                    f"core {cls.name} has no parameter '{key}'{hint(key, known)}; it has "
                    f"{', '.join(sorted(known))}"
                )
        try:
            return cls.model_validate({"bits": bits, **settings})
        except ValidationError as error:
            first = error.errors()[0]
            message = first["msg"].removeprefix("Value error, ")
            message = message.replace("Input should be", "it must be")
            if first["loc"]:
                where = ".".join(str(part) for part in first["loc"])
                message = f"{where} = {first['input']!r}: {message}"
            raise RequestError(f"core {cls.name}: {message}") from None

    @classmethod
    def allowed(cls) -> dict[str, Allowed]:
        """Return the allowed values of each parameter except the width, by name.

        Named choices and limits come from the fields; a core adds the rules of its validators.
        """
        found = {}
        for name, info in cls.model_fields.items():
            if name == "bits":
                continue
            kind = info.annotation
            few = next((item for item in info.metadata if isinstance(item, OneOf)), None)
            if isinstance(kind, type) and issubclass(kind, Enum):
                values = tuple(str(item.value) for item in kind)
                found[name] = Allowed(name, str(info.default.value), values)
            elif few is not None:
                found[name] = Allowed(name, str(info.default), tuple(map(str, few.values)))
            else:
                high = next((item.le for item in info.metadata if hasattr(item, "le")), 0)
                found[name] = Allowed(name, str(info.default), (), 1, high)
        return found

    @classmethod
    def widths(cls) -> tuple[int, int]:
        """Return the narrowest and the widest supported modulus, in bits."""

        def fits(bits: int) -> bool:
            try:
                cls.configure({}, bits)
            except RequestError:
                return False
            return True

        narrowest = next(bits for bits in range(MIN_BITS, MAX_BITS + 1) if fits(bits))
        wider = range(narrowest, MAX_BITS + 1)
        # The supported widths have no gaps: the first one that fails is the limit.
        return narrowest, narrowest + bisect_left(wider, True, key=lambda bits: not fits(bits)) - 1

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return parameters that the core cannot be built with, one case for each rule."""
        return []

    @classmethod
    @abstractmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return the configurations worth comparing at a built width, a few or all."""

    @classmethod
    def styles(cls, bits: int) -> list[Self]:
        """Return a small configuration for each combination of named choices.

        These are the parameters that are enumerations (a schedule, a shape, a clocking), each with
        all its values; the other parameters are those of the first usual configuration. Mutually
        exclusive choices are omitted.

        Raises:
            RequestError: the core cannot be built at this width.
        """
        first = cls.points(bits)[0].settings()
        named = {
            name: list(field.annotation)
            for name, field in cls.model_fields.items()
            if isinstance(field.annotation, type) and issubclass(field.annotation, Enum)
        }
        found, refused = [], None
        for values in product(*named.values()):
            settings = {**first, **dict(zip(named, values, strict=True))}
            try:
                found.append(cls.configure({k: str(v) for k, v in settings.items()}, bits))
            except RequestError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return found

    @classmethod
    def main_top(cls) -> str:
        """Return the top module beside the datasheet."""
        return f"{PREFIX}{cls.name}"

    @classmethod
    @abstractmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files in compile order (packages first)."""

    @classmethod
    def folder(cls) -> Path:
        """Return the core's own folder of hw/, with its datasheet."""
        [own] = (path for path in cls.sources() if path.stem == cls.main_top())
        return own.parents[1]

    @classmethod
    def source(cls) -> str:
        """Return the origin of the architecture, in words."""
        return "our own" if cls.paper == OURS else f"after {cls.paper}"

    def params(self) -> dict[str, int | str]:
        """Return all parameters as plain values, including the width."""
        return self.model_dump(mode="json")

    def settings(self) -> dict[str, int | str]:
        """Return the parameters of `--set`, i.e. all except the width, as plain values."""
        return self.model_dump(mode="json", exclude={"bits"})

    def label(self) -> str:
        """Return a short name that is unique within a core, e.g. ``npe=4 w=32 L=256``."""
        values = " ".join(f"{key}={value}" for key, value in self.settings().items())
        return f"{values} L={self.bits}"

    @property
    def top(self) -> str:
        """Name of the top module, which has the common multiplier port."""
        return self.main_top()

    @property
    def fast_clock(self) -> str:
        """The port of a second clock, twice as fast as `clk_i`, or nothing."""
        return ""

    def lazy_unit(self) -> LazyUnit | None:
        """Return the unit for lazy products that an exponentiator uses instead of the port."""
        return None

    @abstractmethod
    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameter overrides.

        Args:
            technology: technology that it is built for; a core may choose the implementation style
                (never the function or the cycle count) by its traits.
        """

    @property
    def shared_modules(self) -> tuple[str, ...]:
        """Modules that an ASIC flow lowers to gates once for all their instances.

        They save minutes if the design has many instances of a large block. Unused outputs and
        constant inputs are not optimised across their boundary.
        """
        return ()

    def flow_choices(self, technology: Technology) -> dict[str, str]:
        """Return the choices by which a technology's flow differs for this core.

        ``placer``, ``router``: the algorithms by which nextpnr places and routes.
        ``dsp_adders`` = ``after``: an adder before the multiplier of a DSP block is not used;
        ``dsp_adders`` = ``packed``: Yosys uses the adders and registers of DSP blocks that have
        none (see `synth.fpga.xilinx`). Figures depend on these choices, so they are part of each
        result's key; with none, nothing is added.
        """
        del technology
        return {}

    @property
    @abstractmethod
    def bus_width(self) -> int:
        """Width of the port's word streams in bits (BusWidth)."""

    @property
    def port_phases(self) -> int:
        """Period, in cycles since reset, at which the port can accept first beats.

        Packets first offered in the same phase have the same timing at the port.
        """
        return 1

    @property
    def verdicts(self) -> list[Verdict]:
        """Registers through which data may affect control; those of `montcore_front`."""
        return port_verdicts()

    @abstractmethod
    def beats(self, length: int) -> int:
        """Return the number of beats of an operand of `length` bits on the port's streams."""

    @abstractmethod
    def r_bits(self, length: int) -> int:
        """Return log2 of the Montgomery radix R for a run-time modulus length in bits."""

    @abstractmethod
    def core_cycles(self, length: int) -> int:
        """Return the cycle formula: start to done inside the datapath (checked by simulation)."""

    @abstractmethod
    def interval(self, length: int) -> int:
        """Return the formula of cycles between results when products follow each other."""

    def setup_cycles(self, length: int) -> int:
        """Return the formula of cycles from a modulus's last beat to `cfg_done_o`; 0: none."""
        del length
        return 0

    @property
    def multipliers(self) -> int:
        """Number of word multipliers, for the utilisation figures; 0: it has adders only."""
        return 0

    def word_products(self, length: int) -> int:
        """Return the word products that the algorithm needs for one modular product."""
        del length
        return 0

    @abstractmethod
    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model on one product (x, y < m, m odd, 3 <= m < 2^length)."""
