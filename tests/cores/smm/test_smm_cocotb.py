# SPDX-License-Identifier: Apache-2.0
"""`smm` under a second simulator, Icarus Verilog: the protocol of the port, and zeroize."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores.smm import Smm
from montcore.cores.technology import Tech


def simulate(
    folder: Path,
    bench: str,
    *,
    bits: int,
    npe: int,
    w: int,
    tree: bool = False,
    **settings: str,
) -> None:
    """Run all cocotb tests of a bench module on one build of the core."""
    config = Smm.configure({"npe": str(npe), "w": str(w), **settings}, bits)
    run_bench(folder, bench, config, {"Tech": int(Tech.ASIC if tree else Tech.GENERIC)})


BUILDS = pytest.mark.parametrize(
    ("bits", "npe", "w", "tree"), [(19, 1, 4, False), (36, 3, 4, True), (256, 8, 32, False)]
)


@BUILDS
@pytest.mark.one_in(4)
def test_protocol_of_the_port(tmp_path: Path, bits: int, npe: int, w: int, tree: bool) -> None:
    simulate(tmp_path, "smm_protocol", bits=bits, npe=npe, w=w, tree=tree)


@pytest.mark.parametrize(
    ("bits", "npe", "w", "tree"),
    [(19, 1, 4, False), (39, 1, 4, False), (36, 3, 4, True), (256, 8, 32, False)],
)
@pytest.mark.one_in(4)
def test_zeroize_leaves_nothing(tmp_path: Path, bits: int, npe: int, w: int, tree: bool) -> None:
    simulate(tmp_path, "smm_zeroize", bits=bits, npe=npe, w=w, tree=tree)
