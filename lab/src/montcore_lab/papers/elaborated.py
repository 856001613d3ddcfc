# SPDX-License-Identifier: Apache-2.0
"""The identity of a design: a hash of it as Yosys elaborates it, before any mapping.

Names of files, lines, modules, instances and signals do not count, and neither do comments and
hierarchy. So a figure stays valid when its sources are renamed, moved, split or commented.
"""

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from montcore.support.digest import digest
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.target import Target
from montcore.synth.yosys import run_yosys
from montcore_lab.checkout.remembered import Question, remembered

#: Designs, each with the target whose primitives it may contain, or None if it is simulated.
Designs = Sequence[tuple[Design, Target | None]]

_OUTPUT = "elaborated.il"
#: After the design is read. Only ports keep their names.
_COMMANDS = (
    "proc",
    "setattr -unset src -unset hdlname",
    "setattr -mod -unset src -unset hdlname",
    "rename -hide",
    "opt_clean",
    "rename -enumerate",
    f"write_rtlil {_OUTPUT}",
)


def design_digest(designs: Designs) -> str:
    """Return a hash of elaborated designs and of the flow's choices for them.

    Raises:
        ToolError: a design does not elaborate.
    """
    about = []
    for design, on in designs:
        about += [repr((design.fast_clock, design.shared, design.choices)), _elaborated(design, on)]
    return digest(about)


def _elaborated(design: Design, on: Target | None) -> str:
    headers = on.headers if on else ()
    about = [design.top, design.parameters, design.defines, on.primitives if on else (), _COMMANDS]
    question = Question(about, (*design.sources, *headers), ())
    return remembered(question, lambda: _run(design, on))


def _run(design: Design, on: Target | None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        reading = on.reading(design, work) if on else [design.read_command(work)]
        run_yosys([*reading, *_COMMANDS], work, "identity", DEFAULT_OPTIONS)
        # The first lines name the version of Yosys and the number of the next automatic name.
        _, _, text = (work / _OUTPUT).read_text(encoding="utf-8").split("\n", 2)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
