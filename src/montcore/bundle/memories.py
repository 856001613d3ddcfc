# SPDX-License-Identifier: Apache-2.0
"""The memories of a bundle, and the module that replaces them by foundry macros."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from montcore.bundle.sources import each_instance
from montcore.bundle.templates import render

#: The module that becomes a macro on an ASIC, and the one with a registered output.
MACRO, BLOCK = "montcore_ram_macro", "montcore_block_ram"
FOLDER = "memories"

Size = tuple[int, int]


def found(name: str, files: Sequence[Path]) -> dict[str, Counter[Size]]:
    """Return the number of memories of each size (rows, width) in a design, by module."""
    sizes: dict[str, Counter[Size]] = {MACRO: Counter(), BLOCK: Counter()}

    def see(instance: Any) -> None:
        module = instance.definition.name
        if module in sizes:
            values = {item.name: item.value for item in instance.body.parameters}
            rows, width = (str(values[key]).rpartition("'d")[2] for key in ("Rows", "Width"))
            sizes[module][int(rows), int(width)] += 1

    each_instance(name, files, see)
    return sizes


def _table(sizes: Counter[Size]) -> str:
    rows = ["| rows | bits of a word | how many | bits in all |", "| --- | --- | --- | --- |"]
    rows += [
        f"| {rows_} | {width} | {count} | {rows_ * width * count:,} |"
        for (rows_, width), count in sorted(sizes.items())
    ]
    return "\n".join(rows)


def write(folder: Path, name: str, files: Sequence[Path]) -> None:
    """Write the guide and, if there are macros, the module that instantiates them, and models."""
    sizes = found(name, files)
    macros, blocks = sizes[MACRO], sizes[BLOCK]
    (folder / FOLDER).mkdir()
    parts = {
        "name": name,
        "macros": _table(macros) if macros else "There is none in this build.",
        "blocks": _table(blocks) if blocks else "There is none in this build.",
    }
    (folder / FOLDER / "README.md").write_text(render("memories.md", parts), encoding="utf-8")
    if not macros:
        return
    branches = [
        f"  if (Rows == {rows} && Width == {width}) begin : g_{rows}x{width}\n"
        f"    ram_{rows}x{width} u_ram (\n"
        "        .clk(clk_i), .we(we_i), .waddr(waddr_i), .wdata(wdata_i), .raddr(raddr_i),\n"
        "        .rdata(rdata_o)\n    );\n  end"
        for rows, width in sorted(macros)
    ]
    places = {"name": name, "branches": " else ".join(branches).lstrip()}
    models = "\n".join(_model(size) for size in sorted(macros))
    (folder / FOLDER / f"{MACRO}.sv").write_text(render("macros.sv", places), encoding="utf-8")
    (folder / FOLDER / "models.v").write_text(
        "// SPDX-License-Identifier: Apache-2.0\n//\n"
        f"// Models of the macros that {MACRO}.sv instantiates: for simulation.\n{models}",
        encoding="utf-8",
    )


def _model(size: Size) -> str:
    rows, width = size
    high = max(1, (rows - 1).bit_length()) - 1
    return (
        f"\nmodule ram_{rows}x{width} (\n"
        f"    input wire clk,\n    input wire we,\n    input wire [{high}:0] waddr,\n"
        f"    input wire [{width - 1}:0] wdata,\n    input wire [{high}:0] raddr,\n"
        f"    output wire [{width - 1}:0] rdata\n);\n"
        f"  reg [{width - 1}:0] rows[0:{rows - 1}];\n"
        "  always @(posedge clk) if (we) rows[waddr] <= wdata;\n"
        "  assign rdata = rows[raddr];\nendmodule\n"
    )
