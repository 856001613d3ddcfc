# SPDX-License-Identifier: Apache-2.0
"""FuseSoC makes the RTL of the curve engine and of the accelerator when a project is set up."""

from pathlib import Path

import pytest

from montcore.bundle.generator import generate
from montcore.support.errors import RequestError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("{unit: ecc, core: smm}", "parameter bits: Field required"),
        ("{unit: tpm, core: smm, bits: 64}", "parameter unit: Input should be 'ecc' or 'pka'"),
        ("{unit: ecc, core: smm, bits: 64, pne: 4}", "parameter pne: Extra inputs"),
        ("{unit: ecc, core: none, bits: 64}", "there is no core"),
        ("{unit: ecc, core: smm, bits: 256, set: {npe: 99}}", "npe must"),
        ("{unit: pka, core: dsp, bits: 256, bus: pci}", "pci"),
    ],
)
def test_what_cannot_be_made_is_refused(parameters: str, message: str, tmp_path: Path) -> None:
    request = tmp_path / "request.yml"
    request.write_text(f"vlnv: a:b:c:1\nparameters: {parameters}\n")
    with pytest.raises(RequestError, match=message):
        generate(request)
    assert list(tmp_path.iterdir()) == [request]
