# SPDX-License-Identifier: Apache-2.0
"""Runs functions of the RISC-V library on simulated cores and counts their cycles.

Each core is compiled with Verilator together with `machine.cpp`; the program is the RISC-V library
with test/machine.S, which calls the function and reads the core's own cycle counter around it.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.hdl.programs import package_folder
from montcore.sim.build import build_simulator
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.words import hint
from montcore_riscv import rocket
from montcore_riscv.calls import Call
from montcore_riscv.elf import ElfProgram
from montcore_riscv.exchange import exchange
from montcore_riscv.toolchain import RISCV_DIR, BuildTarget, build_program

HARNESS = Path(__file__).with_name("machine.cpp")
BOOT_CYCLES = 20_000
CYCLE_LIMIT = 1_000_000_000
#: Time limit of a hundred calls.
TIMEOUT_SECONDS = 900


@dataclass(frozen=True)
class Rtl:
    """Sources of a core's simulator."""

    top: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Cpu:
    """A core that can be simulated.

    Attributes:
        name: as for --cpu.
        title: description, with its multiplier.
        arch: the -march of its programs.
        defines: macros for the C++ harness and for machine.S, without the prefix ``MACHINE_``.
        package: the Python package with its RTL, or empty for one that is generated.
        rtl: finds or generates its RTL; raises `RequestError` if that is not possible.
        schedule: the schedule of `mul` meant for it.
        ram_start: start address of its memory.
        ram_bytes: size of its memory.
        extensions: whether it has the instructions of riscv/rtl.
    """

    name: str
    title: str
    arch: str
    defines: tuple[str, ...]
    package: str
    rtl: Callable[[], Rtl]
    schedule: str = "pipelined"
    ram_start: int = 0x10000
    ram_bytes: int = 1 << 18
    extensions: bool = False

    def missing(self) -> str | None:
        """Return what is missing for it, in one sentence, or None."""
        if not self.package:
            return rocket.missing()
        try:
            package_folder(self.package)
        except RequestError as error:
            return str(error)
        return None


VEXRISCV, PICORV32, CV32E40P = (
    f"pythondata_cpu_{name}" for name in ("vexriscv", "picorv32", "cv32e40p")
)


def _vexriscv(variant: str) -> Rtl:
    folder = package_folder(VEXRISCV) / "verilog"
    return Rtl("VexRiscv", (folder / f"VexRiscv_{variant}.v",))


_PICORV32_PARAMETERS = (("COMPRESSED_ISA", 1), ("BARREL_SHIFTER", 1), ("PROGADDR_RESET", 0x10000))


def _picorv32(*parameters: tuple[str, int]) -> Rtl:
    folder = package_folder(PICORV32) / "verilog"
    return Rtl(
        "picorv32", (folder / "picorv32.v",), parameters=(*_PICORV32_PARAMETERS, *parameters)
    )


def _rvx(host: str, core: Rtl) -> Rtl:
    """Return a host core with the wide variant of all units of riscv/rtl."""
    folder = RISCV_DIR
    units = sorted(folder.glob("rtl/*.sv"))
    wrapper = folder / "sim" / f"rvx_{host}.sv"
    return Rtl(wrapper.stem, (*core.sources, *units, wrapper), parameters=(("Wide", 1),))


def _cv32e40p() -> Rtl:
    home = package_folder(CV32E40P) / "system_verilog"
    rtl = home / "rtl"
    sources = []
    for line in (home / "cv32e40p_manifest.flist").read_text().splitlines():
        name = line.strip().removeprefix("${DESIGN_RTL_DIR}/")
        if name.startswith("../bhv/cv32e40p_sim_clock_gate") or (
            name.endswith(".sv") and not name.startswith("..")
        ):
            sources.append((rtl / name).resolve())
    return Rtl("cv32e40p_top", tuple(sources), (f"+incdir+{rtl / 'include'}",))


def _rocket(unroll: int) -> Rtl:
    board = rocket.generate(unroll)
    config = Path(__file__).with_name("rocket.vlt")
    return Rtl("Board", (config, board), ("-DPRINTF_COND=0", "-DSTOP_COND=0", "--vpi"))


CPUS: dict[str, Cpu] = {
    cpu.name: cpu
    for cpu in (
        Cpu(
            "vexriscv",
            "VexRiscv IMAC, pipelined multiplier",
            "rv32imac_zicsr",
            ("VEXRISCV",),
            VEXRISCV,
            lambda: _vexriscv("IMAC"),
        ),
        Cpu(
            "picorv32",
            "picorv32, ENABLE_FAST_MUL",
            "rv32imc_zicsr",
            ("PICORV32", "RDCYCLE"),
            PICORV32,
            lambda: _picorv32(("ENABLE_FAST_MUL", 1)),
        ),
        Cpu(
            "cv32e40p",
            "CV32E40P, mulhu in 5 cycles",
            "rv32imc_zicsr",
            ("CV32E40P",),
            CV32E40P,
            _cv32e40p,
        ),
        Cpu(
            "vexriscv-rvx",
            "VexRiscv FullCfu with the instructions of riscv/rtl",
            "rv32im_zicsr",
            ("VEXRISCV", "CFU"),
            VEXRISCV,
            lambda: _rvx("vexriscv", _vexriscv("FullCfu")),
            extensions=True,
        ),
        Cpu(
            "picorv32-rvx",
            "picorv32 with the instructions of riscv/rtl",
            "rv32imc_zicsr",
            ("PICORV32", "RDCYCLE", "RVX"),
            PICORV32,
            lambda: _rvx("picorv32", _picorv32()),
            extensions=True,
        ),
        Cpu(
            "rocket-e31",
            "Rocket in the shape of an E31, multiplier of 8 bits a cycle",
            "rv32imac_zicsr",
            ("ROCKET",),
            "",
            lambda: _rocket(8),
            "iterative",
            ram_start=0x80000000,
            ram_bytes=1 << 14,
        ),
        Cpu(
            "rocket-fast",
            "the same Rocket, multiplier of 32 bits a cycle",
            "rv32imac_zicsr",
            ("ROCKET",),
            "",
            lambda: _rocket(32),
            ram_start=0x80000000,
            ram_bytes=1 << 14,
        ),
    )
}

#: Measured by default: the cores that need only Python packages.
DEFAULT_CPUS = ("vexriscv", "picorv32", "cv32e40p")


def get_cpu(name: str) -> Cpu:
    """Return a core by name.

    Raises:
        RequestError: there is no core of that name.
    """
    if name not in CPUS:
        raise RequestError(
            f"there is no core '{name}'{hint(name, CPUS)}; there are {', '.join(CPUS)}"
        )
    return CPUS[name]


def available_cpu(name: str) -> Cpu:
    """Return a core by name if it can be simulated here.

    Raises:
        RequestError: there is no such core, or something that it needs is missing.
    """
    cpu = get_cpu(name)
    lack = cpu.missing()
    if lack is not None:
        raise RequestError(lack)
    return cpu


@dataclass(frozen=True)
class MachineRun:
    """Result of a job: cycles of the last call, a0, and the memory read back."""

    cycles: int
    value: int
    memory: bytes


class Machine:
    """A core with the library in its memory.

    Every job starts from the same state of core, predictors and caches: it runs in a copy of the
    simulator made when the program first waited for a job.
    """

    def __init__(
        self,
        cpu: Cpu,
        schedule: str | None = None,
        curves: bool = False,
        rsa: bool = False,
        program: ElfProgram | None = None,
    ) -> None:
        """Build the simulator and the program, or take them from the cache.

        Args:
            cpu: the core.
            schedule: schedule of the library, by default the one meant for it.
            curves: also build the curves.
            rsa: also build RSA.
            program: another program with test/machine.S instead.

        Raises:
            RequestError: the core's RTL or the compiler are missing.
            CheckFailedError: a tool rejected its sources.
        """
        self.cpu = cpu
        self.schedule = schedule or cpu.schedule
        self.program = program or machine_program(cpu, schedule, curves, rsa)
        rtl = cpu.rtl()
        self._simulator = build_simulator(
            rtl.top,
            rtl.sources,
            dict(rtl.parameters),
            rtl.flags,
            harness=HARNESS,
            defines=[f"MACHINE_{name}" for name in cpu.defines],
        )

    @property
    def arena(self) -> int:
        """Address of the memory that is free for operands."""
        return self.program.address("arena")

    def run(
        self, calls: Sequence[Call], repeats: int = 2, limit: int = CYCLE_LIMIT
    ) -> Iterator[MachineRun]:
        """Run calls, each from the same state, and yield their results in order.

        Args:
            calls: the calls.
            repeats: number of repetitions of each call; the last one is timed.
            limit: cycles after which a call is aborted.

        Raises:
            CheckFailedError: the program crashed or exceeded its cycle limit.
        """
        cpu, program = self.cpu, self.program
        begin = struct.pack(
            "<5I",
            *(cpu.ram_start, cpu.ram_bytes, program.address("job"), BOOT_CYCLES),
            len(program.segments),
        )
        for address, content in program.segments:
            begin += struct.pack("<2I", address, len(content)) + content
        for call, answer in exchange(
            cpu.name,
            [str(self._simulator)],
            calls,
            lambda call: self._encode(call, repeats, limit),
            head=12,
            seconds=TIMEOUT_SECONDS * -(-len(calls) // 100),
            begin=begin,
        ):
            status, cycles, value = struct.unpack_from("<3I", answer)
            if status != 0:
                raise CheckFailedError(
                    f"{cpu.name}: {call.function} did not end within {limit} cycles"
                )
            yield MachineRun(cycles, value, answer[12:])

    def _encode(self, call: Call, repeats: int, limit: int) -> bytes:
        arguments = [value & 0xFFFFFFFF for value in call.arguments]
        arguments += [0] * (8 - len(arguments))
        words = [self.program.address(call.function), repeats, *arguments, 1]
        words += [self.arena + call.out_at, call.out_bytes, limit, 0, 0]
        return struct.pack("<18I", *words, self.arena, len(call.memory)) + call.memory


def machine_flags(cpu: Cpu) -> tuple[str, ...]:
    """Return the linker's flags of a program that runs on a core."""
    return (
        f"-T{RISCV_DIR / 'test' / 'machine.ld'}",
        f"-Wl,--defsym=RAM_START={cpu.ram_start:#x}",
        f"-Wl,--defsym=RAM_BYTES={cpu.ram_bytes:#x}",
    )


def machine_program(
    cpu: Cpu, schedule: str | None = None, curves: bool = False, rsa: bool = False
) -> ElfProgram:
    """Return the program that runs on a core."""
    target = BuildTarget(
        cpu.arch,
        schedule or cpu.schedule,
        tuple(f"MACHINE_{name}" for name in cpu.defines),
        cpu.extensions,
        curves,
        rsa,
    )
    return build_program([RISCV_DIR / "test" / "machine.S"], target, machine_flags(cpu))[1]
