# SPDX-License-Identifier: Apache-2.0
"""The program of FuseSoC's generator montcore:generators:rtl; its Python has montcore installed."""

import sys
from pathlib import Path

from montcore.bundle.generator import generate

generate(Path(sys.argv[1]))
