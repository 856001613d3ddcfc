# SPDX-License-Identifier: Apache-2.0
"""The Xilinx targets: six families that Yosys maps to; no free tool reports their clocks."""

from dataclasses import dataclass, replace
from pathlib import Path

from montcore.cores.technology import DspBlock, Tech, Technology
from montcore.synth.design import Design
from montcore.synth.fpga.family import MAPPED_JSON, FpgaFamily
from montcore.synth.fpga.levels import structure
from montcore.synth.fpga.virtex_5 import virtex_5_map
from montcore.synth.gatesim.primitives import XILINX
from montcore.synth.options import Options
from montcore.synth.process import ToolError, read_json
from montcore.synth.result import SynthResult
from montcore.synth.target import BLOCK_FIGURES, Mapped, Progress

_FOLDER = Path(__file__).parents[1]
_MAP = "fpga/maps/xilinx_dsp.v"
#: Adders and comparisons of UltraScale+, for which Yosys uses the carry cells of older families.
_CARRIES = "fpga/maps/carry8.v"
_HEADERS = _FOLDER / _MAP
#: The block that Yosys packs adders and registers into, without the adder before the multiplier.
_PACKED = "DSP48E1"
#: What makes a family's own block of it; the pass that packs needs the parameter USE_DPORT.
_OWN = {
    "DSP48E": ("techmap -map virtex_5.v",),
    _PACKED: (f'setparam -set USE_DPORT "FALSE" t:{_PACKED}',),
    "DSP48E2": (f"setparam -unset USE_DPORT t:{_PACKED}", f"chtype -set DSP48E2 t:{_PACKED}"),
}


@dataclass(frozen=True, kw_only=True)
class Xilinx(FpgaFamily):
    """A Xilinx family.

    Attributes:
        packing: the family for whose blocks Yosys packs adders and registers, if any.
        block: the family's own block, if there is a family for packing.
    """

    constraints: str = "constraints.xdc"
    packing: str = ""
    block: str = _PACKED

    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map a design."""
        progress(f"synthesis for {self.name}")
        result = self.map(design, work, opts)
        found = structure(read_json(work / MAPPED_JSON), design.top)
        result = replace(result, levels=found.levels, depth=found.depth, critical_path=[found.path])
        return Mapped(result, self.simulator(design, work))

    def synthesis(self, top: str, output: str = "") -> str:
        """Return the Yosys command that maps a design."""
        return (
            f"synth_xilinx -family {self.name} -flatten -noiopad -noclkbuf "
            f"{self.mapping_flags} -top {top}{output}"
        )

    def _barred(self, design: Design) -> bool:
        """Tell whether blocks are packed without use of the adder before the multiplier."""
        wanted = {"DSP48E": "packed", _PACKED: "after"}.get(self.block)
        return bool(self.packing) and wanted in (None, design.choice("dsp_adders"))

    def mapping(self, design: Design) -> list[str]:
        """Return the commands that map a core."""
        barred = self._barred(design)
        return self.barred_pre_adder(design.top) if barred else super().mapping(design)

    def map(self, design: Design, work: Path, opts: Options) -> SynthResult:
        """Write the netlist and return its resources."""
        if self.block == "DSP48E":
            (work / "virtex_5.v").write_text(virtex_5_map())
        found = super().map(design, work, opts)
        if self.block != _PACKED and self._barred(design) and _PACKED in found.cells:
            number = found.cells[_PACKED]
            raise ToolError(f"{number} cells of {design.top} are no blocks of {self.title}")
        return found

    def barred_pre_adder(self, top: str) -> list[str]:
        """Return the commands of `synthesis`, without use of the adder before the multiplier.

        For Virtex-5 they read `virtex_5_map` from the file ``virtex_5.v``.

        The commands of the step `map_dsp` are those of `synth_xilinx`, with that adder marked as
        used. Three kinds of family need this. Yosys packs adders and registers only into the blocks
        of Virtex-6 and the 7 series. Those of Virtex-5 are the same except for that adder, so they
        are packed as Virtex-6 blocks and renamed. Those of UltraScale+ have the same pins and
        registers around a multiplier of 27 x 18 bits, and are packed likewise. On Virtex-6 and the
        7 series the netlist is wrong if Yosys packs the differences of a Karatsuba multiplier into
        that adder.
        """
        synthesis = self.synthesis(top)
        blocks, wide = ("xcu", 27) if self.block == "DSP48E2" else ("xc7", 25)
        rest = [f"{synthesis} -run coarse:"]
        if self.block == "DSP48E2":  # the step `fine` with another map
            rest = [
                f"{synthesis} -run coarse:fine",
                "opt -full",
                "xilinx_srl -variable -minlen 3",
                f'techmap -map +/techmap.v -D LUT_SIZE=6 -map "{_FOLDER / _CARRIES}"',
                "opt -fast",
                f"{synthesis} -run map_cells:",
            ]
        return [
            f"{synthesis} -run begin:map_dsp",
            "memory_dff",
            "alumacc -macc-only",
            "maccmap -unmap",
            "opt_clean",
            f"techmap -map +/mul2dsp.v -map +/xilinx/{blocks}_dsp_map.v -D DSP_A_MAXWIDTH={wide} "
            "-D DSP_B_MAXWIDTH=18 -D DSP_A_MAXWIDTH_PARTIAL=18 -D DSP_A_MINWIDTH=2 "
            "-D DSP_B_MINWIDTH=2 -D DSP_Y_MINWIDTH=9 -D DSP_SIGNEDONLY=1 "
            f"-D DSP_NAME=$__MUL{wide}X18",
            "select a:mul2dsp",
            "setattr -unset mul2dsp",
            "opt_expr -fine",
            "wreduce",
            "select -clear",
            f"chtype -set {_PACKED} t:DSP48E2",
            # Any value other than FALSE means that the adder is in use.
            f'setparam -set USE_DPORT "BARRED" t:{_PACKED}',
            f"xilinx_dsp -family {self.packing}",
            "chtype -set $mul t:$__soft_mul",
            *_OWN[self.block],
            *rest,
        ]


XC2V = Xilinx(
    name="xc2v",
    title="Xilinx Virtex-II",
    technology=Technology(lut_ram=True, lut_inputs=4, dsp=DspBlock(a_bits=18, b_bits=18)),
    figures=BLOCK_FIGURES,
    models=XILINX,
    wide_functions=False,
    luts_per_slice=2,
)
# On the next two Yosys finds only the multiplier of a DSP block: the cores' technology module
# instantiates the whole block there.
XC4V = replace(
    XC2V,
    name="xc4v",
    title="Xilinx Virtex-4",
    technology=Technology(
        lut_ram=True,
        lut_inputs=4,
        dsp=DspBlock(a_bits=18, b_bits=18, instantiated=Tech.DSP48),
    ),
    primitives=("DSP48",),
    headers=(_HEADERS,),
    maps=(_MAP,),
)
XC5V = Xilinx(
    name="xc5v",
    title="Xilinx Virtex-5",
    technology=Technology(
        lut_ram=True,
        lut_inputs=6,
        dsp=DspBlock(a_bits=25, b_bits=18, instantiated=Tech.DSP48E),
    ),
    figures=BLOCK_FIGURES,
    models=XILINX,
    primitives=("DSP48E",),
    headers=(_HEADERS,),
    maps=(_MAP,),
    packing="xc6v",
    block="DSP48E",
)
XC6V = Xilinx(
    name="xc6v",
    title="Xilinx Virtex-6",
    technology=Technology(
        lut_ram=True, lut_inputs=6, dsp=DspBlock(a_bits=25, b_bits=18, pre_adder=True)
    ),
    figures=BLOCK_FIGURES,
    models=XILINX,
    packing="xc6v",
)
XC7 = replace(XC6V, name="xc7", title="Xilinx series 7", packing="xc7")
XCUP = replace(
    XC7,
    name="xcup",
    title="Xilinx UltraScale+",
    technology=Technology(
        lut_ram=True, lut_inputs=6, dsp=DspBlock(a_bits=27, b_bits=18, pre_adder=True)
    ),
    maps=(_CARRIES,),
    block="DSP48E2",
)
TARGETS = (XC2V, XC4V, XC5V, XC6V, XC7, XCUP)
