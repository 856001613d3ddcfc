# SPDX-License-Identifier: Apache-2.0
"""Synthesis: area and clock of a core on an ASIC library and on FPGA families.

Names are imported on first use, since most invocations of the tool need few of them.
"""

from typing import TYPE_CHECKING, Any

from montcore.support.lazily import importer

if TYPE_CHECKING:
    from montcore.synth.flow import synthesise
    from montcore.synth.result import JSON_KEYS, SynthResult
    from montcore.synth.target import all_targets, get_target

__all__ = [
    "JSON_KEYS",
    "SynthResult",
    "all_targets",
    "get_target",
    "synthesise",
]

_import = importer(
    {
        "montcore.synth.flow": ("synthesise",),
        "montcore.synth.result": ("JSON_KEYS", "SynthResult"),
        "montcore.synth.target": ("all_targets", "get_target"),
    }
)


def __getattr__(name: str) -> Any:
    return _import(__name__, name)
