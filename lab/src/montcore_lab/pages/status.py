# SPDX-License-Identifier: Apache-2.0
"""The README's table of each core's verification, written by ``montcore maintain figures``.

Names come from the datasheets, tests and proofs from their folders. Targets come from the ledger
of measured figures; the flow simulates each netlist first. A target with figures of earlier sources
alone is marked.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import all_cores
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth.target import all_targets
from montcore_lab.checkout.markdown import Part, table
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import Subject
from montcore_lab.proofs.runner import find_proofs

README = REPO_ROOT / "README.md"
MARKS = ("<!-- status:begin -->", "<!-- status:end -->")
HEADER = ("core", "name", "exhaustive", "protocol", "proofs", "control", "netlists")
TESTS = REPO_ROOT / "tests" / "cores"
_SYNTH = re.compile(r"montcore synth (\w+) .*--target (\w+)")


@dataclass(frozen=True)
class CoreStatus:
    """Verification status of one core.

    Attributes:
        core: name of the core.
        folder: folder of its RTL, below hw/.
        name: expansion of the name.
        exhaustive: all operands of all odd moduli of a small width are simulated.
        protocol: the port is tested under Icarus Verilog.
        proofs: formal proofs of its blocks.
        mutants: deliberate faults that these proofs must find.
        control: the control outputs are proved independent of the data.
        targets: targets with figures, marked if all of them are of earlier sources.
    """

    core: str
    folder: Path
    name: str
    exhaustive: bool
    protocol: bool
    proofs: int
    mutants: int
    control: bool
    targets: tuple[str, ...]

    def cells(self) -> list[str]:
        """Return the row of the table."""
        link = f"[{self.core}]({self.folder.relative_to(REPO_ROOT)}/README.md)"
        yes = ["yes" if fact else "-" for fact in (self.exhaustive, self.protocol, self.control)]
        proofs = f"{self.proofs} ({self.mutants})" if self.proofs else "-"
        return [link, self.name, *yes[:2], proofs, yes[2], ", ".join(self.targets)]


def measured(ledger: Ledger, subjects: Sequence[Subject]) -> dict[tuple[str, str], bool]:
    """Return the cores and targets with figures, and whether any of these is current."""
    found: dict[tuple[str, str], bool] = {}
    outdated = ledger.outdated(subjects)
    current = {subject.command for subject in subjects} - outdated
    for command in ledger.entries:
        if match := _SYNTH.match(command):
            key = match[1], match[2]
            found[key] = found.get(key, False) or command in current
    return found


def status(core: str, folder: Path, known: Mapping[tuple[str, str], bool]) -> CoreStatus:
    """Return the status of the core whose RTL is below a folder of hw/.

    Args:
        core: its name.
        folder: the folder.
        known: `measured`.
    """
    tests = TESTS / core if (TESTS / core).is_dir() else TESTS / folder.parent.name
    files = {path: path.read_text(encoding="utf-8") for path in tests.glob("test_*.py")}
    own = (proof for proof in find_proofs([]) if proof.file.parent.parent == folder)
    proofs = [proof for proof in own if not proof.alive]
    found = re.search(r"^Name: (.+)\.$", (folder / "README.md").read_text(encoding="utf-8"), re.M)
    return CoreStatus(
        core,
        folder,
        found[1] if found else "",
        any("check_all_products" in text or "exhaustive=True" in text for text in files.values()),
        # tests/sim/test_sim_sequences.py has the port of every multiplier.
        core in all_cores() or any(path.stem.endswith("_cocotb") for path in files),
        sum(not proof.mutant for proof in proofs),
        sum(proof.mutant for proof in proofs),
        core in all_cores() or tests / f"test_{core}_control.py" in files,
        tuple(
            target + " †" * (not known[core, target])
            for target in all_targets()
            if (core, target) in known
        ),
    )


def statuses(known: Mapping[tuple[str, str], bool]) -> list[CoreStatus]:
    """Return the status of every registered core, of the exponentiator and the curve engine."""
    cores = [status(core.name, core.folder(), known) for core in all_cores().values()]
    return [*cores, *(status(name, HW_DIR / name, known) for name in ("modexp", "ecc"))]


def parts(ledger: Ledger, subjects: Sequence[Subject]) -> list[Part]:
    """Return the table of the README."""
    rows = [item.cells() for item in statuses(measured(ledger, subjects))]
    return [Part(README, "\n".join(table(HEADER, rows)), MARKS)]
