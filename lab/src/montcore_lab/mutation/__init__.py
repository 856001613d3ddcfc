# SPDX-License-Identifier: Apache-2.0
"""How many small faults of the RTL the checks find: mutants, the checks that kill them, a score."""
