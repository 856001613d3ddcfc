# SPDX-License-Identifier: Apache-2.0
"""The bundle of a multiplier alone behind AXI4-Stream.

The test is that of the common port: a module in `test/port.sv` converts the streams to that port.
"""

from pathlib import Path

from montcore.bundle import parts, vectors
from montcore.bundle.assemble import bench_values
from montcore.bundle.boundary import of_stream
from montcore.bundle.pipeline import PORT_MODULE, BundleKind, Made
from montcore.bundle.sources import DEFAULT_TARGET, needed_sources
from montcore.bundle.system import reset_logic, reset_words
from montcore.bundle.wrapper import capitalised
from montcore.cores.core import Core
from montcore.hdl.common_port import declared_port
from montcore.soc.design import RESET_MODULES, Reset
from montcore.soc.wrapper import STREAM_RESETS, stream_top
from montcore.support.paths import module_files
from montcore.support.words import settings_words
from montcore.synth.target import get_target

_NO_RESET = Reset()


class StreamBundle(BundleKind):
    """A multiplier behind AXI4-Stream."""

    page = "stream.md"

    def __init__(self, core: Core, reset: Reset = _NO_RESET, target: str = DEFAULT_TARGET) -> None:
        self.core, self.reset = core, reset
        name = "_".join([parts.bundle_name(core, None), *reset.suffixes(True), "axi4_stream"])
        words = f"{settings_words(core.settings().items())} --bits {core.bits}"
        super().__init__(
            target,
            name=name,
            title=f"{capitalised(core.title)} behind AXI4-Stream",
            label=core.label(),
            request=f"montcore build {core.name}{words} --bus axi4-stream{reset_words(reset)}",
            facts={
                "core": core.name,
                "bus": "axi4-stream",
                "bits": core.bits,
                "params": core.settings(),
            },
            bench=f"{name}_port",
            boundary=of_stream(core, name, reset),
        )

    def write_rtl(self, folder: Path) -> list[str]:
        """Write the sources that are needed, the top module and the file list."""
        on = get_target(self.target)
        (folder / "rtl").mkdir()
        own = folder / "rtl" / f"{self.name}.sv"
        text = stream_top(self.core, self.name, on.technology, self.reset)
        own.write_text(text, encoding="utf-8")
        shell = module_files(["soc_axi4_stream", *RESET_MODULES])
        sources = [*self.core.sources(), *shell, own]
        return parts.write_sources(
            needed_sources(self.name, sources, headers=on.headers), (), folder
        )

    def write_test(self, folder: Path) -> None:
        """Write the test of the common port, and the conversion from streams."""
        tables = vectors.make_tables(self.core, None, self.seed).light()
        values: dict[str, object] = {
            **bench_values(self.core, tables, self.seed),
            **port_values(self.core, self.name, self.reset),
            "settle": 12,  # cycles that the internal reset lasts longer
        }
        parts.write_bench(
            folder, values, "tb.sv", tables.texts(), double=self.core.fast_clock != ""
        )
        parts.write_rendered(folder, {PORT_MODULE: "stream_port.sv"}, values)

    def write_rest(self, made: Made) -> parts.PageValues:
        """Write the description of the packets."""
        parts.write_port_page(made.folder)
        return {
            "bits": self.core.bits,
            "r_bits": self.core.r_bits(self.core.bits),
            "bytes": (self.core.bus_width + 7) // 8,
            "width": self.core.bus_width,
        }


def port_values(core: Core, name: str, reset: Reset = _NO_RESET) -> dict[str, object]:
    """Return what the module consists of that converts the streams of a top to the common port."""
    padding = -core.bus_width % 8
    double = core.fast_clock != ""
    return {
        "name": f"{name}_port",
        "padding": f"{{{{{padding}{{1'b1}}}}, " if padding else "",
        "end": "}" if padding else "",
        "top": name,
        "reset_port": STREAM_RESETS[not reset.active_low(True)],
        "reset_logic": reset_logic(reset, True, source="rst_ni"),
        "ports": declared_port(core.bus_width, second_clock=double),
        "clock2": "    /// Clock of the blocks.\n    input logic clk2x_i,\n" if double else "",
        "clock2_port": " .clk2x(clk2x_i)," if double else "",
        "more_ports": "      .clk2x_i     (clk2x_i),\n" if double else "",
        "high": core.bus_width - 1,
        "last": (core.bus_width + 7) // 8 * 8 - 1,
    }
