# SPDX-License-Identifier: Apache-2.0
"""The outputs of the rows leave the period to the logic behind them: they are registers."""

from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys

BUILDS = [
    *(("cs", 64, "w=8"), ("cs4", 64, "w=16"), ("op", 64, "w=8"), ("rc", 64, "w=8")),
    *(("mx", 64, "w=8"), ("hr", 128, "w=16 radix=4"), ("hr", 256, "w=32 radix=8")),
    *(("mx", 16, "w=16"), ("hr", 16, "w=16 radix=4")),
]


@pytest.mark.parametrize(("name", "bits", "settings"), BUILDS)
@pytest.mark.one_in(8)
def test_the_result_stream_comes_from_registers(
    name: str, bits: int, settings: str, tmp_path: Path
) -> None:
    core = get_core(name).configure(dict(item.split("=") for item in settings.split()), bits)
    values = " ".join(f"-G {key}={value}" for key, value in core.sv_parameters().items())
    files = " ".join(str(path) for path in core.sources())
    commands = [
        f"read_slang {values} --top {core.top} {files}",
        f"prep -flatten -top {core.top}",
        # Two steps, since the port may be another name of the register.
        "select -set drivers o:z_* %ci2 c:* %i o:core_done_o %ci2 c:* %i %u",
        "select -assert-min 4 @drivers",
        "select -assert-none @drivers t:$*dff* %d",
    ]
    run_yosys(commands, tmp_path, "outputs", DEFAULT_OPTIONS)
