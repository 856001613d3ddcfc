# SPDX-License-Identifier: Apache-2.0
"""``python -m montcore.prove [--quick] [NAME ...]``: run the proofs and show a table.

NAME is a part of a label such as ``smm/smm_fast_sequencer:r2``. The exit status is 0 only if there
was a proof and all came out as expected. Folders and logs are in the cache, under formal/.
"""

import signal
import sys

from rich.table import Table

from montcore.prove import QUICK, find_proofs, run_proof
from montcore.support.terminal import output


def main(arguments: list[str]) -> int:
    """Run the proofs one after the other, print the table and return the exit status."""
    # As an exception, so that a proof under way is ended together with its solvers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = output()
    quick = "--quick" in arguments
    proofs = find_proofs([name for name in arguments if name != "--quick"])
    proofs = [proof for proof in proofs if not quick or QUICK in proof.tags]
    if not proofs:
        console.print("there is no such proof")
        return 1
    table = Table("proof", "expected", "seconds", "result", title="Formal proofs")
    failed = 0
    for number, proof in enumerate(proofs, start=1):
        console.print(f"[{number}/{len(proofs)}] {proof.label}", markup=False, highlight=False)
        verdict = run_proof(proof)
        failed += not verdict.passed
        expected = "to fail" if proof.mutant else "to hold"
        result = f"[green]{verdict.text}[/]" if verdict.passed else f"[red]{verdict.text}[/]"
        table.add_row(proof.label, expected, f"{verdict.seconds:.1f}", result)
    console.print(table)
    console.print(f"proofs: {len(proofs) - failed} as expected, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
