# SPDX-License-Identifier: Apache-2.0
"""The accelerator in a LiteX system: its module, and firmware on a simulated processor."""

import re
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from needs import require

from montcore.cores import get_core
from montcore.soc.design import AcceleratorDesign
from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab.litex import run
from montcore_lab.litex.chip import PKA_ADDRESS, ROM_FILE, TOP, Chip, make_chip
from montcore_lab.litex.mbedtls import VARIABLE, mbedtls_source
from montcore_lab.litex.run import (
    ACCELERATOR,
    DECRYPTION,
    LIBRARY,
    PARTS,
    SOFTWARE,
    pka_design,
    run_firmware,
)


def chip_text(chip: Chip) -> str:
    return (chip.folder / f"{TOP}.v").read_text()


def instance(text: str) -> str:
    found = re.search(r"pka_(\w+_wishbone) pka_\1\(.*?\);", text, re.DOTALL)
    assert found, "the system has no accelerator"
    return found.group(0)


def test_the_module_of_a_bundle_makes_a_system_with_bus_and_interrupt(tmp_path: Path) -> None:
    design = AcceleratorDesign(get_core("smm").configure({"npe": "2"}, 128))
    chip = make_chip(design, tmp_path / "chip")
    assert not chip.double and all(source.is_file() for source in chip.sources)
    connected = instance(chip_text(chip))
    assert "wb_adr_i" in connected and "irq" in connected
    assert "clk2x" not in connected and "rnd_data" not in connected
    # VexRiscv ignores err and waits for ack, so that a refused access must give both.
    ack = re.search(r"wb_ack_o *\((\w+)\)", connected)
    err = re.search(r"wb_err_o *\((\w+)\)", connected)
    assert ack and err
    assert re.search(rf"assign \w+ = \({ack.group(1)} \| {err.group(1)}\);", chip_text(chip))
    headers = chip.headers / "generated"
    assert f"PKA_BASE {PKA_ADDRESS:#010x}L" in (headers / "mem.h").read_text()
    assert "PKA_INTERRUPT" in (headers / "soc.h").read_text()
    assert f'$readmemh("{ROM_FILE}"' in chip_text(chip)


def test_a_second_clock_and_random_words_are_connected_where_a_build_has_them(
    tmp_path: Path,
) -> None:
    chip = make_chip(pka_design(512), tmp_path / "chip")
    connected = instance(chip_text(chip))
    assert chip.double and re.search(r"clk2x *\(sys2x_clk", connected)
    random = re.search(r"rnd_data *\((\w+)\)", connected)
    assert random and f"assign {random.group(1)} = entropy;" in chip_text(chip)


def test_equal_systems_have_equal_sources(tmp_path: Path) -> None:
    design = AcceleratorDesign(get_core("smm").configure({"npe": "2"}, 128))
    first, second = (make_chip(design, tmp_path / name) for name in ("first", "second"))
    assert chip_text(first) == chip_text(second)


def test_what_the_firmware_says_is_checked() -> None:
    def refuse(kind: str, signature: bytes) -> None:
        raise InvalidSignature

    signed = [["cycles", "rsa", "software", "5"], ["signature", "rsa", "software", "ab"]]
    end = [["result", "passed"], ["cycles", "9"]]
    found = run._checked([["test", "passed:", "a", "b"], *signed, *end], lambda kind, text: None)
    assert (found.cycles, found.tests, found.total) == ({("rsa", "software"): 5}, ("a b",), 9)
    wrong = ([*signed], [signed[0], *end], [["test", "failed:", "a"], *end], [["trap:", "x"], *end])
    for lines in wrong:
        with pytest.raises(CheckFailedError):
            run._checked(lines, lambda kind, text: None)
    with pytest.raises(CheckFailedError, match="is wrong"):
        run._checked([*signed, *end], refuse)


def test_sources_of_another_series_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(RequestError, match=r"does not hold mbedTLS 2\.28"):
        mbedtls_source()
    header = tmp_path / "include" / "mbedtls" / "version.h"
    header.parent.mkdir(parents=True)
    header.write_text('#define MBEDTLS_VERSION_STRING         "2.28.9"\n')
    assert mbedtls_source() == tmp_path


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_the_firmware_tests_the_accelerator_and_signs_with_it(tmp_path: Path) -> None:
    require("riscv64-unknown-elf-gcc")
    parts = DECRYPTION[:-1] + PARTS
    found = run_firmware(pka_design(1024), 1024, tmp_path / "chip", parts=parts)
    assert len(found.tests) == 17
    assert ("pkcs1", ACCELERATOR) in found.cycles
    for kind in ("rsa", "oaep", "ecdsa"):
        ways = [found.cycles[kind, way] for way in (ACCELERATOR, LIBRARY, SOFTWARE)]
        assert ways == sorted(ways)
        assert found.factor(kind) > 17
    assert found.cycles["ecdsa", ACCELERATOR] < 120_000


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_rsa_2048_by_firmware_keeps_its_limit(tmp_path: Path) -> None:
    require("riscv64-unknown-elf-gcc")
    found = run_firmware(pka_design(2048), 2048, tmp_path / "chip", parts="a")
    print(f"RSA-2048: {found.cycles['rsa', ACCELERATOR]} cycles")
    assert found.cycles["rsa", ACCELERATOR] < 1_200_000
