# SPDX-License-Identifier: Apache-2.0
"""Formal proofs as a table, for ``montcore maintain prove`` and `make formal`."""

import signal
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from montcore.support.errors import RequestError
from montcore_lab.proofs.runner import find_proofs, run_proof


def show(console: Console, names: Sequence[str], quick: bool, again: bool = False) -> int:
    """Run proofs one after the other, print the table and return the exit status.

    Folders and logs are in the cache, under formal/.

    Args:
        console: the console.
        names: parts of labels such as ``smm/smm_fast_sequencer:r2``; all proofs if there are none.
        quick: run only those that `make test` also runs.
        again: also run those that ended as expected with the same files and tools.

    Raises:
        RequestError: there is no such proof.
    """
    # As an exception, so that a running proof and its solvers are terminated.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    proofs = [proof for proof in find_proofs(list(names)) if not quick or proof.quick]
    if not proofs:
        raise RequestError("there is no such proof")
    table = Table("proof", "expected", "seconds", "result", title="Formal proofs")
    failed = 0
    for number, proof in enumerate(proofs, start=1):
        console.print(f"[{number}/{len(proofs)}] {proof.label}", markup=False, highlight=False)
        verdict = run_proof(proof, again=again)
        failed += not verdict.passed
        expected = "to fail" if proof.mutant else "to hold"
        result = f"[green]{verdict.text}[/]" if verdict.passed else f"[red]{verdict.text}[/]"
        table.add_row(proof.label, expected, f"{verdict.seconds:.1f}", result)
    console.print(table)
    console.print(f"proofs: {len(proofs) - failed} as expected, {failed} not")
    return 1 if failed else 0
