# SPDX-License-Identifier: Apache-2.0
"""Builds the system and its firmware, simulates them and checks the firmware's signatures."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature

from montcore.cores import get_core
from montcore.sim.build import build_simulator
from montcore.soc.design import AcceleratorDesign
from montcore.support.errors import CheckFailedError
from montcore.support.processes import running
from montcore_lab.litex.chip import TOP, Chip, make_chip
from montcore_lab.litex.firmware import build_firmware, draw_keys
from montcore_riscv.debian import MBEDTLS

HARNESS = Path(__file__).with_name("harness.cpp")
#: Implementations of an operation, by their names in the firmware.
SOFTWARE, LIBRARY, ACCELERATOR = "software", "library", "accelerator"
#: Parts of the firmware, one character each, the longest first: RSA signatures in software, with
#: the library; ECDSA signatures; self-test and all operations with the accelerator.
PARTS = "slea"
#: The same with decryption instead of signatures.
DECRYPTION = "dma"
#: Parallel simulations.
WORKERS = 2
#: Cycles after which a simulation is aborted.
CYCLE_LIMIT = 2_000_000_000


@dataclass(frozen=True)
class Measured:
    """Results of one run of the firmware.

    Attributes:
        cycles: cycles of the system's clock for one operation, by kind and implementation:
            signatures (``rsa``, ``ecdsa``), decrypted messages (``oaep``, ``pkcs1``).
        tests: the parts of the self-test that passed.
        total: cycles of all parts.
    """

    cycles: dict[tuple[str, str], int]
    tests: tuple[str, ...]
    total: int

    def factor(self, kind: str) -> float:
        """Return the speed-up of the accelerator over software."""
        return self.cycles[kind, SOFTWARE] / self.cycles[kind, ACCELERATOR]


def pka_design(bits: int, clocking: str = "double") -> AcceleratorDesign:
    """Return the accelerator: `dsp` with 17 blocks for RSA, `smm` with 8 elements for P-256."""
    settings = {"alpha": "17", "clocking": clocking}
    curves = get_core("smm").configure({"npe": "8"}, 256)
    return AcceleratorDesign(get_core("dsp").configure(settings, bits), curves)


def run_firmware(
    design: AcceleratorDesign,
    rsa_bits: int,
    folder: Path,
    *,
    parts: str = PARTS,
    limit: int = CYCLE_LIMIT,
    say: Callable[[str], None] = lambda _: None,
) -> Measured:
    """Build and simulate everything, with new keys.

    Args:
        design: the accelerator.
        rsa_bits: length of the RSA key.
        folder: folder for all files; existing contents are removed.
        parts: parts of the firmware, see `PARTS`; they are simulated in parallel.
        limit: cycles after which the simulation is aborted.
        say: receives each line of the firmware, and each step.

    Raises:
        RequestError: LiteX, mbedTLS's sources or the compiler is missing.
        CheckFailedError: a test of the firmware failed, a signature is wrong, or it did not end.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sources = MBEDTLS.folder()
    say("generating the system")
    chip = make_chip(design, folder)
    keys = draw_keys(rsa_bits)
    say("compiling the firmware")
    build_firmware(chip, keys, design.length, sources)
    program = simulator(chip)
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        runs = [pool.submit(simulate, program, folder, part, limit, say) for part in parts]
        say(f"simulating {len(parts)} parts of the firmware")
        found = []
        for number, run in enumerate(runs, 1):
            found.append(_checked(run.result(), keys.check))
            say(f"{number} of {len(parts)} parts are simulated")
    cycles = {key: value for one in found for key, value in one.cycles.items()}
    tests = tuple(test for one in found for test in one.tests)
    return Measured(cycles, tests, sum(one.total for one in found))


def simulator(chip: Chip) -> Path:
    """Return the simulator of a system."""
    clocks = ["CHIP_DOUBLE"] if chip.double else []
    return build_simulator(TOP, chip.sources, {}, harness=HARNESS, defines=clocks)


def simulate(
    program: Path, folder: Path, part: str, limit: int, say: Callable[[str], None]
) -> list[list[str]]:
    """Run the simulator in the folder of its memories; return the words of each line."""
    lines = []
    command = [str(program), "1", str(limit), part]
    with running(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.split())
            if line.strip() and not line.startswith(("signature", "message")):
                say(line.strip())
        status = process.wait()
    if status != 0:
        raise CheckFailedError(f"the firmware did not end within {limit} cycles")
    return lines


def _checked(lines: Sequence[Sequence[str]], check: Callable[[str, bytes], None]) -> Measured:
    """Return the results in the lines, with every signature checked."""
    cycles: dict[tuple[str, str], int] = {}
    tests: list[str] = []
    signed: set[tuple[str, str]] = set()
    total, passed = 0, False
    for line in lines:
        match line:
            case ["test", "passed:", *words]:
                tests.append(" ".join(words))
            case ["cycles", kind, way, count]:
                cycles[kind, way] = int(count)
            case ["signature" | "message" as what, kind, way, text]:
                try:
                    check(kind, bytes.fromhex(text))
                except InvalidSignature:
                    raise CheckFailedError(f"the {kind} {what} by {way} is wrong") from None
                signed.add((kind, way))
            case ["cycles", count]:
                total = int(count)
            case ["result", "passed"]:
                passed = True
            case []:
                pass
            case words:
                raise CheckFailedError(f"the firmware said: {' '.join(words)}")
    if not passed or signed != cycles.keys():
        raise CheckFailedError("the firmware ended before its last test")
    return Measured(cycles, tuple(tests), total)
