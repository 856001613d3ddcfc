# SPDX-License-Identifier: Apache-2.0
"""The accelerator's C driver: correct results, and no result after any failure."""

import random
import re
import subprocess
from pathlib import Path

import pytest
from needs import require
from pka_bench import BUILDS, DRIVER, OPERANDS, PARTS, SLOT, PkaBench, bench_of
from programs import COMPILERS, check_stack, output_of
from rsa_numbers import Key, key
from sanitizers import SANITIZERS, compile_program, preloaded

from montcore.cores import get_core
from montcore.soc.design import AcceleratorDesign
from montcore.soc.registers import SOC_DIR
from montcore.support.paths import REPO_ROOT
from montcore_lab.clients import run

BITS = 192
MODULUS_LENGTH, OPERAND_RANGE, NO_MODULUS, BAD_LENGTH, BAD_KEY, RANGE = 3, 4, 6, 9, 10, 18
BAD_CALL, BUS_ERROR, TIMEOUT, NOT_FOUND, RANDOM_FAILED, FAULT = range(32, 38)
KEY = key(96, 96, 1)
WIPE = REPO_ROOT / "tests" / "support" / "driver" / "pka_wipe.c"
ERRORS = WIPE.with_name("pka_errors.c")
UIO = WIPE.with_name("pka_uio.c")
WARNINGS = ("-Wall", "-Wextra", "-Werror")
INCLUDES = (f"-I{DRIVER}", f"-I{SOC_DIR / 'registers'}")
START = ["open", KEY.line(), "begin"]


@pytest.fixture(scope="module", params=BUILDS)
def device(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> PkaBench:
    design = AcceleratorDesign(get_core("smm").configure({"npe": "2", "w": "32"}, BITS))
    return bench_of(tmp_path_factory.mktemp("pka"), design, request.param)


@pytest.mark.parametrize("rsa", [KEY, key(90, 102, 2), key(70, 122, 3, 3), key(128, 64, 4, 17)])
def test_private_operations_with_primes_of_any_lengths(device: PkaBench, rsa: Key) -> None:
    rng = random.Random(rsa.n)
    numbers = [0, 1, rsa.n - 1, rsa.p, *(rng.randrange(rsa.n) for _ in range(2))]
    lines = ["open", rsa.line(), "begin"]
    for x in numbers:
        lines += [f"private {x:x}", f"rsapublic {pow(x, rsa.d, rsa.n):x}"]
    found = device.run(lines)
    assert {answer.status for answer in found} == {0}
    assert [answer.value for answer in found[3::2]] == [pow(x, rsa.d, rsa.n) for x in numbers]
    assert [answer.value for answer in found[4::2]] == numbers


def test_blinding_factors_are_squared_and_drawn_anew(device: PkaBench) -> None:
    x = 0x1234567
    found = device.run([*START, *[f"private {x:x}"] * 20])
    assert {(answer.status, answer.value) for answer in found[3:]} == {(0, pow(x, KEY.d, KEY.n))}


def test_nothing_of_an_operation_stays_in_the_operand_memory(device: PkaBench) -> None:
    words = [f"r {OPERANDS + slot * SLOT + 4 * at:x}" for slot in range(8) for at in range(6)]
    found = device.run([*START, *words, "private 5", *words])
    assert {answer.value for answer in [*found[3:51], *found[52:]]} == {0}


def test_an_access_that_fails_at_any_time_ends_the_operation_and_the_next_one_is_right(
    device: PkaBench,
) -> None:
    """It leaves the accelerator in any state; pka_errors.c has every access, without the RTL."""
    lines = []
    for count in (1, 41, 121, 241, 401, 521):
        lines += [f"failing {count}", "private 5", "failing -1", "zeroize", "private 5"]
    found = device.run([*START, *lines])[3:]
    assert {(answer.status, answer.value) for answer in found[1::5]} == {(BUS_ERROR, 0)}
    right = (0, pow(5, KEY.d, KEY.n))
    assert {(answer.status, answer.value) for answer in found[4::5]} == {right}


def test_a_flipped_bit_in_anything_that_is_read_never_gives_a_wrong_result(
    device: PkaBench,
) -> None:
    lines = []
    reads = [(OPERANDS + 3 * SLOT + 4 * word, count) for word in (0, 3) for count in range(1, 12)]
    for address, count in reads:
        lines += [f"fault {address:x} {count}", "private 5", "fault 0 0"]
    found = device.run([*START, *lines])[3:][1::3]
    for (address, count), answer in zip(reads, found, strict=True):
        if answer.status == 0:
            assert answer.value == pow(5, KEY.d, KEY.n), (address, count)
        else:
            assert (answer.status in (FAULT, OPERAND_RANGE), answer.value) == (True, 0)
    assert FAULT in {answer.status for answer in found}


def test_what_is_no_accelerator_is_not_found(device: PkaBench) -> None:
    found = device.run(["fault 0 1", "open", "fault 4 1", "open", "open"])
    assert [answer.status for answer in found[1::2]] == [NOT_FOUND, 0]
    assert found[4].status == 0


def test_calls_that_cannot_be_done_say_why(device: PkaBench) -> None:
    m = (1 << 100) - 15
    lines = ["open", "power 0 1 1 1", f"load 100 {m:x}", f"power 0 {m:x} 1 1", "power 0 2 3 0"]
    lines += ["power 0 2 3 2", f"product 7 {m - 1:x}", "loadkey 100", f"lock 100 {m:x} 7 55"]
    lines += ["keypower 0 2", "loadkey 100", "keypower 2 2", "cycles", "zeroize", "keypower 0 2"]
    found = device.run(lines)
    statuses = [0, NO_MODULUS, 0, OPERAND_RANGE, BAD_LENGTH, 0, 0, BAD_KEY, 0, NO_MODULUS]
    assert [answer.status for answer in found] == [*statuses, 0, 0, 0, 0, NO_MODULUS]
    assert [found[at].value for at in (3, 4, 5, 6, 11)] == [
        0,
        0,
        8,
        7 * (m - 1) % m,
        pow(2, 0x55, m),
    ]
    big = key(150, 100, 5)
    assert device.run(["open", big.line(), "begin"])[2].status == BAD_LENGTH


def test_a_number_with_more_bits_than_stated_is_refused(device: PkaBench) -> None:
    m = (1 << 100) - 15
    long = 1 << 100 | 2  # the accelerator would take it as 2
    refused = [f"power 0 {long:x} 3 2", "power 0 2 7 2", f"product {long:x} 3"]
    refused += [f"product 3 {long:x}", f"lock 100 {m | 1 << 101:x} 7 55", f"lock 100 {m:x} 2 7"]
    key_power = [f"lock 100 {m:x} 7 55", "loadkey 100", f"keypower 0 {long:x}"]
    found = device.run(
        ["open", f"load 100 {m:x}", *refused, *key_power, f"load 100 {m | 1 << 101:x}"]
    )
    assert [answer.status for answer in found] == [
        *(0, 0, *[RANGE] * len(refused), 0, 0, RANGE, MODULUS_LENGTH)
    ]
    assert [answer.value for answer in (*found[2:6], found[-2])] == [0] * 5


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.one_in(3)
def test_no_call_leaves_a_secret_on_the_stack(tmp_path: Path, level: str) -> None:
    wipe = tmp_path / "wipe"
    sources = [str(DRIVER / f"montcore_{name}.c") for name in PARTS]
    options = ["-std=gnu99", level, *WARNINGS, *INCLUDES]
    run(["gcc", *options, WIPE, *sources, "-o", wipe])
    check_stack(wipe)


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_every_function_ends_in_time_with_the_right_error_and_zeros_whatever_goes_wrong(
    tmp_path: Path, sanitizer: str
) -> None:
    names = (*PARTS, "multiplier", "driver", "pka_socket")
    parts = [DRIVER / f"montcore_{name}.c" for name in names]
    program = tmp_path / "errors"
    options = (*WARNINGS, "-std=gnu99", "-pthread", *INCLUDES)
    env = compile_program(sanitizer, [ERRORS, *parts], program, *options)
    counts = {
        name: (int(hung), int(failed))
        for name, hung, failed in map(str.split, output_of(program, env=env).splitlines())
    }
    # Functions that use random numbers of the port; the accelerator draws its own.
    drawn = {name: failed for name, (_, failed) in counts.items() if failed}
    assert drawn == {"begin": 3, "private": 2, "private_anew": 5, "sign_sha256": 2, "sign_drawn": 1}
    do_not_wait = {"interrupt", "cycles", "adopt"}
    assert {name for name, (hung, _) in counts.items() if not hung} == {
        *do_not_wait,
        *(name for name in counts if name.startswith("core_")),
    }


def test_every_function_of_the_headers_is_tried_with_every_error() -> None:
    declared = set[str]()
    for header in DRIVER.glob("montcore_*.h"):
        if not header.name.endswith(("_inner.h", "_registers.h")):
            found = re.findall(
                r"^(?!typedef)\w[\w *]*?\b(montcore_\w+)\(", header.read_text(), re.M
            )
            assert found, header
            declared |= set(found)
    called = set(re.findall(r"\bmontcore_\w+(?=\()", ERRORS.read_text()))
    cannot_fail = {
        *("montcore_limbs", "montcore_pka_limbs", "montcore_ecc_limbs", "montcore_ecc_bits"),
        *("montcore_wipe", "montcore_pka_wipe", "montcore_pka_wipe_stack"),
        *("montcore_describe", "montcore_r_bits", "montcore_multiplier_r_bits"),
        *("montcore_r_squared", "montcore_pka_mmio_read", "montcore_pka_mmio_write"),
    }
    # Connections, with tests of their own; they give no number.
    connections = {
        *(f"montcore_pka_socket_{name}" for name in ("open", "close", "pause", "random", "port")),
        *(f"montcore_pka_socket_{name}" for name in ("default", "trust")),
        "montcore_pka_socket_write",
        *(f"montcore_pka_uio_{name}" for name in ("open", "close")),
        *(f"montcore_pka_uio_{name}_interrupt" for name in ("open", "close")),
    }
    assert declared - called == cannot_fail | connections


def test_uio_backend_reads_and_writes_the_map_it_is_given(tmp_path: Path) -> None:
    program, device = tmp_path / "uio", tmp_path / "device"
    sources = [UIO, *(DRIVER / name for name in ("montcore_pka.c", "montcore_pka_uio.c"))]
    options = (*WARNINGS, "-std=c99", "-Wconversion", *INCLUDES)
    env = compile_program("address", sources, program, *options)

    def said(busy: int) -> str:
        words = [0x4D504B41, 0x100, 0x08010040, 0, 0, busy, 0]
        start = b"".join(word.to_bytes(4, "little") for word in words)
        device.write_bytes(start.ljust(0x10000, b"\0"))
        return run([program, device, "20"], env).decode().strip()

    assert said(busy=0) == "0 0 1"
    found = device.read_bytes()
    assert found[0x24:0x28] == (57).to_bytes(4, "little") and found[0x2C] == 1
    assert found[0x4000:0x4008] == 0x0123456789ABCDEF.to_bytes(8, "little")
    # Always busy: the wait ends, with zeroize.
    assert said(busy=1).startswith(f"{TIMEOUT} ") and device.read_bytes()[0x10] == 1
    # Without the kernel's random numbers the port's function reports it.
    library = tmp_path / "no_random.so"
    run(["gcc", "-shared", "-fPIC", "-o", library, UIO.with_name("no_random.c")])
    command = [str(program), str(device), "20"]
    loaded = f"{preloaded('address')['LD_PRELOAD']}:{library}"
    without = {**env, "LD_PRELOAD": loaded}
    assert subprocess.run(command, env=without, timeout=60, check=False).returncode == 1
    device.unlink()
    assert run(command, env) == b"not opened\n"


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_uio_backend_sleeps_until_the_interrupt_and_no_longer_than_it_may(
    tmp_path: Path, sanitizer: str
) -> None:
    program = tmp_path / "interrupt"
    sources = [UIO.with_name("pka_uio_interrupt.c")]
    sources += [DRIVER / f"montcore_pka{part}.c" for part in ("", "_uio")]
    wrapped = (f"-Wl,--wrap={name}" for name in ("open", "mmap", "munmap", "clock_nanosleep"))
    options = (*WARNINGS, "-std=c99", "-Wconversion", "-pthread", *wrapped, *INCLUDES)
    env = compile_program(sanitizer, sources, program, *options)

    def said(command_ms: int, other_ms: int = 0, signal_us: int = 0) -> str:
        times = map(str, (command_ms, other_ms, signal_us))
        return run([program, *times], env).decode().strip()

    ended, never = "0 0 1 10 -1 50000", f"{TIMEOUT} 0 1 10 -1 50000"
    assert (said(20), said(0)) == (ended, never)
    # More signals than a command may have wakes; signals, then interrupts of another device on the
    # line, more often than the limit of time.
    assert said(100, signal_us=20) == ended
    assert said(0, signal_us=50_000) == never
    assert said(0, other_ms=10).startswith(f"{TIMEOUT} 0 ")


def test_commands_end_by_interrupt_with_few_accesses_and_one_that_does_not_come_is_a_timeout(
    device: PkaBench,
) -> None:
    asked = ["private 5", "power 0 5 3 2", "clear"]
    lines = [*START, "total", *asked, "total", "interrupt 100000", "total", *asked, "total", "irq"]
    found = device.run(lines)
    polled, slept = (found[at : at + 5] for at in (3, 9))
    results = [[(answer.status, answer.said) for answer in part[1:4]] for part in (polled, slept)]
    assert results[0] == results[1] and results[0][0] == (0, f"{pow(5, KEY.d, KEY.n):048x}")
    accesses = [
        int(part[4].said.split()[1]) - int(part[0].said.split()[1]) for part in (polled, slept)
    ]
    assert accesses[1] < accesses[0]
    assert found[-1].said == "0"  # it was revoked
    # An interrupt that takes longer than the time limit; then interrupts are switched off again.
    lines = [*START, "interrupt 20", "private 5", "interrupt 0", "begin", "private 5"]
    found = device.run(lines)
    assert (found[4].status, found[4].value) == (TIMEOUT, 0)
    assert [answer.status for answer in found[5:]] == [0, 0, 0]
    assert found[-1].value == pow(5, KEY.d, KEY.n)


@pytest.mark.parametrize("command", COMPILERS, ids=lambda command: command[0])
def test_the_driver_compiles_without_a_warning(tmp_path: Path, command: tuple[str, ...]) -> None:
    require(command[0])
    user = tmp_path / "user.c"
    user.write_text(
        '#include "montcore_pka_mmio.h"\n#include "montcore_pka_registers.h"\n'
        "typedef char map_has_no_gaps[sizeof(montcore_pka_t) == 0xa000 ? 1 : -1];\n"
        "int use(montcore_pka_port *port);\n"
        "int use(montcore_pka_port *port) {\n"
        "  port->read = montcore_pka_mmio_read;\n  port->write = montcore_pka_mmio_write;\n"
        "  return 0;\n}\n"
    )
    names = (*PARTS, "multiplier", "driver")
    for file in (*(DRIVER / f"montcore_{name}.c" for name in names), user):
        run([*command, "-Werror", *INCLUDES, "-c", file, "-o", tmp_path / "out.o"])
