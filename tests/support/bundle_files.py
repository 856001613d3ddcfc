# SPDX-License-Identifier: Apache-2.0
"""Bundles built without running their test, and their top modules elaborated by slang."""

import os
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from needs import require
from programs import program

from montcore.bundle import parts, runner
from montcore.bundle.pipeline import make
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.stream import StreamBundle
from montcore.bundle.system import SystemBundle
from montcore.cores import get_core
from montcore.hdl.modules import read_design
from montcore.sim.toolchain import verilator_root
from montcore.soc.design import AcceleratorDesign, Reset

TCL = Path(__file__).parent / "tcl"
#: Substitute for the outcome of a bundle's test.
SAID = BenchOutcome("verilator", 1, 0, 1, 1, None, "")
#: Variants of a bundle: bus, clocks, units, style and level of the reset, clocking.
VARIANTS = (
    ("axi4-lite", 1, "multiplier", "sync", "", "single"),
    ("axi4-lite", 2, "both", "async", "", "double"),
    ("apb", 2, "multiplier", "sync", "high", "single"),
    ("wishbone", 1, "exponentiator", "async", "low", "double"),
    ("wishbone", 2, "curves", "async", "", "single"),
    ("tl-ul", 1, "multiplier", "async", "high", "double"),
    ("axi4-stream", 1, "", "sync", "", "single"),
    ("axi4-stream", 1, "", "async", "high", "double"),
)
Variant = tuple[str, int, str, str, str, str]


def only_write(patch: pytest.MonkeyPatch) -> None:
    """Leave out the single-file RTL of bundles and the run of their test."""
    patch.setattr(runner, "run_bundle_test", lambda *_, **__: SAID)
    patch.setattr(parts, "write_flat", lambda *_: "")


def made(variant: Variant, folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Write a bundle without its single-file RTL and without running its test."""
    bus, clocks, units, style, level, clocking = variant
    only_write(patch)
    dsp = get_core("dsp").configure({"alpha": "2", "clocking": clocking}, 160)
    smm = get_core("smm").configure({"npe": "4"}, 160)
    reset = Reset(style, level)
    if bus == "axi4-stream":
        return make(StreamBundle(dsp, reset, "xc7"), folder).path
    designs = {
        "multiplier": AcceleratorDesign(None, None, clocks, dsp, reset),
        "exponentiator": AcceleratorDesign(dsp, None, clocks, None, reset),
        "curves": AcceleratorDesign(None, smm, clocks, None, reset),
        "both": AcceleratorDesign(dsp, smm, clocks, None, reset),
    }
    return make(SystemBundle(designs[units], bus, "xc7"), folder).path


def flattened(made: Path, folder: Path) -> Path:
    """Return a copy of a bundle whose RTL is its one file of Verilog-2005."""
    copy = folder / "flat"
    shutil.copytree(made, copy)
    (copy / "files.f").write_text(f"{top_of(made)}.v\n")
    shutil.rmtree(copy / "rtl")
    return copy


def is_verilog_2005(file: Path) -> bool:
    """Tell whether Icarus Verilog reads a file in Verilog-2005."""
    # The device's primitives are not in the file, where a core has any.
    command = ["iverilog", "-g2005", "-i", "-t", "null", str(file)]
    return program(*command).returncode == 0


def top_of(bundle: Path) -> str:
    """Return the name of a bundle's top module."""
    [core] = bundle.glob("*.core")
    return core.stem


def files_of(bundle: Path) -> list[Path]:
    """Return the RTL of a bundle in compile order."""
    return [bundle / name for name in (bundle / "files.f").read_text().split()]


def elaborated(bundle: Path) -> Any:
    """Return slang's driver and compilation for a bundle's RTL."""
    slang = read_design(["--top", top_of(bundle), *map(str, files_of(bundle))])
    assert slang is not None
    return slang, slang.createCompilation()


@cache
def ports_of(bundle: Path) -> dict[str, tuple[str, int]]:
    """Return direction, ``in`` or ``out``, and width of each port of a bundle's top module."""
    slang, compilation = elaborated(bundle)
    [top] = compilation.getRoot().topInstances
    found = {
        port.name: (port.direction.name.lower(), port.type.bitWidth) for port in top.body.portList
    }
    del slang
    return found


def registers_of(bundle: Path) -> set[str]:
    """Return the hierarchical names of all variables of a bundle, without the top module's."""
    from pyslang import ast

    slang, compilation = elaborated(bundle)
    found = set()

    def visit(symbol: Any) -> bool:
        if isinstance(symbol, ast.VariableSymbol):
            found.add(symbol.hierarchicalPath.partition(".")[2])
        return True

    compilation.getRoot().visit(visit)
    del slang
    return found


def run_tcl(script: str, *words: object, fails: bool = False) -> str:
    """Return the output of a Tcl script, or the error message of one that must fail."""
    require("tclsh")
    done = program("tclsh", TCL / script, *map(str, words))
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout


def constrained(bundle: Path, name: str, folder: Path) -> list[list[str]]:
    """Return the commands of a constraints file, recorded by mock commands."""
    listed = folder / "ports.txt"
    listed.write_text("\n".join(f"{way} {port}" for port, (way, _) in ports_of(bundle).items()))
    return [line.split() for line in run_tcl("sdc.tcl", bundle / name, listed).splitlines()]


def fusesoc(folder: Path, *words: str) -> str:
    """Run FuseSoC on the core files below a folder, with our Verilator; return what it says."""
    started = Path(sys.executable).with_name("fusesoc")
    root = verilator_root()
    path = f"{root / 'bin'}:{started.parent}:/usr/bin:/bin"
    env = {**os.environ, "VERILATOR_ROOT": str(root), "PATH": path, "HOME": str(folder)}
    done = program(started, "--cores-root", ".", *words, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr
