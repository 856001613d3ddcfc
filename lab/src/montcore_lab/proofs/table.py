# SPDX-License-Identifier: Apache-2.0
"""Theorems and formal proofs as a table, for ``montcore maintain prove`` and `make formal`."""

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab.proofs.alive import dead, parts_of
from montcore_lab.proofs.runner import find_proofs, run_proof
from montcore_lab.proofs.theorems import check_theorems

_THEOREMS = "theorems"


def show(console: Console, names: Sequence[str], quick: bool, again: bool = False) -> int:
    """Check the theorems, run proofs one after the other, print a table, return the exit status.

    Folders and logs are in the cache, under formal/.

    Args:
        console: the console.
        names: parts of labels such as ``smm/smm_fast_sequencer:r2``, or ``theorems``; all of both
            if there are none.
        quick: run only those that `make test` also runs.
        again: also run those that ended as expected with the same files and tools.

    Raises:
        RequestError: there is no such proof, or theorems are to be checked and Coq is missing.
    """
    # As an exception, so that a running proof and its solvers are terminated.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    proofs = [proof for proof in find_proofs(list(names)) if not quick or proof.quick]
    theorems = not names or _THEOREMS in names
    if not proofs and not theorems:
        raise RequestError("there is no such proof")
    table = Table("proof", "expected", "seconds", "result", title="Formal proofs")
    failed = 0
    alive: dict[Path, list[str]] = {}
    if theorems:
        try:
            number, seconds = check_theorems()
            result = f"[green]{number} theorems, no assumption[/]"
        except CheckFailedError as error:
            failed, seconds, result = 1, 0.0, f"[red]{escape(str(error))}[/]"
        table.add_row(_THEOREMS, "to hold", f"{seconds:.1f}", result)
    for number, proof in enumerate(proofs, start=1):
        console.print(f"[{number}/{len(proofs)}] {proof.label}", markup=False, highlight=False)
        verdict = run_proof(proof, again=again)
        failed += not verdict.passed
        expected = "to fail" if proof.mutant else "to be alive" if proof.alive else "to hold"
        text = verdict.text
        if proof.alive and verdict.passed:
            alive.setdefault(proof.property_file, []).append(text)
            text = f"{len(text.split())} parts alive"
        result = f"[green]{text}[/]" if verdict.passed else f"[red]{text}[/]"
        table.add_row(proof.label, expected, f"{verdict.seconds:.1f}", result)
    console.print(table)
    failed += _show_alive(console, alive)
    console.print(f"proofs: {len(proofs) + theorems - failed} as expected, {failed} not")
    return 1 if failed else 0


def _show_alive(console: Console, alive: Mapping[Path, list[str]]) -> int:
    """Print how much of the assertions is alive, and return the number of dead parts."""
    parts = {file: parts_of(file) for file in alive}
    if not parts:
        return 0
    never = {file: dead(file, texts) for file, texts in alive.items()}
    for file, missing in never.items():
        for part in missing:
            console.print(f"never alive: {file.name} {part.label}: {part.text}", markup=False)
    unseen = {file: dead(file, texts, excepted=True) for file, texts in alive.items()}
    total, count, left = (sum(map(len, table.values())) for table in (parts, never, unseen))
    assertions = {(file, part.assertion) for file, found in parts.items() for part in found}
    live = {
        (file, part.assertion)
        for file, found in parts.items()
        for part in found
        if part not in never[file] and part not in unseen[file]
    }
    console.print(
        f"alive: {len(live)} of {len(assertions)} assertions, {total - count - left} of {total} "
        f"disjuncts, {left} excepted, in {len(alive)} property files"
    )
    return count
