# SPDX-License-Identifier: Apache-2.0
"""The curve engine's RTL against the model, product by product, and so random word by word."""

import subprocess
from pathlib import Path

import pytest
from ecc_tools import engine, small_curve, small_engine
from mutants import faulty

from montcore.ecc.curves import Curve, Family, get_curve
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.isa import EngineOp
from montcore.ecc.model import EngineTrace
from montcore.ecc.program import Operation
from montcore.sim import wire

nightly = pytest.mark.nightly
#: Mode of the bench's source in which words come now and then; else there is always one.
NOW_AND_THEN = 4


def traced(
    unit: Engine, curve: Curve, requests: list[EngineRequest], mode: int = 0
) -> tuple[list[int], list[int], int]:
    """Return the products and sums of the RTL, set-up included, and how many instructions."""
    executable = unit.prepare()
    commands: list[wire.Command] = [unit.configuration(curve, mode, trace=True)]
    commands += [unit.request(curve, [item]) for item in requests]
    form = wire.BeatFormat(unit.design.width)
    run = subprocess.run(
        [str(executable), "--beat-bytes", str(form.beat_bytes), "--seed", "0"],
        input=b"".join(command.encode(form) for command in commands),
        capture_output=True,
        check=True,
    )
    lines = [line.split() for line in run.stderr.decode().splitlines()]
    numbers = {
        kind: [int(line[1], 16) for line in lines if line[0] == kind] for kind in ("product", "sum")
    }
    return numbers["product"], numbers["sum"], sum(line[0] == "issue" for line in lines)


def wanted(unit: Engine, curve: Curve, requests: list[EngineRequest]) -> list[EngineTrace]:
    """Return the model's traces, of the set-up and of each request."""
    model = unit.model(curve)
    traces = [model.trace]
    for item in requests:
        model.run(item.operation, item.x, item.y)
        traces.append(model.trace)
    return traces


@pytest.mark.parametrize(
    ("operation", "x", "y"),
    [
        (Operation.MULTIPLY, (100,), (0, 0)),
        (Operation.SIGN, (100, 77), (99,)),
        (Operation.VERIFY, (3, 5), (99, 0, 0)),
    ],
)
def test_every_product_and_sum_is_that_of_the_model(
    operation: Operation, x: tuple[int, ...], y: tuple[int, ...]
) -> None:
    unit, curve = small_engine(), small_curve(Family.ANY_A, 127)
    if len(y) > 1:
        y = (*y[:-2], curve.x, curve.y)
    requests = [EngineRequest(operation, x, y)]
    products, sums, issued = traced(unit, curve, requests)
    traces = wanted(unit, curve, requests)
    assert products == [value for item in traces for value in item.products]
    assert sums == [value for item in traces for value in item.sums]
    # Jumps are followed at fetch and issue nothing.
    followed = {EngineOp.JUMP, EngineOp.CALL, EngineOp.RETURN, EngineOp.LOOP}
    code = unit.design.program.code
    executed = [code[pc] for item in traces for pc in item.instructions]
    expected = [i for i in executed if not (i.op in followed or (i.op is EngineOp.SET and i.d < 3))]
    assert issued == len(expected)


def check_words(unit: Engine) -> None:
    """Check that a source that gives words now and then gives each random word that is used.

    The model draws them one after the other: a word that is skipped, used twice or never given
    changes the blinded scalar or the point's factor, and so the products. Elements have several
    words here, of which the last one is masked. The same request has other masks again.
    """
    curve, item = (
        get_curve("secp112r1"),
        EngineRequest(Operation.SIGN, (5 << 90 | 7, 3 << 60), (77,)),
    )
    products, _, _ = traced(unit, curve, [item, item], NOW_AND_THEN)
    set_up, *traces = (trace.products for trace in wanted(unit, curve, [item, item]))
    assert products == [*set_up, *traces[0], *traces[1]]
    first, second = map(set, traces)
    assert len(first & second) < len(first) // 4


def test_random_words_are_those_of_the_source_each_once() -> None:
    check_words(engine("smm", 256, ("npe", "8")))


RANDOM, SCALAR = "montcore_ecc_random", "montcore_ecc_scalar"
STALE = {
    "a word of a scalar is not waited for": (
        RANDOM,
        "scalar_valid_o = valid_i && scalar",
        "scalar_valid_o = scalar",
    ),
    "a word of an element is not waited for": (
        RANDOM,
        "!scalar_ready_i && valid_i && !fail_i",
        "!scalar_ready_i && !fail_i",
    ),
    "the mask of an element does not advance": (
        RANDOM,
        "room_q <= (room_q >= LengthBits'(Width)) ? room_q - LengthBits'(Width) : '0;",
        "",
    ),
    "a word is used and left to the next": (
        RANDOM,
        "ready_o = scalar_ready_i ||",
        "ready_o = (scalar_ready_i && last_q[0]) ||",
    ),
    "the factor of a scalar keeps its old words": (
        SCALAR,
        "factor_q   <= gathered;",
        "factor_q   <= factor_q;",
    ),
    "the factor of a scalar is one word twice": (
        SCALAR,
        "gathered = {random_i, factor_q[BlindBits-1:WordWidth]}",
        "gathered = {random_i, BlindBits'(random_i)}",
    ),
}


@nightly
@pytest.mark.parametrize("name", STALE)
def test_words_that_the_source_has_not_given_are_found(name: str, tmp_path: Path) -> None:
    file, old, new = STALE[name]
    unit = engine("smm", 112)
    rtl = faulty(tmp_path, unit.design.build(), file, old, new)
    with pytest.raises(AssertionError):
        check_words(Engine(unit.design, rtl=rtl))
