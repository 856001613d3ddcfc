# SPDX-License-Identifier: Apache-2.0
"""The units for lazy products of every core that has one, alone, in Icarus Verilog."""

from pathlib import Path

import pytest
from icarus import run_lazy_unit

from montcore.cores import get_core


@pytest.mark.parametrize(
    ("core", "settings", "bits", "most"),
    [
        ("hr", {"radix": "4", "w": "16"}, 14, 3),
        ("hr", {"radix": "4", "w": "16"}, 35, 3),
        ("hr", {"radix": "8", "w": "32"}, 32, 5),
        ("hr", {"radix": "2", "w": "16"}, 16, 13),
        ("hr", {"radix": "4", "w": "16"}, 14, 13),
        ("hr", {"radix": "6", "w": "32"}, 62, 13),
        ("hr", {"radix": "8", "w": "32"}, 32, 13),
        *(("mx", {"w": w}, bits, 0) for w, bits in (("8", 21), ("16", 40), ("32", 64))),
        ("mx", {"w": "8"}, 8, 15),
        *(("dsp", {"alpha": alpha}, 256, 0) for alpha in ("5", "10")),
        *(("dsp", {"alpha": alpha}, 40, 0) for alpha in ("1", "4")),
        ("dsp", {"alpha": "17"}, 512, 0),
        *(("dsp", {"alpha": "16"}, bits, 0) for bits in (1024, 1536, 2048)),
    ],
)
@pytest.mark.one_in(11)
def test_every_result_of_the_unit_is_as_in_the_model(
    tmp_path: Path, core: str, settings: dict[str, str], bits: int, most: int
) -> None:
    """Products as early as possible, chained, zeroized; with shorter moduli."""
    run_lazy_unit(tmp_path, get_core(core).configure(settings, bits), most)
