# SPDX-License-Identifier: Apache-2.0
"""The formal proofs: what `make formal` runs, and what `make test` takes of it."""

from montcore.prove.runner import QUICK, Proof, Verdict, find_proofs, read_tasks, run_proof

__all__ = ["QUICK", "Proof", "Verdict", "find_proofs", "read_tasks", "run_proof"]
