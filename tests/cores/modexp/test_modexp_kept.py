# SPDX-License-Identifier: Apache-2.0
"""A modulus whose R^2 the pair keeps: set up again in the cycles of the model, and forgotten."""

import random
from pathlib import Path

import dsp_pair_model as model
import pytest
from modexp_port import Port, PortRequest, Step
from mutants import faulty
from test_modexp_pair import BUILDS, PACES, both, design, odd, second

from montcore.model.dsp import sizes
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import KEPT_SHIFT, SECOND_SHIFT, Policy
from montcore.sim import wire
from montcore.sim.types import Status
from montcore.support.errors import CheckFailedError

nightly = pytest.mark.nightly


def kept(port: Port, m: int, length: int, status: Status = Status.OK, *, other: int = 0) -> Step:
    """Return the step that loads a modulus whose R^2 is kept; `other`: of the second one."""
    marks = other << SECOND_SHIFT | 1 << KEPT_SHIFT
    return port.configure(m, length, marks=marks, status=status)


def products(port: Port, m: int, length: int) -> Step:
    """Return a step with a product, a power with e = 65537 and another product."""
    requests = [
        port.product(m, length, m - 1, m - 2),
        port.power(m, length, Policy.SLIDING, m - 1 - m // 3, 65537, 17),
        port.product(m, length, m // 3, m // 5),
    ]
    return port.run(requests, length)


@pytest.mark.parametrize(
    # Every run has the recall of a modulus below, with the cycles of test_modexp_pair.py.
    "build",
    [pytest.param(n, marks=nightly) for n in ("lockstep", "double", "five blocks")],
)
def test_a_kept_modulus_is_set_up_again_in_the_models_cycles(build: str) -> None:
    """Whatever was set up in between without a mark; for all lengths, and with leading zeros."""
    built, rng = design(build), random.Random(9)
    port, bits, alpha = Port(built), built.length, BUILDS[build][1]
    wanted, steps = [], []
    lengths = (bits, bits - 1, bits - 33, bits - 34, bits - 35, bits // 2 + 18)
    for length in lengths[:: 3 if build == "lockstep" else 1]:
        for m in (odd(rng, length), (1 << length) - 1, odd(rng, length - 40), 3):
            steps += [kept(port, m, length), products(port, m, length)]
            steps += both(port, (odd(rng, bits - 7), odd(rng, bits - 7)), bits)
            steps += [kept(port, m, length), products(port, m, length)]
            size, beats = sizes(length, alpha), built.host_beats(length)
            wanted.append(model.recall_cycles(size, alpha, beats, double=built.double))
    port.play(steps)
    assert port.set_ups[3::4] == wanted
    assert all(first > 1.5 * again for first, again in zip(port.set_ups[::4], wanted, strict=True))


@pytest.mark.parametrize("build", ["lockstep", "one block"])
@pytest.mark.one_in(2)
def test_a_modulus_is_recalled_only_if_it_is_the_kept_one(build: str) -> None:
    """Not with another length, another beat, after refusals of itself, zeroize or reset."""
    port, rng = Port(design(build)), random.Random(2)
    length = port.design.length
    m, other = odd(rng, length - 1), odd(rng, length - 1)
    steps = [kept(port, m, length), products(port, m, length)]
    fresh = [True]

    def load(*loads: tuple[Step, bool], then: int = m) -> None:
        for step, is_fresh in loads:
            steps.append(step)
            fresh.append(is_fresh)
        steps.append(products(port, then, length))

    load((kept(port, m, length), False))
    # Without a mark it is set up in full, and stays kept; so do others leave it.
    load((port.configure(m, length), True))
    load((port.configure(other, length), True), (second(port, other, length), True), then=other)
    load((kept(port, m, length), False))
    # For the second exponentiator too; beside itself, or another one.
    steps += [kept(port, m, length, other=1)]
    fresh.append(False)
    requests = [port.product(m, length, 5, 7 + k) for k in range(4)]
    steps.append(port.run(requests, length, PACES[1]))
    steps += [port.configure(other, length), kept(port, m, length, other=1)]
    fresh += [True, False]
    requests = [port.product(n, length, 5, 7) for n in (other, m) * 2]
    steps.append(port.run(requests, length, PACES[0]))
    # Refused with a mark: the kept one stays.
    for wrong, status in ((m - 1, Status.MODULUS_EVEN), (1, Status.MODULUS_ONE)):
        steps.append(kept(port, wrong, length, status))
    steps.append(kept(port, m, length, Status.MODULUS_LENGTH, other=1))
    load((kept(port, m, length), False))
    # Others with a mark: the first beat differs, the last one, the length.
    for changed in (m ^ 2, m ^ 1 << (length - 3)):
        step = kept(port, changed, length)
        load((step, True), (step, False), then=changed)
        load((kept(port, m, length), True))
    steps += [kept(port, m, length - 1), products(port, m, length - 1)]
    fresh.append(True)
    load((kept(port, m, length), True), (kept(port, m, length), False))
    port.play(steps)
    quick = min(port.set_ups)
    assert [cycles != quick for cycles in port.set_ups] == fresh


@pytest.mark.parametrize("reset", [False, True])
def test_zeroize_and_reset_forget_the_kept_modulus(reset: bool) -> None:
    """At any moment: before, during and after the set-up of the kept modulus."""
    port, rng = Port(design("lockstep")), random.Random(2)
    length = port.design.length
    m = odd(rng, length)
    port.play([kept(port, m, length), kept(port, m, length)])
    full, quick = port.set_ups
    assert quick < full
    port.set_ups.clear()
    request = port.product(m, length, 5, 7)
    lone = PortRequest(request.x, request.y, request.x_beats, request.y_beats, Status.NO_MODULUS)
    moments = [*range(0, quick + 40, 19), *range(quick + 40, full, 83)]
    for before in ([], [kept(port, m, length)]):
        steps = []
        for after in moments:
            steps += [*before, Step(wire.Abort(after, reset)), kept(port, m, length)]
            steps += [port.run([lone], length), kept(port, m, length), products(port, m, length)]
            # For the next moment nothing is kept, whatever it finds.
            steps += [Step(wire.Abort(0, reset)), port.run([lone], length)]
        port.play(steps)
    assert port.set_ups == [full] * 3 * len(moments)


KEPT_FAULTS = {
    "beats are not compared": ("assign same_beat = word == m_data_i;", "assign same_beat = 1'b1;"),
    "only the last beat is compared": ("equal_q <= equal_q && same_beat", "equal_q <= equal_q"),
    "lengths are not compared": ("&& length_q == length_i", ""),
    "others are compared too": ("marked_q <= mark_i;", "marked_q <= 1'b1;"),
    "the first product's result is kept": ("!recall_q);", "!recall_q && word == 0);"),
    "the first beat is not there in time": (
        "assign raddr = RowBits'({next_",
        "assign raddr = RowBits'({",
    ),
    "the place of the top is lost": ("if (m_data_i != '0) top_q", "if (1'b0) top_q"),
}


@nightly
@pytest.mark.parametrize("fault", KEPT_FAULTS)
def test_the_tests_of_kept_moduli_catch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    build = faulty(
        tmp_path, design("lockstep").build(), "montcore_modexp_pair_kept", *KEPT_FAULTS[fault]
    )
    monkeypatch.setattr(ExponentiatorDesign, "build", lambda self: build)
    with pytest.raises((AssertionError, CheckFailedError)):
        test_a_modulus_is_recalled_only_if_it_is_the_kept_one("lockstep")
