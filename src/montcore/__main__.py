# SPDX-License-Identifier: Apache-2.0
"""`python -m montcore`: the same as the command `montcore`."""

from montcore.cli import main

main()
