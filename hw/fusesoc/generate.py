# SPDX-License-Identifier: Apache-2.0
"""FuseSoC's generator montcore:generators:rtl: RTL of the curve engine or of the accelerator.

Its Python has montcore installed. hw/ecc/ecc.core and hw/soc/pka.core use it.
"""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from montcore.bundle.engine import EngineBundle
from montcore.bundle.sources import DEFAULT_TARGET, find_target
from montcore.bundle.system import SystemBundle
from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.ecc.design import EngineDesign
from montcore.soc.design import AcceleratorDesign
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR
from montcore.synth.target import get_target

#: The core file that lists what was generated.
CORE_FILE = """CAPI=2:
# SPDX-License-Identifier: Apache-2.0
name: {vlnv}
description: {name}, {label}

filesets:
  rtl:
    files:
{files}
    file_type: systemVerilogSource

{defines}targets:
  default:
    filesets: [rtl]
{switches}"""


class Curves(BaseModel):
    """The curve engine next to an exponentiator."""

    model_config = ConfigDict(extra="forbid")

    core: str = "smm"
    bits: int = 256
    set: dict[str, Annotated[str, BeforeValidator(str)]] = {}


class Parameters(BaseModel):
    """Contents of `generate: ...: parameters` in a core file.

    Attributes:
        unit: ``ecc``, the curve engine, or ``pka``, the accelerator behind a bus.
        units: its units: an exponentiator, curves or both.
        curves: with both, the curve engine's multiplier.
        clocks: one or two; with two the accelerator has its own clock.
    """

    model_config = ConfigDict(extra="forbid")

    unit: Literal["ecc", "pka"]
    core: str
    bits: int
    set: dict[str, Annotated[str, BeforeValidator(str)]] = {}
    target: str = DEFAULT_TARGET
    bus: str = ""
    units: Literal["exponentiator", "curves", "both"] = "exponentiator"
    curves: Curves = Curves()
    clocks: Literal["one", "two"] = "one"


def _accelerator(wanted: Parameters, core: Core) -> AcceleratorDesign:
    clocks = 2 if wanted.clocks == "two" else 1
    if wanted.units == "exponentiator":
        return AcceleratorDesign(core, clocks=clocks)
    if wanted.units == "curves":
        return AcceleratorDesign(None, core, clocks)
    own = wanted.curves
    return AcceleratorDesign(core, get_core(own.core).configure(own.set, own.bits), clocks)


def generate(request: Path) -> Path:
    """Write the requested RTL, and a core file that lists it, next to the request file.

    Args:
        request: the file written by FuseSoC, YAML with `vlnv` and `parameters`.

    Returns:
        the core file. The top module has the same name as with `montcore build`.

    Raises:
        RequestError: a parameter is missing, unknown or out of range.
    """
    import yaml  # type: ignore[import-untyped]  # comes with FuseSoC

    asked: dict[str, Any] = yaml.safe_load(request.read_text(encoding="utf-8"))
    try:
        wanted = Parameters.model_validate(asked["parameters"])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise RequestError(f"{asked['vlnv']}: parameter {where}: {first['msg']}") from None
    core = get_core(wanted.core).configure(wanted.set, wanted.bits)
    target, folder = find_target(wanted.target), request.parent
    kind: EngineBundle | SystemBundle
    technology = get_target(target).technology
    if wanted.unit == "ecc":
        kind = EngineBundle(EngineDesign(core), target)
        sources = kind.design.sources(technology)
    else:
        kind = SystemBundle(_accelerator(wanted, core), wanted.bus, target)
        sources = kind.design.sources(technology, kind.bus.shell)
    name, files = kind.name, kind.write_rtl(folder)
    # All else is in core files, on which the design depends: FuseSoC does not look at what a
    # generated core depends on.
    shared = {path.name for path in sources if path.is_relative_to(HW_DIR)}
    for known in [file for file in files if Path(file).name in shared]:
        (folder / known).unlink()
        files.remove(known)
    (folder / "files.f").unlink()
    switches = ", ".join(kind.design.defines)
    declared = "".join(
        f"  {word}: {{datatype: bool, paramtype: vlogdefine, default: true}}\n"
        for word in kind.design.defines
    )
    text = CORE_FILE.format(
        vlnv=asked["vlnv"],
        name=name,
        label=core.label(),
        files="\n".join(f"      - {file}" for file in files),
        defines=f"parameters:\n{declared}\n" if switches else "",
        switches=f"    parameters: [{switches}]\n" if switches else "",
    )
    file = folder / f"{name}.core"
    file.write_text(text, encoding="utf-8")
    return file


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
