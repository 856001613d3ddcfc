# SPDX-License-Identifier: Apache-2.0
"""RSA-2048 by driver and bus: its cycles, compared with those of the engine itself."""

import random
from pathlib import Path

import pytest
from pka_bench import CYCLES, bench
from rsa_numbers import key

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power

KEY = key(1024, 1024, 1)
BITS = 2048


@pytest.mark.nightly
@pytest.mark.parametrize(("clocking", "limit"), [("single", 1_700_000), ("double", 1_200_000)])
def test_rsa_2048_keeps_its_limits(tmp_path: Path, clocking: str, limit: int) -> None:
    settings = {"alpha": "17", "clocking": clocking}
    made = bench(tmp_path, "dsp", BITS, settings)
    x = random.Random(5).randrange(KEY.n)
    wanted = pow(x, KEY.d, KEY.n)
    lines = ["open", KEY.line(), "begin", *[f"private {x:x}", "spent"] * 3]
    found = made.run(lines)
    assert [(answer.status, answer.value) for answer in found[3::2]] == [(0, wanted)] * 3
    total, commands, count = (int(word) for word in found[-1].said.split())
    print(f"{clocking}: {total} cycles, {commands} of them in {count} commands")
    assert total < limit
    # The engine itself: a power of the length of the blinded halves, with its set-up.
    e_bits = 1024 + 64
    power = Power(x % KEY.p, (1 << e_bits) - 1, KEY.p, exponent_bits=e_bits)
    bare = Exponentiator(ExponentiatorDesign(get_core("dsp").configure(settings, BITS))).power(
        power
    )
    e = (1 << e_bits) - 1
    lines = ["open", f"load 1024 {KEY.p:x}", f"r {CYCLES:x}"]
    lines += [f"power {int(Policy.CONSTANT)} {x % KEY.p:x} {e:x} {e_bits}", f"r {CYCLES:x}"]
    found = made.run([*lines, "total"])
    behind = found[2].value + found[4].value
    print(f"{clocking}: a half takes {bare.cycles + bare.setup_cycles} cycles, {behind} by command")
    assert behind < 1.05 * (bare.cycles + bare.setup_cycles)
    assert total < 1.05 * commands
