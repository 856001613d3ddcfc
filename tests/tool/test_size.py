# SPDX-License-Identifier: Apache-2.0
"""Lines of the repository by room."""

import pytest

from montcore.support.errors import RequestError
from montcore_lab.size import room_of, sizes


def test_every_file_has_a_room() -> None:
    assert room_of("src/montcore/synth/asic/flow.py") == "src/montcore/synth"
    assert room_of("lab/src/montcore_lab/papers/page.py") == "lab/src/montcore_lab/papers"
    assert room_of("hw/smm/rtl/montcore_smm.sv") == "hw/smm" and room_of("README.md") == "."


def test_lines_are_counted_by_room_and_kind() -> None:
    found = {one.room: one for one in sizes()}
    assert found["hw/smm"].lines["RTL"] > 1000 and found["."].lines["pages"] > 100
    assert found["src/montcore/cores"].lines.keys() == {"Python"}
    with pytest.raises(RequestError, match="git cannot count lines"):
        sizes("no-such-commit")
