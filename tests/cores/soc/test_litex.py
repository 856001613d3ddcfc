# SPDX-License-Identifier: Apache-2.0
"""The accelerator in a LiteX system: its module, and firmware on a simulated processor.

The mbedTLS hooks give messages of valid padded blocks only, and no signature that is wrong.
"""

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sanitizers
from command_line import Tool
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import rsa
from needs import needs, require
from pka_bench import DRIVER
from programs import output_of

from montcore.cores import get_core
from montcore.soc.design import AcceleratorDesign
from montcore.support import waiting
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import REPO_ROOT
from montcore_lab import clients
from montcore_lab.cli.soc import LIMITS
from montcore_lab.litex import run
from montcore_lab.litex.chip import ROM_FILE, TOP, Chip, make_chip
from montcore_lab.litex.firmware import MBEDTLS_FILES, PADDINGS
from montcore_lab.litex.run import (
    ACCELERATOR,
    DECRYPTION,
    LIBRARY,
    PARTS,
    SOFTWARE,
    Measured,
    pka_design,
    run_firmware,
)
from montcore_riscv.debian import MBEDTLS


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
    assert "PKA_BASE 0x90000000L" in (headers / "mem.h").read_text()
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
    monkeypatch.setenv(MBEDTLS.variable, str(tmp_path))
    with pytest.raises(RequestError, match=r"does not hold mbedTLS 2\.28"):
        MBEDTLS.folder()
    header = tmp_path / "include" / "mbedtls" / "version.h"
    header.parent.mkdir(parents=True)
    header.write_text('#define MBEDTLS_VERSION_STRING         "2.28.9"\n')
    assert MBEDTLS.folder() == tmp_path


def test_the_verb_says_what_is_simulated_and_how_far_it_is(
    own_cache: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def simulated(*_: object, say: Callable[[str], None], **__: object) -> Measured:
        say("1 of 2 parts are simulated")
        time.sleep(0.5)
        return Measured(dict.fromkeys(LIMITS, 1), (), 3)

    monkeypatch.setattr("montcore_lab.litex.run.run_firmware", simulated)
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.1)
    said = tool.run("maintain", "soc", "--accelerator")
    words = "a LiteX system with RSA-2048, parts a: 1 of 2 parts are simulated"
    assert said.status == 0 and f"montcore: {words} (time not known)\n" in said.err


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
    assert found.cycles["ecdsa", "accelerator-unverified"] < 120_000


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_rsa_2048_and_p256_by_firmware_keep_the_limits_of_make_soc(tmp_path: Path) -> None:
    require("riscv64-unknown-elf-gcc")
    said: list[str] = []
    found = run_firmware(pka_design(2048), 2048, tmp_path / "chip", parts="a", say=said.append)
    assert "simulating 1 parts of the firmware" in said and "1 of 1 parts are simulated" in said
    print(found.cycles)
    assert all(found.cycles[way] < limit for way, limit in LIMITS.items())


BITS = 1024
BYTES, DIGEST = BITS // 8, 32
INVALID_PADDING, TOO_LARGE = -0x4100, -0x4400
VERIFY_FAILED, WRONG_SIGNATURE, CURVE_FAULT, HARDWARE = -0x4E00, 20, 22, -0x70
PROGRAMS = REPO_ROOT / "tests" / "support" / "driver"
WRAPPED = ("private", "begin", "end")
Line = tuple[str, int, bytes]


def build(folder: Path, name: str, hook: str, drivers: tuple[str, ...], *options: str) -> Path:
    """Compile a hook with mbedTLS, for numbers of 32-bit limbs as on the processor."""
    library = MBEDTLS.folder()
    sw = REPO_ROOT / "sw"
    theirs = [str(library / "library" / f"{name}.c") for name in MBEDTLS_FILES]
    own = [str(PROGRAMS / f"{name}.c"), str(sw / "mbedtls" / f"montcore_mbedtls_{hook}.c")]
    own += [str(DRIVER / f"montcore_{part}.c") for part in drivers]
    folders = (sw / "mbedtls", DRIVER, library / "include")
    config = folder / "config.h"  # the firmware's, without assembly of the processor
    text = (sw / "soc" / "mbedtls_config.h").read_text()
    config.write_text(text.replace("MBEDTLS_HAVE_ASM", "MBEDTLS_HAVE_INT32"))
    flags = [*sanitizers.flags("address"), "-std=gnu11", *options]
    flags += [f'-DMBEDTLS_CONFIG_FILE="{config}"']
    flags += [f"-I{path}" for path in (*folders, library / "library")]
    flags += ["-Wl,--gc-sections", "-ffunction-sections"]
    program = folder / name
    clients.run(["gcc", *flags, *own, *theirs, "-o", program])
    return program


def taken(program: Path, lines: list[Line]) -> list[tuple[int, bytes]]:
    text = "\n".join(f"{padding} {room} {block.hex()}" for padding, room, block in lines) + "\n"
    found = []
    for line in output_of(program, env=sanitizers.environment(), text=text).splitlines():
        status, _, message = line.partition(" ")
        found.append((int(status), bytes.fromhex(message)))
    assert len(found) == len(lines)
    return found


@pytest.mark.nightly
@needs("gcc")
def test_messages_of_every_length_are_taken_out_and_changed_blocks_refused(tmp_path: Path) -> None:
    wrapped = (f"-Wl,--wrap=montcore_rsa_{name}" for name in WRAPPED)
    options = ("-DMONTCORE_SOFTWARE_ECDSA", *wrapped)
    program, rng = build(tmp_path, "mbedtls_decrypt", "rsa", ("pka",), *options), random.Random(1)
    key = rsa.generate_private_key(65537, BITS)
    numbers = key.private_numbers()
    n, d = numbers.public_numbers.n, numbers.d

    def blocks(padding: str, lengths: range) -> list[tuple[bytes, bytes]]:
        found = []
        for length in lengths:
            message = rng.randbytes(length)
            secret = key.public_key().encrypt(message, PADDINGS[padding])
            found.append((message, pow(int.from_bytes(secret, "big"), d, n).to_bytes(BYTES, "big")))
        return found

    longest = {"oaep": BYTES - 2 * DIGEST - 2, "pkcs1": BYTES - 11}
    for padding, limit in longest.items():
        pairs = blocks(padding, range(limit + 1))
        lines = [(padding, BYTES, block) for _, block in pairs]
        assert taken(program, lines) == [(0, message) for message, _ in pairs]
        # A buffer with exactly the size of the message, and one byte less.
        lines = [(padding, len(message), block) for message, block in pairs]
        assert taken(program, lines) == [(0, message) for message, _ in pairs]
        lines = [(padding, len(message) - 1, block) for message, block in pairs[1:]]
        assert {status for status, _ in taken(program, lines)} == {TOO_LARGE}
    # OAEP: any changed bit changes the label's digest, the first byte or the one before the
    # message; a changed byte of the message itself is found through the digest of the seed's mask.
    changed = []
    for _, block in blocks("oaep", range(0, longest["oaep"] + 1, 7)):
        for bit in range(8 * BYTES):
            number = int.from_bytes(block, "big") ^ 1 << bit
            changed.append(("oaep", BYTES, number.to_bytes(BYTES, "big")))
    assert {status for status, _ in taken(program, changed)} == {INVALID_PADDING}
    # PKCS #1 v1.5: the first two bytes, no zero at all, a zero among the first eight of it.
    message, block = blocks("pkcs1", range(20, 21))[0]
    wrong = [bytes([1, *block[1:]]), block[:1] + bytes([1]) + block[2:], b"\0\2" + b"\1" * 126]
    wrong += [block[:at] + b"\0" + block[at + 1 :] for at in range(2, 10)]
    found = taken(program, [("pkcs1", BYTES, item) for item in (*wrong, block)])
    assert {status for status, _ in found[:-1]} == {INVALID_PADDING}
    assert found[-1] == (0, message)


@pytest.mark.nightly
@needs("gcc")
def test_a_signature_that_the_accelerator_does_not_verify_is_not_handed_out(tmp_path: Path) -> None:
    program = build(tmp_path, "mbedtls_ecdsa", "ecdsa", ("pka", "ecc", "ecc_curves"))

    def said(answer: int) -> list[int]:
        done = clients.run([program, str(answer)], sanitizers.environment())
        return [int(word) for word in done.split()]

    assert said(0) == [0, 1]
    assert said(WRONG_SIGNATURE) == [VERIFY_FAILED, 0]
    assert said(CURVE_FAULT) == [HARDWARE, 0]
