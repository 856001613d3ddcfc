# SPDX-License-Identifier: Apache-2.0
"""The published intermediate values follow the formulas of vectors/README.md, step by step."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from montcore.cores import all_cores, get_core
from montcore.support.paths import VECTORS_DIR
from montcore_lab.generated import step_vectors

RECORDS: list[dict[str, Any]] = json.loads((VECTORS_DIR / "steps.json").read_text())
Numbers = dict[str, int]


def name_of(record: dict[str, Any]) -> str:
    chosen = [str(value) for key, value in record["params"].items() if key in ("radix", "schedule")]
    return " ".join([record["core"], *chosen, str(record["bits"])])


def test_the_file_is_what_the_models_say() -> None:
    for path, text in step_vectors().items():
        assert path.read_text() == text
    assert {record["core"] for record in RECORDS} == set(all_cores())


def follow_row(x: int, y: int, m: int, r: int, steps: list[Numbers], radix: int) -> int:
    weight, total, multiplier = 1, 0, 0
    for step in steps:
        total, rest = divmod(total + step["a"] * y + step["q"] * m, radix)
        assert not rest and total == step["T"]
        multiplier, weight = multiplier + step["a"] * weight, weight * radix
    assert multiplier == x and weight == r
    return total


def follow_hr(x: int, y: int, m: int, r: int, steps: list[Numbers], radix: int) -> int:
    scaled = pow(radix, -2, m)  # N, or N - m
    signed = scaled if 3 * scaled < m else scaled - m
    total, before, multiplier = 0, 0, 0
    for place, step in enumerate(steps):
        rest = total - step["q"]
        assert rest % radix == 0 and -2 * radix < 3 * step["q"] < radix
        total, before = rest // radix + before * signed + step["a"] * y, step["q"]
        multiplier += step["a"] * radix**place
        assert total == step["T"]
    assert multiplier == x
    return (total * radix + before) * pow(radix, -2, m) % m


def follow_smm_fast(x: int, y: int, m: int, r: int, steps: list[Numbers], word: int) -> int:
    inverse = -pow(m, -1, word) % word
    total = x % word * y
    for place, step in enumerate(steps[:-1], 1):
        assert step["low"] == total % word
        scaled = (m * inverse + 1) // word
        total = total // word + x // word**place % word * y + step["low"] * scaled
        assert total == step["T"]
    last = steps[-1]
    assert last["T"] == total + last["q"] * m and last["T"] % word == 0
    return last["T"] // word


def follow_smm_paper(x: int, y: int, m: int, r: int, steps: list[Numbers], word: int) -> int:
    total = 0
    for place, step in enumerate(steps):
        total, rest = divmod(total + x // word**place % word * y + step["q"] * m, word)
        assert not rest and total == step["S"] and step["q"] < word
    return total


def follow_dsp(x: int, y: int, m: int, r: int, steps: list[Numbers], word: int) -> int:
    scaled = (-pow(m, -1, word**2) % word**2 * m + 1) // word**2
    total, before, last = 0, 0, 0
    for place, step in enumerate(steps):
        total = total // word + x // word**place % word * y + before * scaled
        before, last = last, total % word
        assert (total, last) == (step["S"], step["q"])
    value = total * word + before
    return (value + -value * pow(m, -1, word**2) % word**2 * m) // word**2


def follow_karatsuba(x: int, y: int, m: int, r: int, steps: list[Numbers], _: int) -> int:
    (step,) = steps
    if "D" in step:
        assert step["D"] == x * y and step["E"] == x * y * -pow(m, -1, r) % r
        return (step["D"] + step["E"] * m) // r
    half = 1 << (r.bit_length() // 2)
    assert step["xy"] == x * y and step["T"] % m == x * y * pow(half, -1, m) % m
    assert (step["T"] + step["q"] * m) % half == 0
    return (step["T"] + step["q"] * m) // half


FOLLOW: dict[str, tuple[Callable[..., int], Callable[[dict[str, str]], int]]] = {
    **{name: (follow_row, lambda params: 2) for name in ("mx", "cs", "op", "rc")},
    "cs4": (follow_row, lambda params: 4),
    "hr": (follow_hr, lambda params: 1 << int(params["radix"])),
    "smm fast": (follow_smm_fast, lambda params: 1 << int(params["w"])),
    "smm paper": (follow_smm_paper, lambda params: 1 << int(params["w"])),
    "dsp": (follow_dsp, lambda params: 1 << 17),
    "karatsuba": (follow_karatsuba, lambda params: 0),
}


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_each_step_follows_from_the_one_before(record: dict[str, Any]) -> None:
    core, params = record["core"], record["params"]
    name = f"smm {params['schedule']}" if core == "smm" else core
    follow, base = FOLLOW[name]
    x, y, m, z, total = (int(record[key], 16) for key in ("x", "y", "m", "z", "uncorrected"))
    steps = [{key: int(value, 16) for key, value in one.items()} for one in record["steps"]]
    r = 1 << record["r_bits"]
    found = follow(x, y, m, r, steps, base(params))
    assert found % m == total % m == z == x * y * pow(r, -1, m) % m
    assert found == total or (core == "hr" and -m < total < m)
    built = get_core(core).configure(params, record["bits"])
    assert built.run_model(x, y, m, record["bits"]).z == z
