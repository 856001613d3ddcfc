# SPDX-License-Identifier: Apache-2.0
"""The pages docs/soc.md and soc-ecdsa.md: their commands lead to signatures."""

import hashlib
import os
import sys
from pathlib import Path

import pytest
from needs import needs
from page_commands import code_blocks
from programs import output_of
from rsa_numbers import key

from montcore.sim.toolchain import verilator_root
from montcore.support.paths import REPO_ROOT

PAGE = REPO_ROOT / "docs" / "soc.md"
CURVES = REPO_ROOT / "docs" / "soc-ecdsa.md"
#: DigestInfo of SHA-256, RFC 8017, 9.2.
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def blocks(kind: str = "", page: Path = PAGE) -> list[str]:
    """Return a page's blocks of code of a kind."""
    return code_blocks(page.read_text(), kind)


def key_header(numbers: list[tuple[str, int]], bits: tuple[int, ...]) -> str:
    """Return the header with a key's numbers."""
    lines = ['#include "montcore_rsa.h"']
    for name, value in numbers:
        limbs = [f"0x{value >> place & 0xFFFFFFFF:x}u" for place in range(0, 512, 32)]
        lines.append(f"static const uint32_t {name}[16] = {{{', '.join(limbs)}}};")
    words = ", ".join([*map(str, bits), *(f"key_{name[4:]}" for name, _ in numbers)])
    return "\n".join([*lines, f"static const montcore_rsa_key key = {{{words}}};\n"])


def run(folder: Path, command: str) -> str:
    """Run a page's command in a folder; return what it printed."""
    root = verilator_root()
    scripts = Path(sys.executable).parent
    path = f"{root / 'bin'}{os.pathsep}{scripts}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "VERILATOR_ROOT": str(root), "PATH": path}
    return output_of("bash", "-c", command, cwd=folder, env=environment)


def list_sources(folder: Path, *drivers: str) -> None:
    """Write sources.f as described on the page."""
    files = [f"pka/{name}" for name in (folder / "pka" / "files.f").read_text().split()]
    files += [f"pka/driver/montcore_{name}.c" for name in drivers]
    (folder / "sources.f").write_text("\n".join(str(folder / name) for name in files))


@pytest.mark.nightly
def test_the_page_leads_to_a_signature_that_verifies(tmp_path: Path) -> None:
    build, simulate, sign = blocks()[:3]  # the fourth is a picture
    (program,) = blocks("cpp")
    run(tmp_path, build)
    (tmp_path / "sign.cpp").write_text(program)
    list_sources(tmp_path, "pka", "rsa")
    made = key(256, 256, 7)
    p, q, d = made.p, made.q, made.d
    numbers = [("key_n", made.n), ("key_e", made.e), ("key_p", p), ("key_q", q)]
    numbers += [("key_dp", d % (p - 1)), ("key_dq", d % (q - 1)), ("key_qinv", pow(q, -1, p))]
    sizes = (made.n.bit_length(), 256, 256, made.e.bit_length())
    (tmp_path / "key.h").write_text(key_header(numbers, sizes))
    (tmp_path / "letter.txt").write_text("Dear reader")
    run(tmp_path, simulate)
    signature = int(run(tmp_path, sign), 16)
    digest = hashlib.sha256(b"Dear reader").digest()
    padded = b"\0\1" + b"\xff" * (64 - 3 - 51) + b"\0" + PREFIX + digest
    assert pow(signature, made.e, made.n) == int.from_bytes(padded, "big")


@pytest.mark.nightly
@needs("openssl")
def test_the_page_of_curves_leads_to_a_signature_that_openssl_verifies(tmp_path: Path) -> None:
    build, simulate, sign, verify = blocks(page=CURVES)
    run(tmp_path, build)
    (tmp_path / "sign.cpp").write_text(blocks("cpp", CURVES)[0])
    list_sources(tmp_path, "pka", "ecc", "ecc_curves")
    (tmp_path / "letter.txt").write_text("Dear reader")
    run(tmp_path, simulate)
    run(tmp_path, sign)
    assert run(tmp_path, verify) == "Verified OK\n"
    first = (tmp_path / "key.der").read_bytes()
    run(tmp_path, sign)
    assert (tmp_path / "key.der").read_bytes() != first
