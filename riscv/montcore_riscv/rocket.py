# SPDX-License-Identifier: Apache-2.0
"""Generates the Verilog of an E31-like Rocket core from the generator's published artifacts.

Java and Maven fetch the Rocket generator (version 1.2.6, with chisel3 3.2.6 and firrtl 1.2.6) and
run it; the result, about 6 MB of Verilog, stays in the cache and is never part of the repository.
It takes a minute or two; `montcore riscv bench --cpu rocket-e31` does it when needed.
"""

import hashlib
import shutil
import struct
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.files import locked
from montcore.support.needed import system_remedy
from montcore.support.paths import cache_dir

#: Artifacts of the generator, in compatible versions.
ARTIFACTS = (
    ("edu.berkeley.cs", "rocketchip_2.12", "1.2.6"),
    ("org.scala-lang", "scala-compiler", "2.12.10"),
)
SOURCE = Path(__file__).with_name("rocket.scala")

#: The programs needed, and the Debian packages that contain them.
PROGRAMS = {"java": "default-jdk-headless", "mvn": "maven", "dtc": "device-tree-compiler"}

#: Modules that the generator provides as separate files.
_BLACK_BOXES = ("plusarg_reader.v", "EICG_wrapper.v")
_CONFIGS = {8: "Mul8", 32: "Mul32"}
_TIMEOUT_SECONDS = 900

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>montcore</groupId><artifactId>rocket</artifactId><version>1</version>
<dependencies>{dependencies}</dependencies></project>
"""


def missing() -> str | None:
    """Return in one sentence what is missing to generate the core, or None."""
    if all(_board(unroll).is_file() for unroll in _CONFIGS):
        return None
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    if not lacking:
        return None
    remedy = system_remedy(*(PROGRAMS[name] for name in lacking))
    return f"the Rocket core cannot be generated without {' and '.join(lacking)}: {remedy}"


def _key() -> str:
    text = repr((ARTIFACTS, _BLACK_BOXES, _CONFIGS)) + SOURCE.read_text()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _home() -> Path:
    return cache_dir() / "rocket" / _key()


def _board(unroll: int) -> Path:
    return _home() / f"board_{_CONFIGS[unroll]}.v"


def generate(unroll: int) -> Path:
    """Return the Verilog of the board (top module `Board`), from the cache or generated.

    Args:
        unroll: bits that the multiplier processes per cycle, 8 as in the E31, or 32.

    Raises:
        RequestError: a program for it is missing, or the artifacts cannot be fetched.
        CheckFailedError: a step failed.
    """
    board = _board(unroll)
    if board.is_file():
        return board
    lack = missing()
    if lack is not None:
        raise RequestError(lack)
    with locked(_home() / "lock"):
        if not board.is_file():
            _generate(_home(), unroll, board)
    return board


def _generate(home: Path, unroll: int, board: Path) -> None:
    jars = _fetch(home)
    classes = home / "classes"
    path = ":".join(str(jar) for jar in sorted(jars.glob("*.jar")))
    if not (classes / "done").is_file():
        classes.mkdir(exist_ok=True)
        compile_ = ["scala.tools.nsc.Main", "-Xsource:2.11", "-d", str(classes), "-cp", path]
        _run(["java", "-cp", path, *compile_, str(SOURCE)], home)
        (classes / "done").touch()
    # lui t0, 0x80000; jr t0: from the boot ROM into the memory that holds the program.
    (home / "boot.img").write_bytes(struct.pack("<2I", 0x800002B7, 0x00028067))
    config = _CONFIGS[unroll]
    out = home / f"{config}.tmp"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    java = ["java", "-Xss16M", "-Xmx5G", "-cp", f"{path}:{classes}"]
    elaborate = ["freechips.rocketchip.system.Generator", str(out), "montcore", "Board"]
    _run([*java, *elaborate, "montcore", config], home)
    (circuit,) = out.glob("*.fir")
    verilog = out / "board.v"
    lower = ["firrtl.stage.FirrtlMain", "-i", str(circuit), "-o", str(verilog), "-X", "verilog"]
    _run([*java, *lower], home)
    (jar,) = jars.glob("rocketchip_*.jar")
    with zipfile.ZipFile(jar) as archive:
        boxes = [archive.read(f"vsrc/{name}").decode() for name in _BLACK_BOXES]
    verilog.write_text("\n".join([verilog.read_text(), *boxes]))
    verilog.rename(board)
    shutil.rmtree(out)


def _fetch(home: Path) -> Path:
    """Return the folder of the generator's class files, fetched with Maven."""
    jars = home / "jars"
    if jars.is_dir():
        return jars
    entries = (
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, name, version in ARTIFACTS
    )
    (home / "pom.xml").write_text(_POM.format(dependencies="".join(entries)))
    work = home / "jars.tmp"
    shutil.rmtree(work, ignore_errors=True)
    copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={work}"]
    try:
        _run(["mvn", "-q", "-B", *copy], home)
    except CheckFailedError as error:
        raise RequestError(
            f"the Rocket generator cannot be fetched with Maven; {str(error)[:300]}"
        ) from None
    work.rename(jars)
    return jars


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CheckFailedError(f"{command[0]} did not end in {_TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if "rror" in line]
        raise CheckFailedError(f"{command[0]} failed: {' | '.join(lines[:3])}")
