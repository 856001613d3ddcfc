# SPDX-License-Identifier: Apache-2.0
"""The description of a cell library: a TOML file that names its files, and what they do not say."""

import sys
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    ValidationInfo,
)

from montcore.support.errors import RequestError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def _beside(path: Path, info: ValidationInfo) -> Path:
    """Return a path of a description; it is relative to the folder of the description."""
    folder: Path = (info.context or {})["folder"]
    return folder / path


_File = Annotated[Path, AfterValidator(_beside)]
_Files = tuple[_File, ...]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Corners(_Table):
    """The liberty files of the slow and of the fast corner."""

    slow: _Files = ()
    fast: _Files = ()


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


_Pins = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class MacroPorts(_Table):
    """The pins of a memory macro by the port of `montcore_block_ram`; a bus goes by its name.

    Attributes:
        clk: the clocks, that of the read port last.
        we, waddr, wdata: the write port: enable, address, word.
        raddr, rdata: the read port, with the word a cycle after its address.
        high, low: all other inputs, tied to one and to zero.
    """

    clk: Annotated[_Pins, Field(min_length=1)]
    we: _Pins
    waddr: _Pins
    wdata: _Pins
    raddr: _Pins
    rdata: _Pins
    high: _Pins = ()
    low: _Pins = ()

    def named(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the names of the ports with their pins."""
        return list(self)


class MacroDescription(_Table):
    """A memory macro with a write port and a clocked read port."""

    name: Annotated[str, Field(pattern=r"^\w+$")]
    liberty: _File
    lef: _File
    words: Annotated[int, Field(ge=2)]
    bits: PositiveInt
    ports: MacroPorts


class Description(_Table):
    """A cell library as its user describes it; `library` finds everything else.

    Attributes:
        liberty: files of the default corner.
        dont_use: patterns of the names of cells that are not used.
        tech_lef: routing layers and sites, if the file of the cells has none.
        site: the site of the rows; by default the one that the cells name.
        top_layer: the highest layer of wires whose capacitance and resistance count.
        wire_pf_per_um, wire_ohm_per_um: capacitance and resistance of a wire of minimum width.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    liberty: Annotated[_Files, Field(min_length=1)]
    corners: Corners = Corners()
    dont_use: tuple[str, ...] = ()
    lef: _File | None = None
    tech_lef: _File | None = None
    site: str | None = None
    top_layer: str | None = None
    wire_pf_per_um: PositiveFloat | None = None
    wire_ohm_per_um: PositiveFloat | None = None
    macro: tuple[MacroDescription, ...] = ()


@cache
def read_description(path: Path) -> Description:
    """Read the description of a library."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RequestError(
            f"the description {path} of a library cannot be read: {error.strerror}"
        ) from None
    except ValueError as error:
        raise RequestError(f"the description {path} is not TOML: {error}") from None
    try:
        return Description.model_validate(content, context={"folder": path.resolve().parent})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        kinds = {"model_type": "it is a table", "tuple_type": "it is a list"}
        said = kinds.get(first["type"], first["msg"])
        raise RequestError(f"the key {key} of {path} is wrong: {said}") from None
