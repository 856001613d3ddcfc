# SPDX-License-Identifier: Apache-2.0
"""Run the formal proofs and show a table. Usage: formal.py [--quick] [NAME ...]."""

import sys

from montcore.prove.__main__ import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
