# SPDX-License-Identifier: Apache-2.0
"""The pages soc-ecdsa.md and firmware.md: their commands lead to signatures."""

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from needs import needs
from page_commands import code_blocks, run_in_checkout
from programs import output_of

from montcore.cores import get_core
from montcore.sim.toolchain import verilator_root
from montcore.soc.design import AcceleratorDesign
from montcore.support.paths import REPO_ROOT
from montcore_lab.litex.chip import Chip, make_chip, write_accelerator
from montcore_lab.litex.firmware import header_folders, write_memory
from montcore_lab.litex.run import CYCLE_LIMIT, pka_design, simulate, simulator

CURVES = REPO_ROOT / "docs" / "soc-ecdsa.md"
FIRMWARE = REPO_ROOT / "docs" / "site" / "firmware.md"
#: Signs the digest of the page's letter and prints the signature.
MAIN = """
#include <stdint.h>
#include "board.h"
int board_sign(const uint8_t *digest, uint8_t *signature);
int main(void) {
  static const uint8_t digest[32] = DIGEST;
  static uint8_t signature[256];
  if (board_sign(digest, signature) == 0) board_put_bytes(signature, sizeof signature);
  board_end();
}
"""


def blocks(kind: str = "", page: Path = FIRMWARE) -> list[str]:
    """Return a page's blocks of code of a kind."""
    return code_blocks(page.read_text(), kind)


def run(folder: Path, command: str) -> str:
    """Run a page's command in a folder; return what it printed."""
    root = verilator_root()
    scripts = Path(sys.executable).parent
    path = f"{root / 'bin'}{os.pathsep}{scripts}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "VERILATOR_ROOT": str(root), "PATH": path}
    return output_of("bash", "-c", command, cwd=folder, env=environment)


def write_programs(folder: Path) -> None:
    """Write the programs of the firmware's page."""
    (folder / "key.py").write_text(blocks("python")[0])
    for name, text in zip(("sign.h", "serve.c", "registers.c"), blocks("c"), strict=False):
        (folder / name).write_text(text)


@pytest.mark.nightly
@needs("openssl")
def test_the_page_of_curves_leads_to_a_signature_that_openssl_verifies(tmp_path: Path) -> None:
    build, simulate, sign, verify = blocks(page=CURVES)
    run(tmp_path, build)
    (tmp_path / "sign.cpp").write_text(blocks("cpp", CURVES)[0])
    files = (tmp_path / "pka" / "files.f").read_text().split()
    files += [f"driver/montcore_{name}.c" for name in ("pka", "ecc", "ecc_curves")]
    (tmp_path / "sources.f").write_text("\n".join(f"{tmp_path}/pka/{name}" for name in files))
    (tmp_path / "letter.txt").write_text("Dear reader")
    lines = blocks("sh", CURVES)[0].replace(".venv/bin/python", sys.executable)
    assert run(tmp_path, f"{lines}echo $VERILATOR_ROOT") == f"{verilator_root()}\n"
    run(tmp_path, simulate)
    run(tmp_path, sign)
    assert run(tmp_path, verify) == "Verified OK\n"
    first = (tmp_path / "key.der").read_bytes()
    run(tmp_path, sign)
    assert (tmp_path / "key.der").read_bytes() != first


@needs("openssl", "gcc")
def test_firmware_signs_over_the_socket_of_a_server(tmp_path: Path) -> None:
    """The bundle's files are written here without its test, which every bundle has."""
    design = AcceleratorDesign(get_core("smm").configure({"npe": "8", "w": "64"}, 2048))
    write_accelerator(design, tmp_path / "pka")
    write_programs(tmp_path)
    prepare, serve = blocks()[:2]
    said = run_in_checkout([*prepare.splitlines()[1:], serve], tmp_path)
    assert "Verified OK" in said, said


def linked(chip: Chip) -> Path:
    """Link the page's program over registers for a system, by the page's command."""
    folder, soc = chip.folder, REPO_ROOT / "sw" / "soc"
    write_programs(folder)
    run(folder, "\n".join(blocks()[0].splitlines()[1:]))
    (folder / "board").mkdir()
    for name in ("board.c", "board.h", "start.S", "string.c"):
        shutil.copy(soc / name, folder / "board")
    shutil.copy(soc / "firmware.ld", folder / "board" / "board.ld")
    digest = hashlib.sha256((folder / "letter").read_bytes()).digest()
    (folder / "board" / "main.c").write_text(
        MAIN.replace("DIGEST", f"{{{', '.join(map(str, digest))}}}")
    )
    headers = ":".join(map(str, (soc / "libc", *header_folders(chip))))
    run(folder, f"export CPATH={headers}\n{blocks()[2]}")
    return folder / "firmware.elf"


@needs("openssl", "riscv64-unknown-elf-gcc")
def test_firmware_over_registers_is_linked_without_the_register_gp(tmp_path: Path) -> None:
    design = AcceleratorDesign(get_core("smm").configure({"npe": "2"}, 128))
    elf = linked(make_chip(design, tmp_path / "chip"))
    said = run(tmp_path, f"riscv64-unknown-elf-objdump -d {elf}")
    assert len(re.findall(r"[(,]gp\b", said)) == 1, said  # the start-up code's


@pytest.mark.nightly
@needs("openssl", "riscv64-unknown-elf-gcc")
def test_firmware_signs_over_registers(tmp_path: Path) -> None:
    chip = make_chip(pka_design(2048), tmp_path / "chip")
    write_memory(chip, linked(chip))
    lines = simulate(simulator(chip), chip.folder, "-", CYCLE_LIMIT, lambda _: None)
    (chip.folder / "signature").write_bytes(bytes.fromhex(lines[0][0]))
    (verify,) = [line for line in blocks()[1].splitlines() if " -verify " in line]
    assert run(chip.folder, verify) == "Verified OK\n"
