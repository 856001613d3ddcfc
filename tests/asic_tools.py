# SPDX-License-Identifier: Apache-2.0
"""Whether the ASIC flow's cell library and timing analyser are installed."""

import shutil

import pytest

from montcore.errors import RequestError
from montcore.synth.tools import liberty_path

try:
    liberty_path()
    ASIC_TOOLS = shutil.which("sta") is not None
except RequestError:
    ASIC_TOOLS = False
needs_asic = pytest.mark.skipif(not ASIC_TOOLS, reason="osu018 or OpenSTA is not installed")
