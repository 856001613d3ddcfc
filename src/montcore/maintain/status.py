# SPDX-License-Identifier: Apache-2.0
"""The README's table of each core's verification; ``montcore maintain status``.

Names come from the datasheets, tests and proofs from their folders. Targets come from the ledgers
of measured figures; the flow simulates each netlist first. A target with figures of earlier sources
alone is marked.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.cores import all_cores
from montcore.maintain import datasheets, overview, ranking
from montcore.papers import run as papers_run
from montcore.papers.ledger import Ledger
from montcore.prove import find_proofs
from montcore.support.files import write_whole
from montcore.support.markdown import replace_block, table
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth import all_targets

README = REPO_ROOT / "README.md"
MARKS = ("<!-- status:begin -->", "<!-- status:end -->")
HEADER = ("core", "name", "exhaustive", "protocol", "proofs", "control", "netlists")
TESTS = REPO_ROOT / "tests" / "cores"
#: Tests that prove for every registered core that its control is independent of its data.
CONTROL_TESTS = (TESTS / "test_control.py", TESTS / "test_verdict_control.py")
_SYNTH = re.compile(r"montcore synth (\w+) .*--target (\w+)")


@dataclass(frozen=True)
class Status:
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


@cache
def _measured() -> dict[tuple[str, str], bool]:
    """Return the cores and targets with figures in the ledgers, and whether any is current."""
    found: dict[tuple[str, str], bool] = {}
    for ledger, subjects in (
        (Ledger.load(overview.PATH), overview.subjects()),
        (Ledger.load(ranking.PATH), ranking.subjects()),
        (Ledger.load(datasheets.PATH), datasheets.subjects()),
        (Ledger.load(), papers_run.subjects_of(papers_run.chosen(None))),
    ):
        current = {subject.command for subject in ledger.current(subjects)}
        missing = {subject.command for subject in ledger.missing(subjects)}
        for command in {subject.command for subject in subjects} - missing:
            if match := _SYNTH.match(command):
                key = match[1], match[2]
                found[key] = found.get(key, False) or command in current
    return found


def status(core: str, folder: Path) -> Status:
    """Return the status of the core whose RTL is below a folder of hw/."""
    tests = TESTS / core if (TESTS / core).is_dir() else TESTS / folder.parent.name
    files = {path: path.read_text(encoding="utf-8") for path in tests.glob("test_*.py")}
    proofs = [proof for proof in find_proofs([]) if proof.file.parent.parent == folder]
    found = re.search(r"^Name: (.+)\.$", (folder / "README.md").read_text(encoding="utf-8"), re.M)
    return Status(
        core,
        folder,
        found[1] if found else "",
        any("all_batches" in text or "exhaustive=True" in text for text in files.values()),
        any(path.stem.endswith("_cocotb") for path in files),
        sum(not proof.mutant for proof in proofs),
        sum(proof.mutant for proof in proofs),
        core in all_cores() or tests / f"test_{core}_control.py" in files,
        tuple(
            target + " †" * (not _measured()[core, target])
            for target in all_targets()
            if (core, target) in _measured()
        ),
    )


def statuses() -> list[Status]:
    """Return the status of every registered core, of the exponentiator and the curve engine."""
    cores = [status(core.name, core.folder) for core in all_cores().values()]
    return [*cores, *(status(name, HW_DIR / name) for name in ("modexp", "ecc"))]


def page(text: str) -> str:
    """Return the README with the table updated.

    Raises:
        CheckFailedError: the README lacks the marks.
    """
    rows = [item.cells() for item in statuses()]
    return replace_block(text, "\n".join(table(HEADER, rows)), MARKS)


def is_current() -> bool:
    """Tell whether the README's table is up to date."""
    text = README.read_text(encoding="utf-8")
    return page(text) == text


def refresh() -> None:
    """Write the table."""
    write_whole(README, page(README.read_text(encoding="utf-8")))
